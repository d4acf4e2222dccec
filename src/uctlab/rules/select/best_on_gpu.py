"""The same choice as in best.py, arranged for a GPU.

There nothing hides the time that a thread waits for memory, and if the 32 threads of a warp branch
differently, the branches run one after the other.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from uctlab.kernels import hole, kernel, prefetch
from uctlab.rules.select.best import TIE, every_move
from uctlab.rules.select.best import select as select_any

node_terms: Any = hole("select.node_terms")
score: Any = hole("select.score")
considered: Any = hole("step.considered", every_move)

CACHE_LINE = 128  # bytes
# Steps that skip no cache line.
NODES_PER_LINE: int = hole("device.NODES_PER_LINE")


@kernel
def fetch(nodes, parent):
    """Prefetch the moves of a node, so that they are in the cache when `select` reads them."""
    if nodes[parent].count > 0:
        child = np.uint64(nodes[parent].first)
        last = child + np.uint64(nodes[parent].count - 1)
        while child < last:
            prefetch(nodes[child])
            child += np.uint64(NODES_PER_LINE)
        prefetch(nodes[last])


@kernel
def untried(nodes, parent, params):
    """By bisection: the threads of a warp wait for the one that searches longest."""
    first = np.int64(nodes[parent].first)
    last = first + considered(nodes, parent, params) - 1
    if params.fpu != math.inf or nodes[last].visits > 0:
        return np.int64(-1)
    while first < last:
        middle = (first + last) >> 1
        if nodes[middle].visits > 0:
            first = middle + 1
        else:
            last = middle
    return first


@kernel
def best_visited(nodes, parent, terms, params):
    """If every move has visits: no branch in the loop, so that the computations of several scores
    overlap."""
    child = np.uint64(nodes[parent].first)
    end = child + np.uint64(considered(nodes, parent, params))
    chosen = child
    bar = -math.inf
    while child < end:
        found = score(nodes, child, parent, terms, params)
        if found > bar:
            bar = found + TIE
            chosen = child
        child += np.uint64(1)
    return np.int64(chosen)


@kernel
def select(nodes, parent, params):
    if params.fpu != math.inf:
        return select_any(nodes, parent, params)
    terms = node_terms(nodes, parent, params)  # while the moves are on their way from memory
    chosen = untried(nodes, parent, params)
    if chosen >= 0:
        return chosen
    return best_visited(nodes, parent, terms, params)
