"""Last good reply: what answered a move when its player last won (Drake 2009, LGR-1)."""

from __future__ import annotations

import numpy as np

from uctlab.kernels import below, kernel


def rows(codes: int) -> int:
    return codes


@kernel
def choose(table, before, out, count, rng, params):
    """The reply, if it is among the moves; otherwise any of them."""
    if before >= 0:
        reply = np.int64(table[before, 0]) - 1  # 0 is for no reply
        for i in range(count):
            if out[i] == reply:
                return out[i]
    return out[below(rng, count)]


@kernel
def note(table, before, move, reward):
    if before >= 0 and reward > 0.5:
        table[before, 0] = move + 1.0
