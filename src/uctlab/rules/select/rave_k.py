"""RAVE with the k schedule (browne2013).

(1 - b) r + b rave + c sqrt(ln s / n),  b = sqrt(k / (3 n + k))
"""

from __future__ import annotations

import math
from typing import Any

from uctlab.kernel import UNBOUND, kernel
from uctlab.rules.select.ucb1 import exploration as common

__all__ = ["common", "score", "untried_score"]

# Bound by the backup operator.
value: Any = UNBOUND
inverse_tries: Any = UNBOUND


@kernel
def untried_score(nodes, child, shared, params):
    """What RAVE says, or first-play urgency where it says nothing."""
    return nodes[child].rave if nodes[child].samples > 0.0 else params.fpu


@kernel
def score(nodes, child, parent, shared, params):
    inverse = inverse_tries(nodes, child, parent)
    share = 0.0
    if nodes[child].samples > 0.0:
        share = math.sqrt(params.equivalence * inverse / (3.0 + params.equivalence * inverse))
    mixed = (1.0 - share) * value(nodes, child) + share * nodes[child].rave
    return mixed + math.sqrt(shared * inverse)
