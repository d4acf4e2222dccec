"""Max: a move is worth 1 minus the highest value among the answers (coulom2006)."""

from __future__ import annotations

from uctlab.kernels import kernel
from uctlab.rules.backup.answers import FIELDS, backup, clear, value
from uctlab.rules.backup.mean import inverse_root_visits, inverse_visits, parent_visits

__all__ = [
    "FIELDS",
    "backup",
    "clear",
    "inverse_root_visits",
    "inverse_visits",
    "parent_visits",
    "value",
    "worth",
]


@kernel
def worth(nodes, node, best, mean, visits):
    return nodes[best].value
