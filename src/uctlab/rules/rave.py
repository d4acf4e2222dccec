"""RAVE: credits a playout to the moves that were played later in it.

For a node on the path and a move m of the player to move there, a playout is a sample if that
player is the first of the two to play m after that node, in the tree or in the playout.
"""

from __future__ import annotations

import numpy as np

from uctlab.kernels import hole, kernel
from uctlab.rules.inverse import inverse
from uctlab.rules.shared import inject_yield, latch, unlatch

FIELDS = [("rave", "f8"), ("samples", "f8")]
# rave     mean of the samples of the move into this node, for the player who makes it
# samples  their number, or their total weight

SHARED: bool = hole("threads.SHARED", False)  # several threads grow one tree
ON_GPU: bool = hole("device.ON_GPU", False)


@kernel
def clear_rave(nodes, node):
    nodes[node].rave = 0.0
    nodes[node].samples = 0.0


@kernel
def ignored(rave_marks, params):
    """Whether RAVE is ignored by this selection, which is counted: every `ignore`-th one is."""
    if params.ignore <= 0.0:
        return False
    rave_marks[1, -1] += 1
    return rave_marks[1, -1] % params.ignore == 0.0


@kernel
def count_samples(nodes, first, end, stamps, mark, reward):
    """Add the playout, as one sample, to the moves that bear the mark.

    Half of them do, at random: writing to all of them costs less than a branch that nobody can
    predict.
    """
    for child in range(np.uint64(first), np.uint64(end)):
        marked = stamps[np.uint64(nodes[child].move)] == mark
        rave = nodes[child].rave
        samples = nodes[child].samples
        more = samples + 1.0
        nodes[child].samples = more if marked else samples
        changed = rave + inverse(np.int64(more)) * (reward - rave)
        nodes[child].rave = changed if marked else rave


@kernel
def add_samples(nodes, work, depth, length, outcome, turn, params):
    """Add the playout to all children of all nodes on the path but the last.

    rave_marks[0, m] is the player who first plays move m at or after the current level, and
    rave_marks[1, m] is its ply from the root. The last column counts playouts, so that the marks of
    earlier playouts need not be cleared, and selections.
    """
    path = work.path
    trace = work.trace
    stamps = work.rave_marks[0]
    plies = work.rave_marks[1]
    stamps[-1] += 1
    stamp = 2 * stamps[-1]
    end = depth + length
    for i in range(length - 1, -1, -1):
        if trace[i] >= 0:  # else ~move, a move that gives no samples
            stamps[trace[i]] = stamp + ((turn + depth + i) & 1)
            plies[trace[i]] = depth + i
    for level in range(depth - 1, -1, -1):
        player = (turn + level) & 1
        reward = outcome if player == 0 else 1.0 - outcome
        made = nodes[path[level + 1]].move
        stamps[made] = stamp + player
        plies[made] = level
        first = np.int64(nodes[path[level]].first)
        end_of_moves = first + nodes[path[level]].count
        if not SHARED and not ON_GPU and params.by_distance == 0.0:
            count_samples(nodes, first, end_of_moves, stamps, stamp + player, reward)
            continue
        if SHARED:
            latch(nodes, path[level])
        for child in range(first, end_of_moves):
            move = nodes[child].move
            if stamps[move] == stamp + player:
                weight = 1.0
                if params.by_distance != 0.0:
                    weight = 2.0 - (plies[move] - level) / (end - level)
                samples = nodes[child].samples + weight
                if SHARED:
                    inject_yield()
                nodes[child].samples = samples
                nodes[child].rave += weight / samples * (reward - nodes[child].rave)
        if SHARED:
            unlatch(nodes, path[level])
