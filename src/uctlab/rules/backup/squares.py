"""The means of all results and of their squares, for UCB1-Tuned."""

from __future__ import annotations

from uctlab.kernels import kernel
from uctlab.kernels.atomics import add_field
from uctlab.rules.backup.mean import inverse_visits, parent_visits, value
from uctlab.rules.fields import MAX_VISITS, Field
from uctlab.rules.shared import LOCKED, SHARED, add_to_total, leave

__all__ = [
    "FIELDS",
    "SUMS",
    "backup",
    "clear",
    "inverse_visits",
    "parent_visits",
    "value",
]

FIELDS = [
    Field("total", "f8", 0.0, MAX_VISITS, "sum"),
    Field("squares", "f8", 0.0, MAX_VISITS, "sum"),
]
SUMS = ("total", "squares")


@kernel
def clear(nodes, node):
    nodes[node].total = 0.0
    nodes[node].squares = 0.0


@kernel
def backup(nodes, path, depth, reward, params):
    for level in range(depth, -1, -1):
        leave(nodes, path[level])
        # Squares first: a thread that reads in between must not see a negative variance.
        if SHARED and not LOCKED:
            add_field(nodes, path[level], "squares", reward * reward)
        else:
            nodes[path[level]].squares += reward * reward
        add_to_total(nodes, path[level], reward)
        reward = 1.0 - reward
