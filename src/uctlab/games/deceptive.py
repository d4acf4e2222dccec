"""A deceptive tree as a game: the move that looks better loses (hashimoto2012, Fig. 1).

    A --+-- B --+-- D, E   won for the first player
        |       +-- F      lost
        +-- C ----- G --+-- H   won
                        +-- I   lost

The first player moves at A and at G, the second at B and at C. B loses to F and C wins with H, but
to random playouts B is worth WINS / (WINS + 1) and C only 1/2. The more winning leaves there are
below B, the longer it deceives a search.

With a DEPTH of more than 1 the truth lies deeper: F is not a leaf but leads to a tree like B's, H
to one like G's, and so on, so that the second player must find F, and the first player H, DEPTH
times in a row. The deeper it is, the longer a search is deceived.

A move is named after the node that it leads to. With WINS other than 2 the winning leaves below B
are D1, D2, ... instead of D and E.
"""

from __future__ import annotations

import numpy as np

from uctlab.errors import UsageError
from uctlab.games.api import Game
from uctlab.kernels import hole, kernel

STATE = np.dtype([("node", "i1"), ("level", "i1"), ("turn", "i1")], align=True)

# A node is the code of the move that leads to it; the codes from D to F - 1 are B's winning leaves.
A, B, C, D = -1, 0, 1, 2
F: int = hole("game.F")
G: int = hole("game.G")
H: int = hole("game.H")  # I is H + 1
DEPTH: int = hole("game.DEPTH")


@kernel
def start(s):
    s.node = A
    s.level = DEPTH
    s.turn = 0


@kernel
def moves(s, out):
    first, count = 0, 0
    if s.node == A:
        first, count = B, 2
    elif s.node == B:
        first, count = D, F - D + 1
    elif s.node == C or (s.node == H and s.level > 1):
        first, count = G, 1
    elif s.node == F and s.level > 1:
        first, count = B, 1
    elif s.node == G:
        first, count = H, 2
    for i in range(count):
        out[i] = first + i
    return count


@kernel
def play(s, move):
    if s.node in (F, H):
        s.level -= 1
    s.node = move
    s.turn ^= 1


@kernel
def result(s):
    return 1.0 if D <= s.node < F or s.node == H else 0.0


def make(wins: int = 2, depth: int = 1) -> Game:
    """A tiny tree in which one move looks better, by that many winning leaves, and loses."""
    for name, value in (("wins", wins), ("depth", depth)):
        if not 1 <= value <= 60:
            raise UsageError(f"deceptive: {name} {value} is out of range; accepted: 1 to 60")
    leaves = ("D", "E") if wins == 2 else tuple(f"D{i}" for i in range(1, wins + 1))
    names = ("B", "C", *leaves, "F", "G", "H", "I")
    return Game(
        name=f"deceptive:{wins}" + (f",depth={depth}" if depth > 1 else ""),
        state=STATE,
        start=start,
        moves=moves,
        play=play,
        result=result,
        constants={"DEPTH": depth, **{name: names.index(name) for name in "FGH"}},
        max_moves=wins + 1,
        max_length=2 * depth + 1,
        move_names=names,
    )
