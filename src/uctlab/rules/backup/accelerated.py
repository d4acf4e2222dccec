"""Accelerated UCT: the value of a move is the velocity-weighted mean of its answers (eq. 5-7)."""

from __future__ import annotations

from uctlab.kernels import kernel
from uctlab.rules.backup.decay import FIELDS, clear, geometric_sum, grow_unit, known_sum, value
from uctlab.rules.backup.mean import (
    counted,
    inverse_root_visits,
    inverse_visits,
    parent_visits,
)
from uctlab.rules.shared import expanded_since, latch, leave_unlatch

__all__ = [
    "FIELDS",
    "WEIGHT",
    "backup",
    "backup_by_table",
    "clear",
    "counted",
    "inverse_root_visits",
    "inverse_visits",
    "parent_visits",
    "settled_by_sketch",
    "value",
]

WEIGHT = "velocity"


@kernel
def add_answer(nodes, parent, child, before, after, total, params):
    """The parent's value before and after a visit to a child whose value goes from `before` to
    `after`; `total` is the sum of the velocities before it."""
    unit = grow_unit(nodes, parent, params.growth)
    velocity = nodes[child].weight
    nodes[child].weight = velocity + unit
    # Sums over the answers and the virtual child, in the parent's new units.
    velocities = total * params.lam * unit
    own = nodes[parent].value
    # The next level waits for `changed`, which waits for `after`: this quotient does not.
    share = 1.0 / (velocities + unit)
    answers = (1.0 - own) * velocities - velocity * before + (velocity + unit) * after
    changed = 1.0 - answers * share
    nodes[parent].value = changed
    return own, changed


@kernel
def add_playout(nodes, leaf, reward):
    """The leaf's value before and after a playout: their mean."""
    visits = nodes[leaf].visits
    before = nodes[leaf].value
    after = (before * visits + reward) / (visits + 1)
    nodes[leaf].value = after
    nodes[leaf].visits = visits + 1
    return before, after


@kernel
def backup_by_table(nodes, path, depth, reward, known, params):
    """The same, with the sums of velocities from a table."""
    before, after = add_playout(nodes, path[depth], reward)
    for level in range(depth - 1, -1, -1):
        parent = path[level]
        total = known_sum(known, nodes[parent].visits, params)
        before, after = add_answer(nodes, parent, path[level + 1], before, after, total, params)
        nodes[parent].visits += 1


@kernel
def backup(nodes, path, depth, reward, params):
    """A child's latch is released once its parent has taken in the new value."""
    leaf = path[depth]
    latch(nodes, leaf)
    visits = nodes[leaf].visits
    before = nodes[leaf].value
    if expanded_since(nodes, leaf):
        unit = grow_unit(nodes, leaf, params.growth)
        velocities = geometric_sum(visits, params) * params.lam * unit
        after = (before * velocities + reward * unit) / (velocities + unit)
    else:
        after = (before * visits + reward) / (visits + 1)
    nodes[leaf].value = after
    for level in range(depth - 1, -1, -1):
        parent = path[level]
        latch(nodes, parent)
        total = geometric_sum(nodes[parent].visits, params)
        before, after = add_answer(nodes, parent, path[level + 1], before, after, total, params)
        leave_unlatch(nodes, path[level + 1])
    leave_unlatch(nodes, path[0])


@kernel
def settled_by_sketch(root):
    """One visit: the value is the result of a playout."""
    return root == 1.0
