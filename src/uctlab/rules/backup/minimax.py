"""Minimax values: a node is worth what its best answer leaves (ramanujan2011, UCTMAX).

A leaf has the value of its last simulation, which with leaf=evaluate is always the same.
"""

from __future__ import annotations

import numpy as np

from uctlab.kernels import kernel
from uctlab.rules.backup.mean import inverse_root_visits, inverse_visits, parent_visits
from uctlab.rules.fields import Field
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

FIELDS = [Field("minimax", "f8", 0.0, 1.0)]


@kernel
def clear(nodes, node):
    nodes[node].minimax = 0.0


@kernel
def minimax_of(nodes, node, count, own):
    """1 minus the best of the visited moves, of which there are at most `count`; `own`, the node's
    own value, if none has been visited."""
    best = -1.0
    first = np.int64(nodes[node].first)
    for child in range(first, first + count):
        if nodes[child].visits > 0:
            best = max(best, nodes[child].minimax)
    return own if best < 0.0 else 1.0 - best


@kernel
def backup(nodes, path, depth, reward, params):
    """Whoever latches a node last has seen what all others have left in its moves."""
    for level in range(depth, -1, -1):
        node = path[level]
        latch(nodes, node)
        count = count_of(nodes, node)
        nodes[node].minimax = minimax_of(nodes, node, count, reward)
        leave_unlatch(nodes, node)


@kernel
def value(nodes, node):
    return nodes[node].minimax
