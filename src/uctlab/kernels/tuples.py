"""Classes of named tuples that are made when they are needed, and found again by every process.

Machine code is kept with the types of its arguments, and a type names its class. So the name of a
class here lists its fields, and this module makes the class of any such name.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable
from typing import Any


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
