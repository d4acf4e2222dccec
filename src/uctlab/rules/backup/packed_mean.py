"""Plain UCT's mean in nodes of 16 bytes for a GPU, with visits and half points in one word.

It needs results of 0, 1/2 or 1, as uniform playouts give (games/api.py). Every thread reads its own
tree, so the time depends on the number of loads and cache lines; small nodes need fewer of both.
"""

from __future__ import annotations

import numpy as np

from uctlab.kernels import inverse_root, kernel
from uctlab.rules.backup.mean import inverse_visits, parent_visits

__all__ = [
    "NODE",
    "backup",
    "clear",
    "inverse_root_visits",
    "inverse_visits",
    "parent_visits",
    "value",
]

# `tally` is the two fields after it, read as one word.
NODE = np.dtype(
    {
        "names": ["tally", "halves", "visits", "first", "move", "count"],
        "formats": ["<u8", "<u4", "<u4", "<u4", "<i2", "<i2"],
        "offsets": [0, 0, 4, 8, 12, 14],
    },
    align=True,
)
_VISITS = np.uint64(32)  # number of bits below the visits
_ONE_VISIT = np.uint64(1 << 32)
_HALVES = np.uint64((1 << 32) - 1)
_WIN = np.uint64(2)


@kernel
def clear(nodes, node):
    nodes[node].halves = 0


@kernel
def backup(nodes, path, depth, reward, params):
    halves = np.uint64(2.0 * reward)
    for level in range(depth, -1, -1):
        nodes[path[level]].tally += _ONE_VISIT + halves
        halves = _WIN - halves


@kernel
def value(nodes, node):
    tally = nodes[node].tally
    root = inverse_root(float(tally >> _VISITS))
    return 0.5 * float(tally & _HALVES) * (root * root)


@kernel
def inverse_root_visits(nodes, child, parent):
    return inverse_root(float(nodes[child].tally >> _VISITS))
