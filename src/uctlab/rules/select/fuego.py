"""Scores as in Fuego: a weighted mean of playouts, RAVE and a prior (hashimoto2012, eq. 8).

(n r + W rave + P prior) / (n + W + P) + c sqrt(ln s / (n + P))
W = m / (1/rave_initial + m/rave_final)

with m RAVE samples and a prior of weight P, which is the move's own. Every `ignore`-th selection of
a search ignores RAVE.
"""

from __future__ import annotations

import math
from typing import Any

from uctlab.kernel import hole, kernel
from uctlab.rules.select.ucb1 import exploration

__all__ = ["node_terms", "score", "untried_score"]

RAVE: bool = hole("agent.RAVE")
PRIOR: bool = hole("agent.PRIOR")
value: Any = hole("backup.value")
inverse_visits: Any = hole("backup.inverse_visits")


@kernel
def node_terms(nodes, parent, params):
    """c**2 * ln s, and whether RAVE is used this time."""
    return exploration(nodes, parent, params), params.ignore >= 0.0


@kernel
def _known_besides(nodes, child, terms, params):
    """Total weight of RAVE and prior, and the weighted sum of their values."""
    weight = 0.0
    total = 0.0
    if RAVE and terms[1]:
        samples = nodes[child].samples
        weight = samples / (1.0 / params.rave_initial + samples / params.rave_final)
        total = weight * nodes[child].rave
    if PRIOR:
        weight += nodes[child].prior_weight
        total += nodes[child].prior_weight * nodes[child].prior
    return weight, total


@kernel
def untried_score(nodes, child, terms, params):
    """The same with n = 0; first-play urgency if there is neither RAVE nor a prior."""
    weight, total = _known_besides(nodes, child, terms, params)
    if weight == 0.0:
        return params.fpu
    if PRIOR and nodes[child].prior_weight > 0.0:
        return total / weight + math.sqrt(terms[0] / nodes[child].prior_weight)
    return total / weight


@kernel
def score(nodes, child, parent, terms, params):
    inverse = inverse_visits(nodes, child, parent)
    weight, total = _known_besides(nodes, child, terms, params)
    mixed = (value(nodes, child) + total * inverse) / (1.0 + weight * inverse)
    if PRIOR:
        inverse /= 1.0 + nodes[child].prior_weight * inverse
    return mixed + math.sqrt(terms[0] * inverse)
