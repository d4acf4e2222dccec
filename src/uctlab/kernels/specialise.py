"""Specialises kernels: clones a kernel and all kernels it calls, fills their holes, compiles.

    playout = specialise(uniform, game=othello)

The clone's name carries a digest of all code that its machine code is made from: its own, that of
all kernels it calls, the constants, and the compiler's flags. An edit anywhere below gives a new
name, and two specialisations never collide in the disk cache, which knows a function by its name
(disk_cache.py). Comments and line numbers are left out.
"""

from __future__ import annotations

import builtins
import dis
import hashlib
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from enum import EnumType
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType
from typing import Any

import numpy as np

from uctlab.kernels.holes import Hole, UnfilledHole
from uctlab.kernels.jit import (
    FLAGS,
    compile_function,
    interpreted,
    intrinsic_of,
    is_kernel,
    silence_overflow,
)
from uctlab.kernels.places import place_of_code
from uctlab.kernels.seldom import Seldom

_PLAIN = (bool, int, float, str, np.generic, np.dtype, type(None))

_made: dict[tuple[str, bool, bool], Any] = {}
_seldom: dict[str, Any] = {}


class KernelError(TypeError, ValueError):
    """A kernel is written in a way that cannot be compiled; the message says which and where."""


class _MustBeCompiled(Exception):  # noqa: N818 (it says why)
    """A kernel calls one that is not ours, whose mistakes are to show at once."""


def specialise(
    template: Callable[..., Any], *, interpret: bool = False, seldom: bool = False, **owners: Any
) -> Any:
    """Compile `template` with its holes filled, in it and in every kernel it calls.

    An owner is anything with attributes (a module, a class, a namespace), or a mapping. It fills a
    hole with a constant (number, string, tuple, array) or a kernel, plain or specialised.
    With `interpret`, or under NUMBA_DISABLE_JIT=1, the same clone is left as plain Python. With
    `seldom` it is so until it has been called often: see seldom.py.
    """
    interpret = interpret or interpreted()
    clone = _bind(template, owners, interpret, pending=(), callees={})
    if interpret:
        return silence_overflow(clone)
    if seldom:
        key = clone.py_func.__digest__
        if key not in _seldom:
            _seldom[key] = _in_both_forms(template, owners, clone)
        return _seldom[key]
    return clone


def _in_both_forms(template: Any, owners: Mapping[str, Any], compiled: Any) -> Any:
    try:
        plain = _bind(template, owners, True, pending=(), callees={}, ours=True)
    except _MustBeCompiled:
        return compiled
    return Seldom(plain, silence_overflow(plain), compiled)


def digest_of(specialised: Any) -> str:
    """The digest that a specialised kernel's name carries."""
    return str(getattr(specialised, "py_func", specialised).__digest__)


def digest_of_open(template: Any, owners: Mapping[str, Any]) -> str:
    """The digest of a kernel of the user's own before it is bound: its code and what it reads.

    Holes count by their names where no owner fills them, and kernels of uctlab by theirs, so that
    the digest stays as it is when only uctlab is rewritten.
    """
    return _digest_of_open(template, owners, ())


def _digest_of_open(template: Any, owners: Mapping[str, Any], pending: tuple[Any, ...]) -> str:
    if template in pending:
        raise KernelError(f"{_called(template)} calls itself; use a loop")
    facts = [
        _code_facts(template.__code__),
        _value_facts(template, "(defaults)", template.__defaults__),
    ]
    for name in _global_names(template.__code__):
        if name not in template.__globals__:
            continue  # a builtin, or a name that fails at run time
        value = template.__globals__[name]
        if isinstance(value, Hole):
            with suppress(UnfilledHole):
                value = value.fill(owners)
        if isinstance(value, Hole):
            known = repr(value)
        elif callable(value) and str(getattr(value, "__module__", "")).startswith("uctlab."):
            known = value.__name__
        elif is_kernel(value):
            known = _digest_of_open(value, owners, (*pending, template))
        else:
            known = _value_facts(template, name, value)
        facts.append(f"{name}={known}")
    return hashlib.sha256("\n".join(facts).encode()).hexdigest()[:16]


