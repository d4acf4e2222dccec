"""The rules of Havannah: a bridge joins two corners, a fork three edges, a ring encloses a cell.

      c1  . . .         Side 3. The cell (x, y) has letter x and number y and is on the board when
     b2  . . . .        SIDE-1 <= x+y <= 3*SIDE-3. Its code is y * LINE + x, LINE = 2*SIDE-1.
    a3  . . . . .       It touches (x-1, y), (x+1, y), (x, y-1), (x, y+1), (x+1, y-1), (x-1, y+1).
     a4  . . . .        Corner cells belong to no edge. A full board without a winner is a draw.
      a5  . . .

Stones are kept on a board with a border one cell wide. `at` is an index there; it is unsigned so
that the compiled code need not check for negative ones. Chains are a union-find forest; the root of
a chain knows the corners and edges that the chain touches.
"""

from __future__ import annotations

from string import ascii_lowercase

import numpy as np

from uctlab.errors import UsageError
from uctlab.games.api import Game
from uctlab.games.border import steps
from uctlab.games.capabilities import GtpHabits
from uctlab.games.diagram import Diagram
from uctlab.games.havannah_shapes import winning_shape
from uctlab.games.turning import with_turn
from uctlab.kernels import below, hole, inlined, kernel, low_bit, popcount

SIDE: int = hole("game.SIDE")
LINE: int = hole("game.LINE")
# LINE + 1: a row's left border is also the right border of the row above.
WIDTH: int = hole("game.WIDTH")
NEAR: tuple[np.uint64, ...] = hole("game.NEAR")  # steps to the six neighbours, in a circle
HOME: np.ndarray = hole("game.HOME")  # where `start` puts each cell in `empties`
SWAP: bool = hole("game.SWAP")
TRACE: bool = hole("playout.TRACE")

# The neighbours of (x, y) in a circle; each touches the next one.
CIRCLE = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
EMPTY, BORDER = 0, 3  # the players' stones are 1 and 2
NOBODY = -1
CORNERS = 0b000000_111111
EDGES = 0b111111_000000


@kernel
def _run_starts(around):
    """The first of every run in a set of the six neighbours."""
    if around == 63:
        return np.int64(1)  # a full circle is one run
    return around & ~(around << 1 | around >> 5)


@kernel
def _run_inside(around):
    """Those of a set that have both their neighbours in it too."""
    return around & (around << 1 | around >> 5) & (around >> 1 | around << 5)


def state_dtype(side: int) -> np.dtype:
    line = 2 * side - 1
    board = ((line + 2) * (line + 1) + 1,)
    return np.dtype(
        [
            ("color", "u1", board),
            ("parent", "u2", board),
            ("touches", "u2", board),  # corners and edges; at a root, those of the whole chain
            ("empties", "u2", (3 * side * (side - 1) + 1,)),
            ("count", "i4"),  # empty cells; four bytes so that a GPU copies whole words
            ("winner", "i1"),
            ("turn", "i1"),
        ],
        align=True,
    )


@kernel
def start(s):
    for at in range((LINE + 2) * WIDTH + 1):
        s.color[at] = BORDER
        s.parent[at] = at
        s.touches[at] = 0
    last = LINE - 1
    count = 0
    for y in range(LINE):
        for x in range(LINE):
            if SIDE - 1 <= x + y <= 3 * SIDE - 3:
                at = (y + 1) * WIDTH + x + 1
                s.color[at] = EMPTY
                s.empties[count] = at
                count += 1
                # The six sides in a circle; a corner is on two neighbouring sides.
                on = (y == 0) | (x == last) << 1 | (x + y == 3 * SIDE - 3) << 2
                on |= (y == last) << 3 | (x == 0) << 4 | (x + y == SIDE - 1) << 5
                corner = on & (on << 1 | on >> 5)
                s.touches[at] = corner if corner != 0 else on << 6
    s.count = count
    s.winner = NOBODY
    s.turn = 0


@kernel
def _root(parent, at):
    """The root of the chain; shortens the path to it by half on the way."""
    up = parent[at]
    while up != at:
        above = parent[up]
        parent[at] = above
        at = np.uint64(above)
        up = parent[at]
    return at


@kernel
def _own_neighbours(color, at, own):
    """Which of the six neighbours are own stones: bit i for NEAR[i]."""
    return (
        np.int64(color[at + NEAR[0]] == own)
        | np.int64(color[at + NEAR[1]] == own) << 1
        | np.int64(color[at + NEAR[2]] == own) << 2
        | np.int64(color[at + NEAR[3]] == own) << 3
        | np.int64(color[at + NEAR[4]] == own) << 4
        | np.int64(color[at + NEAR[5]] == own) << 5
    )


@kernel
def _place(s, at, own):
    """Put a stone on the board and see whether it wins."""
    inlined()
    color = s.color
    parent = s.parent
    color[at] = own
    around = _own_neighbours(color, at, own)
    if around == 0:
        return
    root = at
    ring = False
    touches = np.int64(s.touches[at])
    # Own neighbours next to each other are one chain already. Two runs of one chain close a ring.
    runs = _run_starts(around)
    while runs != 0:
        other = _root(parent, at + NEAR[low_bit(np.uint64(runs))])
        runs &= runs - 1
        ring |= other == root
        touches |= np.int64(s.touches[other])
        parent[root] = other
        root = other
    s.touches[root] = touches
    # Any other new ring encloses only own stones, one of which has just been surrounded.
    inside = _run_inside(around)
    if inside != 0:
        for direction in range(6):
            if (inside >> direction) & 1 != 0:
                ring |= _own_neighbours(color, at + NEAR[direction], own) == 63
    if ring or popcount(touches & CORNERS) >= 2 or popcount(touches & EDGES) >= 3:
        s.winner = own - 1


