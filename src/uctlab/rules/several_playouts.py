"""Several playouts from one leaf, whose mean counts as one simulation: playouts_per_leaf=."""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.kernels import hole, kernel

playout: Any = hole("game.playout")
copy_record: Any = hole("device.copy_record")


@kernel
def mean_playout(states, rng, out, trace, params):
    """Mean result for the first player, and length of the last one, of playouts from states[1];
    states[2] is scratch."""
    number = np.int64(params.playouts_per_leaf)
    total = 0.0
    length = 0
    for _ in range(number):
        copy_record(states, 2, 1)
        outcome, length = playout(states[2], rng, out, trace)
        total += outcome
    return total / number, length
