"""Last good reply with forgetting: a reply that has lost is dropped (Baier, Drake 2010, LGRF-1)."""

from __future__ import annotations

from uctlab.kernels import kernel
from uctlab.rules.playouts.lgr import choose, rows
from uctlab.rules.playouts.lgr import note as note_good

__all__ = ["choose", "note", "rows"]


@kernel
def note(table, before, move, reward):
    note_good(table, before, move, reward)
    if before >= 0 and reward < 0.5 and table[before, 0] == move + 1.0:
        table[before, 0] = 0.0
