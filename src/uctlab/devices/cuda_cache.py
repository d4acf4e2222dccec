"""Keeps kernels of a GPU in the cache folder, beside those of the CPU.

Compiling a search with much knowledge of its game takes a minute. An entry is found again by the
kernel's name, which carries a digest of its code, by the types of its arguments, and by the GPU.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import pickle
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np

from uctlab.kernels.cache_folder import ENTRY, cache_folder, say_once, write
from uctlab.kernels.disk_cache import checked, type_facts


class CudaCache:
    """The cache of one kernel, with the methods that numba-cuda's dispatcher calls."""

    def __init__(self, name: str) -> None:
        """`name` is the kernel's and tells its code."""
        self._name = name

    @property
    def cache_path(self) -> str | None:
        folder = cache_folder()
        return None if folder is None else str(folder)

    def flush(self) -> None:
        for path in self._entries():
            path.unlink(missing_ok=True)

    def is_filled(self) -> bool:
        """Whether there is an entry, which may be that of another GPU."""
        return bool(self._entries())

    def _entries(self) -> list[Path]:
        folder = cache_folder()
        return [] if folder is None else list(folder.glob(f"{self._name}-*{ENTRY}"))

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The compiled kernel; None if it is not in the cache or the entry is damaged."""
        try:
            path = self._path(signature, target.codegen())
            if path is None or not path.is_file():
                return None
            kind, facts = pickle.loads(checked(path.read_bytes()))
            return kind._rebuild(**facts)
        except Exception as trouble:  # whatever is wrong with an entry, it can be compiled
            say_once(f"a kernel of the GPU in the cache cannot be used: {trouble}")
            return None

    def save_overload(self, signature: Any, made: Any) -> None:
        from numba.cuda.serialize import dumps  # noqa: PLC0415 (not without numba-cuda)

        try:
            path = self._path(signature, made.codegen)
            if path is None:
                return
            facts = made._reduce_states()
            # Only the machine code: the rest is twenty times as large and serves to look at.
            library = facts["codelibrary"]
            parts = library._reduce_states() | {"llvm_strs": [], "ptx_cache": {}}
            facts["codelibrary"] = type(library)._rebuild(**parts)
            data = dumps((type(made), facts))
            write(path, hashlib.sha256(data).digest() + data)
        except Exception as trouble:  # of many kinds, and none of them stops the run
            say_once(f"kernels of the GPU cannot be kept: {trouble}")

    def _path(self, signature: Any, codegen: Any) -> Path | None:
        folder = cache_folder()
        if folder is None:
            return None
        arguments = signature if isinstance(signature, tuple) else signature.args
        facts = [
            *map(type_facts, arguments),
            repr(codegen.magic_tuple()),
            f"{numba.__version__} {importlib.metadata.version('numba-cuda')} {np.__version__}",
            str(sys.implementation.cache_tag),
        ]
        digest = hashlib.sha256("\n".join(facts).encode()).hexdigest()[:32]
        return folder / f"{self._name}-{digest}{ENTRY}"
