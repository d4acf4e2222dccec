"""Functions that do nothing, or return a constant or an argument."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic


def _ignored(*arguments: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.get_dummy_value()

    return types.none(*arguments), build


@intrinsic
def nothing_2(typing_context: Any, a: Any, b: Any) -> Any:
    return _ignored(a, b)


@intrinsic
def nothing_3(typing_context: Any, a: Any, b: Any, c: Any) -> Any:
    return _ignored(a, b, c)


@intrinsic
def nothing_5(typing_context: Any, a: Any, b: Any, c: Any, d: Any, e: Any) -> Any:
    return _ignored(a, b, c, d, e)


@intrinsic
def nothing_6(typing_context: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any) -> Any:
    return _ignored(a, b, c, d, e, f)


@intrinsic
def nothing_7(typing_context: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any) -> Any:
    return _ignored(a, b, c, d, e, f, g)


@intrinsic
def yes_2(typing_context: Any, a: Any, b: Any) -> Any:
    return _truth(True, a, b)


@intrinsic
def no_3(typing_context: Any, a: Any, b: Any, c: Any) -> Any:
    return _truth(False, a, b, c)


def _truth(value: bool, *arguments: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return context.get_constant(types.boolean, value)

    return types.boolean(*arguments), build


def _same(place: int, *arguments: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return args[place]

    return types.unliteral(arguments[place])(*arguments), build


@intrinsic
def first_4(typing_context: Any, a: Any, b: Any, c: Any, d: Any) -> Any:
    return _same(0, a, b, c, d)


@intrinsic
def third_3(typing_context: Any, a: Any, b: Any, c: Any) -> Any:
    return _same(2, a, b, c)