def _bind(
    template: Any,
    owners: Mapping[str, Any],
    interpret: bool,
    pending: tuple[Any, ...],
    callees: dict[Any, Any],
    ours: bool = False,
) -> Any:
    """`callees` are those that are bound already: many kernels call the same ones. With `ours`
    kernels of others raise _MustBeCompiled."""
    if template in callees:
        return callees[template]
    if ours and not template.__module__.startswith("uctlab."):
        raise _MustBeCompiled
    if template in pending:
        raise KernelError(f"{_called(template)} calls itself; use a loop")
    if template.__closure__ or template.__kwdefaults__:
        raise KernelError(
            f"{_called(template)} must be a module-level function without keyword-only "
            "arguments: the disk cache would not find the machine code of any other again"
        )
    scope = {}
    # The module too: cached machine code looks up its globals there.
    facts = [
        template.__module__,
        _code_facts(template.__code__),
        _value_facts(template, "(defaults)", template.__defaults__),
        repr(sorted(FLAGS.items())),
    ]
    for name in _global_names(template.__code__):
        if name not in template.__globals__:
            if not interpret and not hasattr(builtins, name):
                raise KernelError(f"{_called(template)} reads {name}, which is not defined")
            continue  # a builtin, or a name that fails at run time
        value = template.__globals__[name]
        if isinstance(value, Hole):
            value = _filled(template, value, owners)
        if is_kernel(value):
            value = _bind(value, owners, interpret, (*pending, template), callees, ours)
        elif hasattr(getattr(value, "py_func", None), "__digest__"):
            value = _as_callee(value, interpret)
        facts.append(f"{name}={_value_facts(template, name, value)}")
        if hasattr(value, "__intrinsic__") and not interpret:
            value = intrinsic_of(value)
        scope[name] = value
    digest = hashlib.sha256("\n".join(facts).encode()).hexdigest()[:16]
    nested = bool(pending) and not interpret
    key = digest, interpret, nested
    if key not in _made:
        _made[key] = _clone(template, template.__globals__ | scope, digest, interpret, nested)
    if pending:
        callees[template] = _made[key]
    return _made[key]


def _as_callee(value: Any, interpret: bool) -> Any:
    """A specialised kernel, which Python can call, as other kernels call it."""
    if interpret:
        if not isinstance(value, Seldom):
            raise _MustBeCompiled
        return value.plain
    key = value.py_func.__digest__, False, True
    if key not in _made:
        _made[key] = compile_function(value.py_func, nested=True)
    return _made[key]


def _filled(template: Any, hole: Hole, owners: Mapping[str, Any]) -> Any:
    try:
        return hole.fill(owners)
    except UnfilledHole as missing:
        raise UnfilledHole(f"{_called(template)} reads {missing}") from None


def _called(template: Any) -> str:
    """The kernel and its place, for messages."""
    return f"kernel {template.__name__} ({place_of_code(template.__code__)})"


def _clone(template: Any, scope: dict[str, Any], digest: str, interpret: bool, nested: bool) -> Any:
    name = f"{template.__name__}_{digest}"
    clone = FunctionType(template.__code__, scope, name, template.__defaults__)
    clone.__qualname__ = name
    clone.__module__ = template.__module__
    clone.__doc__ = template.__doc__
    clone.__digest__ = digest  # type: ignore[attr-defined]
    return clone if interpret else compile_function(clone, nested=nested)


@cache
def _global_names(code: CodeType) -> list[str]:
    return sorted(
        {
            step.argval
            for part in _codes(code)
            for step in dis.get_instructions(part)
            if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")
        }
    )


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _constants(code: CodeType) -> list[Any]:
    return [constant for constant in code.co_consts if not isinstance(constant, CodeType)]


@cache
def _code_facts(code: CodeType) -> str:
    """What the function computes: its bytecode without file name, line numbers and comments."""
    return repr(
        [
            (
                part.co_code.hex(),
                # The order of a set differs from process to process.
                [sorted(map(repr, c)) if isinstance(c, frozenset) else c for c in _constants(part)],
                part.co_names,
                part.co_varnames,
                part.co_argcount,
            )
            for part in _codes(code)
        ]
    )


@cache
def _source_digest(module: str) -> str:
    """For intrinsics: the functions that write their instructions may call any others there. The
    module need not be loaded."""
    found: Any = find_spec(module)
    return hashlib.sha256(Path(found.origin).read_bytes()).hexdigest()


def _value_facts(template: Any, name: str, value: Any) -> str:
    """What a global contributes to the machine code, the same in every process."""
    if isinstance(value, _PLAIN) or value is math or value is np:
        return f"{type(value).__name__} {value!r}"
    plain = getattr(value, "py_func", value)
    if hasattr(plain, "__digest__"):
        return str(plain.__digest__)
    if hasattr(plain, "__intrinsic__"):
        files = filter(None, (plain.__module__, plain.__intrinsic__))
        return f"{plain.__module__}.{plain.__qualname__} {[*map(_source_digest, files)]}"
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, tuple):
        return f"{type(value).__name__} {[_value_facts(template, name, v) for v in value]}"
    if isinstance(value, EnumType):
        return f"{value.__qualname__} {list(value.__members__.items())}"
    if isinstance(value, type):
        return f"{value.__module__}.{value.__qualname__} {getattr(value, '_fields', '')}"
    if isinstance(value, BuiltinFunctionType):
        return f"{type(value).__name__} {value!r}"
    raise KernelError(
        f"{_called(template)} reads the global {name}, a {type(value).__name__}; accepted are "
        "functions marked with @kernel, numbers, strings, tuples, NumPy arrays and types, enums, "
        "and the modules math and numpy"
    )
