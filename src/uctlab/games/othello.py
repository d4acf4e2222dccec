"""Othello on 8x8, as two bitboards seen from the player to move.

   a b c d e f g h
1  . . . . . . . .      Bit and move y * 8 + x, row 0 at the top, x = 0 is column a.
2  . . . . . . . .      Move 64 is the pass, the only move of a player who can flip nothing.
3  . . . . . . . .
4  . . . O X . . .
5  . . . X O . . .
"""

from __future__ import annotations

import numpy as np

from uctlab.games.api import Game
from uctlab.games.diagram import square_diagram
from uctlab.games.notation import letter_number_names, sgf_square_names
from uctlab.kernel import UNBOUND, below, kernel, low_bit, popcount

TRACE: bool = UNBOUND

STATE = np.dtype([("own", "u8"), ("opp", "u8"), ("turn", "i1")], align=True)
PASS = 64

_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_BLACK_START = np.uint64(1 << 28 | 1 << 35)  # e4 d5
_WHITE_START = np.uint64(1 << 27 | 1 << 36)  # d4 e5
_INNER_COLUMNS = np.uint64(0x7E7E7E7E7E7E7E7E)  # runs along a row or a diagonal end at a and h
# Distance between neighbours on the four kinds of line, and twice that.
_ROW, _ROW_2 = np.uint64(1), np.uint64(2)
_COLUMN, _COLUMN_2 = np.uint64(8), np.uint64(16)
_DIAGONAL, _DIAGONAL_2 = np.uint64(9), np.uint64(18)
_ANTIDIAGONAL, _ANTIDIAGONAL_2 = np.uint64(7), np.uint64(14)


@kernel
def start(s):
    s.own = _BLACK_START
    s.opp = _WHITE_START
    s.turn = 0


@kernel
def _run_up(discs, mask, step, step_2):
    """Runs of `mask`, six long at the most, that start beside one of the discs."""
    run = mask & (discs << step)
    run |= mask & (run << step)
    pairs = mask & (mask << step)
    run |= pairs & (run << step_2)
    run |= pairs & (run << step_2)
    return run


@kernel
def _run_down(discs, mask, step, step_2):
    run = mask & (discs >> step)
    run |= mask & (run >> step)
    pairs = mask & (mask >> step)
    run |= pairs & (run >> step_2)
    run |= pairs & (run >> step_2)
    return run


@kernel
def _landings(own, mask, step, step_2):
    """Cells, empty or not, behind a run of `mask` that starts beside an own disc."""
    return (_run_up(own, mask, step, step_2) << step) | (_run_down(own, mask, step, step_2) >> step)


@kernel
def _mobility(own, opp):
    """The cells on which a disc flips something."""
    inner = opp & _INNER_COLUMNS
    reached = _landings(own, inner, _ROW, _ROW_2)
    reached |= _landings(own, opp, _COLUMN, _COLUMN_2)
    reached |= _landings(own, inner, _DIAGONAL, _DIAGONAL_2)
    reached |= _landings(own, inner, _ANTIDIAGONAL, _ANTIDIAGONAL_2)
    return reached & ~(own | opp)


@kernel
def _enclosed(own, mask, disc, step, step_2):
    """Discs of `mask` on one line between the new disc and an own one."""
    up = _run_up(disc, mask, step, step_2)
    if (up << step) & own == _ZERO:
        up = _ZERO
    down = _run_down(disc, mask, step, step_2)
    if (down >> step) & own == _ZERO:
        down = _ZERO
    return up | down


@kernel
def _flips(own, opp, disc):
    """The discs that a new disc turns over."""
    inner = opp & _INNER_COLUMNS
    flipped = _enclosed(own, inner, disc, _ROW, _ROW_2)
    flipped |= _enclosed(own, opp, disc, _COLUMN, _COLUMN_2)
    flipped |= _enclosed(own, inner, disc, _DIAGONAL, _DIAGONAL_2)
    flipped |= _enclosed(own, inner, disc, _ANTIDIAGONAL, _ANTIDIAGONAL_2)
    return flipped


@kernel
def moves(s, out):
    free = _mobility(s.own, s.opp)
    if free == _ZERO:
        if _mobility(s.opp, s.own) == _ZERO:
            return 0
        out[0] = PASS
        return 1
    count = 0
    while free != _ZERO:
        out[count] = low_bit(free)
        count += 1
        free &= free - _ONE
    return count


@kernel
def play(s, move):
    own = s.own
    opp = s.opp
    if move != PASS:
        disc = _ONE << np.uint64(move)
        flipped = _flips(own, opp, disc)
        own ^= flipped ^ disc
        opp ^= flipped
    s.own = opp
    s.opp = own
    s.turn ^= 1


@kernel
def result(s):
    return _black_result(popcount(s.own) - popcount(s.opp), s.turn)


@kernel
def _black_result(lead, turn):
    """The result for Black, given the lead in discs of the player to move."""
    if turn == 1:
        lead = -lead
    return 1.0 if lead > 0 else (0.5 if lead == 0 else 0.0)


@kernel
def playout(s, rng, out, trace):
    """Random moves to the end, on two words and without lists."""
    own = s.own
    opp = s.opp
    length = 0
    free = _mobility(own, opp)
    while True:
        if free == _ZERO:
            free = _mobility(opp, own)
            if free == _ZERO:
                break
            own, opp = opp, own
            if TRACE:
                trace[length] = PASS
            length += 1
        for _ in range(below(rng, popcount(free))):
            free &= free - _ONE
        disc = free & (~free + _ONE)
        if TRACE:
            trace[length] = low_bit(disc)
        length += 1
        flipped = _flips(own, opp, disc)
        own, opp = opp ^ flipped, own ^ flipped ^ disc
        free = _mobility(own, opp)
    turn = (np.int64(s.turn) + length) & 1
    return _black_result(popcount(own) - popcount(opp), turn), length


@kernel
def stones(s, out):
    black, white = (s.own, s.opp) if s.turn == 0 else (s.opp, s.own)
    for cell in range(64):
        bit = _ONE << np.uint64(cell)
        out[cell] = 1 if black & bit != _ZERO else (2 if white & bit != _ZERO else 0)


@kernel
def setup(s, stones, turn):
    black = _ZERO
    white = _ZERO
    for cell in range(64):
        bit = _ONE << np.uint64(cell)
        if stones[cell] == 1:
            black |= bit
        elif stones[cell] == 2:
            white |= bit
    s.own = black if turn == 0 else white
    s.opp = white if turn == 0 else black
    s.turn = turn
    return True


def make() -> Game:
    """Othello on 8x8."""
    return Game(
        name="othello",
        state=STATE,
        start=start,
        moves=moves,
        play=play,
        result=result,
        playouts={"uniform": playout},
        max_moves=64,  # set-up boards may leave any cell empty
        max_length=128,
        move_names=(*letter_number_names(8), "pass"),
        diagram=square_diagram(8, "abcdefgh", top_label=1, stones_tell_turn=False),
        stones=stones,
        setup=setup,
        sgf_root={"GM": "2", "SZ": "8"},
        sgf_points=(*sgf_square_names(8), ""),
    )
