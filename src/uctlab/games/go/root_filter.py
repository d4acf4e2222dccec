"""Moves that a search need not consider at its root, as in Fuego 1.1.

They are moves in settled areas, extensions of a chain that a long ladder captures all the same, and
moves on the first line far from any stone. Fuego has another solver beside Benson's theorem: once
it has settled the whole board, the opponent's territory is left out too. We have none. What is
settled here is what safety.py proves, which in small regions is more than Benson's theorem.
"""

from __future__ import annotations

import numpy as np

from uctlab.games.go.groups import neighbours
from uctlab.games.go.ladders import LadderReader
from uctlab.games.go.safety import safety
from uctlab.games.position import Position

LONG_LADDER = 6  # moves, the capture included
FAR = 4  # steps along the lines; a stone within them makes the first line interesting


def root_filter(position: Position) -> frozenset[int]:
    """Legal moves to leave out at the root; the pass is none of them."""
    size = int(position.game.constants["SIZE"])
    owners, me = position.stones, position.turn + 1
    found = settled(owners, size, me) | empty_edge(owners, size)
    found |= lost_ladders(owners, size, me, _ko(position, size))
    return frozenset(found).intersection(position.legal)


def settled(owners: np.ndarray, size: int, me: int) -> set[int]:
    """Cells in settled areas: the opponent's, and our own without an enemy stone beside them.

    Those beside an enemy stone capture it, which counts as long as games are counted as they stand.
    """
    own, other = (safety(owners, size, player).territory for player in (me, 3 - me))
    quiet = {c for c in own if all(owners[near] != 3 - me for near in neighbours(c, size))}
    return quiet | other


def lost_ladders(owners: np.ndarray, size: int, me: int, ko: int) -> set[int]:
    """The last liberties of our chains in atari that a long ladder captures."""
    found: set[int] = set()
    reader = LadderReader(owners.tolist(), size, ko)
    for stone in np.flatnonzero(owners == me).tolist():
        liberty = reader.last_liberty(stone)
        if liberty is not None and liberty not in found:
            moves = reader.moves_to_capture(stone)
            if moves is not None and moves >= LONG_LADDER:
                found.add(liberty)
    return found


def empty_edge(owners: np.ndarray, size: int) -> set[int]:
    """Cells of the first line with no stone near them."""
    near = owners.reshape(size, size) != 0
    for _ in range(FAR):
        wider = near.copy()
        wider[1:] |= near[:-1]
        wider[:-1] |= near[1:]
        wider[:, 1:] |= near[:, :-1]
        wider[:, :-1] |= near[:, 1:]
        near = wider
    inside = np.zeros((size, size), bool)
    inside[1:-1, 1:-1] = True
    return set(np.flatnonzero(~(near | inside)).tolist())


def _ko(position: Position, size: int) -> int:
    """The cell where ko forbids to play, or -1."""
    at = int(position.state.ko)
    return at - (size + 1) - at // (size + 1) if at else -1
