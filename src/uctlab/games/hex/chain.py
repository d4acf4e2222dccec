"""The chain that won a game of Hex, to show it."""

from __future__ import annotations

import numpy as np

from uctlab.games.position import Position
from uctlab.games.shapes import Cell, joined


def winning_chain(position: Position) -> list[int]:
    """The fewest stones of the winner that join the two sides."""
    size = int(position.game.constants["SIZE"])
    owner = 1 if position.result == 1.0 else 2
    own = {(int(c) % size, int(c) // size) for c in np.flatnonzero(position.stones == owner)}
    return [x + y * size for x, y in sorted(_chain(own, size, owner))]


def _chain(own: set[Cell], size: int, owner: int) -> set[Cell]:
    """Black, the first player, joins top and bottom, White left and right."""
    axis = 1 if owner == 1 else 0
    ends = [{cell for cell in own if cell[axis] == end} for end in (0, size - 1)]
    return joined(own, ends)
