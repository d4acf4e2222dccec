"""The tree: one array of records, with the children of a node side by side.

    nodes[0]            the root
    visits              playouts through the node
    first, count        its children are nodes[first] ... nodes[first + count - 1]
                        count 0: not expanded; -1: the game is over there; -2: a thread is
                        expanding it
    move                the move that leads into it

and the fields of the backup operator, whose values belong to the player who made that move.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.kernels import below, hole, kernel
from uctlab.rules.rave import clear_rave
from uctlab.rules.solver import clear_bounds

BASE_FIELDS = [("visits", "u4"), ("first", "u4"), ("move", "i2"), ("count", "i2")]
OVER = -1
CLAIMED = -2
# In a tree that threads share: see rules/shared.py.
SHARED_FIELDS = [("visits", "u4"), ("pending", "u4"), *BASE_FIELDS[1:]]

# Counters that belong to the tree, an int64 array.
USED, FULL, DEEPEST, LEVEL, LAST_DEPTH, LAST_LENGTH, LAST_OUTCOME, TICKS = range(8)
COUNTERS = TICKS + 4
OUTCOME_UNITS = 2**40
# USED          nodes in the tree
# FULL          1 once there was no room for children
# DEEPEST       moves from the root to the deepest node
# LEVEL         the current level of a depth-first search
# LAST_DEPTH    of the leaf of the last playout, so that path[: LAST_DEPTH + 1] is its path
# LAST_LENGTH   moves of the last playout, in `trace` if that is kept
# LAST_OUTCOME  its result for the first player, in OUTCOME_UNITS; these three with RECORD_LAST
# TICKS         and the next three: time spent in the loop's four steps, with PROFILE

moves: Any = hole("game.moves")
prune: Any = hole("game.prune")
clear: Any = hole("backup.clear")
PRUNE: bool = hole("agent.PRUNE")
RAVE: bool = hole("agent.RAVE")
SOLVER: bool = hole("agent.SOLVER")
RECORD_LAST: bool = hole("instruments.RECORD_LAST", False)


def node_dtype(fields: list[tuple[str, str]], *, shared: bool = False) -> np.dtype:
    """The record of a node: the widest fields first, so that there is no padding."""
    every = [*SHARED_FIELDS, *fields] if shared else [*fields, *BASE_FIELDS]
    return np.dtype(sorted(every, key=lambda field: -np.dtype(field[1]).itemsize), align=True)


@kernel
def tree_moves(s, out):
    """The legal moves of a position, without those that the tree leaves out."""
    count = moves(s, out)
    return prune(s, out, count) if PRUNE else count


@kernel
def reset_tree(tree):
    """An empty tree: a root without children."""
    counters = tree.counters
    new_node(tree.nodes, np.int64(0), np.int16(-1))
    counters[USED] = 1
    counters[FULL] = 0
    counters[DEEPEST] = 0


@kernel
def new_node(nodes, node, move):
    nodes[node].visits = 0
    nodes[node].first = 0
    nodes[node].move = move
    nodes[node].count = 0
    clear(nodes, node)
    if RAVE:
        clear_rave(nodes, node)
    if SOLVER:
        clear_bounds(nodes, node)


@kernel
def fill(nodes, first, moves, count, rng):
    """Create nodes for those moves, which are shuffled first."""
    for i in range(count):
        other = below(rng, i + 1)
        move = moves[i]
        moves[i] = moves[other]
        moves[other] = move
    for i in range(count):
        new_node(nodes, first + i, moves[i])


@kernel
def add_children(tree, node, moves, count, rng):
    """Shuffle `moves` and make them the node's children; false if there is no room."""
    nodes = tree.nodes
    counters = tree.counters
    first = counters[USED]
    if first + count > len(nodes):
        counters[FULL] = 1
        return False
    fill(nodes, first, moves, count, rng)
    nodes[node].first = first
    nodes[node].count = count
    counters[USED] = first + count
    return True


@kernel
def note_end(nodes, node, s, out):
    """Note at the first visit of a leaf whether the game is over there."""
    if nodes[node].count == 0 and nodes[node].visits == 0 and moves(s, out) == 0:
        nodes[node].count = OVER


@kernel
def note_last(counters, depth, length, outcome):
    """Record the last playout, for tests that follow a search playout by playout."""
    if RECORD_LAST:
        counters[LAST_DEPTH] = depth
        counters[LAST_LENGTH] = length
        counters[LAST_OUTCOME] = np.int64(OUTCOME_UNITS * outcome)


@kernel
def extract(nodes, root, target, counters):
    """Copy the subtree below `root` to `target`, level by level, as far as there is room."""
    target[0] = nodes[root]
    counters[FULL] = 0
    used = 1
    node = 0
    depth = 0
    level_end = 1
    while node < used:
        if node == level_end:
            depth += 1
            level_end = used
        count = np.int64(target[node].count)
        if count > 0:
            if used + count > len(target):
                target[node].count = 0
                if SOLVER:  # a proven node without moves would leave a root nothing to choose by
                    clear_bounds(target, node)
                counters[FULL] = 1
            else:
                first = np.int64(target[node].first)
                for i in range(count):
                    target[used + i] = nodes[first + i]
                target[node].first = used
                used += count
        node += 1
    counters[USED] = used
    counters[DEEPEST] = depth


@kernel
def keep_children(nodes, node, allowed, count):
    """Remove the children whose moves are not among the first `count` of `allowed`."""
    first = np.int64(nodes[node].first)
    kept = 0
    for child in range(first, first + nodes[node].count):
        for i in range(count):
            if allowed[i] == nodes[child].move:
                nodes[first + kept] = nodes[child]
                kept += 1
                break
    nodes[node].count = kept
