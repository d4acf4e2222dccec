"""The decorator that marks kernels, and the only place that calls Numba's compiler.

A kernel is a plain Python function until `specialise` compiles it: you can call it as it is and
step through it in a debugger.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import numpy as np
from numba import config, njit

from uctlab.kernels.cache_folder import cache_folder
from uctlab.kernels.disk_cache import DiskCache
from uctlab.kernels.nested import NestedCompiler, OuterCompiler

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


def primitive(intrinsic: Any) -> Callable[[Function], Function]:
    """Mark a Python function that a Numba intrinsic replaces in compiled code."""

    def mark(function: Function) -> Function:
        function.__intrinsic__ = intrinsic  # type: ignore[attr-defined]
        return function

    return mark


def is_kernel(value: object) -> bool:
    return getattr(value, "__kernel__", False)


def interpreted() -> bool:
    """Whether NUMBA_DISABLE_JIT is set, so that kernels stay plain Python."""
    return bool(config.DISABLE_JIT)  # type: ignore[attr-defined]


def share_cache_folder() -> None:
    """Choose the cache folder before child processes start: a temporary one is then this process's,
    which removes it; children end without clearing up."""
    if not interpreted():
        cache_folder()


def compile_function(function: Callable[..., Any], *, nested: bool = False) -> Any:
    """A function that compiles itself when it is called; a nested one only kernels can call.

    The outermost keeps Numba's wrapper for C, which nobody calls: with two callers LLVM leaves the
    function as it is; with one it moves it into that one, and Hex lost a quarter of its speed.
    """
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
