"""Progressive widening: a node considers few of its moves at first, and more with each visit.

floor(1 + widen * s**widen_power) moves, the first ones in the order of the node's children: that of
the game's priors, or a random one (Coulom 2007; Chaslot et al. 2008, "progressive unpruning").
"""

from __future__ import annotations

import numpy as np

from uctlab.kernels import hole, kernel
from uctlab.parts.knowledge import opinion
from uctlab.parts.part import Option, Part

KNOWN: bool = hole("knowledge.KNOWN")  # the game has priors

ROUNDING = 1e-9  # a power that should be a whole number may be a little less


@kernel
def considered(nodes, parent, params):
    most = 1.0 + params.widen * float(nodes[parent].visits) ** params.widen_power
    return np.int64(min(most + ROUNDING, float(nodes[parent].count)))


@kernel
def sort_moves(tree, work, node, moves, count, depth, params):
    """Put the moves into the order of the game's opinion; equal ones stay in their random order."""
    if not KNOWN:
        return
    nodes = tree.nodes
    values = work.prior_values
    for i in range(1, count):
        move = moves[i]
        own = opinion(values, move)
        at = i
        while at > 0 and opinion(values, moves[at - 1]) < own:
            moves[at] = moves[at - 1]
            at -= 1
        moves[at] = move
    first = np.int64(nodes[node].first)
    for i in range(count):
        nodes[first + i].move = moves[i]


PART = Part(
    "widening",
    "Considers few of a node's moves at first, and more with each visit.",
    needs=("knowledge",),
    groups=("bias",),
    example="uct(widen=1)",
    source="coulom2007, chaslot2008",
    options={
        "widen": Option(
            0.0,
            "progressive widening: a node with s visits considers only its first "
            "1 + widen s^widen_power moves, in the order of the game's priors, or a random one; "
            "0: all",
            low=0,
            high=1e9,
            title="Progressive widening",
        ),
        "widen_power": Option(
            0.5,
            "progressive widening: exponent of the visits",
            low=0,
            high=1,
            title="Exponent of widening",
            used=lambda values: bool(values.get("widen")),
            needs="it is for progressive widening, as with widen=1",
        ),
    },
    chosen=("widen",),
    steps={"considered": considered},
    hooks={"expanded": sort_moves},
)
