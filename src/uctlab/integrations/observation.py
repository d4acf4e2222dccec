"""What a learner sees of a position: arrays of numbers, and which moves are legal."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete

from uctlab.games import Diagram, Game, Position

NOWHERE = -1
REWARDS = {1.0: (1.0, -1.0), 0.5: (0.0, 0.0), 0.0: (-1.0, 1.0)}
"""Rewards of the first player and the second, by the result of the game."""


class Observer:
    """Makes the observations of one game.

    A game with a diagram has two planes of zeros and ones: where the observer's own stones are, and
    where the other player's are. A row of a plane is a row of the diagram. On a hexagonal board the
    neighbours of a cell have the same steps everywhere: to the left and to the right, up and up to
    the right, down and down to the left. A game without a diagram shows the bytes of its record,
    which do not depend on the observer.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._places = _places(game.diagram) if game.diagram is not None else None
        seen = self.observe(Position.start(game), 0)
        self.space: Any = Box(0, np.iinfo(seen.dtype).max, seen.shape, seen.dtype)
        if self._places is not None:
            self.space = Box(0, 1, seen.shape, seen.dtype)
        self.mask_space: Any = Box(0, 1, (len(game.move_names),), np.int8)
        self.action_space: Any = Discrete(len(game.move_names))
        """An action is the code of a move; `game.move_name` names it."""

    def observe(self, position: Position, player: int) -> np.ndarray:
        """The position as a player sees it."""
        if self._places is None:
            state = position.state
            names = [name for name in state.dtype.names or () if not name.startswith("scratch")]
            parts = [np.ascontiguousarray(state[name]).tobytes() for name in names]
            return np.frombuffer(b"".join(parts), np.uint8).copy()
        stones = np.append(position.stones, 0)[self._places]
        return np.stack([stones == 1 + player, stones == 2 - player]).astype(np.int8)

    def mask(self, position: Position, player: int) -> np.ndarray:
        """1 for each move that the player may make now, by its code; all 0 in another's turn."""
        mask = np.zeros(len(self._game.move_names), np.int8)
        if position.turn == player:
            mask[list(position.legal)] = 1
        return mask


def _places(diagram: Diagram) -> np.ndarray:
    """The code of the cell in each place of a plane; -1 beside the board."""
    rows = diagram.rows
    # Half a cell to the left for each row of a hexagon, which would be shifted by so much.
    leans = len({len(row) for row in rows}) > 1 and bool(diagram.indents)
    shifts = [diagram.indents[y] - y if leans else 0 for y in range(len(rows))]
    begins = [(shift - min(shifts)) // 2 for shift in shifts]
    width = max(begin + len(row) for begin, row in zip(begins, rows, strict=True))
    places = np.full((len(rows), width), NOWHERE)
    for y, (begin, row) in enumerate(zip(begins, rows, strict=True)):
        places[y, begin : begin + len(row)] = row
    return places


def rewards(position: Position) -> tuple[float, float]:
    """1 for the winner and -1 for the loser; 0 for both in a draw and before the end."""
    return REWARDS[0.5 if position.result is None else position.result]
