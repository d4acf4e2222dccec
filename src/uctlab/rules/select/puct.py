"""PUCT: value + c * P * sqrt(s) / (1 + n), P the probability that the game gives to a move.

The form of Silver et al. 2016 for the predictors of Rosin 2011. Where a game has no opinion of its
moves, all have the same probability.
"""

from __future__ import annotations

import math
from typing import Any

from uctlab.kernels import hole, kernel

__all__ = ["PROBABILITIES", "node_terms", "score", "untried_score"]

value: Any = hole("backup.value")
inverse_visits: Any = hole("backup.inverse_visits")
parent_visits: Any = hole("backup.parent_visits")

PROBABILITIES = True


@kernel
def node_terms(nodes, parent, params):
    """c * sqrt(s); s is at least 1, so that probabilities decide about the first move too."""
    return params.c * math.sqrt(max(parent_visits(nodes, parent, params), 1.0))


@kernel
def score(nodes, child, parent, terms, params):
    inverse = inverse_visits(nodes, child, parent)
    return value(nodes, child) + terms * float(nodes[child].probability) * inverse / (1.0 + inverse)


@kernel
def untried_score(nodes, child, terms, params):
    """First-play urgency in place of the value."""
    return params.fpu + terms * float(nodes[child].probability)
