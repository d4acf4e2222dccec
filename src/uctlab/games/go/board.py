"""The board of Go as a search plays on it: stones, chains and pseudo-liberties.

Stones are kept on a board with a border one point wide. `at` is an index there; it is unsigned so
that the compiled code need not check for negative ones. A chain is a ring of stones (`next`) that
all name one of them as their head. The head counts pseudo-liberties: pairs of a stone and an empty
neighbour, zero exactly when the chain has no liberty. Points without a stone have head 0, whose
count means nothing, so that counts can be updated without looking at what is on a point.

During light playouts some empty points may be settled, and are not on the list: see settled.py.
"""

from __future__ import annotations

import numpy as np

from uctlab.kernels import hole, kernel

SIZE: int = hole("game.SIZE")
# SIZE + 1: a row's left border is also the right border of the row above.
WIDTH: int = hole("game.WIDTH")
NEAR: tuple[np.uint64, ...] = hole("game.NEAR")  # steps to the four neighbours

# A border point counts as a stone of both players, so a point is surrounded by `color` when the
# colours of its four neighbours have that bit in common.
EMPTY, BLACK, WHITE, BORDER = 0, 1, 2, 3
SETTLED = 4  # a settled eye has the colour SETTLED + owner; it touches only the owner's stones
NO_POINT = np.uint64(0)

# What `liberties` counts, in bits 0 to 9: the pseudo-liberties that are not settled. Bits 10 to 19
# count the settled ones, and bits 20 to 31 are the sum of these points, modulo 2**12. A chain of n
# stones has at most 2 n + 2 pseudo-liberties and an empty point is at most four: 482 on 19x19.
PLAYABLE = np.uint64(2**10 - 1)


def state_dtype(size: int) -> np.dtype:
    cells = (size + 2) * (size + 1) + 1
    board = (cells,)
    index = "u1" if cells <= 256 else "u2"
    return np.dtype(
        [
            ("color", "u1", board),
            ("head", index, board),
            ("next", index, board),
            ("liberties", "u4", board),  # of a head: the chain's, see PLAYABLE
            ("stones", "i2", board),  # of a head: the chain's stones
            ("empties", index, (size * size,)),
            ("count", "i2"),  # empty points
            ("lead", "i2"),  # Black's stones minus White's, settled eyes included
            ("ko", index),  # where the player to move may not play, or 0
            ("last", index),  # where the last move was made; 0 for a pass, or before any
            ("last2", index),  # the same for the move before it
            ("komi", "f4"),
            ("passes", "i1"),  # in a row, just before this position
            ("turn", "i1"),
            ("scratch", "u1", board),  # marks of points: area_lead, exact.py, both kinds of priors
            ("scratch_exact", "i2", board),  # these three: see exact.py
            ("scratch_around", "u2", board),
            ("scratch_where", index, board),
            ("scratch_atari", index, (size * size,)),  # stones whose chains may be in atari
        ],
        align=True,
    )


@kernel
def index_of(code):
    return np.uint64(code + code // SIZE + WIDTH + 1)


@kernel
def code_of(at):
    row = np.int64(at) // WIDTH
    return np.int64(at) - WIDTH - row  # at = (y + 1) * WIDTH + x + 1 and row = y + 1


@kernel
def how_many(color, c0, c1, c2, c3):
    return (
        np.int64(c0 == color)
        + np.int64(c1 == color)
        + np.int64(c2 == color)
        + np.int64(c3 == color)
    )


@kernel
def is_open(s, at):
    """Whether a point has an empty neighbour, and so may be played by anyone."""
    colors = s.color
    # By the sign of a number: of four comparisons LLVM would make four branches.
    return (
        (np.int64(colors[at + NEAR[0]]) - 1)
        | (np.int64(colors[at + NEAR[1]]) - 1)
        | (np.int64(colors[at + NEAR[2]]) - 1)
        | (np.int64(colors[at + NEAR[3]]) - 1)
    ) < 0


@kernel
def in_atari_here(s, at):
    """For each neighbour, whether it is a stone whose chain has no other liberty than this point.

    A chain that has two stones beside the point counts it twice.
    """
    head = s.head
    liberties = s.liberties
    h0, h1 = np.uint64(head[at + NEAR[0]]), np.uint64(head[at + NEAR[1]])
    h2, h3 = np.uint64(head[at + NEAR[2]]), np.uint64(head[at + NEAR[3]])
    same01, same02, same03 = np.int64(h0 == h1), np.int64(h0 == h2), np.int64(h0 == h3)
    same12, same13, same23 = np.int64(h1 == h2), np.int64(h1 == h3), np.int64(h2 == h3)
    return (
        (h0 != NO_POINT) & (liberties[h0] == 1 + same01 + same02 + same03),
        (h1 != NO_POINT) & (liberties[h1] == 1 + same01 + same12 + same13),
        (h2 != NO_POINT) & (liberties[h2] == 1 + same02 + same12 + same23),
        (h3 != NO_POINT) & (liberties[h3] == 1 + same03 + same13 + same23),
    )


@kernel
def atari_around(s, at):
    """Whether a stone here would take the last liberty of a chain around it."""
    a0, a1, a2, a3 = in_atari_here(s, at)
    return a0 | a1 | a2 | a3


@kernel
def legal_shut(s, at, color):
    """Whether a move on a point that is not open is legal: neither ko nor suicide."""
    colors = s.color
    a0, a1, a2, a3 = in_atari_here(s, at)
    # An own chain that has another liberty, or a chain of the opponent that has none.
    return (
        ((colors[at + NEAR[0]] == color) != a0)
        | ((colors[at + NEAR[1]] == color) != a1)
        | ((colors[at + NEAR[2]] == color) != a2)
        | ((colors[at + NEAR[3]] == color) != a3)
    ) & (at != s.ko)


@kernel
def owner_around(s, at):
    """BLACK or WHITE if all neighbours on the board are that player's stones, else EMPTY."""
    colors = s.color
    return np.int64(
        colors[at + NEAR[0]] & colors[at + NEAR[1]] & colors[at + NEAR[2]] & colors[at + NEAR[3]]
    )


@kernel
def find_empty(s, at):
    """Where an empty point is in the list of empty points."""
    i = np.uint64(0)
    while s.empties[i] != at:
        i += np.uint64(1)
    return i


@kernel
def area_lead(s):
    """Black's area minus White's: stones, and empty regions that touch one colour only."""
    touch = s.scratch
    for i in range(s.count):
        at = np.uint64(s.empties[i])
        touch[at] = 0
        for step in NEAR:
            if s.color[at + step] != BORDER:
                touch[at] |= s.color[at + step]
    news = True
    while news:
        news = False
        for i in range(s.count):
            at = np.uint64(s.empties[i])
            seen = np.int64(touch[at])
            for step in NEAR:
                if s.color[at + step] == EMPTY:
                    seen |= np.int64(touch[at + step])
            if seen != touch[at]:
                touch[at] = seen
                news = True
    lead = np.int64(s.lead)
    for i in range(s.count):
        seen = touch[np.uint64(s.empties[i])]
        lead += np.int64(seen == BLACK) - np.int64(seen == WHITE)
    return lead


@kernel
def result_of(lead, komi):
    """Black's result from Black's lead before komi."""
    return 1.0 if lead > komi else (0.5 if lead == komi else 0.0)
