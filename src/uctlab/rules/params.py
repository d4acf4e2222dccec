"""The numbers that rules read, passed to every kernel as one tuple: a sweep never recompiles."""

from __future__ import annotations

import linecache
from collections.abc import Iterable
from functools import cache
from typing import Any

from uctlab.kernels import kernel
from uctlab.kernels.tuples import tuple_class


def numbers_class(names: Iterable[str]) -> Any:
    """The named tuple of these numbers: a kernel is compiled for those that it reads."""
    return tuple_class("Numbers", sorted(names))


@cache
def from_row(kind: Any) -> Any:
    """A kernel that makes the tuple from a record with the same fields.

    The numbers of a tuple stay in registers; those of a record are read again after every write.
    """
    numbers = ", ".join(f"row.{name}" for name in kind._fields)
    return _made(kind, f"def from_row(row):\n    return Numbers({numbers})\n")


@cache
def with_number(kind: Any, changed: str) -> Any:
    """A kernel that makes the same tuple with another value of one number."""
    numbers = ", ".join("value" if n == changed else f"params.{n}" for n in kind._fields)
    return _made(kind, f"def with_number(params, value):\n    return Numbers({numbers})\n")


def _made(kind: Any, source: str) -> Any:
    """Numba takes no *row, so every field is named."""
    file = f"<{source.split('(', maxsplit=1)[0].removeprefix('def ')} of {kind.__name__}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file  # debuggers
    scope: dict[str, Any] = {"__name__": __name__, "Numbers": kind}
    exec(compile(source, file, "exec"), scope)
    return kernel(scope[source.split("(", maxsplit=1)[0].removeprefix("def ")])
