"""The board of Hex as rows of bits.

Each player's stones are kept in that player's frame, in which the goal is to join row 0 with the
last row: Black's frame is the board itself, White's is the board mirrored along its long diagonal,
where cells have the same neighbours. So the same code works for both.
"""

from __future__ import annotations

import numpy as np

from uctlab.kernels import hole, kernel, low_bit

SIZE: int = hole("game.SIZE")

NOBODY = -1
NO_CELL = -1
_ZERO = np.uint64(0)
_ONE = np.uint64(1)


def state_dtype(size: int) -> np.dtype:
    rows = (2, size)
    return np.dtype(
        [
            ("stones", "u4", rows),  # by player, in the player's frame
            ("reached", "u4", rows),  # stones joined to the player's row 0
            ("empty", "u4", (size,)),  # in Black's frame
            ("scratch_owner", "u1", ((size + 2) * (size + 2),)),  # bridge.py, evaluation.py
            ("count", "i2"),  # stones on the board
            ("last", "i2"),  # cell of the last move, or NO_CELL
            ("winner", "i1"),
            ("turn", "i1"),
        ],
        align=True,
    )


@kernel
def start(s):
    for row in range(SIZE):
        for player in range(2):
            s.stones[player, row] = 0
            s.reached[player, row] = 0
        s.empty[row] = (1 << SIZE) - 1
    s.count = 0
    s.last = NO_CELL
    s.winner = NOBODY
    s.turn = 0


@kernel
def fill_runs(mask, seeds):
    """All bits of the runs of `mask` that contain a seed."""
    filled = (mask & (mask ^ (mask + seeds))) | seeds  # the carry goes up to the end of each run
    run = mask
    for step in (1, 2, 4, 8, 16):  # and down, twice as far each time
        if step < SIZE:
            filled |= run & (filled >> step)
            run &= run >> step
    return filled


@kernel
def spread(stones, reached):
    """Extend `reached` over all stones connected to it; returns whether it reaches the last row.

    Sweeps down and up the rows until an upward sweep brings nothing new. Stops early at the last
    row: `reached` is then not complete, but the game is over.
    """
    news = True
    while news:
        near = np.int64(reached[0])
        for row in range(1, SIZE):
            mask = np.int64(stones[row])
            old = np.int64(reached[row])
            seeds = old | (mask & (near | (near >> 1)))
            near = old
            if seeds != old:
                near = fill_runs(mask, seeds)
                reached[row] = near
        if near != 0:
            return True
        news = False
        for row in range(SIZE - 2, -1, -1):
            mask = np.int64(stones[row])
            old = np.int64(reached[row])
            seeds = old | (mask & (near | (near << 1)))
            near = old
            if seeds != old:
                near = fill_runs(mask, seeds)
                reached[row] = near
                news = True
    return False


@kernel
def place(s, player, cell):
    """Put a stone on the board and see whether it wins."""
    y = cell // SIZE
    x = cell - y * SIZE
    s.empty[y] ^= 1 << x
    s.count += 1
    s.last = cell
    row, column = (y, x) if player == 0 else (x, y)
    stones = s.stones[player]
    reached = s.reached[player]
    bit = 1 << column
    stones[row] |= bit
    # Beyond an edge it is the row itself, which brings nothing new: that saves two branches.
    above = max(row - 1, 0)
    below = min(row + 1, SIZE - 1)
    touched = np.int64(reached[row]) & ((bit << 1) | (bit >> 1))
    touched |= np.int64(reached[above]) & (bit | (bit << 1))
    touched |= np.int64(reached[below]) & (bit | (bit >> 1))
    if touched != 0 or row == 0:
        filled = fill_runs(np.int64(stones[row]), np.int64(reached[row]) | bit)
        reached[row] = filled
        next_to = np.int64(stones[above]) & ~np.int64(reached[above]) & (filled | (filled << 1))
        next_to |= np.int64(stones[below]) & ~np.int64(reached[below]) & (filled | (filled >> 1))
        if next_to != 0:
            if spread(stones, reached):
                s.winner = player
        elif row == SIZE - 1:
            s.winner = player


@kernel
def empty_cells(s, out):
    count = np.uint64(0)
    rows = 64 // SIZE  # in a word of bits; a loop for every row would end in a surprise for each
    for first in range(0, SIZE, rows):
        word = _ZERO
        for y in range(first, min(first + rows, SIZE)):
            word |= np.uint64(s.empty[y]) << np.uint64((y - first) * SIZE)
        while word != _ZERO:
            out[count] = first * SIZE + low_bit(word)
            count += _ONE
            word &= word - _ONE
    return np.int64(count)
