"""Checks the arguments of public functions: one line says what is accepted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from uctlab.arena.sprt import Sprt
from uctlab.errors import UsageError


def whole(name: str, value: Any, least: int) -> int:
    """A whole number; NumPy's are accepted."""
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        raise UsageError(f"{name} must be a whole number, at least {least}, not {value!r}")
    return int(value)


def openings(value: Any) -> int | str | tuple[str, ...]:
    """Random moves, the name of a file, or lines of play."""
    if isinstance(value, str | Path):
        return str(value)
    if isinstance(value, Sequence) and value and all(isinstance(line, str) for line in value):
        return tuple(value)
    if isinstance(value, Sequence):
        raise UsageError('openings must be lines of play such as ["f5 d6"], a file, or a number')
    return whole("openings", value, 0)


def whole_or_none(name: str, value: Any, least: int) -> int | None:
    return None if value is None else whole(name, value, least)


def seconds_or_none(value: Any) -> float | None:
    if value is None:
        return None
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not 0 < value < math.inf:
        raise UsageError(f"seconds must be a number, more than 0, not {value!r}")
    return float(value)


def percentage(name: str, value: Any) -> float:
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not 0 <= value <= 100:
        raise UsageError(f"{name} must be a percentage from 0 to 100, not {value!r}")
    return float(value)


def yes_or_no(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise UsageError(f"{name} must be True or False, not {value!r}")
    return value


def text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise UsageError(f"{name} must be a text, not a {type(value).__name__}")
    return value


def path_or_none(name: str, value: Any) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str | Path):
        raise UsageError(f"{name} must be a path or None, not a {type(value).__name__}")
    if value == "":
        raise UsageError(f"{name} is empty; give a path or None")
    return str(value)


def sprt_or_none(value: Any) -> Sprt | None:
    """Two bounds in normalized Elo such as (0, 20), or an `Sprt`."""
    if value is None or isinstance(value, Sprt):
        return value
    accepted = isinstance(value, Sequence) and not isinstance(value, str) and len(value) == 2
    if not accepted or not all(isinstance(bound, Real) for bound in value):
        raise UsageError(
            f"sprt must be two bounds in normalized Elo, such as (0, 20), not {value!r}"
        )
    return Sprt(float(value[0]), float(value[1]))
