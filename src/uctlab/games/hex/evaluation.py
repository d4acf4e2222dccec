"""How good a board of Hex looks: how many more stones each player needs to join the edges.

The distance is that of the shortest path from edge to edge on which own stones cost nothing, an
empty cell costs one and the opponent's stones are not allowed.
"""

from __future__ import annotations

import numpy as np

from uctlab.games.evaluation import worth
from uctlab.kernels import hole, kernel

SIZE: int = hole("game.SIZE")

FAR = 200  # more than any path is long
TEMPO = 0.5  # what it is worth to be the player to move, in stones
UNIT = 1.0


@kernel
def _cost(s, player, row, column):
    """Of one cell in the player's frame (board.py)."""
    if (s.stones[player, row] >> column) & 1 != 0:
        return 0
    return FAR if (s.stones[1 - player, column] >> row) & 1 != 0 else 1


@kernel
def _improve(s, player, row, column):
    """The shortest way from row 0 that a neighbour knows; whether it is news."""
    cost = _cost(s, player, row, column)
    if cost == FAR:
        return False
    far = s.scratch_owner
    at = (row + 1) * (SIZE + 2) + column + 1
    near = min(np.int64(far[at - 1]), np.int64(far[at + 1]))
    near = min(near, np.int64(far[at - SIZE - 2]), np.int64(far[at - SIZE - 1]))
    near = min(near, np.int64(far[at + SIZE + 2]), np.int64(far[at + SIZE + 1]))
    if near + cost < far[at]:
        far[at] = near + cost
        return True
    return False


@kernel
def distance(s, player):
    """Stones that the player needs if the opponent does not move; at least FAR if cut off.

    Sweeps over the board, to and fro, until nothing changes.
    """
    far = s.scratch_owner
    for cell in range((SIZE + 2) * (SIZE + 2)):
        far[cell] = 0 if cell < SIZE + 2 else FAR  # above row 0 all ways begin
    news = True
    while news:
        news = False
        for row in range(SIZE):
            for column in range(SIZE):
                if _improve(s, player, row, column):
                    news = True
        if news:
            for row in range(SIZE - 1, -1, -1):
                for column in range(SIZE - 1, -1, -1):
                    _improve(s, player, row, column)
    best = FAR
    for column in range(SIZE):
        best = min(best, np.int64(far[SIZE * (SIZE + 2) + column + 1]))
    return best


@kernel
def evaluate(s):
    lead = float(distance(s, 1) - distance(s, 0))
    return worth(lead + TEMPO if s.turn == 0 else lead - TEMPO, UNIT)
