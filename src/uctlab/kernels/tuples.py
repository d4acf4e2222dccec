"""Classes of named tuples that are made when they are needed, and kernels that make such tuples.

Machine code is kept with the types of its arguments, and a type names its class. So the name of a
class here lists its fields, and this module makes the class of any such name.

The memory of a search (`Work`) and its numbers are such tuples, with the arrays of its parts and
the numbers that its kernels read. So on a CPU a new part or number compiles no other search again.
"""

from __future__ import annotations

import linecache
from collections import namedtuple
from collections.abc import Iterable
from functools import cache
from typing import Any

from uctlab.kernels.jit import kernel


def tuple_class(title: str, fields: Iterable[str]) -> Any:
    """The class of named tuples with these fields; their names contain no two underscores."""
    return globals().get(name := "__".join([title, *fields])) or __getattr__(name)


def __getattr__(name: str) -> Any:
    title, *fields = name.split("__")
    if not title or not fields:
        raise AttributeError(f"module {__name__} has no attribute {name}")
    kind: Any = namedtuple(name, fields)  # type: ignore[misc]
    kind.__module__ = __name__
    globals()[name] = kind
    return kind


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
