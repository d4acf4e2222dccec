"""The move with the highest score, by any selection rule.

On a GPU `fetch`, `select` and `untried` of best_on_gpu.py take the places of those here.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from uctlab.kernel import UNBOUND, kernel

# Bound by the selection rule.
node_terms: Any = UNBOUND
score: Any = UNBOUND
untried_score: Any = UNBOUND

# Scores closer than this are equal, and the earlier move stands: the order of moves is random, the
# rounding of a sum is not. Far above what rounding does to a score, far below what a playout does.
TIE = 1e-10


@kernel
def better(score, best):
    return score > best + TIE


@kernel
def fpu_score(nodes, child, terms, params):
    """First-play urgency."""
    return params.fpu


@kernel
def untried(nodes, parent, params):
    """The first move without visits if such moves go before all others, else -1."""
    first = np.int64(nodes[parent].first)
    last = first + nodes[parent].count - 1
    # Moves are then tried in their order, so that the last one tells whether any is left.
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


@kernel
def select(nodes, parent, params):
    chosen = untried(nodes, parent, params)
    if chosen >= 0:
        return chosen
    terms = node_terms(nodes, parent, params)
    first = np.int64(nodes[parent].first)
    chosen = first
    best = -math.inf
    for child in range(first, first + nodes[parent].count):
        found = any_score(nodes, child, parent, terms, params)
        if better(found, best):
            best = found
            chosen = child
    return chosen


@kernel
def first_choice(nodes, parent, params):
    """What `select` chooses while no move has visits."""
    if params.fpu == math.inf:
        return np.int64(nodes[parent].first)
    return np.int64(select(nodes, parent, params))


@kernel
def fetch(nodes, parent):
    """Call the moves of a node into the cache; a CPU guesses by itself what will be needed."""
