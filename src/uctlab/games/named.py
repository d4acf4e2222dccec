"""Positions that have a name, and the letters of their cells in the papers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from uctlab.errors import UsageError
from uctlab.games.api import Game
from uctlab.games.position import Position


@dataclass(frozen=True)
class NamedPosition:
    """A set-up that ships with the package."""

    game: str
    diagram: str
    letters: Mapping[str, str]
    """The paper's letter of each empty cell."""


# A reconstruction: the paper's figure is not in its text. Black is X and to play.
BROWNE2013 = NamedPosition(
    game="hex:5",
    diagram="""
X O O . .
 . O . . .
  . X O . .
   . X . . .
    . . . . .
X to play
""",
    letters={
        **{"d1": "a", "e1": "b"},
        **{"a2": "c", "c2": "d", "d2": "e", "e2": "f"},
        **{"a3": "g", "d3": "h", "e3": "i"},
        **{"a4": "j", "c4": "k", "d4": "l", "e4": "m"},
        **{"a5": "n", "b5": "o", "c5": "p", "d5": "q", "e5": "r"},
    },
)

NAMED: dict[str, NamedPosition] = {"browne2013": BROWNE2013}


def named_position(game: Game, name: str) -> Position:
    """The position of that name, in the game that it belongs to."""
    named = NAMED[name]
    if game.name != named.game:
        raise UsageError(f"{name} is a position of {named.game}, not of {game.name}")
    return Position.from_diagram(game, named.diagram)


def letters_of(position: Position) -> Mapping[str, str]:
    """A letter for each cell if the game started from a named position, however that was given."""
    game, first = position.game, position.first
    for named in NAMED.values():
        if game.name == named.game and game.diagram is not None:
            stones, turn = game.diagram.read(named.diagram)
            if first.turn == turn and np.array_equal(first.stones, stones):
                return named.letters
    return {}
