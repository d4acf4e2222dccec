"""Priors: what the game's own knowledge says of a move before its first playout."""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.kernel import hole, kernel

FIELDS = [("prior", "f4")]  # of the move into this node, for the player who makes it

priors: Any = hole("game.priors")
RAVE: bool = hole("agent.RAVE")


@kernel
def give_priors(nodes, node, s, moves, count, worth, params):
    """Ask the game about the moves of a node that has just got its children.

    `worth` is scratch with an element for every move code, in millionths.

    As in Fuego, samples of RAVE begin with the prior too.
    """
    priors(s, moves, count, worth)
    first = np.int64(nodes[node].first)
    for child in range(first, first + count):
        prior = worth[nodes[child].move] * 1e-6
        nodes[child].prior = prior
        if RAVE:
            nodes[child].rave = prior
            nodes[child].samples = params.prior
