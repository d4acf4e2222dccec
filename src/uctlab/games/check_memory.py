"""Memory for kernels that may be wrong: with room to spare, and with fences that show where they
wrote.

Compiled code checks no index, so an array is a part of a larger one. What lies behind its end is
first a fence, whose content is known, and then reserve that may be overwritten without harm.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.games.api import MOVE, Game

FENCE = 256  # moves
RESERVE = 1 << 16  # moves
CANARY = -21931
RECORDS_FENCE = 4096  # bytes
FILLINGS = (0x00, 0xFF, 0x5A)
"""Bytes of memory that a kernel must not rely on."""


class MoveRoom:
    """Room for `limit` moves; `array` ends there, `wide` goes on beyond the fence."""

    def __init__(self, limit: int, content: int = -1) -> None:
        self.limit = limit
        self.wide: Any = np.zeros(limit + FENCE + RESERVE, MOVE)
        self.array = self.wide[:limit]
        self.array[:] = content
        self._fence = self.wide[limit : limit + FENCE]
        self._fence[:] = CANARY

    def overrun(self) -> int:
        """How many moves too far a kernel has written, as far as the fence shows it."""
        written = np.flatnonzero(self._fence != CANARY)
        self._fence[:] = CANARY
        return int(written[-1]) + 1 if len(written) else 0


class StateRoom:
    """Positions between two fences, in memory that was full of one byte."""

    def __init__(self, game: Game, count: int, filling: int = 0) -> None:
        fence = 1 + RECORDS_FENCE // game.state.itemsize
        size = game.state.itemsize
        memory = np.full((count + 2 * fence) * size, filling, np.uint8)
        self._fences = memory[: fence * size], memory[-fence * size :]
        for part in self._fences:
            part[:] = CANARY & 0xFF
        self.array: Any = memory.view(game.state).view(np.recarray)[fence : fence + count]

    def damaged(self) -> bool:
        """Whether a kernel has written outside of the records."""
        return any(bool((part != CANARY & 0xFF).any()) for part in self._fences)


def copy_of(game: Game, state: np.record) -> StateRoom:
    """The position alone in a room, with scratch fields as they are."""
    room = StateRoom(game, 1)
    room.array[0] = state
    return room


def differing_fields(a: np.record, b: np.record) -> list[str]:
    """Names of the fields in which two positions differ; padding and scratch do not count."""
    names = a.dtype.names or ()
    return [n for n in names if not n.startswith("scratch") and not np.array_equal(a[n], b[n])]
