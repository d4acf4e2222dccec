"""Priors: the game's own estimate of a move before its first playout, with a weight of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.kernels import hole, kernel

# Of the move into this node, for the player who makes it; its weight in playouts, 0 if the game
# knows nothing about the move.
FIELDS = [("prior", "f4"), ("prior_weight", "f4")]

priors: Any = hole("game.priors")
RAVE: bool = hole("agent.RAVE")


@kernel
def give_priors(nodes, node, s, moves, count, values, params):
    """Set the priors of the children of a node that has just been expanded.

    `values` is scratch: values[0] in millionths and values[1] in playouts, by move codes.

    As in Fuego, the RAVE samples start with the prior too.
    """
    priors(s, moves, count, values[0], values[1])
    first = np.int64(nodes[node].first)
    for child in range(first, first + count):
        prior = values[0, nodes[child].move] * 1e-6
        weight = values[1, nodes[child].move] * params.prior
        nodes[child].prior = prior
        nodes[child].prior_weight = weight
        if RAVE:
            nodes[child].rave = prior
            nodes[child].samples = weight
