"""RAVE: credits a playout to the moves that were played later in it.

For a node on the path and a move m of the player to move there, a playout is a sample if that
player is the first of the two to play m after that node, in the tree or in the playout.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.kernels import hole, kernel
from uctlab.rules.inverse import inverse
from uctlab.rules.shared import inject_yield, latch, unlatch

FIELDS = [("rave", "f8"), ("samples", "f8")]
# rave     mean of the samples of the move into this node, for the player who makes it
# samples  their number, or their total weight

SHARED: bool = hole("threads.SHARED", False)  # several threads grow one tree
PRIOR: bool = hole("agent.PRIOR")
SKETCH: bool = hole("agent.SKETCH")  # selection looks at sketches of the moves
unexplored: Any = hole("select.unexplored", None)
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
def count_samples(nodes, parent, marks, mark, reward):
    """Add the playout to the moves that bear the mark, as one sample each.

    Half of them do, at random: adding nothing to the others costs less than a branch that nobody
    can predict.
    """
    first = np.uint64(nodes[parent].first)
    for child in range(first, first + np.uint64(nodes[parent].count)):
        weight = np.float64(np.int64(marks[np.uint64(nodes[child].move)] == mark))
        samples = nodes[child].samples
        rave = nodes[child].rave
        # With a prior, samples need not be whole.
        share = 1.0 / (samples + 1.0) if PRIOR else inverse(np.int64(samples) + 1)
        nodes[child].samples = samples + weight
        nodes[child].rave = rave + weight * share * (reward - rave)


@kernel
def list_marked(nodes, parent, marks, mark, listed):
    """List the moves that bear the mark, 0 for the first one, without a branch; returns how many
    there are."""
    first = np.uint64(nodes[parent].first)
    count = np.uint64(0)
    for i in range(np.uint64(nodes[parent].count)):
        listed[count] = i
        count += np.uint64(marks[np.uint64(nodes[first + i].move)] == mark)
    return count


@kernel
def sketch_samples(nodes, parent, marks, mark, reward, work, params):
    """As count_samples, with sketches, which take longer to draw than a list of moves."""
    sketch = work.sketch
    listed = work.out
    first = np.uint64(nodes[parent].first)
    tried = np.uint64(0)  # of these; they are listed over the others
    for at in range(list_marked(nodes, parent, marks, mark, listed)):
        child = first + np.uint64(listed[at])
        samples = nodes[child].samples + 1.0
        rave = nodes[child].rave
        rave += inverse(np.int64(samples)) * (reward - rave)
        nodes[child].samples = samples
        nodes[child].rave = rave
        sketch[child, 0] = rave
        listed[tried] = listed[at]
        tried += np.uint64(nodes[child].visits > 0)
    for at in range(tried):
        child = first + np.uint64(listed[at])
        sketch[child, 0] = unexplored(nodes, child, parent, params)


@kernel
def weigh_samples(nodes, parent, level, end, marks, mark, reward, work):
    """As count_samples, weighted by distance: two divisions, which take longer than a list too."""
    listed = work.out
    plies = work.rave_marks[1]
    first = np.uint64(nodes[parent].first)
    for at in range(list_marked(nodes, parent, marks, mark, listed)):
        child = first + np.uint64(listed[at])
        weight = 2.0 - (plies[np.uint64(nodes[child].move)] - level) / (end - level)
        samples = nodes[child].samples + weight
        nodes[child].samples = samples
        nodes[child].rave += weight / samples * (reward - nodes[child].rave)


@kernel
def mark_moves(work, depth, length, turn, params):
    """Mark the moves of the playout; returns the first player's mark.

    rave_marks[0, m] is the mark of the player who first plays move m at or after the current level,
    and rave_marks[1, m] is its ply from the root. The last column counts playouts, so that the
    marks of earlier playouts need not be cleared, and selections.
    """
    trace = work.trace
    marks = work.rave_marks[0]
    plies = work.rave_marks[1]
    marks[-1] += 1
    mark = 2 * marks[-1]
    for i in range(length - 1, -1, -1):
        if trace[i] >= 0:  # else ~move, a move that gives no samples
            move = np.uint64(trace[i])
            marks[move] = mark + ((turn + depth + i) & 1)
            if params.by_distance != 0.0:
                plies[move] = depth + i
    return mark


@kernel
def add_samples(nodes, work, depth, length, outcome, turn, params):
    """Add the playout to all children of all nodes on the path but the last."""
    path = work.path
    plies = work.rave_marks[1]
    marks = work.rave_marks[0]
    first_player = mark_moves(work, depth, length, turn, params)
    end = depth + length
    for level in range(depth - 1, -1, -1):
        player = (turn + level) & 1
        mark = first_player + player
        reward = outcome if player == 0 else 1.0 - outcome
        made = nodes[path[level + 1]].move
        marks[made] = mark
        plies[made] = level
        if not SHARED and not ON_GPU:
            if SKETCH:
                sketch_samples(nodes, path[level], marks, mark, reward, work, params)
            elif params.by_distance == 0.0:
                count_samples(nodes, path[level], marks, mark, reward)
            else:
                weigh_samples(nodes, path[level], level, end, marks, mark, reward, work)
            continue
        if SHARED:
            latch(nodes, path[level])
        first = np.int64(nodes[path[level]].first)
        for child in range(first, first + nodes[path[level]].count):
            move = nodes[child].move
            if marks[move] == mark:
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
