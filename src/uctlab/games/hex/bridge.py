"""Playouts of Hex that keep bridges (browne2013): an intrusion is answered at the other carrier.

      X .          A bridge is two stones of a player with two empty cells between them, the
       . X         carriers. When the enemy takes one carrier, the player takes the other. The edges
                   that a player has to join count as that player's stones.

In `scratch_owner` a cell has a bit for each player who owns it; the board has a border one cell
wide, so that it contains all six neighbours of every cell. Every playout fills the board, as the
uniform one does.
"""

from __future__ import annotations

import numpy as np

from uctlab.games.hex.board import NO_CELL, empty_cells, joins
from uctlab.kernels import below, hole, kernel, low_bit, popcount

SIZE: int = hole("game.SIZE")
# Steps to the six neighbours on the bordered board, in a circle.
RING: tuple[np.uint64, ...] = hole("game.RING")
TRACE: bool = hole("playout.TRACE")

BLACK, WHITE = 1, 2
NOWHERE = np.uint64(0)
RING_STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))  # (x, y)


@kernel
def _at(cell):
    """The index of a cell on the bordered board."""
    return np.uint64(cell + 2 * (cell // SIZE) + SIZE + 3)


@kernel
def _cell(at):
    """The cell at an index of the bordered board."""
    return at - SIZE - 1 - 2 * (at // (SIZE + 2))


@kernel
def _prepare(s):
    owner = s.scratch_owner
    width = SIZE + 2
    for i in range(width):
        owner[i] = owner[(SIZE + 1) * width + i] = BLACK
    for i in range(width):
        owner[i * width] |= WHITE
        owner[i * width + SIZE + 1] |= WHITE
    for y in range(SIZE):
        for x in range(SIZE):
            black = np.int64(s.stones[0, y]) >> x & 1
            white = np.int64(s.stones[1, x]) >> y & 1
            owner[(y + 1) * width + x + 1] = black | white << 1


@kernel
def carriers(owner, at, player):
    """Which of the six neighbours of the enemy's move are the other carriers of bridges it attacks.

    Neighbour i is bit 2 * i: one that is empty and lies between two of the player's.
    """
    around = np.int64(owner[at + RING[0]])
    around |= np.int64(owner[at + RING[1]]) << 2
    around |= np.int64(owner[at + RING[2]]) << 4
    around |= np.int64(owner[at + RING[3]]) << 6
    around |= np.int64(owner[at + RING[4]]) << 8
    around |= np.int64(owner[at + RING[5]]) << 10
    own = around >> player & 0x555
    free = ~(around | around >> 1)
    return free & (own << 2 | own >> 10) & (own >> 2 | own << 10) & 0x555


@kernel
def _carrier(found, at, rng):
    """One of those carriers, at random."""
    if found & (found - 1) != 0:
        for _ in range(below(rng, popcount(np.uint64(found)))):
            found &= found - 1
    return at + RING[low_bit(np.uint64(found)) >> 1]


@kernel
def bridge(s, rng, out, trace):
    _prepare(s)
    owner = s.scratch_owner
    count = empty_cells(s, out)
    for i in range(count):
        other = i + below(rng, count - i)
        cell = np.int64(out[other])
        out[other] = out[i]
        out[i] = _at(cell)
    player = np.int64(s.turn)
    at = _at(np.int64(s.last)) if s.last != NO_CELL else NOWHERE
    next_random = np.uint64(0)
    for length in range(count):
        while owner[np.uint64(out[next_random])] != 0:
            next_random += np.uint64(1)
        found = carriers(owner, at, player) if at != NOWHERE else 0
        at = _carrier(found, at, rng) if found != 0 else np.uint64(out[next_random])
        owner[at] = player + 1
        if TRACE:
            trace[length] = _cell(np.int64(at))
        player ^= 1
    return (1.0 if _black_wins(s) else 0.0), count


@kernel
def _black_wins(s):
    """On a full board."""
    owner = s.scratch_owner
    stones = s.stones[0]
    for y in range(SIZE):
        row = 0
        for x in range(SIZE):
            row |= (np.int64(owner[_at(y * SIZE + x)]) & BLACK) << x
        stones[y] = row
    return joins(stones, s.scratch_reached)
