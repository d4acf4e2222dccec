"""Computes 1 / sqrt(x) on a GPU without the branches of its division and square root."""

from __future__ import annotations

import math

from uctlab.kernels.jit import primitive


@primitive("roots")
def inverse_root(x: float) -> float:
    """1 / sqrt(x) of a positive number, neither tiny nor huge; for kernels on a GPU."""
    return 1.0 / math.sqrt(x)
