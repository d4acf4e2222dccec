"""Accelerated UCT: a move is worth the velocity-weighted mean of its answers (eq. 5-7)."""

from __future__ import annotations

from uctlab.kernel import kernel
from uctlab.rules.backup.decay import FIELDS, clear, geometric_sum, grow_unit, value
from uctlab.rules.backup.mean import inverse_root_tries, inverse_tries, total_tries

__all__ = [
    "FIELDS",
    "WEIGHT",
    "backup",
    "clear",
    "inverse_root_tries",
    "inverse_tries",
    "total_tries",
    "value",
]

WEIGHT = "velocity"


@kernel
def backup(nodes, path, depth, seen, params):
    # The leaf: the mean of its playouts.
    leaf = path[depth]
    visits = nodes[leaf].visits
    before = nodes[leaf].value
    after = (before * visits + seen) / (visits + 1)
    nodes[leaf].value = after
    nodes[leaf].visits = visits + 1
    # Above it only one move's value and velocity change at each level, from `before` to `after`.
    for level in range(depth - 1, -1, -1):
        parent = path[level]
        child = path[level + 1]
        visits = nodes[parent].visits
        unit = grow_unit(nodes, parent, params)
        velocity = nodes[child].weight
        nodes[child].weight = velocity + unit
        # Sums over the answers and the virtual child, in the parent's new units.
        velocities = geometric_sum(visits, params) * params.lam * unit
        own = nodes[parent].value
        answers = (1.0 - own) * velocities - velocity * before + (velocity + unit) * after
        before = own
        after = 1.0 - answers / (velocities + unit)
        nodes[parent].value = after
        nodes[parent].visits = visits + 1
