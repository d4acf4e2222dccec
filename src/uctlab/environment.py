"""Reads limits that a user sets by variables of the environment."""

from __future__ import annotations

import math
import os

from uctlab.errors import UsageError


def seconds_of(variable: str, usual: float) -> float:
    """A number of seconds; the usual one where the variable is not set."""
    text = os.environ.get(variable, "")
    try:
        seconds = float(text) if text else usual
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < math.inf:
        raise UsageError(f"{variable} must be a number of seconds, not '{text}'")
    return seconds
