"""RAVE as in Fuego (hashimoto2012, eq. 8): (n r + W rave) / (n + W), W = m / (1/wi + m/wf)."""

from __future__ import annotations

import math
from typing import Any

from uctlab.kernel import UNBOUND, kernel
from uctlab.rules.select.ucb1 import common

__all__ = ["common", "score", "untried_score"]

# Bound by the backup operator.
value: Any = UNBOUND
inverse_tries: Any = UNBOUND


@kernel
def untried_score(nodes, child, params):
    """Eq. 8 with n = 0 where there are samples, else first-play urgency."""
    return nodes[child].rave if nodes[child].samples > 0.0 else params.fpu


@kernel
def score(nodes, child, parent, shared, params):
    inverse = inverse_tries(nodes, child, parent)
    samples = nodes[child].samples
    weight = samples / (1.0 / params.wi + samples / params.wf) * inverse  # W / n
    mixed = (value(nodes, child) + weight * nodes[child].rave) / (1.0 + weight)
    return mixed + math.sqrt(shared * inverse)
