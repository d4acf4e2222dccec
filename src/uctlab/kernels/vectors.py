"""Lines of the form y = a + slope * b for many (a, b) at once, by vector instructions.

`lines` is a float32 array of shape (n + LANES, 2): a and b of line i are lines[i, 0] and
lines[i, 1]. The rows at the end may be read, but do not count. LLVM makes the vectors fit any
processor.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.kernels.jit import primitive

LANES = 8


def _line_values(lines: Any, first: int, count: int, slope: Any) -> Any:
    return lines[first : first + count, 0] + slope * lines[first : first + count, 1]


@primitive("vectors")
def highest_line(lines: Any, first: int, count: int, slope: Any) -> Any:
    """The highest a + slope * b of `count` lines from `first` on; LANES of them at least."""
    return np.max(_line_values(lines, first, count, slope))


@primitive("vectors")
def lines_from(lines: Any, first: int, count: int, slope: Any, limit: Any) -> Any:
    """Which of `count` lines from `first` on reach the limit, as bits; 1 to 64 of them."""
    reached = np.flatnonzero(_line_values(lines, first, count, slope) >= limit)
    return np.uint64(sum(1 << int(i) for i in reached))
