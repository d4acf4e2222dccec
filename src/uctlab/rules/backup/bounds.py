"""The mean of all results, and bounds of a node's value, for BAST (coquelin2007, section 4).

A node's own results and the bounds of its moves bound its value from both sides; each level turns
the view round, so a bound from above comes from the answers' bounds from below:

    upper = min(mean + slack + width, 1 - max of the moves' lower)
    lower = max(mean - slack - width, 1 - max of the moves' upper)
    width = c sqrt(2 ln(N n (n + 1) / beta) / n),  slack = delta gamma**depth, at most 1

N is the number of visits of the root. There is no slack where the game is over, nor, with delta =
inf (flat UCB), at a leaf. Bounds change along the path of a playout only, and all moves of each
node on it are looked at.
"""

from __future__ import annotations

import math

import numpy as np

from uctlab.kernels import kernel
from uctlab.rules.backup import mean
from uctlab.rules.backup.mean import inverse_visits, parent_visits, value
from uctlab.rules.fields import MAX_VISITS, Field
from uctlab.rules.shared import add_to_total, count_of, latch, leave, unlatch

__all__ = [
    "FIELDS",
    "backup",
    "clear",
    "inverse_visits",
    "parent_visits",
    "value",
]

# For the player who moved into the node. They are not limited to 0 ... 1: among moves whose results
# say nothing yet, the less visited one then has the higher bound.
FIELDS = [
    Field("total", "f8", 0.0, MAX_VISITS, "sum"),
    Field("upper", "f8", merge="min"),
    Field("lower", "f8", merge="max"),
]

OVER = -1  # count of a node where the game is over: mcts/tree.py

add_result = mean.backup


@kernel
def clear(nodes, node):
    nodes[node].total = 0.0
    nodes[node].upper = math.inf
    nodes[node].lower = -math.inf


@kernel
def backup(nodes, path, depth, reward, params):
    """A node's bounds are written together, under its latch."""
    nodes_of_tree = float(nodes[path[0]].visits) + 1.0
    for level in range(depth, -1, -1):
        node = np.int64(path[level])
        leave(nodes, node)
        add_to_total(nodes, node, reward)
        latch(nodes, node)
        count = np.int64(count_of(nodes, node))
        bound(nodes, node, count, level, nodes_of_tree, params)
        unlatch(nodes, node)
        reward = 1.0 - reward


@kernel
def bound(nodes, node, count, depth, nodes_of_tree, params):
    visits = float(nodes[node].visits)
    odds = nodes_of_tree * visits * (visits + 1.0) / params.beta
    reach = params.c * math.sqrt(2.0 * math.log(odds) / visits) + slack_of(count, depth, params)
    middle = nodes[node].total / visits
    upper = middle + reach
    lower = middle - reach
    if count > 0:
        highest_lower = -math.inf
        highest_upper = -math.inf
        first = np.int64(nodes[node].first)
        for child in range(first, first + count):
            highest_lower = max(highest_lower, nodes[child].lower)
            highest_upper = max(highest_upper, nodes[child].upper)
        upper = min(upper, 1.0 - highest_lower)
        lower = max(lower, 1.0 - highest_upper)
    nodes[node].upper = upper
    nodes[node].lower = lower


@kernel
def slack_of(count, depth, params):
    """How far the value of a node at that depth may lie from the mean of its results."""
    if count == OVER or (params.delta == math.inf and count <= 0):
        return 0.0
    if params.delta == math.inf:
        return 1.0
    return min(1.0, params.delta * math.pow(params.gamma, float(depth)))
