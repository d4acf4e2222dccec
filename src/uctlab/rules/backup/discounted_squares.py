"""Discounted UCT's statistics, and the discounted mean of the squares, for Discounted UCB-Tuned."""

from __future__ import annotations

from uctlab.kernels import kernel
from uctlab.rules.backup import decay
from uctlab.rules.backup.decay import grow_unit, value
from uctlab.rules.backup.discounted import (
    WEIGHT,
    inverse_root_visits,
    inverse_visits,
    parent_visits,
)
from uctlab.rules.fields import ROUNDING, Field
from uctlab.rules.shared import expanded_since, inject_yield, latch, leave, unlatch

__all__ = [
    "FIELDS",
    "WEIGHT",
    "backup",
    "clear",
    "inverse_root_visits",
    "inverse_visits",
    "parent_visits",
    "value",
]

FIELDS = [
    *decay.FIELDS,
    Field("square", "f8", -ROUNDING, 1 + ROUNDING, "mean"),
]  # discounted mean of the squared results

clear_decay = decay.clear


@kernel
def clear(nodes, node):
    clear_decay(nodes, node)
    nodes[node].square = 0.0


@kernel
def add_result(nodes, parent, child, reward, params):
    """A result for the move, which weighs one unit; older ones weigh less by comparison."""
    unit = grow_unit(nodes, parent, params.growth)
    weight = nodes[child].weight
    nodes[child].weight = weight + unit
    nodes[child].square = (weight * nodes[child].square + unit * reward * reward) / (weight + unit)
    inject_yield()
    nodes[child].value = (weight * nodes[child].value + unit * reward) / (weight + unit)


@kernel
def backup(nodes, path, depth, reward, params):
    """As in discounted.py."""
    leaf = path[depth]
    if expanded_since(nodes, leaf):
        latch(nodes, leaf)
        grow_unit(nodes, leaf, params.growth)
        unlatch(nodes, leaf)
    for level in range(depth, 0, -1):
        latch(nodes, path[level - 1])
        add_result(nodes, path[level - 1], path[level], reward, params)
        leave(nodes, path[level])  # last, so that a move seen with visits has a weight
        unlatch(nodes, path[level - 1])
        reward = 1.0 - reward
    leave(nodes, path[0])
