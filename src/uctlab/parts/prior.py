"""Priors: what the game says about a move counts as results of that many simulations."""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.kernels import hole, kernel
from uctlab.parts.knowledge import without_priors
from uctlab.parts.part import Option, Part
from uctlab.rules.fields import MAX_VISITS, ROUNDING, Field

usual_count: Any = hole("wrapped.counted")


@kernel
def give(tree, work, node, moves, count, depth, params):
    """Set the priors of new nodes."""
    nodes = tree.nodes
    values = work.prior_values
    first = np.int64(nodes[node].first)
    for child in range(first, first + count):
        nodes[child].prior = values[0, nodes[child].move] * 1e-6
        nodes[child].prior_weight = values[1, nodes[child].move] * params.prior


@kernel
def count_with_prior(nodes, child):
    """As in Fuego, the weight of the prior counts among the visits of a move that has some."""
    return usual_count(nodes, child) + nodes[child].prior_weight * (nodes[child].visits > 0)


PART = Part(
    "prior",
    "Mixes the game's own value of a move into its score.",
    needs=("knowledge",),
    groups=("rave",),
    example="uct(prior=1)",
    source="gelly2007",
    options={
        "prior": Option(
            0.0,
            "factor of the weights that the game gives to its own knowledge of new moves (then "
            "fpu=1 by default); 0: no knowledge",
            low=0,
            high=1e6,
            title="Weight of prior knowledge",
            reads=frozenset({"prior", "agent.PRIOR"}),
        )
    },
    chosen=("prior",),
    defaults=lambda values: {"fpu": 1.0},  # moves are tried in the order of their priors
    rules=lambda values: {"select": "uctlab.parts.rave_fuego"},
    # For the player who makes the move; the weight is 0 if the game knows nothing about it.
    fields=(
        Field("prior", "f4", -ROUNDING, 1 + ROUNDING, "first"),
        Field("prior_weight", "f4", 0.0, MAX_VISITS, "first"),
    ),
    wraps={"counted": count_with_prior},
    hooks={"expanded": give},
    refuses=lambda setting: without_priors(setting, "prior"),
)
