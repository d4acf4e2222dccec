"""The board of Hex as rows of bits.

Each player's stones are kept in that player's frame, in which the goal is to join row 0 with the
last row: Black's frame is the board itself, White's is the board mirrored along its long diagonal,
where cells have the same neighbours. So the same code works for both.

A move only sets a bit in two rows. Whether a chain joins two sides is found by `moves` and
`result`, which a search calls less often than `play`.
"""

from __future__ import annotations

import numpy as np

from uctlab.kernels import hole, kernel, low_bit

SIZE: int = hole("game.SIZE")

NO_CELL = -1
_ZERO = np.uint64(0)
_ONE = np.uint64(1)


def state_dtype(size: int) -> np.dtype:
    return np.dtype(
        [
            ("stones", "u4", (2, size)),  # by player, in the player's frame
            ("empty", "u4", (size,)),  # in Black's frame
            ("count", "i2"),  # stones on the board
            ("last", "i2"),  # cell of the last move, or NO_CELL
            ("turn", "i1"),
            ("scratch_reached", "u4", (size,)),  # stones that are joined to row 0
            ("scratch_owner", "u1", ((size + 2) * (size + 2),)),  # bridge.py, evaluation.py
        ],
        align=True,
    )


@kernel
def start(s):
    for row in range(SIZE):
        for player in range(2):
            s.stones[player, row] = 0
        s.empty[row] = (1 << SIZE) - 1
    s.count = 0
    s.last = NO_CELL
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
def joins(stones, reached):
    """Whether a player's stones join row 0 with the last row; `reached` is scratch.

    Sweeps down and up the rows until an upward sweep brings nothing new.
    """
    reached[0] = stones[0]
    for row in range(1, SIZE):
        reached[row] = 0
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
def has_won(s, player):
    stones = s.stones[player]
    for row in range(SIZE):
        if stones[row] == 0:
            return False
    return joins(stones, s.scratch_reached)


@kernel
def place(s, player, cell):
    """Put a stone on the board. Who has won is found where it is asked: most moves of a search are
    made on the way to a leaf, where nobody asks."""
    y = cell // SIZE
    x = cell - y * SIZE
    s.empty[y] ^= 1 << x
    s.count += 1
    s.last = cell
    row, column = (y, x) if player == 0 else (x, y)
    s.stones[player, row] |= 1 << column


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
