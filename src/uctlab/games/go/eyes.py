"""Eyes: those that light playouts do not fill, and those that a tree may leave out."""

from __future__ import annotations

import numpy as np

from uctlab.games.go.board import BORDER, EMPTY, NO_POINT, index_of, owner_around
from uctlab.kernels import hole, kernel

SIZE: int = hole("game.SIZE")
DIAGONAL: tuple[np.uint64, ...] = hole("game.DIAGONAL")


@kernel
def eye_owner(s, at):
    """Whose eye an empty point is for light playouts, BLACK or WHITE; EMPTY if nobody's.

    It is surrounded, with the enemy on at most one diagonal point, at the edge on none.
    """
    owner = owner_around(s, at)
    if owner == EMPTY:
        return EMPTY
    enemies = 0
    edge = 0
    for step in DIAGONAL:
        c = s.color[at + step]
        enemies += np.int64(c == 3 - owner)
        edge |= np.int64(c == BORDER)
    return owner if enemies + edge < 2 else EMPTY


@kernel
def _open_diagonally(s, at, color, granted):
    """Whether too many diagonal points are not ours: two of four, or one at the edge.

    The point `granted` counts as ours.
    """
    others = 0
    edge = 0
    for step in DIAGONAL:
        near = at + step
        if s.color[near] == BORDER:
            edge = 1
        elif s.color[near] != color and near != granted:
            others += 1
    return others > 1 - edge


@kernel
def simple_eye(s, at, color):
    """Whether an empty point is surrounded by a player's stones, which nobody can cut there.

    Of two such points at each other's diagonal, each may make up for the other.
    """
    if owner_around(s, at) & color == 0:
        return False
    if not _open_diagonally(s, at, color, NO_POINT):
        return True
    for step in DIAGONAL:
        other = at + step
        if (
            s.color[other] == EMPTY
            and owner_around(s, other) & color != 0
            and not _open_diagonally(s, at, color, other)
            and not _open_diagonally(s, other, color, at)
        ):
            return True
    return False


@kernel
def prune(s, moves, count):
    """Keep the moves that do not fill an own simple eye; the pass is one of them."""
    color = np.int64(s.turn) + 1
    kept = 0
    for i in range(count):
        move = np.int64(moves[i])
        if move == SIZE * SIZE or not simple_eye(s, index_of(move), color):
            moves[kept] = move
            kept += 1
    return kept
