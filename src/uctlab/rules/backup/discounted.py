"""Discounted UCT: older results count less, and so do older visits (eq. 2-4).

Here the discounted visits sD of a node include its own playouts as a leaf; in the paper they are
those of its moves only. With lambda = 1 the rule is then plain UCT, as it should be.
"""

from __future__ import annotations

import math

from uctlab.kernels import inverse_root, kernel
from uctlab.rules.backup.decay import FIELDS, clear, geometric_sum, grow_unit, value
from uctlab.rules.shared import expanded_since, inject_yield, latch, leave, unlatch

__all__ = [
    "FIELDS",
    "TERMS_BY_VISITS",
    "UNITS",
    "WEIGHT",
    "backup",
    "clear",
    "counted",
    "inverse_root_visits",
    "inverse_visits",
    "parent_visits",
    "settled_by_sketch",
    "unit_of",
    "value",
]

WEIGHT = "discounted_visits"
UNITS = True
TERMS_BY_VISITS = True


@kernel
def backup(nodes, path, depth, reward, params):
    leaf = path[depth]
    if expanded_since(nodes, leaf):
        latch(nodes, leaf)
        grow_unit(nodes, leaf, params.growth)
        unlatch(nodes, leaf)
    for level in range(depth, 0, -1):
        parent = path[level - 1]
        child = path[level]
        latch(nodes, parent)
        unit = grow_unit(nodes, parent, params.growth)
        weight = nodes[child].weight
        inject_yield()
        nodes[child].weight = weight + unit
        nodes[child].value = (weight * nodes[child].value + unit * reward) / (weight + unit)
        leave(nodes, child)  # last, so that a move seen with visits has a weight
        unlatch(nodes, parent)
        reward = 1.0 - reward
    leave(nodes, path[0])


@kernel
def inverse_visits(nodes, child, parent):
    return nodes[parent].unit / nodes[child].weight


@kernel
def inverse_root_visits(nodes, child, parent):
    return math.sqrt(nodes[parent].unit) * inverse_root(nodes[child].weight)


@kernel
def parent_visits(nodes, parent, params):
    return geometric_sum(nodes[parent].visits, params)


@kernel
def counted(nodes, node):
    return nodes[node].weight


@kernel
def unit_of(nodes, parent):
    return nodes[parent].unit


@kernel
def settled_by_sketch(root):
    """Weights are seldom equal, and values may have any digits."""
    return False
