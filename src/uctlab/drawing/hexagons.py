"""Boards with hexagonal cells: the rhombus of Hex, the hexagon of Havannah, and others.

A row is half a cell to the right for each space of its indentation in the diagram. A cell thus
touches its neighbours in the row and two cells each in the rows above and below.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence

from uctlab.drawing.colours import SLATE, WHITE, stone_colour
from uctlab.drawing.scene import Geometry, Point, is_shipped
from uctlab.drawing.svg import element, text
from uctlab.games.api import Game
from uctlab.games.diagram import Diagram

WIDTH = 44.0  # between the centres of two neighbours
SIDE = WIDTH / math.sqrt(3)  # of a hexagon, and its outer radius
MARGIN = 38.0
EDGE = 7.0  # thickness of a player's edge in Hex
LABEL = 13.0  # font size
# Corners clockwise from the top; the side i goes from corner i to corner i + 1.
CORNERS = tuple(
    (SIDE * math.sin(math.radians(60 * i)), -SIDE * math.cos(math.radians(60 * i)))
    for i in range(6)
)


def hexagon_board(game: Game, diagram: Diagram) -> Geometry:
    """The board of a game whose diagram has indented rows."""
    centres = _centres(diagram)
    borders = _borders(game, diagram, centres) if is_shipped(game, "hex") else []
    corners = _corners(centres) if is_shipped(game, "havannah") else set()
    cells = [
        element(
            "polygon",
            points=_points(at),
            fill="#b3bfcb" if cell in corners else SLATE.cell,
            stroke=SLATE.line,
            stroke_width=1.2,
        )
        for cell, at in centres.items()
    ]
    named = is_shipped(game, "havannah")
    labels = _slanted_labels(game, diagram, centres) if named else _labels(diagram, centres)
    return Geometry(
        width=max(x for x, _ in centres.values()) + WIDTH / 2 + MARGIN - 8,
        height=max(y for _, y in centres.values()) + SIDE + MARGIN - 12,
        colours=SLATE,
        centres=centres,
        ground=(*borders, *cells, *labels),
        shade=lambda at: ("polygon", {"points": _points(at)}),
        radius=0.4 * WIDTH,
        text=0.33 * WIDTH,
    )


def _centres(diagram: Diagram) -> dict[int, Point]:
    indents = diagram.indents
    left = min(indents)
    return {
        cell: (
            MARGIN + (column + (indent - left) / 2 + 0.5) * WIDTH,
            MARGIN + SIDE + row * SIDE * 1.5,
        )
        for row, (cells, indent) in enumerate(zip(diagram.rows, indents, strict=True))
        for column, cell in enumerate(cells)
    }


def _points(at: Point) -> str:
    return " ".join(f"{at[0] + x:.2f},{at[1] + y:.2f}" for x, y in CORNERS)


def _corners(centres: Mapping[int, Point]) -> set[int]:
    """Cells with three neighbours, between which a bridge wins in Havannah."""
    places = list(centres.values())
    return {
        cell
        for cell, at in centres.items()
        if sum(0 < math.dist(at, other) < 1.1 * WIDTH for other in places) == 3
    }


def _borders(game: Game, diagram: Diagram, centres: Mapping[int, Point]) -> list[str]:
    """Hex: the first player's edges are above and below, the second's on the left and right.

    They lie below the cells, so that half of their thickness shows. Two edges that meet at an
    obtuse corner share a side: the second player's begins halfway.
    """
    rows = diagram.rows
    edges = [
        (0, rows[0], (5, 0)),
        (0, rows[-1][::-1], (2, 3)),
        (1, [row[-1] for row in rows], (0, 1)),
        (1, [row[0] for row in rows[::-1]], (3, 4)),
    ]
    drawn = []
    for rim in (True, False):
        for player, cells, sides in edges:
            path = _along([centres[cell] for cell in cells], sides, from_middle=player == 1)
            colour = stone_colour(game, player)
            drawn.append(
                element(
                    "polyline",
                    points=" ".join(f"{x:.2f},{y:.2f}" for x, y in path),
                    fill="none",
                    stroke=WHITE.line if rim else colour.fill,
                    stroke_width=2 * EDGE + (2 if rim else 0),
                    stroke_linejoin="round",
                )
            )
    return drawn


def _along(cells: Sequence[Point], sides: Iterable[int], *, from_middle: bool) -> list[Point]:
    """The sides of cells along one border, in walking order."""
    ends = [(side + step) % 6 for side in sides for step in (0, 1)]
    path = [(x + CORNERS[end][0], y + CORNERS[end][1]) for x, y in cells for end in ends]
    if from_middle:
        path[0] = ((path[0][0] + path[1][0]) / 2, (path[0][1] + path[1][1]) / 2)
    return path


def _labels(diagram: Diagram, centres: Mapping[int, Point]) -> list[str]:
    """Letters above the first row and labels to the left of all."""
    drawn = []
    for letter, cell in zip(diagram.columns, diagram.rows[0], strict=False):
        x, y = centres[cell]
        drawn.append(_label(letter, x - WIDTH / 4, y - SIDE - 15))
    for label, cells in zip(diagram.labels, diagram.rows, strict=True):
        x, y = centres[cells[0]]
        drawn.append(_label(label, x - WIDTH / 2 - 19, y + 2))
    return drawn


def _slanted_labels(game: Game, diagram: Diagram, centres: Mapping[int, Point]) -> list[str]:
    """Havannah: numbers to the left of rows, letters below the slanted lines."""
    drawn = []
    ends: dict[str, int] = {}
    for cells in diagram.rows:
        for cell in cells:
            found = re.fullmatch(r"([a-z]+)(\d+)", game.move_name(cell))
            if found is None:
                continue
            letter, number = found.groups()
            ends[letter] = cell  # the last row that has it
            if cell == cells[0]:
                x, y = centres[cell]
                drawn.append(_label(number, x - WIDTH / 2 - 13, y))
    for letter, cell in ends.items():
        x, y = centres[cell]
        drawn.append(_label(letter, x + 0.42 * WIDTH, y + SIDE * 1.22))
    return drawn


def _label(words: str, x: float, y: float) -> str:
    return text(words, x, y, font_size=LABEL, fill=SLATE.label)
