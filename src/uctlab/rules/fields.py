"""The fields of a node that rules and parts add, and what everything else has to know of them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

ROUNDING = 1e-6
MAX_VISITS = 2**32 - 2
"""Visits that a node can count."""


@dataclass(frozen=True)
class Field:
    """A field of every node."""

    name: str
    type: str
    """NumPy's name of the type, such as "f8"."""
    low: float = -math.inf
    high: float = math.inf
    """What it can be, for trees that come from files."""
    merge: str = ""
    """How the roots of several trees are put together: "sum", "min", "max" or "first"; "mean" for
    a mean by visits, "mean of samples" for one by the field samples; "units" and "own units" for
    sums in the units of the node above and of the node itself, which become 1: "unit". Empty if
    they cannot be."""


def fields_of(declared: Iterable[Any]) -> list[Field]:
    """Fields as a rule declares them: as fields, or as pairs of a name and a type."""
    return [one if isinstance(one, Field) else _of_pair(*one) for one in declared]


def _of_pair(name: str, type: str) -> Field:
    return Field(name, type)
