"""KL-UCB: the highest mean that a move's results do not rule out (garivier2011).

max q with n kl(value, q) <= ln s + c ln ln s, where kl is the divergence of two coins
"""

from __future__ import annotations

import math
from typing import Any

from uctlab.kernels import hole, kernel
from uctlab.rules.select.best import fpu_score as untried_score
from uctlab.rules.select.ucb1 import log_of

__all__ = ["node_terms", "score", "untried_score"]

value: Any = hole("backup.value")
inverse_visits: Any = hole("backup.inverse_visits")
parent_visits: Any = hole("backup.parent_visits")

STEPS = 60  # two or three are usual
PRECISION = 1e-6


@kernel
def node_terms(nodes, parent, params):
    """ln s + c ln ln s, the second term only where it is positive."""
    log = log_of(parent_visits(nodes, parent, params))
    return log + params.c * math.log(max(log, 1.0))


@kernel
def score(nodes, child, parent, terms, params):
    mean = min(1.0, max(0.0, value(nodes, child)))
    return highest_mean(mean, terms * inverse_visits(nodes, child, parent))


@kernel
def highest_mean(mean, room):
    """The highest q with kl(mean, q) <= room.

    By Newton's method for u = ln(1 - q), in which kl is convex and falls. It starts where kl is too
    large and comes nearer from there, never beyond.
    """
    if room <= 0.0 or mean >= 1.0:
        return mean
    if mean <= 0.0:
        return 1.0 - math.exp(-room)
    top = math.log(1.0 - mean)
    entropy = mean * math.log(mean) + (1.0 - mean) * top
    u = (entropy - room) / (1.0 - mean)  # kl without the term that is never negative
    reach = 1.0 - mean - math.sqrt(0.5 * room)  # kl is at least 2 (q - mean)**2
    if reach > 0.0:
        u = max(u, math.log(reach))
    for _ in range(STEPS):
        q = max(mean, 1.0 - math.exp(u))
        slope = (1.0 - mean) - mean * (1.0 - q) / q
        if slope <= 0.0:
            break
        step = (entropy - mean * math.log(q) - (1.0 - mean) * u - room) / slope
        u += step
        if step < PRECISION * (top - u):  # the next step would be about the square of that
            break
    return max(mean, 1.0 - math.exp(u))
