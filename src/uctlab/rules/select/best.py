"""The move with the highest score, by any selection rule."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from uctlab.kernel import UNBOUND, kernel

# Bound by the selection rule.
common: Any = UNBOUND
score: Any = UNBOUND
untried_score: Any = UNBOUND

ON_GPU = False  # see kernel/bits.py

# Scores closer than this are equal, and the earlier move stands: the order of moves is random, the
# rounding of a sum is not. Far above what rounding does to a score, far below what a playout does.
TIE = 1e-10

LINE = 3  # nodes that surely share a line of 128 bytes of a GPU's cache


@kernel
def better(score, best):
    return score > best + TIE


@kernel
def fpu_score(nodes, child, shared, params):
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
def any_score(nodes, child, parent, shared, params):
    if nodes[child].visits == 0:
        return untried_score(nodes, child, shared, params)
    return score(nodes, child, parent, shared, params)


@kernel
def fetched(nodes, parent):
    """Some visits of the moves, at least one from each line of the cache: loads that wait for
    nothing, after which all moves are in the cache."""
    child = np.uint64(nodes[parent].first)
    last = child + np.uint64(nodes[parent].count - 1)
    visits = nodes[last].visits
    while child < last:
        visits += nodes[child].visits
        child += np.uint64(LINE)
    return visits


@kernel
def best_visited(nodes, parent, params):
    """Where every move has visits: without a branch in the loop, so that scores are computed
    side by side."""
    shared = common(nodes, parent, params)
    child = np.uint64(nodes[parent].first)
    end = child + np.uint64(nodes[parent].count)
    chosen = child
    best = -math.inf
    while child < end:
        found = score(nodes, child, parent, shared, params)
        if better(found, best):
            best = found
            chosen = child
        child += np.uint64(1)
    return np.int64(chosen)


@kernel
def select(nodes, parent, params):
    if ON_GPU and fetched(nodes, parent) == 0 and params.fpu == math.inf:
        return np.int64(nodes[parent].first)
    chosen = untried(nodes, parent, params)
    if chosen >= 0:
        return chosen
    if ON_GPU and params.fpu == math.inf:
        return best_visited(nodes, parent, params)
    shared = common(nodes, parent, params)
    first = np.int64(nodes[parent].first)
    chosen = first
    best = -math.inf
    for child in range(first, first + nodes[parent].count):
        found = any_score(nodes, child, parent, shared, params)
        if better(found, best):
            best = found
            chosen = child
    return chosen
