"""UCB-V: exploration by the empirical variance of the results (audibert2009, eq. 1).

value + sqrt(2 V zeta ln s / n) + 3 c zeta ln s / n,  V = mean of squares - value**2
"""

from __future__ import annotations

import math
from typing import Any

from uctlab.kernels import hole, kernel
from uctlab.rules.select.best import fpu_score as untried_score
from uctlab.rules.select.ucb1 import log_of

__all__ = ["node_terms", "score", "untried_score"]

# The backup operator must be `squares`.
value: Any = hole("backup.value")
inverse_visits: Any = hole("backup.inverse_visits")
parent_visits: Any = hole("backup.parent_visits")


@kernel
def node_terms(nodes, parent, params):
    """zeta ln s."""
    return params.zeta * log_of(parent_visits(nodes, parent, params))


@kernel
def score(nodes, child, parent, terms, params):
    inverse = inverse_visits(nodes, child, parent)
    mean = value(nodes, child)
    variance = max(0.0, nodes[child].squares * inverse - mean * mean)  # rounding may go below
    room = terms * inverse
    return mean + math.sqrt(2.0 * variance * room) + 3.0 * params.c * room
