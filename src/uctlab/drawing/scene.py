"""What is on a board and where, in units of the picture: all that a kind of board has to tell."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from uctlab.drawing.colours import Colours
from uctlab.games.api import Game
from uctlab.games.families import FAMILIES
from uctlab.games.position import Position

Point = tuple[float, float]


@dataclass(frozen=True)
class Geometry:
    """An empty board."""

    width: float
    height: float
    colours: Colours
    centres: Mapping[int, Point]
    """The middle of each cell, by its code."""
    ground: tuple[str, ...]
    """Elements: cells or lines, and coordinates."""
    shade: Callable[[Point], tuple[str, Mapping[str, str | float]]]
    """The element, and its attributes, that covers the cell around a point."""
    radius: float
    """Of a stone."""
    text: float
    """Font size of a short text in a cell."""
    patch: float = 0.0
    """Radius of the ground that words need where lines cross below them."""


@dataclass(frozen=True)
class Scene:
    """A board with a position on it."""

    width: float
    height: float
    colours: Colours
    ground: tuple[str, ...]
    shade: Callable[[Point], tuple[str, Mapping[str, str | float]]]
    radius: float
    text: float
    spots: Mapping[str, Point] = field(default_factory=dict)
    """Where a move is drawn, by its name; a move without a place is told below the board."""
    stones: Mapping[Point, int] = field(default_factory=dict)
    """The owner of each stone, 0 or 1."""
    last: Point | None = None
    """The stone, or the node, that the last move made."""
    won: tuple[Point, ...] = ()
    """The shape that won."""
    over: tuple[str, ...] = ()
    """Elements that lie upon the heat: the nodes of a tree."""
    aside: Point = (0.0, 0.0)
    """From the place of a move to its number."""
    patch: float = 0.0
    """Radius of the ground that words need where lines cross below them."""


def is_shipped(game: Game, family: str) -> bool:
    """Whether it is uctlab's game of that family, and not a user's with the same name."""
    home = FAMILIES[family].module
    made = game.factory is None or game.factory.__module__.startswith(home)
    return game.family == family and made


def set_up(position: Position, board: Geometry) -> Scene:
    """Put the stones of a position on its board."""
    centres, owners = board.centres, position.stones
    return Scene(
        *(board.width, board.height, board.colours, board.ground),
        *(board.shade, board.radius, board.text),
        spots={name: centres[cell] for name, cell in _cells_of_moves(position, centres).items()},
        stones={centres[cell]: int(owners[cell]) - 1 for cell in centres if owners[cell]},
        last=_place_of_last(position, centres),
        won=tuple(centres[cell] for cell in _winning_cells(position) if cell in centres),
        patch=board.patch,
    )


def _cells_of_moves(position: Position, cells: Mapping[int, Point]) -> dict[str, int]:
    """The cell of each move: its own in a game of uctlab, else the one on which it puts a stone."""
    game = position.game
    if any(is_shipped(game, family) for family in FAMILIES):
        return {name: code for code, name in enumerate(game.move_names) if code in cells}
    found: dict[str, int] = {}
    for move in position.legal:
        cell = _filled(position.stones, position.play(move).stones)
        if cell is not None and cell not in found.values():
            found[game.move_name(move)] = cell
    return found


def _place_of_last(position: Position, centres: Mapping[int, Point]) -> Point | None:
    if position.before is None:
        return None
    cell = _filled(position.before.stones, position.stones)
    return None if cell is None else centres.get(cell)


def _filled(before: np.ndarray, after: np.ndarray) -> int | None:
    """The one cell that was empty and has a stone; None if there are none or several."""
    cells = np.flatnonzero((before == 0) & (after != 0))
    return int(cells[0]) if len(cells) == 1 else None


def _winning_cells(position: Position) -> list[int]:
    shape = position.game.winning_shape
    if shape is None or not position.is_over or position.result == 0.5:
        return []
    return shape(position)
