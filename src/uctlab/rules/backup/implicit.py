"""Implicit minimax (lanctot2014): means of results, mixed with the minimax of evaluations.

Each node has two values that are kept apart: the mean of the playouts, and the minimax value of the
evaluations (parts/evaluation.py) below it. Only the value that selection sees mixes them.
"""

from __future__ import annotations

from uctlab.kernels import kernel
from uctlab.rules.backup.mean import inverse_root_visits, inverse_visits, parent_visits
from uctlab.rules.backup.minimax import minimax_of
from uctlab.rules.fields import MAX_VISITS, ROUNDING, Field
from uctlab.rules.shared import count_of, latch, leave_unlatch

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
    Field("total", "f8", 0.0, MAX_VISITS, "sum"),
    Field("guess", "f8", 0.0, 1.0),
    Field("minimax", "f8", 0.0, 1.0),
    Field("mixed", "f8", -ROUNDING, 1 + ROUNDING),
]
# total    sum of results
# guess    the evaluation of the position itself
# minimax  of the evaluations below it
# mixed    (1 - alpha) * mean + alpha * minimax


@kernel
def clear(nodes, node):
    nodes[node].total = 0.0
    nodes[node].guess = 0.0
    nodes[node].minimax = 0.0
    nodes[node].mixed = 0.0


@kernel
def settle(nodes, node, count, visits, params):
    minimax = minimax_of(nodes, node, count, nodes[node].guess)
    nodes[node].minimax = minimax
    mean = nodes[node].total / visits
    nodes[node].mixed = (1.0 - params.alpha) * mean + params.alpha * minimax


@kernel
def backup(nodes, path, depth, reward, params):
    """The latch protects all fields of a node; its visit counts when the latch is released."""
    for level in range(depth, -1, -1):
        node = path[level]
        latch(nodes, node)
        nodes[node].total += reward
        count = count_of(nodes, node)
        settle(nodes, node, count, nodes[node].visits + 1, params)
        leave_unlatch(nodes, node)
        reward = 1.0 - reward


@kernel
def value(nodes, node):
    return nodes[node].mixed
