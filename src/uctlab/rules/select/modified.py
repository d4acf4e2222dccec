"""Modified UCT: exploration that grows with the depth of the tree below (coquelin2007, 2.2).

value + c ((k + 1) sqrt(2 ln(s**2 (s + 1) / beta) / n) + m / n)
k = (1 + sqrt 2) / sqrt 2 ((1 + sqrt 2)**h - 1),  m = (3**h - 1) / 2

with h levels of the tree below the deepest of the moves, at most `levels`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from uctlab.kernels import hole, kernel
from uctlab.rules.select.best import fpu_score as untried_score

__all__ = ["node_terms", "score", "untried_score"]

# The backup operator must be `heights`.
value: Any = hole("backup.value")
inverse_visits: Any = hole("backup.inverse_visits")
parent_visits: Any = hole("backup.parent_visits")

GROWTH = 1.0 + math.sqrt(2.0)
SHARE = GROWTH / math.sqrt(2.0)


@kernel
def node_terms(nodes, parent, params):
    """c (k + 1) sqrt(2 ln(s**2 (s + 1) / beta)), and what m / n is in units of that."""
    growth = 1.0
    triple = 1.0
    below = float(nodes[parent].height) - 1.0
    for _ in range(np.int64(max(0.0, min(below, params.levels)))):
        growth *= GROWTH
        triple *= 3.0
    visits = max(parent_visits(nodes, parent, params), 1.0)
    odds = visits * visits * (visits + 1.0) / params.beta
    spread = (SHARE * (growth - 1.0) + 1.0) * math.sqrt(2.0 * math.log(odds))
    return params.c * spread, 0.5 * (triple - 1.0) / spread


@kernel
def score(nodes, child, parent, terms, params):
    inverse = inverse_visits(nodes, child, parent)
    return value(nodes, child) + terms[0] * (math.sqrt(inverse) + terms[1] * inverse)
