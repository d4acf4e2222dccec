"""Progressive bias: any rule's score + bias * H / (n + 1), H the game's opinion of the move.

Chaslot et al. 2008. These kernels replace those of the same names in the selection rule, whose own
are the owner `unbiased`.
"""

from __future__ import annotations

from typing import Any

from uctlab.kernels import hole, kernel

__all__ = ["score", "untried_score"]

plain_score: Any = hole("unbiased.score")
plain_untried_score: Any = hole("unbiased.untried_score")
inverse_visits: Any = hole("backup.inverse_visits")


@kernel
def score(nodes, child, parent, terms, params):
    inverse = inverse_visits(nodes, child, parent)
    bias = params.bias * float(nodes[child].opinion) * inverse / (1.0 + inverse)
    return plain_score(nodes, child, parent, terms, params) + bias


@kernel
def untried_score(nodes, child, terms, params):
    own = plain_untried_score(nodes, child, terms, params)
    return own + params.bias * float(nodes[child].opinion)
