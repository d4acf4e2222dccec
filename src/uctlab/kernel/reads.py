"""What a kernel and the kernels below it read: names of attributes and paths of holes."""

from __future__ import annotations

import dis
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
    found: set[str] = set()
    for code in _codes(function.__code__):
        for step in dis.get_instructions(code):
            if step.opname in ("LOAD_ATTR", "LOAD_METHOD"):
                found.add(str(step.argval))
            elif step.opname == "LOAD_CONST" and isinstance(step.argval, str):
                found.add(step.argval)
            elif step.opname == "LOAD_GLOBAL":
                value = function.__globals__.get(step.argval)
                if isinstance(value, Hole):
                    found.add(value.path)
                    value = value.default
                if is_kernel(value):
                    found |= _names(getattr(value, "py_func", value), seen)
    return found


def _codes(code: CodeType) -> list[CodeType]:
    inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return [code, *(deeper for each in inner for deeper in _codes(each))]
