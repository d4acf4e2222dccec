"""Robust max: a move is worth 1 minus the value of the most visited answer (coulom2006)."""

from __future__ import annotations

from uctlab.kernels import kernel
from uctlab.rules.backup.answers import FIELDS, clear, most_tried, value
from uctlab.rules.backup.mean import inverse_root_visits, inverse_visits, parent_visits
from uctlab.rules.shared import latch, leave_unlatch

__all__ = [
    "FIELDS",
    "backup",
    "clear",
    "inverse_root_visits",
    "inverse_visits",
    "parent_visits",
    "shared_backup",
    "value",
]


@kernel
def add(nodes, node, reward):
    """Add a result, and value the node; its visit is counted afterwards."""
    nodes[node].total += reward
    answer = most_tried(nodes, node)
    if answer >= 0:
        nodes[node].value = 1.0 - nodes[answer].value
    else:
        nodes[node].value = nodes[node].total / (nodes[node].visits + 1)


@kernel
def backup(nodes, path, depth, reward, params):
    for level in range(depth, -1, -1):
        add(nodes, path[level], reward)
        nodes[path[level]].visits += 1
        reward = 1.0 - reward


@kernel
def shared_backup(nodes, path, depth, reward, params):
    """The same; whoever changes a move values the node above it afterwards, so the last one has
    seen all."""
    for level in range(depth, -1, -1):
        latch(nodes, path[level])
        add(nodes, path[level], reward)
        leave_unlatch(nodes, path[level])
        reward = 1.0 - reward
