"""Trivial functions, for steps and hooks with nothing to do: cheaper to compile than kernels."""

from __future__ import annotations

from typing import Any

from uctlab.kernels.jit import primitive


@primitive("trivial")
def nothing_2(a: Any, b: Any) -> None:
    pass


@primitive("trivial")
def nothing_3(a: Any, b: Any, c: Any) -> None:
    pass


@primitive("trivial")
def nothing_5(a: Any, b: Any, c: Any, d: Any, e: Any) -> None:
    pass


@primitive("trivial")
def nothing_6(a: Any, b: Any, c: Any, d: Any, e: Any, f: Any) -> None:
    pass


@primitive("trivial")
def nothing_7(a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any) -> None:
    pass


@primitive("trivial")
def yes_2(a: Any, b: Any) -> bool:
    return True


@primitive("trivial")
def no_3(a: Any, b: Any, c: Any) -> bool:
    return False


@primitive("trivial")
def first_4(a: Any, b: Any, c: Any, d: Any) -> Any:
    return a


@primitive("trivial")
def third_3(a: Any, b: Any, c: Any) -> Any:
    return c


NOTHING = {2: nothing_2, 3: nothing_3, 5: nothing_5, 6: nothing_6, 7: nothing_7}
"""By the number of arguments."""
