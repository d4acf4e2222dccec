"""Connect Four as an example of your own game: everything that uctlab needs to know about it.

uctlab check examples/connect_four.py
uctlab bench playouts examples/connect_four.py

    a b c d e f g
 6  . . . . . . .       Each column has seven bits, the lowest row first; the seventh stays
 5  . . . . . . .       empty and keeps lines from running on into the next column.
 4  . . . . . . .       A move is the number of its column.
 3  . . . . . . .
 2  . . . O . . .
 1  . . . X . . .
"""

import numpy as np

from uctlab import Diagram, Game, kernel, popcount

STATE = np.dtype([("own", "u8"), ("both", "u8"), ("won", "i1"), ("turn", "i1")], align=True)
ZERO, ONE = np.uint64(0), np.uint64(1)
BOTTOM = np.uint64(sum(1 << 7 * x for x in range(7)))
BOARD = np.uint64(sum(0b111111 << 7 * x for x in range(7)))
FULL = np.uint64(0b111111)
STEPS = tuple(np.uint64(n) for n in (1, 6, 7, 8))  # up, and to the next column: down, level, up
TWICE = tuple(np.uint64(n) for n in (2, 12, 14, 16))


@kernel
def start(s):
    s.own = ZERO  # stones of the player to move
    s.both = ZERO
    s.won = 0  # whether the player who moved last has four in a row
    s.turn = 0


@kernel
def moves(s, out):
    if s.won:
        return 0
    count = 0
    open_tops = (s.both + BOTTOM) & BOARD  # the lowest empty cell of each column that has one
    for column in range(7):
        if (open_tops >> np.uint64(7 * column)) & FULL != ZERO:
            out[count] = column
            count += 1
    return count


@kernel
def four_in_a_row(stones):
    for i in range(4):
        pairs = stones & (stones >> STEPS[i])
        if pairs & (pairs >> TWICE[i]) != ZERO:
            return True
    return False


@kernel
def play(s, move):
    column = FULL << np.uint64(7 * move)
    cell = (s.both + BOTTOM) & column
    mine = s.own | cell
    s.own = s.both ^ s.own
    s.both |= cell
    s.won = four_in_a_row(mine)
    s.turn ^= 1


@kernel
def result(s):
    if not s.won:
        return 0.5
    return 1.0 if s.turn == 1 else 0.0


@kernel
def lines_left(own, free):
    """Lines of four that lack one or two stones, the former counted three times."""
    found = 0
    for i in range(4):
        a, b = own, own >> STEPS[i]
        c, d = own >> TWICE[i], own >> (STEPS[i] + TWICE[i])
        w, x = free, free >> STEPS[i]
        y, z = free >> TWICE[i], free >> (STEPS[i] + TWICE[i])
        lack_one = popcount(w & b & c & d) + popcount(a & x & c & d)
        lack_one += popcount(a & b & y & d) + popcount(a & b & c & z)
        lack_two = popcount(w & x & c & d) + popcount(w & b & y & d) + popcount(w & b & c & z)
        lack_two += popcount(a & x & y & d) + popcount(a & x & c & z) + popcount(a & b & y & z)
        found += 3 * lack_one + lack_two
    return found


@kernel
def evaluate(s):
    """How good the position looks for the first player, from 0 to 1, for leaf=evaluate."""
    free = BOARD & ~s.both
    lead = float(lines_left(s.own, free) - lines_left(s.both ^ s.own, free))
    if s.turn == 1:
        lead = -lead
    return 0.5 + 0.5 * lead / (8.0 + abs(lead))


@kernel
def stones(s, out):
    for cell in range(49):
        bit = ONE << np.uint64(cell)
        if s.both & bit != ZERO:
            own = s.own & bit != ZERO
            out[cell] = 1 + s.turn if own else 2 - s.turn
        elif cell < len(out):
            out[cell] = 0


@kernel
def setup(s, stones, turn):
    start(s)
    for cell in range(len(stones)):
        if stones[cell] != 0:
            bit = ONE << np.uint64(cell)
            s.both |= bit
            if stones[cell] == 1 + turn:
                s.own |= bit
    s.won = four_in_a_row(s.both ^ s.own)
    s.turn = turn
    return popcount(s.both & ~(s.both << ONE) & ~BOTTOM) == 0  # none hangs in the air


def make() -> Game:
    rows = tuple(tuple(7 * x + y for x in range(7)) for y in reversed(range(6)))
    return Game(
        name="connect_four",
        state=STATE,
        start=start,
        moves=moves,
        play=play,
        result=result,
        evaluate=evaluate,
        max_moves=7,
        max_length=42,
        move_names=tuple("abcdefg"),
        diagram=Diagram(rows=rows, labels=tuple("654321"), columns="abcdefg"),
        stones=stones,
        setup=setup,
        setup_violation="a stone hangs in the air",
    )
