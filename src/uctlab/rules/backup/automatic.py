"""Accelerated UCT with automatic decay, k=auto: a node forgets when a better answer is being tried.

At a visit to the answer i, which has n visits and the value r, the velocities of all answers decay
by

    lambda = 1 - RATE / n * max(0, 1 - (SURE * deviation / gain)**2)

if its gain, r - (velocity-weighted mean of the answers), is positive; else lambda is 1. `deviation`
is the most that the mean of n results deviates from the truth by chance, 1 / (2 sqrt(n)), one
standard deviation. So a node whose answers all look alike forgets nothing, as plain UCT; once the
answers that are being tried are surely better than those of the past, the past is forgotten as fast
as evidence for the better answer grows.
"""

from __future__ import annotations

from uctlab.kernels import kernel
from uctlab.rules.backup import decay
from uctlab.rules.backup.accelerated import settled_by_sketch
from uctlab.rules.backup.decay import LARGE_UNIT, grow_unit, value
from uctlab.rules.backup.mean import (
    counted,
    inverse_root_visits,
    inverse_visits,
    parent_visits,
)
from uctlab.rules.fields import MAX_VISITS, Field
from uctlab.rules.shared import latch, leave_unlatch

__all__ = [
    "FIELDS",
    "WEIGHT",
    "backup",
    "clear",
    "counted",
    "inverse_root_visits",
    "inverse_visits",
    "parent_visits",
    "settled_by_sketch",
    "value",
]

FIELDS = [*decay.FIELDS, Field("mass", "f8", 0.0, LARGE_UNIT * MAX_VISITS, "own units")]
# mass  velocities of this node's moves and of its virtual child together, in its own units
WEIGHT = "velocity"

SURE = 2.0
RATE = 1.0
MOST_FORGOTTEN = 0.5  # at one visit

clear_decay = decay.clear


@kernel
def clear(nodes, node):
    clear_decay(nodes, node)
    nodes[node].mass = 0.0


@kernel
def growth_of(gain, visits):
    """1 / lambda."""
    if gain <= 0.0:
        return 1.0
    share = 1.0 - SURE * SURE / (4.0 * visits * gain * gain)
    if share <= 0.0:
        return 1.0
    return 1.0 / (1.0 - min(MOST_FORGOTTEN, RATE * share / visits))


@kernel
def add_answer(nodes, parent, child, visits, before, after):
    """The parent's value before and after a visit to a child, its `visits`-th, whose value goes
    from `before` to `after`."""
    own = nodes[parent].value
    growth = growth_of(after - (1.0 - own), visits)
    grown = nodes[parent].unit * growth
    unit = grow_unit(nodes, parent, growth)
    mass = nodes[parent].mass * (unit / grown)  # the factor is 1 unless the unit got too large
    velocity = nodes[child].weight
    nodes[child].weight = velocity + unit
    answers = (1.0 - own) * mass - velocity * before + (velocity + unit) * after
    changed = 1.0 - answers / (mass + unit)
    nodes[parent].mass = mass + unit
    nodes[parent].value = changed
    return own, changed


@kernel
def add_playout(nodes, leaf, reward):
    """The leaf's value before and after a playout; no velocity decays."""
    before, mass, unit = nodes[leaf].value, nodes[leaf].mass, nodes[leaf].unit
    after = (before * mass + reward * unit) / (mass + unit)
    nodes[leaf].mass = mass + unit
    nodes[leaf].value = after
    return before, after


@kernel
def backup(nodes, path, depth, reward, params):
    """A child's latch is released once its parent has taken in the new value."""
    latch(nodes, path[depth])
    before, after = add_playout(nodes, path[depth], reward)
    for level in range(depth - 1, -1, -1):
        child = path[level + 1]
        latch(nodes, path[level])
        visits = nodes[child].visits + 1.0
        before, after = add_answer(nodes, path[level], child, visits, before, after)
        leave_unlatch(nodes, child)
    leave_unlatch(nodes, path[0])
