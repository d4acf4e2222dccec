"""Flat Monte Carlo: playouts spread evenly over the moves (browne2013)."""

from __future__ import annotations

from uctlab.kernels import kernel
from uctlab.rules.select.best import fpu_score as untried_score

__all__ = ["node_terms", "score", "untried_score"]


@kernel
def node_terms(nodes, parent, params):
    return 0.0


@kernel
def score(nodes, child, parent, terms, params):
    return -float(nodes[child].visits)
