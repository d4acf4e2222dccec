"""Discounted UCB as its authors defined it: UCB1-Tuned on discounted sums (hashimoto2012,
footnote 5).

rD + p * sqrt(ln sD / nD * min(1/4, V)),  V = mean of squares - rD**2 + sqrt(2 ln sD / nD)
"""

from __future__ import annotations

import math
from typing import Any

from uctlab.kernels import hole, kernel
from uctlab.rules.select.best import fpu_score as untried_score
from uctlab.rules.select.tuned import node_terms

__all__ = ["node_terms", "score", "untried_score"]

# The backup operator must be `discounted_squares`.
value: Any = hole("backup.value")
inverse_visits: Any = hole("backup.inverse_visits")


@kernel
def score(nodes, child, parent, terms, params):
    inverse = inverse_visits(nodes, child, parent)
    mean = value(nodes, child)
    # Rounding may take the variance below 0, and so may a thread between its two updates.
    variance = max(0.0, nodes[child].square - mean * mean) + math.sqrt(2.0 * terms * inverse)
    return mean + params.p * math.sqrt(terms * inverse * min(0.25, variance))
