"""Decay in constant time, for Accelerated and Discounted UCT (hashimoto2012, eq. 2-7).

A visit to a node multiplies the weights of all its moves by lambda and adds 1 to that of the chosen
move. Only ratios of weights matter, so instead of shrinking all other weights the node lets its
unit grow: unit <- unit / lambda, and the chosen move's weight grows by one unit. A weight divided
by the unit is the weight as defined. When the unit gets large, all weights are divided by it.

The weights of a node's moves, with its playouts as a leaf counted as those of a virtual child, add
up to 1 + lambda + ... + lambda**(visits - 1): no sum has to be stored.
"""

from __future__ import annotations

import math

import numpy as np

from uctlab.kernels import kernel
from uctlab.rules.fields import MAX_VISITS, ROUNDING, Field

# Roots of weights and units, and their inverses, are float32: see parts/sketches.py.
LARGE_UNIT = 1e60
SMALL_WEIGHT = 1e-60

FIELDS = [
    Field("value", "f8", -ROUNDING, 1 + ROUNDING, "mean"),
    Field("weight", "f8", 0.0, LARGE_UNIT * MAX_VISITS, "units"),
    Field("unit", "f8", 1.0, LARGE_UNIT, "unit"),
]
# value   of the move into this node, for the player who made it
# weight  of the move into this node: velocity, or discounted visits; in its parent's units
# unit    in which the weights of this node's moves are counted


@kernel
def clear(nodes, node):
    nodes[node].value = 0.0
    nodes[node].weight = 0.0
    nodes[node].unit = 1.0


@kernel
def geometric_sum(visits, params):
    """1 + lambda + ... + lambda**(visits - 1)."""
    if params.forget == 0.0:
        return float(visits)
    x = visits * params.log_lam
    if x < -0.01:
        return (1.0 - math.exp(x)) * params.horizon
    # 1 - exp(x) from its series, which loses no digits when x is small.
    series = 1.0 + x / 2 * (1.0 + x / 3 * (1.0 + x / 4 * (1.0 + x / 5 * (1.0 + x / 6))))
    return -x * series * params.horizon


@kernel
def known_sum(known, visits, params):
    """The same from a table, since an exponential takes longer; 0 there: not computed yet."""
    if visits >= len(known):
        return geometric_sum(visits, params)
    if known[visits] == 0.0:
        known[visits] = geometric_sum(visits, params)
    return known[visits]


@kernel
def grow_unit(nodes, parent, growth):
    """Grow the parent's unit for one more visit, by 1 / lambda; the chosen move's weight grows by
    the result."""
    unit = nodes[parent].unit * growth
    if unit > LARGE_UNIT:
        first = np.int64(nodes[parent].first)
        for child in range(first, first + nodes[parent].count):
            if nodes[child].visits > 0:  # a weight of zero would make a score of 0 * inf
                nodes[child].weight = max(nodes[child].weight / unit, SMALL_WEIGHT)
        unit = 1.0
    nodes[parent].unit = unit
    return unit


@kernel
def value(nodes, node):
    return nodes[node].value
