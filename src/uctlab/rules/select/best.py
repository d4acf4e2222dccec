"""Selects the move with the highest score, for any selection rule.

On a CPU these kernels are the owner `choice`; on a GPU it is best_on_gpu.py, and if threads share a
tree without locks, parts/virtual_loss.py replaces some of them. mcts/binding.py decides.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from uctlab.kernels import hole, kernel

node_terms: Any = hole("select.node_terms")
score: Any = hole("select.score")
untried_score: Any = hole("select.untried_score")

# Scores closer than this count as equal, and the earlier move stays: the order of moves is random,
# the rounding of a sum is not. Far above rounding errors, far below the effect of one playout.
TIE = 1e-10


@kernel
def better(score, best):
    return score > best + TIE


@kernel
def fpu_score(nodes, child, terms, params):
    """First-play urgency."""
    return params.fpu


@kernel
def every_move(nodes, parent, params):
    return np.int64(nodes[parent].count)


# How many moves of a node are considered, from the first one on.
considered: Any = hole("step.considered", every_move)


@kernel
def untried(nodes, parent, params):
    """The first move without visits if such moves come before all others, else -1."""
    first = np.int64(nodes[parent].first)
    last = first + considered(nodes, parent, params) - 1
    # Moves are then tried in order, so the last one tells whether any is left.
    if params.fpu != math.inf or nodes[last].visits > 0:
        return np.int64(-1)
    child = first
    while nodes[child].visits > 0:
        child += 1
    return child


@kernel
def any_score(nodes, child, parent, terms, params):
    if nodes[child].visits == 0:
        return untried_score(nodes, child, terms, params)
    return score(nodes, child, parent, terms, params)


# The two above, as the owner `choice` has them.
find_untried: Any = hole("choice.untried", untried)
score_any: Any = hole("choice.any_score", any_score)


@kernel
def select(nodes, parent, params):
    chosen = find_untried(nodes, parent, params)
    if chosen >= 0:
        return chosen
    return highest(nodes, parent, node_terms(nodes, parent, params), params)


@kernel
def highest(nodes, parent, terms, params):
    """The move with the highest score."""
    first = np.int64(nodes[parent].first)
    chosen = first
    best = -math.inf
    for child in range(first, first + considered(nodes, parent, params)):
        found = score_any(nodes, child, parent, terms, params)
        if better(found, best):
            best = found
            chosen = child
    return chosen


@kernel
def fetch(nodes, parent):
    """Prefetch the moves of a node: nothing to do, as a CPU has its own prefetcher."""
