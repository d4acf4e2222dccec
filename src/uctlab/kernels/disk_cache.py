"""Keeps machine code on disk, in place of Numba's own cache.

An entry is one file. Its name has the function's name, which carries a digest of the code
(specialise.py), and a digest of all else that the machine code depends on: the types of the
arguments, the processor, versions, settings of Numba. So an entry is never out of date, there is no
index that two processes could write at once, and all checkouts share one folder. The file begins
with a checksum of the rest.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba import types
from numba.core import sigutils
from numba.core.compiler import CompileResult
from numba.core.errors import NumbaWarning
from numba.core.serialize import dumps

from uctlab.kernels.cache_folder import ENTRY, cache_folder, say_once, write
from uctlab.kernels.nested import KIND, rebuilt_callee

CHECKSUM = 32  # bytes
COMPILER = "4"  # of our own part of the compiler: what compiles the same code in another way
# Environment variables of Numba that change the code; the processor's are in `magic_tuple`.
SETTINGS = ("OPT", "BOUNDSCHECK", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "SLP_VECTORIZE")


class DiskCache:
    """The cache of one function, with the methods that Numba's dispatcher calls."""

    def __init__(self, function: Callable[..., Any], nested: bool = False) -> None:
        self._module = function.__module__
        self._name = function.__qualname__
        self._nested = nested
        self._enabled = True

    @property
    def cache_path(self) -> str | None:
        folder = cache_folder()
        return None if folder is None else str(folder)

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        folder = cache_folder()
        if folder is not None:
            for path in folder.glob(f"{self._name}-*{ENTRY}"):
                path.unlink(missing_ok=True)

    def has(self, signature: Any, target: Any) -> bool:
        """Whether there is an entry, which may still be damaged."""
        target.refresh()
        path = self._path(signature, target.codegen())
        return path is not None and path.is_file()

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The compiled function; None if it is not in the cache or the entry is damaged."""
        if not self._nested:  # else it is done, for the caller
            target.refresh()  # initialises it, which machine code relies on
        path = self._path(signature, target.codegen())
        if path is None:
            return None
        try:
            data = path.read_bytes()
        except OSError:
            return None
        try:
            made = _rebuilt(target, pickle.loads(checked(data)))
        except Exception:  # whatever is wrong with an entry, the function can be compiled
            say_once(f"compiled code in {path.parent} was damaged and is compiled again")
            with suppress(OSError):
                path.unlink()
            return None
        with suppress(OSError):
            os.utime(path)  # entries that nobody uses are removed first
        return made

    def save_overload(self, signature: Any, made: Any) -> None:
        path = self._path(signature, made.codegen)
        if path is None or not self._can_be_kept(made):
            return
        data = dumps(made._reduce())
        try:
            write(path, hashlib.sha256(data).digest() + data)
        except OSError as trouble:  # a full disk
            say_once(f"compiled code cannot be kept in {path.parent}: {trouble.strerror}")

    def _path(self, signature: Any, codegen: Any) -> Path | None:
        folder = cache_folder() if self._enabled else None
        if folder is None:
            return None
        arguments, returned = sigutils.normalize_signature(signature)
        facts = [
            self._module,
            KIND if self._nested else "",
            *map(type_facts, arguments),
            str(returned),
            *codegen.magic_tuple(),
            *(f"{name}={getattr(numba.config, name)}" for name in SETTINGS),
            COMPILER,
            f"{numba.__version__} {llvmlite.__version__} {np.__version__}",
            f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}",
        ]
        digest = hashlib.sha256("\n".join(facts).encode()).hexdigest()[:32]
        return folder / f"{self._name}-{digest}{ENTRY}"

    def _can_be_kept(self, made: Any) -> bool:
        if made.lifted or made.library.has_dynamic_globals:
            warnings.warn(
                f"kernel {self._name} is compiled in every process: it has a large global array "
                "or another global whose address is in the machine code",
                NumbaWarning,
                stacklevel=2,
            )
            return False
        return True


def _rebuilt(target: Any, parts: Any) -> Any:
    is_nested = parts[0][1] == KIND
    return rebuilt_callee(target, parts) if is_nested else CompileResult._rebuild(target, *parts)


def checked(data: bytes) -> bytes:
    checksum, rest = data[:CHECKSUM], data[CHECKSUM:]
    if hashlib.sha256(rest).digest() != checksum:
        raise ValueError("the checksum does not match")
    return rest


def type_facts(kind: Any) -> str:
    """All that a type says; Numba's name of a named tuple leaves out its fields."""
    is_tuple = isinstance(kind, types.BaseTuple)
    is_named = isinstance(kind, types.BaseNamedTuple)
    parts = [type_facts(part) for part in kind.types] if is_tuple else ""
    made_by = f"{kind.instance_class} {kind.fields}" if is_named else ""
    return f"{kind} {made_by} {parts}"
