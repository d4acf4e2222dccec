"""Progressive bias: a rule's score + bias * H / (n + 1), H the game's opinion of the move."""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.kernels import hole, kernel
from uctlab.parts.knowledge import opinion, without_priors
from uctlab.parts.part import Option, Part
from uctlab.rules.fields import ROUNDING, Field

usual_score: Any = hole("wrapped.score")
usual_untried_score: Any = hole("wrapped.untried_score")
inverse_visits: Any = hole("backup.inverse_visits")


@kernel
def note_opinions(tree, work, node, moves, count, depth, params):
    nodes = tree.nodes
    first = np.int64(nodes[node].first)
    for child in range(first, first + count):
        nodes[child].opinion = opinion(work.prior_values, nodes[child].move)


@kernel
def score(nodes, child, parent, terms, params):
    inverse = inverse_visits(nodes, child, parent)
    bias = params.bias * float(nodes[child].opinion) * inverse / (1.0 + inverse)
    return usual_score(nodes, child, parent, terms, params) + bias


@kernel
def untried_score(nodes, child, terms, params):
    own = usual_untried_score(nodes, child, terms, params)
    return own + params.bias * float(nodes[child].opinion)


PART = Part(
    "bias",
    "Adds the game's opinion of a move to its score, less with every visit.",
    needs=("knowledge",),
    example="uct(bias=1)",
    groups=("bias",),
    source="chaslot2008",
    options={
        "bias": Option(
            0.0,
            "progressive bias: adds bias H / (n + 1) to a score, H the game's opinion of the move "
            "from 0 to 1 (then fpu=1 by default); 0: none",
            low=0,
            high=1e6,
            title="Progressive bias",
        )
    },
    chosen=("bias",),
    defaults=lambda values: {"fpu": 1.0},  # moves are tried in the order of their priors
    fields=(
        Field("opinion", "f4", -ROUNDING, 1 + ROUNDING, "first"),
    ),  # 1/2 if the game knows nothing about the move
    wraps={"score": score, "untried_score": untried_score},
    hooks={"expanded": note_opinions},
    refuses=lambda setting: without_priors(setting, "bias"),
)
