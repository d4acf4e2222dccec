"""Steps on a board with a border one cell wide, where a row's left border ends the row above.

Indices are unsigned: a step back is a step forward that wraps round, and the compiled code need not
check for negative indices.
"""

from __future__ import annotations

import numpy as np


def steps(width: int, offsets: tuple[tuple[int, int], ...]) -> tuple[np.uint64, ...]:
    """The step of an index for each (dx, dy), on a board with rows of that width."""
    return tuple(np.uint64((dx + dy * width) % 2**64) for dx, dy in offsets)
