"""Thompson sampling: a move's score is drawn from Beta(wins + 1, losses + 1) (thompson1933).

A draw is half a win and half a loss. A move without visits has Beta(1, 1), any number alike.
"""

from __future__ import annotations

from typing import Any

from uctlab.kernels import hole, kernel
from uctlab.rules.draws import beta, place_of, stream_of, uniform

__all__ = ["node_terms", "score", "untried_score"]

value: Any = hole("backup.value")
inverse_visits: Any = hole("backup.inverse_visits")
parent_visits: Any = hole("backup.parent_visits")


@kernel
def node_terms(nodes, parent, params):
    """1 to draw, and where the draws of this visit begin."""
    return 1.0, place_of(nodes, parent, parent_visits(nodes, parent, params))


@kernel
def score(nodes, child, parent, terms, params):
    mean = min(1.0, max(0.0, value(nodes, child)))
    if terms[0] == 0.0:
        return mean
    visits = 1.0 / inverse_visits(nodes, child, parent)
    stream = stream_of(terms[1], nodes[child].move)
    return beta(1.0 + mean * visits, 1.0 + (1.0 - mean) * visits, stream)


@kernel
def untried_score(nodes, child, terms, params):
    if terms[0] == 0.0:
        return 0.5
    drawn, _ = uniform(stream_of(terms[1], nodes[child].move))
    return drawn
