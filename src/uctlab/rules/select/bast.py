"""BAST: the move with the highest bound of its value (coquelin2007), kept by the backup."""

from __future__ import annotations

from typing import Any

from uctlab.kernels import hole, kernel
from uctlab.rules.select.best import fpu_score as untried_score
from uctlab.rules.shared import pending

__all__ = ["node_terms", "score", "untried_score"]

# The backup operator must be `bounds`.
value: Any = hole("backup.value")
SHARED: bool = hole("threads.SHARED", False)


@kernel
def node_terms(nodes, parent, params):
    return 1.0


@kernel
def score(nodes, child, parent, terms, params):
    if terms == 0.0:
        return value(nodes, child)
    upper = nodes[child].upper
    if SHARED:
        lost = pending(nodes, child)
        visits = float(nodes[child].visits)
        if visits == 0.0:
            return 0.0
        if lost > 0:  # a virtual loss lowers the mean, and the bound by as much
            return upper - nodes[child].total / visits * (lost / (visits + lost))
    return upper
