"""What a kernel and the kernels below it read: names of attributes and paths of holes."""

from __future__ import annotations

import dis
from functools import cache
from types import CodeType
from typing import Any

from uctlab.kernel.holes import Hole
from uctlab.kernel.jit import is_kernel


def names_read(kernel: Any) -> set[str]:
    """Attributes, as "c" of params.c, text, as "c" of record["c"], and holes, as "agent.RAVE"."""
    return _names(getattr(kernel, "py_func", kernel), set())


def _names(function: Any, seen: set[Any]) -> set[str]:
    if function in seen or not hasattr(function, "__code__"):
        return set()
    seen.add(function)
    names, variables = _direct(function.__code__)
    found = set(names)
    for variable in variables:
        value = function.__globals__.get(variable)
        if isinstance(value, Hole):
            found.add(value.path)
            value = value.default
        if is_kernel(value):
            found |= _names(getattr(value, "py_func", value), seen)
    return found


@cache
def _direct(code: CodeType) -> tuple[frozenset[str], frozenset[str]]:
    """Attributes and text in this code itself, and its global variables."""
    names, variables = set(), set()
    for part in _codes(code):
        for step in dis.get_instructions(part):
            if step.opname in ("LOAD_ATTR", "LOAD_METHOD"):
                names.add(str(step.argval))
            elif step.opname == "LOAD_CONST" and isinstance(step.argval, str):
                names.add(step.argval)
            elif step.opname == "LOAD_GLOBAL":
                variables.add(str(step.argval))
    return frozenset(names), frozenset(variables)


def _codes(code: CodeType) -> list[CodeType]:
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return [code, *(deeper for each in inner for deeper in _codes(each))]
