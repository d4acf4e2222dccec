"""Games: the contract, the games of the papers, and any other from a file of its own."""

from uctlab.games.api import Game
from uctlab.games.check import CheckReport, ConformanceError, check
from uctlab.games.diagram import Diagram
from uctlab.games.position import Position
from uctlab.games.registry import FAMILIES, make_game

__all__ = [
    "FAMILIES",
    "CheckReport",
    "ConformanceError",
    "Diagram",
    "Game",
    "Position",
    "check",
    "make_game",
]
