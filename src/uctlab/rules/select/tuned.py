"""UCB1-Tuned with the factor p: exploration limited by the variance of the results (gelly2006).

value + p * sqrt(ln s / n * min(1/4, V)),  V = mean of squares - value**2 + sqrt(2 ln s / n)
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
    """ln s."""
    return log_of(parent_visits(nodes, parent, params))


@kernel
def score(nodes, child, parent, terms, params):
    inverse = inverse_visits(nodes, child, parent)
    mean = value(nodes, child)
    variance = nodes[child].squares * inverse - mean * mean + math.sqrt(2.0 * terms * inverse)
    return mean + params.p * math.sqrt(terms * inverse * min(0.25, variance))
