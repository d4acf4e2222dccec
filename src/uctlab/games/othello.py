"""The rules of Othello on 8x8, as two bitboards seen from the player to move.

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
from uctlab.games.diagram import letter_number_names, sgf_square_names, square_diagram
from uctlab.games.othello_evaluation import judge
from uctlab.games.position import Position
from uctlab.kernels import (
    hole,
    kernel,
    leading_zeros,
    low_bit,
    next_u64,
    nth_bit,
    popcount,
    scaled,
)

TRACE: bool = hole("playout.TRACE")

STATE = np.dtype([("own", "u8"), ("opp", "u8"), ("turn", "i1")], align=True)
PASS = 64

_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_HIGHEST = np.uint64(1 << 63)
_LOWEST = np.int64(-(1 << 63))  # shifted right, it fills with ones from above
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
def _run_up(discs, mask, pairs, step, step_2):
    """Runs of `mask`, at most six long, that start next to one of the discs.

    `pairs` are the cells of the mask whose lower neighbour on the line is of the mask as well.
    """
    run = mask & (discs << step)
    run |= mask & (run << step)
    run |= pairs & (run << step_2)
    run |= pairs & (run << step_2)
    return run


@kernel
def _run_down(discs, mask, pairs, step, step_2):
    """The same towards lower bits; `pairs` too."""
    run = mask & (discs >> step)
    run |= mask & (run >> step)
    pairs >>= step
    run |= pairs & (run >> step_2)
    run |= pairs & (run >> step_2)
    return run


@kernel
def _line_runs(own, mask, step, step_2):
    """The runs on one kind of line, upwards and downwards."""
    pairs = mask & (mask << step)
    up = _run_up(own, mask, pairs, step, step_2)
    return up, _run_down(own, mask, pairs, step, step_2)


@kernel
def _runs(own, opp):
    """The opponent's discs in unbroken lines from an own disc: for each kind of line those upwards
    and those downwards."""
    inner = opp & _INNER_COLUMNS
    # Along a row one addition is enough: its carry goes through a whole run.
    row = inner & ~(inner + (inner & (own << _ROW)))
    row_down = _run_down(own, inner, inner & (inner << _ROW), _ROW, _ROW_2)
    return (
        (row, row_down),
        _line_runs(own, opp, _COLUMN, _COLUMN_2),
        _line_runs(own, inner, _DIAGONAL, _DIAGONAL_2),
        _line_runs(own, inner, _ANTIDIAGONAL, _ANTIDIAGONAL_2),
    )


@kernel
def _landings(own, opp, runs):
    """The empty cells behind the runs, on which a disc flips something."""
    row, column, diagonal, antidiagonal = runs
    reached = (row[0] << _ROW) | (row[1] >> _ROW)
    reached |= (column[0] << _COLUMN) | (column[1] >> _COLUMN)
    reached |= (diagonal[0] << _DIAGONAL) | (diagonal[1] >> _DIAGONAL)
    reached |= (antidiagonal[0] << _ANTIDIAGONAL) | (antidiagonal[1] >> _ANTIDIAGONAL)
    return reached & ~(own | opp)


@kernel
def _mobility(own, opp):
    """The cells on which a disc flips something."""
    return _landings(own, opp, _runs(own, opp))


ON_GPU: bool = hole("device.ON_GPU", False)  # see kernels/bits.py
# The lines through d4 or a similar cell; shifting them gives all other lines.
_LINES = tuple(
    np.uint64(sum(1 << cell for cell in cells))
    for cells in (range(8), range(0, 64, 8), range(0, 64, 9), range(7, 63, 7))
)
_ABOVE_0 = np.uint64(2**64 - 2)
_ROW_OF = np.uint64(56)
_COLUMN_OF = np.uint64(7)


@kernel
def _line_masks(cell):
    """Row, column, diagonal and antidiagonal through a cell."""
    at = np.uint64(cell)
    x = cell & 7
    y = cell >> 3
    return (
        _LINES[0] << (at & _ROW_OF),
        _LINES[1] << (at & _COLUMN_OF),
        _by_rows(_LINES[2], y - x),
        _by_rows(_LINES[3], x + y - 7),
    )


@kernel
def _by_rows(line, rows):
    """The line moved by whole rows."""
    if rows >= 0:
        return line << np.uint64(8 * rows)
    return line >> np.uint64(-8 * rows)


LINES = np.array([_line_masks(cell) for cell in range(64)])


@kernel
def _flips_up(own, opp, ray):
    """The opponent's discs on a ray towards higher bits, up to an own one."""
    # With all cells off the ray filled, a carry goes from bit 0 to the end of the opponent's run.
    end = ((opp | ~ray) + _ONE) & own & ray
    return (end - np.uint64(end != _ZERO)) & ray


