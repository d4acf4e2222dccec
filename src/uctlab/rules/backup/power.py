"""Power mean: between the mean and the maximum of the answers, by an exponent (dam2020).

A node's own playouts as a leaf are those of a virtual child, as in Accelerated UCT. A move keeps
its share of its node's sum, visits * value**p: a node has a sum and three powers to compute.
"""

from __future__ import annotations

import numpy as np

from uctlab.kernels import kernel
from uctlab.rules.backup.mean import inverse_root_visits, inverse_visits, parent_visits
from uctlab.rules.fields import MAX_VISITS, ROUNDING, Field
from uctlab.rules.shared import latch, leave_unlatch

__all__ = [
    "FIELDS",
    "backup",
    "clear",
    "inverse_root_visits",
    "inverse_visits",
    "parent_visits",
    "value",
]

FIELDS = [
    Field("value", "f8", -ROUNDING, 1 + ROUNDING, "mean"),
    Field("share", "f8", 0.0, MAX_VISITS, "sum"),
    Field("won", "f8", 0.0, MAX_VISITS, "sum"),
    Field("playouts", "u4", merge="sum"),
]
# value     of the move into this node, for the player who made it
# share     visits * value**p
# won       sum of the results of this node's own playouts, for the same player
# playouts  their number


@kernel
def clear(nodes, node):
    nodes[node].value = 0.0
    nodes[node].share = 0.0
    nodes[node].won = 0.0
    nodes[node].playouts = 0


@kernel
def value(nodes, node):
    return nodes[node].value


@kernel
def add_playout(nodes, leaf, reward):
    nodes[leaf].won += reward
    nodes[leaf].playouts += 1


@kernel
def renew(nodes, node, params):
    """Value a node by its moves and its own playouts; its visit is counted afterwards."""
    visits = float(nodes[node].playouts)
    total = 0.0
    if visits > 0.0:
        total = visits * max(1.0 - nodes[node].won / visits, 0.0) ** params.power
    first = np.int64(nodes[node].first)
    for child in range(first, first + nodes[node].count):
        visits += nodes[child].visits
        total += nodes[child].share
    # Threads may see a share that is newer than its visits.
    found = 1.0 - min(total / visits, 1.0) ** (1.0 / params.power)
    nodes[node].value = found
    nodes[node].share = (nodes[node].visits + 1.0) * found**params.power


@kernel
def backup(nodes, path, depth, reward, params):
    for level in range(depth, -1, -1):
        latch(nodes, path[level])
        if level == depth:
            add_playout(nodes, path[level], reward)
        renew(nodes, path[level], params)
        leave_unlatch(nodes, path[level])
