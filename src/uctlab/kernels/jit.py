"""The decorator that marks kernels, and the only place that calls Numba's compiler.

A kernel is a plain Python function until `specialise` compiles it: you can call it as it is and
step through it in a debugger. Numba is loaded when the first kernel is compiled.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any, TypeVar

import numpy as np

INTRINSICS = "uctlab.kernels.llvm"

Function = TypeVar("Function", bound=Callable[..., Any])

# No fastmath: the same seed must give the same tree on every machine. No reference counts: kernels
# allocate nothing, and counting who holds their arrays took a fifth of the time in Go.
FLAGS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}


def kernel(function: Function) -> Function:
    """Mark a function as a kernel: it and the kernels it calls are compiled together.

    Args:
        function: Plain Python as games/api.py describes it: numbers, records and arrays, no lists.

    Returns:
        The same function; it stays plain Python where you call it yourself.

    Examples:
        >>> @uctlab.kernel
        ... def double(x):
        ...     return 2 * x
        >>> double(21)
        42
    """
    function.__kernel__ = True  # type: ignore[attr-defined]
    return function


def primitive(file: str | None) -> Callable[[Function], Function]:
    """Mark a Python function that a Numba intrinsic replaces in compiled code: the one of the same
    name in that file of kernels/llvm. None says that there is none."""

    def mark(function: Function) -> Function:
        module = None if file is None else f"{INTRINSICS}.{file}"
        function.__intrinsic__ = module  # type: ignore[attr-defined]
        return function

    return mark


def intrinsic_of(function: Any) -> Any:
    """What replaces a primitive in compiled code; None if nothing does."""
    module = function.__intrinsic__
    return None if module is None else getattr(import_module(module), function.__name__)


def is_kernel(value: object) -> bool:
    return getattr(value, "__kernel__", False)


def interpreted() -> bool:
    """Whether NUMBA_DISABLE_JIT is set, so that kernels stay plain Python."""
    if "numba" not in sys.modules and os.environ.get("NUMBA_DISABLE_JIT") == "1":
        return True  # without loading it
    from numba import config  # noqa: PLC0415 (Numba is slow to load)

    return bool(config.DISABLE_JIT)  # type: ignore[attr-defined]


def compile_function(function: Callable[..., Any], *, nested: bool = False) -> Any:
    """A function that compiles itself when it is called; a nested one only kernels can call.

    The outermost keeps Numba's wrapper for C, which nobody calls: with two callers LLVM leaves the
    function as it is; with one it moves it into that one, and Hex lost a quarter of its speed.
    """
    from numba import njit  # noqa: PLC0415 (Numba is slow to load)

    from uctlab.kernels.disk_cache import DiskCache  # noqa: PLC0415 (loads Numba)
    from uctlab.kernels.nested import NestedCompiler, OuterCompiler  # noqa: PLC0415 (loads Numba)

    if nested:
        flags = FLAGS | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        compiled = njit(**flags, pipeline_class=NestedCompiler)(function)
    else:
        compiled = njit(**FLAGS, pipeline_class=OuterCompiler)(function)
    compiled._cache = DiskCache(function, nested)
    return compiled


def silence_overflow(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let unsigned integers wrap around without a warning, as they do in machine code."""

    @wraps(function)
    def quiet(*args: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*args)

    return quiet
