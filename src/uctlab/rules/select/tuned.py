"""UCB1-Tuned with the factor p: exploration limited by the variance seen (gelly2006).

value + p * sqrt(ln s / n * min(1/4, V)),  V = mean of squares - value**2 + sqrt(2 ln s / n)
"""

from __future__ import annotations

import math
from typing import Any

from uctlab.kernel import UNBOUND, kernel
from uctlab.rules.select.best import fpu_score as untried_score
from uctlab.rules.select.ucb1 import log_of

__all__ = ["common", "score", "untried_score"]

# Bound by the backup operator, which must be `squares`.
value: Any = UNBOUND
inverse_tries: Any = UNBOUND
total_tries: Any = UNBOUND


@kernel
def common(nodes, parent, params):
    """ln s."""
    return log_of(total_tries(nodes, parent, params))


@kernel
def score(nodes, child, parent, shared, params):
    inverse = inverse_tries(nodes, child, parent)
    mean = value(nodes, child)
    variance = nodes[child].squares * inverse - mean * mean + math.sqrt(2.0 * shared * inverse)
    return mean + params.p * math.sqrt(shared * inverse * min(0.25, variance))
