"""What a kernel and the kernels below it read: names of attributes and paths of holes."""

from __future__ import annotations

import dis
from collections.abc import Iterator
from functools import cache
from types import CodeType
from typing import Any

from uctlab.kernels.holes import Hole
from uctlab.kernels.jit import is_kernel


def names_read(kernel: Any) -> set[str]:
    """Attributes, as "c" of params.c, text, as "c" of record["c"], and holes, as "agent.PRIOR"."""
    return _names(getattr(kernel, "py_func", kernel), set())


def _names(function: Any, seen: set[Any]) -> set[str]:
    if function in seen or not hasattr(function, "__code__"):
        return set()
    seen.add(function)
    code = function.__code__
    found = set(_attributes(code))
    for name in _globals(code):
        value = function.__globals__.get(name)
        if isinstance(value, Hole):
            found.add(value.path)
            value = value.default
        if is_kernel(value):
            found |= _names(getattr(value, "py_func", value), seen)
    return found


@cache
def _attributes(code: CodeType) -> frozenset[str]:
    """Attributes that the code reads, and text in it."""
    return frozenset(
        str(step.argval)
        for step in _steps(code)
        if step.opname in ("LOAD_ATTR", "LOAD_METHOD")
        or (step.opname == "LOAD_CONST" and isinstance(step.argval, str))
    )


@cache
def _globals(code: CodeType) -> frozenset[str]:
    return frozenset(step.argval for step in _steps(code) if step.opname == "LOAD_GLOBAL")


def _steps(code: CodeType) -> Iterator[dis.Instruction]:
    yield from dis.get_instructions(code)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _steps(constant)
