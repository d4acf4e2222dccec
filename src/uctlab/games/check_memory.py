"""Memory for kernels that may be wrong, as the check of a game uses it."""

from __future__ import annotations

import numpy as np

from uctlab.games.api import Game
from uctlab.games.guard import Guarded

FILLINGS = (0x00, 0xFF, 0x5A)
"""Bytes of memory that a kernel must not rely on."""


def copy_of(game: Game, state: np.record) -> Guarded:
    """The position alone between fences, with scratch fields as they are."""
    room = Guarded(1, game.state)
    room.array[0] = state
    return room


def differing_fields(a: np.record, b: np.record) -> list[str]:
    """Names of the fields in which two positions differ; padding and scratch do not count."""
    names = a.dtype.names or ()
    return [n for n in names if not n.startswith("scratch") and not np.array_equal(a[n], b[n])]
