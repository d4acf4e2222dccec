"""Several playouts from one leaf, whose mean counts as one simulation: playouts_per_leaf=."""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.kernels import hole, kernel
from uctlab.parts.part import Option, Part

playout: Any = hole("game.playout")
copy_record: Any = hole("device.copy_record")
MAX_LENGTH: int = hole("limits.MAX_LENGTH")


@kernel
def mean_playout(states, rng, out, trace, params):
    """Mean result for the first player, and length of the last one, of playouts from states[1];
    states[2] is scratch. One of a wrong length is the last."""
    number = np.int64(params.playouts_per_leaf)
    total = 0.0
    length = 0
    for _ in range(number):
        copy_record(states, 2, 1)
        outcome, length = playout(states[2], rng, out, trace)
        total += outcome
        if length < 0 or length > MAX_LENGTH:
            break
    return total / number, length


@kernel
def evaluate_leaf(tree, work, node, depth, params):
    return mean_playout(work.states, work.rng, work.out, work.trace, params)


PART = Part(
    "several_playouts",
    "Makes several playouts from one leaf, whose mean counts as one simulation.",
    options={
        "playouts_per_leaf": Option(
            1.0,
            "playouts from each leaf, whose mean result counts as one simulation; budgets count "
            "simulations",
            low=1,
            high=1000,
            whole=True,
            title="Playouts per leaf",
        )
    },
    groups=("playouts",),
    example="uct(playouts_per_leaf=3)",
    chosen=("playouts_per_leaf",),
    excludes=dict.fromkeys(
        ("rave", "learned", "length_cost"), "it looks at the moves of one playout"
    ),
    gpu="a thread of a GPU has room for two positions, and several playouts per leaf need a third; "
    "leave out playouts_per_leaf=",
    steps={"evaluate_leaf": evaluate_leaf},
    positions=3,
)
