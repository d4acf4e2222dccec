"""Probabilities of moves, for a selection rule that reads them: shares in the game's opinions."""

from __future__ import annotations

import numpy as np

from uctlab.kernels import kernel
from uctlab.parts.knowledge import opinion
from uctlab.parts.part import Part
from uctlab.rules.fields import ROUNDING, Field


@kernel
def share_out(tree, work, node, moves, count, depth, params):
    nodes = tree.nodes
    values = work.prior_values
    total = 0.0
    for i in range(count):
        total += opinion(values, moves[i])
    first = np.int64(nodes[node].first)
    for child in range(first, first + count):
        share = opinion(values, nodes[child].move)
        nodes[child].probability = share / total if total > 0.0 else 1.0 / count


PART = Part(
    "probabilities",
    "Gives every move its share in the game's opinions of all moves of its node.",
    brought=lambda setting: bool(getattr(setting.agent.select, "PROBABILITIES", False)),
    needs=("knowledge",),
    example="puct",
    source="rosin2011",
    fields=(Field("probability", "f4", -ROUNDING, 1 + ROUNDING, "first"),),
    hooks={"expanded": share_out},
)
