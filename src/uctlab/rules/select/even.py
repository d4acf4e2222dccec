"""Flat Monte Carlo: playouts spread evenly over the moves (browne2013)."""

from __future__ import annotations

from uctlab.kernel import kernel
from uctlab.rules.select.best import fpu_score as untried_score

__all__ = ["common", "score", "untried_score"]


@kernel
def common(nodes, parent, params):
    return 0.0


@kernel
def score(nodes, child, parent, shared, params):
    return -float(nodes[child].visits)
