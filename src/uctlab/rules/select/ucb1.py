"""UCB1: value + c * sqrt(ln s / n) (hashimoto2012, eq. 1, 2 and 5)."""

from __future__ import annotations

import math
from typing import Any

from uctlab.kernel import UNBOUND, kernel
from uctlab.rules.select.best import fpu_score as untried_score

__all__ = ["common", "score", "untried_score"]

# Bound by the backup operator.
value: Any = UNBOUND
inverse_tries: Any = UNBOUND
total_tries: Any = UNBOUND


@kernel
def common(nodes, parent, params):
    """c**2 * ln s."""
    return params.c * params.c * math.log(max(total_tries(nodes, parent, params), 1.0))


@kernel
def score(nodes, child, parent, shared, params):
    return value(nodes, child) + math.sqrt(shared * inverse_tries(nodes, child, parent))
