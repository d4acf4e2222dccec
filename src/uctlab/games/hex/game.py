"""The rules of Hex: Black joins top and bottom, White joins left and right.

   a b c
1  . . .        Cell and move y * SIZE + x. The cell (x, y) touches
 2  . . .       (x-1, y), (x+1, y), (x, y-1), (x, y+1), (x+1, y-1) and (x-1, y+1).
  3  . . .      Move SIZE * SIZE is the swap.
"""

from __future__ import annotations

from dataclasses import replace
from string import ascii_lowercase

import numpy as np

from uctlab.errors import UsageError
from uctlab.games.api import Game
from uctlab.games.border import steps
from uctlab.games.capabilities import GtpHabits
from uctlab.games.diagram import letter_number_names, square_diagram
from uctlab.games.hex.board import (
    NO_CELL,
    empty_cells,
    has_won,
    joins,
    place,
    start,
    state_dtype,
)
from uctlab.games.hex.bridge import RING_STEPS, bridge
from uctlab.games.hex.chain import winning_chain
from uctlab.games.hex.evaluation import evaluate
from uctlab.games.turning import with_turn
from uctlab.kernels import below, draw_places, hole, kernel, low_bit, next_u64, popcount

SIZE: int = hole("game.SIZE")
SWAP: bool = hole("game.SWAP")
TRACE: bool = hole("playout.TRACE")

_ZERO = np.uint64(0)


@kernel
def _swapped_cell(s):
    """Where a swap puts White's stone: Black's only one, mirrored; -1 if a swap is not allowed."""
    if s.count == 1 and s.turn == 1:
        for y in range(SIZE):
            if s.stones[0, y] != 0:
                return y + SIZE * low_bit(np.uint64(s.stones[0, y]))
    return -1


@kernel
def _is_over(s):
    """Mostly it is the last move that won, but a position may be set up with either to move."""
    return has_won(s, 1 - np.int64(s.turn)) or has_won(s, np.int64(s.turn))


@kernel
def moves(s, out):
    if _is_over(s):
        return 0
    count = empty_cells(s, out)
    if SWAP and _swapped_cell(s) >= 0:
        out[count] = SIZE * SIZE
        count += 1
    return count


@kernel
def play(s, move):
    if move == SIZE * SIZE:
        cell = _swapped_cell(s)
        start(s)
        place(s, np.int64(1), cell)
        s.turn = 0
    else:
        place(s, np.int64(s.turn), np.int64(move))
        s.turn ^= 1


@kernel
def result(s):
    return 1.0 if has_won(s, np.int64(0)) else 0.0


@kernel
def playout_moves(s, out):
    """Without the swap: a random game fills the board."""
    return 0 if _is_over(s) else empty_cells(s, out)


@kernel
def playout(s, rng, out, trace):
    """Fills the board at random; who wins the full board has won the random game.

    The player to move gets half of the empty cells, rounded up. All sets of that many cells are
    equally likely: each cell's owner is decided by a coin, which makes all sets of one size equally
    likely, and then random cells change hands until the size is right, which keeps them so.
    """
    empties = SIZE * SIZE - np.int64(s.count)
    if TRACE:
        _fill_in_order(s, rng, out, trace)
    else:
        _fill(s, rng, (empties + 1 - s.turn) // 2)
    return (1.0 if joins(s.stones[0], s.scratch_reached) else 0.0), empties


@kernel
def _fill(s, rng, wanted):
    """Give Black `wanted` random empty cells."""
    stones = s.stones[0]
    empty = s.empty
    given = 0
    bits = _ZERO
    left = 0
    for row in range(SIZE):
        if left == 0:
            bits = next_u64(rng)
            left = 64 // SIZE
        chosen = np.uint64(empty[row]) & bits
        bits >>= np.uint64(SIZE)
        left -= 1
        stones[row] |= chosen
        given += popcount(chosen)
    while given != wanted:
        cell = below(rng, SIZE * SIZE)
        row = cell // SIZE
        bit = 1 << (cell - row * SIZE)
        if np.int64(empty[row]) & bit != 0 and (np.int64(stones[row]) & bit != 0) == (
            given > wanted
        ):
            stones[row] ^= bit
            given += 1 if given < wanted else -1


@kernel
def _fill_in_order(s, rng, out, trace):
    """The same fill, move by move."""
    count = empty_cells(s, out)
    draw_places(rng, trace, count)
    for i in range(count):
        other = np.uint64(trace[i])
        trace[i] = out[other]
        out[other] = out[i]
    for i in range(s.turn, count, 2):
        cell = np.uint64(trace[i])
        row = cell // np.uint64(SIZE)
        s.stones[0, row] |= np.uint64(1) << (cell - row * np.uint64(SIZE))


@kernel
def stones(s, out):
    for y in range(SIZE):
        for x in range(SIZE):
            black = (s.stones[0, y] >> x) & 1
            white = (s.stones[1, x] >> y) & 1
            out[y * SIZE + x] = black + 2 * white


@kernel
def setup(s, stones, turn):
    start(s)
    for cell in range(SIZE * SIZE):
        if stones[cell] != 0:
            place(s, np.int64(stones[cell]) - 1, cell)
    s.last = NO_CELL
    s.turn = turn
    return True


def make(size: int = 11, swap: bool = False) -> Game:
    """Hex; with swap=on the second player may take over the first stone, mirrored."""
    if not 2 <= size <= 19:
        raise UsageError(f"hex: size {size} is out of range; accepted: 2 to 19")
    names = letter_number_names(size)
    return Game(
        name=f"hex:{size}" + (",swap=on" if swap else ""),
        state=state_dtype(size),
        start=start,
        moves=moves,
        play=play,
        result=result,
        playouts={"uniform": playout, "bridge": bridge},
        agent="uct(rave=fuego,playout=bridge)",
        evaluate=evaluate,
        playout_moves=playout_moves if swap else None,
        constants={
            "SIZE": size,
            "SWAP": swap,
            "RING": steps(size + 2, RING_STEPS),
        },
        max_moves=size * size + swap,
        max_length=size * size + swap,
        move_names=(*names, "swap-pieces") if swap else names,
        diagram=replace(
            square_diagram(size, ascii_lowercase[:size], top_label=1), indents=tuple(range(size))
        ),
        stones=stones,
        setup=setup,
        winning_shape=winning_chain,
        gtp=GtpHabits(
            turned=with_turn,
            settings=(f"param_game allow_swap {int(swap)}",),  # which MoHex and Wolve have
            swap=size * size if swap else None,
        ),
        sgf_root={"GM": "11", "SZ": str(size)},
    )
