"""The record of a node and the counters of a tree: what every search has, whatever its parts.

    nodes[0]            the root
    visits              simulations through the node
    first, count        its children are nodes[first] ... nodes[first + count - 1]
                        count 0: not expanded; -1: the game is over there; -2: a thread is
                        expanding it
    move                the move that leads into it

Backup operators and parts add fields, whose values belong to the player who made that move. A node
has 24 bytes for uct (16 on a GPU), 32 for tuned, and 40 with RAVE or velocities. A node's children
are in random order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.kernels import hole, kernel

BASE_FIELDS = [("visits", "u4"), ("first", "u4"), ("move", "i2"), ("count", "i2")]
# In a tree that threads share: see rules/shared.py.
SHARED_FIELDS = [("visits", "u4"), ("pending", "u4"), *BASE_FIELDS[1:]]
MAX_DEPTH = 1000  # moves from the root; a leaf there is not expanded
OVER = -1
CLAIMED = -2

# Counters of a tree and of its search, an int64 array. Each of several threads has its own, but for
# the first two.
USED, FULL, DEEPEST, LEVEL, LAST_DEPTH, LAST_LENGTH, LAST_OUTCOME, TICKS = range(8)
SAVED = TICKS + 4  # the counters of a tree in a file
FAULT, FAULT_DEPTH, FAULT_SIZE, ROOT = range(SAVED, SAVED + 4)
COUNTERS = SAVED + 4
OUTCOME_UNITS = 2**40
# USED          nodes in the tree
# FULL          1 once there was no room for children
# DEEPEST       moves from the root to the deepest node
# LEVEL         the current level of a depth-first search
# LAST_DEPTH    of the leaf of the last simulation, so that path[: LAST_DEPTH + 1] is its path
# LAST_LENGTH   moves of the last playout, in `trace` if that is kept
# LAST_OUTCOME  its result for the first player, in OUTCOME_UNITS; these three if they are recorded
# TICKS         and the next three: time spent in the four steps, if it is measured
# FAULT         and the next two: which limit the game has broken, where: see mcts/overruns.py
# ROOT          where descents begin: 0, or a thread's own copy of the root

clear: Any = hole("backup.clear")
node_made: Any = hole("hook.node_made")


def node_dtype_of(fields: list[tuple[str, str]]) -> np.dtype:
    """The record of a node: the widest fields first, so that there is no padding."""
    return np.dtype(sorted(fields, key=lambda field: -np.dtype(field[1]).itemsize), align=True)


@kernel
def new_node(nodes, node, move):
    nodes[node].visits = 0
    nodes[node].first = 0
    nodes[node].move = move
    nodes[node].count = 0
    clear(nodes, node)
    node_made(nodes, node)
