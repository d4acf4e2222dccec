"""Plain UCT: the mean of all results (hashimoto2012, eq. 1)."""

from __future__ import annotations

import math

import numpy as np

from uctlab.kernels import hole, inverse_root, kernel
from uctlab.rules.fields import MAX_VISITS, Field
from uctlab.rules.shared import add_to_total, leave

FIELDS = [
    Field("total", "f8", 0.0, MAX_VISITS, "sum")
]  # sum of results; exact if they are multiples of 1/2
SUMS = ("total",)
TERMS_BY_VISITS = True

ON_GPU: bool = hole("device.ON_GPU", False)
SIZE = 4096
INVERSES = np.append(math.inf, 1.0 / np.arange(1, SIZE))


@kernel
def inverse(number):
    """One over a whole number; on a CPU from a table, since a division takes longer."""
    if not ON_GPU and number < SIZE:
        return INVERSES[np.uint64(number)]
    return 1.0 / number


@kernel
def clear(nodes, node):
    nodes[node].total = 0.0


@kernel
def backup(nodes, path, depth, reward, params):
    for level in range(depth, -1, -1):
        leave(nodes, path[level])
        add_to_total(nodes, path[level], reward)
        reward = 1.0 - reward


@kernel
def value(nodes, node):
    if ON_GPU:
        root = inverse_root(float(nodes[node].visits))
        return nodes[node].total * (root * root)
    return nodes[node].total * inverse(nodes[node].visits)  # score() needs this quotient as well


@kernel
def inverse_visits(nodes, child, parent):
    return inverse(nodes[child].visits)


@kernel
def inverse_root_visits(nodes, child, parent):
    return inverse_root(float(nodes[child].visits))


@kernel
def parent_visits(nodes, parent, params):
    return float(nodes[parent].visits)


@kernel
def counted(nodes, node):
    return float(nodes[node].visits)


@kernel
def settled_by_sketch(root):
    """With fewer than a million visits, means of halves that differ differ by eight roundings."""
    return root > 1e-3
