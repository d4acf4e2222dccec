"""The states of a line of play in one array, for rules that forbid a board to come back.

The positions of a line share the array, so that a long game takes linear time: each position adds
its own state behind those before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from uctlab.games.api import Game

ROOM = 16  # states in a new array


class Past:
    """Where a position stands in such an array; the place behind it is free for scratch until the
    first move from there."""

    def __init__(self, game: Game, states: list[np.record]) -> None:
        self.now = len(states) - 1
        self._shared = _Shared(game.new_states(max(ROOM, 2 * len(states))), len(states))
        for i, state in enumerate(states):
            self.line[i] = state

    @property
    def line(self) -> np.ndarray:
        return self._shared.states

    def then(self, state: np.record) -> Past | None:
        """One move later; None for a second move from the same position, whose place is taken."""
        if self._shared.used != self.now + 1:
            return None
        self._shared.add(state)
        after = Past.__new__(Past)
        after.now, after._shared = self.now + 1, self._shared
        return after


class _Shared:
    def __init__(self, states: np.ndarray, used: int) -> None:
        self.states = states
        self.used = used

    def add(self, state: np.record) -> None:
        self.states[self.used] = state
        self.used += 1
        if self.used == len(self.states):  # one place is kept for scratch
            longer = np.zeros(2 * self.used, self.states.dtype).view(np.recarray)
            longer[: self.used] = self.states
            self.states = longer
