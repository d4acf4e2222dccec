"""3x3 patterns for Go: the diagrams, and the table that is made from them.

    X  Black        x  empty or White       .  empty        _  outside the board
    O  White        o  empty or Black       *  a stone      ?  anything on the board
                                                            +  the point to be played

Each pattern applies in all rotations and reflections, and with colours exchanged. The line below a
diagram says who may play there: either player, or only the one who is X. A corner has none.

Together they are a shortest description that we found of where Fuego 1.1 answered that it plays a
pattern move, for all 6,831 neighbourhoods (tests/data/go_patterns.txt.gz).
"""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np

from uctlab.games.go.board import BLACK, BORDER, EMPTY, WHITE

HANE = """
X O o   X O ?   X . ?   X O ?
? + .   * + .   O + ?   ? + .
? . ?   ? . ?   X . ?   ? . ?
either  either  either  X
"""
CUT = """
X O ?   o O ?   X O ?
O + X   o + X   O + *
? ? ?   o O ?   ? * ?
either  either  either
"""
EDGE = """
X O ?   O x ?   O o ?   ? O ?   O X ?
o + ?   X + o   X + O   X + o   ? + ?
_ _ _   _ _ _   _ _ _   _ _ _   _ _ _
either  either  either  either  X
"""

Points = dict[tuple[int, int], tuple[int, ...]]
"""Colours that each of the points around may have."""

COVERS = {
    "X": (BLACK,),
    "O": (WHITE,),
    ".": (EMPTY,),
    "x": (EMPTY, WHITE),
    "o": (EMPTY, BLACK),
    "*": (BLACK, WHITE),
    "?": (EMPTY, BLACK, WHITE),
    "_": (BORDER,),
}
SWAPPED = {EMPTY: EMPTY, BLACK: WHITE, WHITE: BLACK, BORDER: BORDER}
PLAYERS = {"either": BLACK | WHITE, "X": BLACK}

# The points around; each has two bits in the number of a neighbourhood, the lowest bits first.
AROUND = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))  # (x, y)


def read_patterns(text: str) -> list[tuple[Points, int]]:
    """For each of several diagrams side by side: what each point may be, and who may play there."""
    *rows, players = (line.split() for line in text.strip().splitlines())
    patterns = []
    for number, player in enumerate(players):
        symbols = {(x - 1, y - 1): rows[y][3 * number + x] for y, x in product(range(3), range(3))}
        points = {point: COVERS[symbols[point]] for point in AROUND}
        patterns.append((points, PLAYERS[player]))
    return patterns


@cache
def pattern_table() -> np.ndarray:
    """Who may play in each neighbourhood, by its number: bits BLACK and WHITE, four per byte."""
    table = np.zeros(4 ** len(AROUND), np.uint8)
    for points, players in read_patterns(HANE) + read_patterns(CUT) + read_patterns(EDGE):
        for turned in turns_of(points):
            for colors in product(*(turned[point] for point in AROUND)):
                table[number_of(colors)] |= players
                swapped = tuple(SWAPPED[color] for color in colors)
                table[number_of(swapped)] |= SWAPPED.get(players, players)
    a, b, c, d = table.reshape(-1, 4).T
    packed: np.ndarray = a | b << 2 | c << 4 | d << 6
    return packed


def turns_of(points: Points) -> list[Points]:
    """All eight rotations and reflections."""
    turns = []
    for _ in range(4):
        points = {(-y, x): covers for (x, y), covers in points.items()}
        turns += [points, {(-x, y): covers for (x, y), covers in points.items()}]
    return turns


def number_of(colors: tuple[int, ...]) -> int:
    return sum(color << 2 * i for i, color in enumerate(colors))