@kernel
def _flips_down(own, opp, ray):
    """The same towards lower bits, where the end of the opponent's run is the highest bit."""
    end = (_HIGHEST >> leading_zeros((~opp & ray) | _ONE)) & own & ray
    return (_ZERO - (end << _ONE)) & ray


@kernel
def _rays(cell):
    """For each of the four lines, the cells above that one and the cells below it."""
    if ON_GPU:
        row, column, diagonal, antidiagonal = _line_masks(cell)
    else:
        lines = LINES[cell]
        row, column, diagonal, antidiagonal = lines[0], lines[1], lines[2], lines[3]
    above = _ABOVE_0 << np.uint64(cell)
    under = (_ONE << np.uint64(cell)) - _ONE
    return (
        (row & above, row & under),
        (column & above, column & under),
        (diagonal & above, diagonal & under),
        (antidiagonal & above, antidiagonal & under),
    )


@kernel
def _flips(own, opp, cell):
    """The discs that a new disc turns over."""
    flipped = _ZERO
    for ray in _rays(cell):
        flipped |= _flips_up(own, opp, ray[0]) | _flips_down(own, opp, ray[1])
    return flipped


@kernel
def _near_end_up(run, ray):
    """The part of a run from the near end of a ray towards higher bits, if it begins there."""
    filled = run | ~ray
    return filled & ~(filled + _ONE) & ray


@kernel
def _near_end_down(run, ray):
    """The same towards lower bits."""
    above_end = np.uint64(_LOWEST >> np.int64(leading_zeros((~run & ray) | _ONE)))
    return above_end & run & ray


@kernel
def _flips_between(run, ray):
    """On one line: what a disc sees above it is what an own disc further up reaches downwards."""
    return _near_end_up(run[1], ray[0]) | _near_end_down(run[0], ray[1])


@kernel
def _flips_by_runs(runs, cell):
    """The discs that a new disc turns over, given the runs of its player."""
    rays = _rays(cell)
    flipped = _flips_between(runs[0], rays[0]) | _flips_between(runs[1], rays[1])
    return flipped | _flips_between(runs[2], rays[2]) | _flips_between(runs[3], rays[3])


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
        flipped = _flips(own, opp, np.int64(move))
        own ^= flipped ^ (_ONE << np.uint64(move))
        opp ^= flipped
    s.own = opp
    s.opp = own
    s.turn ^= 1


@kernel
def result(s):
    return _black_result(popcount(s.own) - popcount(s.opp), s.turn)


@kernel
def _black_result(lead, turn):
    """The result for Black, given how many discs the player to move is ahead."""
    if turn == 1:
        lead = -lead
    return 1.0 if lead > 0 else (0.5 if lead == 0 else 0.0)


@kernel
def playout(s, rng, out, trace):
    """Random moves to the end, on two words and without lists.

    Without branches but the end of the loop, for GPUs: where there is no move, what is computed for
    one is not used.
    """
    own = s.own
    opp = s.opp
    length = 0
    passed = False
    while True:
        before = rng[0]
        bits = next_u64(rng)
        runs = _runs(own, opp)
        free = _landings(own, opp, runs)
        cell = nth_bit(free, scaled(bits, popcount(free))) & 63
        flipped = _flips_by_runs(runs, cell)
        disc = _ONE << np.uint64(cell)
        if free == _ZERO:
            rng[0] = before
            if passed:
                break
            cell = PASS
            flipped = _ZERO
            disc = _ZERO
        passed = free == _ZERO
        own, opp = opp ^ flipped, own ^ flipped ^ disc
        if TRACE:
            trace[length] = cell
        length += 1
    length -= 1  # the first of the two passes that end a game does not count as a move
    turn = (np.int64(s.turn) + length) & 1
    return _black_result(popcount(opp) - popcount(own), turn), length


@kernel
def evaluate(s):
    own_moves = popcount(_mobility(s.own, s.opp))
    value = judge(s.own, s.opp, own_moves, popcount(_mobility(s.opp, s.own)))
    return value if s.turn == 0 else 1.0 - value


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


def discs(position: Position, dead: frozenset[int] = frozenset()) -> np.ndarray:
    """Whose disc is on each cell, which is whose point it is; none is ever dead."""
    return position.stones


def disc_lead(position: Position) -> float:
    """Black's discs minus White's."""
    stones = position.stones
    return float(np.count_nonzero(stones == 1) - np.count_nonzero(stones == 2))


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
        evaluate=evaluate,
        max_moves=64,  # set-up boards may leave any cell empty
        max_length=128,
        move_names=(*letter_number_names(8), "pass"),
        diagram=square_diagram(8, "abcdefgh", top_label=1, stones_tell_turn=False),
        stones=stones,
        setup=setup,
        point_lead=disc_lead,
        area=discs,
        sgf_root={"GM": "2", "SZ": "8"},
        sgf_points=(*sgf_square_names(8), ""),
    )