@kernel
def _code(at):
    row = np.int64(at) // WIDTH
    return np.int64(at) - WIDTH - row  # at = (y + 1) * WIDTH + x + 1 and row = y + 1


@kernel
def _index(code):
    return np.uint64(code + code // LINE + WIDTH + 1)


@kernel
def _taken_over(s):
    """Where a swap puts the second player's stone: on the first player's only one; 0 if a swap is
    not allowed."""
    if s.turn == 1 and s.count == 3 * SIDE * (SIDE - 1):
        for at in range((LINE + 2) * WIDTH + 1):
            if s.color[at] == 1:
                return at
    return 0


@kernel
def playout_moves(s, out):
    """Without the swap: a random game takes empty cells."""
    if s.winner != NOBODY:
        return 0
    for i in range(s.count):
        out[i] = _code(s.empties[i])
    return np.int64(s.count)


@kernel
def moves(s, out):
    count = playout_moves(s, out)
    if SWAP and _taken_over(s) > 0:
        out[count] = LINE * LINE
        count += 1
    return count


@kernel
def play(s, move):
    if SWAP and move == LINE * LINE:
        s.color[_taken_over(s)] = 2
        s.turn = 0
        return
    at = _index(np.int64(move))
    last = np.int64(s.count) - 1
    i = np.int64(HOME[move])  # it is still there, unless it was the last one once
    if i > last or s.empties[i] != at:
        i = 0
        while s.empties[i] != at:
            i += 1
    s.empties[i] = s.empties[last]
    s.count = last
    _place(s, at, np.int64(s.turn) + 1)
    s.turn ^= 1


@kernel
def result(s):
    return 0.5 if s.winner == NOBODY else 1.0 - s.winner


@kernel
def playout(s, rng, out, trace):
    """Random moves to the end."""
    empties = s.empties
    own = np.int64(s.turn) + 1
    count = np.int64(s.count)
    length = 0
    while s.winner == NOBODY and count > 0:
        chosen = np.uint64(below(rng, count))
        at = np.uint64(empties[chosen])
        if TRACE:
            trace[length] = _code(at)
        length += 1
        count -= 1
        empties[chosen] = empties[np.uint64(count)]
        _place(s, at, own)
        own = 3 - own
    return result(s), length


@kernel
def stones(s, out):
    for code in range(LINE * LINE):
        color = s.color[_index(code)]
        if color != BORDER:
            out[code] = color


@kernel
def setup(s, stones, turn):
    start(s)
    won = 0  # bit 0: the first player, bit 1: the second
    for code in range(LINE * LINE):
        if s.color[_index(code)] != BORDER and stones[code] != 0:
            s.turn = stones[code] - 1
            play(s, code)
            if s.winner != NOBODY:
                won |= 1 << s.winner
                s.winner = NOBODY
    s.turn = turn
    if won != 0:
        s.winner = won - 1
    return won != 3


def _homes(rows: tuple[tuple[int, ...], ...], line: int) -> np.ndarray:
    """By cell, its place among all cells, which are in the order of their codes."""
    homes = np.zeros(line * line, np.uint16)
    for place, code in enumerate(code for row in rows for code in row):
        homes[code] = place
    return homes


def make(side: int = 8, swap: bool = False) -> Game:
    """Havannah, cells per side; with swap=on the second player may take over the first stone."""
    if not 2 <= side <= 10:
        raise UsageError(f"havannah: side {side} is out of range; accepted: 2 to 10")
    line = 2 * side - 1
    cells = 3 * side * (side - 1) + 1
    rows = tuple(
        tuple(y * line + x for x in range(line) if side - 1 <= x + y <= 3 * side - 3)
        for y in range(line)
    )
    names = [""] * (line * line)
    for y, row in enumerate(rows):
        for code in row:
            names[code] = f"{ascii_lowercase[code % line]}{y + 1}"
    return Game(
        name=f"havannah:{side}" + (",swap=on" if swap else ""),
        state=state_dtype(side),
        start=start,
        moves=moves,
        play=play,
        result=result,
        playouts={"uniform": playout},
        playout_moves=playout_moves if swap else None,
        constants={
            "SIDE": side,
            "LINE": line,
            "WIDTH": line + 1,
            "NEAR": steps(line + 1, CIRCLE),
            "HOME": _homes(rows, line),
            "SWAP": swap,
        },
        max_moves=cells,
        max_length=cells + swap,
        move_names=(*names, "swap-pieces") if swap else tuple(names),
        players=("White", "Black"),
        diagram=Diagram(
            rows=rows,
            labels=tuple(names[row[0]] for row in rows),
            indents=tuple(abs(side - 1 - y) for y in range(line)),
        ),
        stones=stones,
        setup=setup,
        setup_violation="both players have won",
        winning_shape=winning_shape,
        gtp=GtpHabits(turned=with_turn, swap=line * line if swap else None),
        sgf_root={"GM": "Havannah", "SZ": str(side)},  # SGF has no number for it
    )
