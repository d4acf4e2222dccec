"""RAVE with the k schedule (browne2013).

(1 - b) r + b rave + c sqrt(ln s / n),  b = sqrt(k / (3 n + k))
"""

from __future__ import annotations

import math
from typing import Any

from uctlab.kernels import hole, kernel
from uctlab.rules.select.ucb1 import exploration as node_terms

__all__ = ["node_terms", "score", "untried_score"]

value: Any = hole("backup.value")
inverse_visits: Any = hole("backup.inverse_visits")


@kernel
def untried_score(nodes, child, terms, params):
    """The RAVE value, or first-play urgency without RAVE samples."""
    return nodes[child].rave if nodes[child].samples > 0.0 else params.fpu


@kernel
def score(nodes, child, parent, terms, params):
    inverse = inverse_visits(nodes, child, parent)
    share = 0.0
    if nodes[child].samples > 0.0:
        share = math.sqrt(params.rave_k * inverse / (3.0 + params.rave_k * inverse))
    mixed = (1.0 - share) * value(nodes, child) + share * nodes[child].rave
    return mixed + math.sqrt(terms * inverse)
