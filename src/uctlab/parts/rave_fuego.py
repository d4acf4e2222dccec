"""Scores as in Fuego: a weighted mean of playouts, RAVE and a prior (hashimoto2012, eq. 8).

(n r + W rave + P prior) / (n + W + P) + c sqrt(ln s / (n + P))
W = m / (1/rave_initial + m/rave_final)

with m RAVE samples and a prior of weight P, which is the move's own. Every `ignore`-th selection of
a search ignores RAVE.
"""

from __future__ import annotations

import math
from typing import Any

from uctlab.kernels import hole, kernel
from uctlab.rules.select.ucb1 import exploration

__all__ = ["node_terms", "score", "unexplored", "untried_score"]
STORED_AS = "fuego"
"""What stores call this rule."""

RAVE: bool = hole("agent.RAVE")
PRIOR: bool = hole("agent.PRIOR")
value: Any = hole("backup.value")
inverse_visits: Any = hole("backup.inverse_visits")


@kernel
def node_terms(nodes, parent, params):
    """c**2 * ln s, whether RAVE is used this time, 1/rave_initial and 1/rave_final."""
    return (
        exploration(nodes, parent, params),
        params.ignore >= 0.0,
        1.0 / params.rave_initial,
        1.0 / params.rave_final,
    )


@kernel
def _known_besides(nodes, child, terms):
    """RAVE and prior together: their weight and the weighted sum of their values, times a number.

    That number, which comes third, is m / W: so the score needs one division in place of three.
    """
    weight = 0.0
    total = 0.0
    scale = 1.0
    if RAVE and terms[1]:
        weight = nodes[child].samples
        total = weight * nodes[child].rave
        scale = terms[2] + weight * terms[3]
    if PRIOR:
        known = scale * float(nodes[child].prior_weight)
        weight += known
        total += known * float(nodes[child].prior)
    return weight, total, scale


@kernel
def untried_score(nodes, child, terms, params):
    """The same with n = 0; first-play urgency if there is neither RAVE nor a prior."""
    weight, total, _ = _known_besides(nodes, child, terms)
    if weight == 0.0:
        return params.fpu
    if PRIOR and terms[0] > 0.0 and nodes[child].prior_weight > 0.0:
        return total / weight + math.sqrt(terms[0] / float(nodes[child].prior_weight))
    return total / weight


@kernel
def score(nodes, child, parent, terms, params):
    inverse = inverse_visits(nodes, child, parent)
    weight, total, scale = _known_besides(nodes, child, terms)
    mixed = (scale * value(nodes, child) + total * inverse) / (scale + weight * inverse)
    if terms[0] <= 0.0:
        return mixed
    if PRIOR:
        inverse /= 1.0 + float(nodes[child].prior_weight) * inverse
    return mixed + math.sqrt(terms[0] * inverse)


@kernel
def unexplored(nodes, child, parent, params):
    """The score of a visited move without exploration, for sketches."""
    terms = 0.0, True, 1.0 / params.rave_initial, 1.0 / params.rave_final
    return score(nodes, child, parent, terms, params)
