"""Makes the table of positions of a search with graph=on larger while the tree grows."""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.rules.transpositions import PROBES


def widened(table: Any, slots: int) -> Any:
    """A table with that many slots, a power of two, and the positions of the old one.

    Where a position may stand is decided by `link`: at its digest or one of the next places, with
    no empty place before it.
    """
    wider = np.zeros((slots, 2), np.uint64)
    left = table[table[:, 1] != 0]
    at = (left[:, 0] & np.uint64(slots - 1)).astype(np.int64)
    for _ in range(PROBES):
        free = np.flatnonzero(wider[at, 1] == 0)
        placed = free[np.unique(at[free], return_index=True)[1]]
        wider[at[placed]] = left[placed]
        left, at = np.delete(left, placed, axis=0), np.delete(at, placed)
        if not len(left):
            break
        at = (at + 1) & (slots - 1)
    return wider
