"""A thread's own copies of nodes in the upper tree, where threads would wait for each other.

Every playout of every thread reads and writes there, so that most cache lines would come from
another core. If all that a node keeps are sums over its playouts, a thread copies the moves of a
node that has had many visits and counts in its copies. Every few selections it adds its share to
the tree and takes the others' from there. The copied nodes are a tree from the root downwards: a
copy's `first` leads to copies of its moves, or else into the tree that all share. Other threads'
playouts under way are no losses at copies.

The copies of a node's moves have a header before them, and behind them is what they were at the
last exchange. All are nodes at the end of the array, where each thread has a part. The root's copy
comes first, as if the root were the only move of some node.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from uctlab.kernels import hole, kernel
from uctlab.kernels.atomics import add_at, add_pair, load_at, load_field
from uctlab.mcts.tree import COUNTERS
from uctlab.rules.select.shared_sketch import draw, draw_truly

# In a thread's own array, after the counters.
COPIES, COPIES_USED, COPIES_END, CROWD = range(COUNTERS, COUNTERS + 4)
# COPIES        the first node of its copies, beyond the array if it has none
# COPIES_USED   and COPIES_END: the first node after the copies, and after the room for them
# CROWD         visits to a node for each selection there between two exchanges

UNSEEN = 4  # a quarter of a node's visits at most is made by all threads between two exchanges
FEWEST, MOST = 4, 64  # selections between two exchanges; if there would be fewer, nothing is copied

SKETCH: bool = hole("agent.SKETCH")  # selection looks at sketches of the moves


class Sums(NamedTuple):
    """Where in the memory of the tree the sums over playouts are."""

    words: Any
    """The nodes as float64, one array."""
    width: Any
    """Words of a node."""
    places: Any
    """The sums' places among them."""


@kernel
def copy_root(nodes, own, sketch):
    """The thread's own copy of the root, or the root where there is no room for copies."""
    return copy_moves(nodes, np.int64(0), np.int64(1), FEWEST, own, sketch)


@kernel
def renew(nodes, node, own, sums, sketch):
    """Before a selection at a copy: copy its moves, or exchange them when it is time."""
    first = np.int64(nodes[node].first)
    if first >= own[COPIES]:
        count_down(nodes, first, np.int64(nodes[node].visits), own, sums, sketch)
    elif nodes[node].visits >= FEWEST * own[CROWD]:
        count = np.int64(nodes[node].count)
        times = selections(np.int64(nodes[node].visits), own)
        nodes[node].first = copy_moves(nodes, first, count, times, own, sketch)


@kernel
def selections(visits, own):
    """How many there are between two exchanges."""
    return max(FEWEST, min(visits // own[CROWD], MOST))


@kernel
def copy_moves(nodes, first, count, times, own, sketch):
    """Where the copies of these nodes are; `first` if there is no room, or if one of them may still
    change in anything but its sums."""
    header = own[COPIES_USED]
    mine = header + 1
    before = mine + count
    if before + count > own[COPIES_END]:
        return first
    for node in range(first, first + count):
        if load_field(nodes, node, "count") <= 0 or (first > 0 and nodes[node].visits == 0):
            return first
    for i in range(count):
        nodes[mine + i] = nodes[first + i]
        nodes[mine + i].pending = 0
        nodes[before + i] = nodes[mine + i]
        if SKETCH and first > 0:
            draw(nodes, mine + i, sketch)
    nodes[header].first = first
    nodes[header].count = count
    nodes[header].visits = times
    own[COPIES_USED] = before + count
    return mine


@kernel
def count_down(nodes, mine, visits, own, sums, sketch):
    """One selection less until these copies are exchanged; `visits` are those of the node whose
    moves they are."""
    nodes[mine - 1].visits -= 1
    if nodes[mine - 1].visits == 0:
        nodes[mine - 1].visits = selections(visits, own)
        exchange_moves(nodes, mine, sums, sketch)


@kernel
def exchange_moves(nodes, mine, sums, sketch):
    first = np.int64(nodes[mine - 1].first)
    count = np.int64(nodes[mine - 1].count)
    for i in range(count):
        exchange(nodes, first + i, mine + i, mine + count + i, sums, sketch)


@kernel
def exchange(nodes, node, mine, before, sums, sketch):
    """Add to the node what was counted in the copy `mine` since it was as `before`, and take from
    there what the others have added."""
    made = np.int64(nodes[mine].visits) - np.int64(nodes[before].visits)
    words = sums.words
    for at in sums.places:
        here = sums.width * node + at
        there = sums.width * mine + at
        then = sums.width * before + at
        if made > 0:
            add_at(words, here, words[there] - words[then])
        words[there] = load_at(words, here)
        words[then] = words[there]
    if made > 0:
        add_pair(nodes, node, "visits", "pending", made, 0)
    visits = load_field(nodes, node, "visits")
    nodes[mine].visits = visits
    nodes[before].visits = visits
    if SKETCH and visits > 0:
        draw(nodes, mine, sketch)
        if made > 0:
            draw_truly(nodes, node, sketch)


@kernel
def exchange_all(nodes, own, sums, sketch):
    """At the end nothing is left that only this thread knows."""
    mine = own[COPIES] + 1
    while mine < own[COPIES_USED]:
        exchange_moves(nodes, mine, sums, sketch)
        mine += 2 * np.int64(nodes[mine - 1].count) + 1


@kernel
def originals(nodes, path, depth, own):
    """Replace the copies on a path by what they are copies of."""
    for level in range(depth, 0, -1):
        if path[level] >= own[COPIES]:
            mine = np.int64(nodes[path[level - 1]].first)
            path[level] += np.int64(nodes[mine - 1].first) - mine
    path[0] = 0
