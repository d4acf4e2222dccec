"""The hexagonal grid on skewed square coordinates, as Hex and Havannah use it.

The neighbours of (x, y) in a circle; each touches the next one:

            (x, y-1)  (x+1, y-1)
        (x-1, y)  (x, y)  (x+1, y)
            (x-1, y+1)  (x, y+1)
"""

from __future__ import annotations

import numpy as np

CIRCLE = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


def circle_steps(width: int) -> tuple[np.uint64, ...]:
    """Index steps to the neighbours on a board of rows of that width.

    Unsigned: a step back is a step forward that wraps round, and an unsigned index spares the
    compiled code the test for negative ones.
    """
    return tuple(np.uint64((dx + dy * width) % 2**64) for dx, dy in CIRCLE)
