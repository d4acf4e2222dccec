"""The mean of all results, and how far down the tree goes below a node, for modified UCT."""

from __future__ import annotations

from uctlab.kernels import kernel
from uctlab.rules.backup.mean import inverse_visits, parent_visits, value
from uctlab.rules.fields import MAX_VISITS, Field
from uctlab.rules.shared import add_to_total, latch, leave_unlatch

__all__ = [
    "FIELDS",
    "backup",
    "clear",
    "inverse_visits",
    "parent_visits",
    "value",
]

FIELDS = [
    Field("total", "f8", 0.0, MAX_VISITS, "sum"),
    Field("height", "u4", merge="max"),
]  # moves from the node to the deepest playout's leaf


@kernel
def clear(nodes, node):
    nodes[node].total = 0.0
    nodes[node].height = 0


@kernel
def backup(nodes, path, depth, reward, params):
    for level in range(depth, -1, -1):
        node = path[level]
        latch(nodes, node)
        add_to_total(nodes, node, reward)
        nodes[node].height = max(nodes[node].height, depth - level)
        leave_unlatch(nodes, node)
        reward = 1.0 - reward
