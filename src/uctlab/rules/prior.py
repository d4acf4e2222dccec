"""What a game says about the moves of a new node, and what an agent makes of it.

A game gives each move a value and a weight (Game.priors). An agent may mix them into a move's score
(prior=), add the value as a progressive bias (bias=), put the moves into its order (widen=), or
turn the values into probabilities, for a selection rule that reads them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.kernels import hole, kernel

# Of the move into this node, for the player who makes it; its weight in playouts, 0 if the game
# knows nothing about the move.
FIELDS = [("prior", "f4"), ("prior_weight", "f4")]
# The same value, 1/2 if the game knows nothing about the move.
OPINION_FIELDS = [("opinion", "f4")]
# Its share in the opinions of all moves of its parent.
PROBABILITY_FIELDS = [("probability", "f4")]

priors: Any = hole("game.priors")
KNOWN: bool = hole("game.KNOWN")  # the game has priors
RAVE: bool = hole("agent.RAVE")
PRIOR: bool = hole("agent.PRIOR")
BIAS: bool = hole("agent.BIAS")
WIDEN: bool = hole("agent.WIDEN")
PROBABILITIES: bool = hole("agent.PROBABILITIES")


@kernel
def give_priors(nodes, node, s, moves, count, values, params):
    """Set the priors of the children of a node that has just been expanded.

    `moves` are theirs, in the same order. `values` is scratch: values[0] in millionths and
    values[1] in playouts, by move codes.

    As in Fuego, the RAVE samples start with the prior too.
    """
    if KNOWN:
        priors(s, moves, count, values[0], values[1])
    first = np.int64(nodes[node].first)
    if WIDEN and KNOWN:
        _best_first(moves, count, values)
        for i in range(count):
            nodes[first + i].move = moves[i]
    total = 0.0
    if PROBABILITIES:
        for i in range(count):
            total += _opinion(values, moves[i])
    for child in range(first, first + count):
        if PRIOR:
            prior = values[0, nodes[child].move] * 1e-6
            weight = values[1, nodes[child].move] * params.prior
            nodes[child].prior = prior
            nodes[child].prior_weight = weight
            if RAVE:
                nodes[child].rave = prior
                nodes[child].samples = weight
        if BIAS:
            nodes[child].opinion = _opinion(values, nodes[child].move)
        if PROBABILITIES:
            share = _opinion(values, nodes[child].move)
            nodes[child].probability = share / total if total > 0.0 else 1.0 / count


@kernel
def _opinion(values, move):
    """From 0 to 1; a move about which nothing is known lies between good and bad ones."""
    if KNOWN and values[1, move] > 0:
        return values[0, move] * 1e-6
    return 0.5


@kernel
def _best_first(moves, count, values):
    """Sort the moves by the game's opinion; equal ones stay in their random order."""
    for i in range(1, count):
        move = moves[i]
        own = _opinion(values, move)
        at = i
        while at > 0 and _opinion(values, moves[at - 1]) < own:
            moves[at] = moves[at - 1]
            at -= 1
        moves[at] = move
