"""MCTS-Solver: what is proven about a node, as bounds on its result (winands2008, cazenave2010).

A node has the least and the highest result that it can still have, in half points, for the player
who moved into it. Where the game is over both are the result. Above that, the player to move gets
at least the best lower bound among the moves and at most the best upper bound, and the player who
moved into the node gets the rest.
"""

from __future__ import annotations

import math

import numpy as np

from uctlab.kernels import hole, kernel
from uctlab.rules.shared import latch, unlatch

FIELDS = [("low", "u1"), ("high", "u1")]
WIN = 2  # half points

SHARED: bool = hole("threads.SHARED", False)  # several threads grow one tree


@kernel
def clear_bounds(nodes, node):
    nodes[node].low = 0
    nodes[node].high = WIN


@kernel
def proven(nodes, node):
    return nodes[node].low == nodes[node].high


@kernel
def hopeless(nodes, child, parent):
    """Whether a move can gain nothing: its player has at least as much by another one."""
    return np.int64(nodes[child].high) + np.int64(nodes[parent].high) <= WIN


@kernel
def prove(nodes, path, depth, reward):
    """Enter the end of the game at path[depth], with its result for the player who moved there.

    Bounds only ever narrow, so of several threads the last one to pass a node leaves it right.
    """
    leaf = path[depth]
    if proven(nodes, leaf):
        return
    nodes[leaf].low = np.uint8(math.floor(WIN * reward))
    nodes[leaf].high = np.uint8(math.ceil(WIN * reward))
    for level in range(depth - 1, -1, -1):
        if not narrow(nodes, path[level]):
            return


@kernel
def narrow(nodes, node):
    """Take a node's bounds from its moves; whether they have changed."""
    if SHARED:
        latch(nodes, node)
    low = np.int64(0)  # of the player to move
    high = np.int64(0)
    first = np.int64(nodes[node].first)
    for child in range(first, first + nodes[node].count):
        low = max(low, np.int64(nodes[child].low))
        high = max(high, np.int64(nodes[child].high))
    # A tree that was cut for want of room may know more than its moves do.
    changed = False
    if nodes[node].low < WIN - high:
        nodes[node].low = np.uint8(WIN - high)
        changed = True
    if nodes[node].high > WIN - low:
        nodes[node].high = np.uint8(WIN - low)
        changed = True
    if SHARED:
        unlatch(nodes, node)
    return changed
