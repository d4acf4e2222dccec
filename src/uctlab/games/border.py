"""Boards with a border one cell wide, in rows of one length; the border column at the left of a row
serves the row above at its right.

Indices are unsigned: a step back is a step forward that wraps round, and an unsigned index spares
the compiled code the test for negative ones.
"""

from __future__ import annotations

import numpy as np


def steps(width: int, offsets: tuple[tuple[int, int], ...]) -> tuple[np.uint64, ...]:
    """Index steps by (dx, dy) on a board of rows of that width."""
    return tuple(np.uint64((dx + dy * width) % 2**64) for dx, dy in offsets)
