"""Pruning: the tree leaves out moves that the game never recommends, such as filling own eyes."""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.games.guard import PRUNED_WRONGLY, listed_wrongly
from uctlab.kernels import hole, kernel
from uctlab.parts.part import Option, Part

prune: Any = hole("game.prune")


@kernel
def keep_moves(s, moves, count):
    """How many of the moves `prune` keeps, in front; none only if there are none."""
    if count == 0 or listed_wrongly(moves, count):
        return count
    kept = np.int64(prune(s, moves, count))
    return kept if 0 < kept <= count else np.int64(PRUNED_WRONGLY)


PART = Part(
    "pruning",
    "Leaves out of the tree what the game never recommends.",
    options={
        "prune": Option(
            "off",
            "whether the tree leaves out moves that the game never recommends: in Go, own eyes",
            ("off", "on"),
            title="Leave out bad moves",
        )
    },
    chosen=("prune",),
    active=lambda setting: getattr(setting.game, "prune", None) is not None,
    groups=("moves",),
    example="uct(prune=on)",
    steps={"keep_moves": keep_moves},
    spoils_scores=lambda setting: False,
)
