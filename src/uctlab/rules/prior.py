"""Priors: the game's own estimate of a move before its first playout."""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.kernel import hole, kernel

FIELDS = [("prior", "f4")]  # of the move into this node, for the player who makes it

priors: Any = hole("game.priors")
RAVE: bool = hole("agent.RAVE")


@kernel
def give_priors(nodes, node, s, moves, count, worth, params):
    """Set the priors of the children of a node that has just been expanded.

    `worth` is scratch with one element per move code, in millionths.

    As in Fuego, the RAVE samples start with the prior too.
    """
    priors(s, moves, count, worth)
    first = np.int64(nodes[node].first)
    for child in range(first, first + count):
        prior = worth[nodes[child].move] * 1e-6
        nodes[child].prior = prior
        if RAVE:
            nodes[child].rave = prior
            nodes[child].samples = params.prior
