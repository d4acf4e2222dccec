"""Boards with rows and columns: discs on squares, as in Othello, or stones on lines, as in Go."""

from __future__ import annotations

from uctlab.drawing.colours import FELT, SLATE, WOOD, Colours
from uctlab.drawing.scene import Geometry, Point, is_shipped
from uctlab.drawing.svg import element, text
from uctlab.games.api import Game
from uctlab.games.diagram import Diagram

UNIT = 40.0  # side of a cell
MARGIN = 28.0  # for coordinates above and, at least, on the left
LETTER = 8.0  # width
RIM = 14.0  # on the other sides
LABEL = 13.0  # font size


def square_board(game: Game, diagram: Diagram) -> Geometry:
    """Cells as squares: Othello on felt, a game of one's own on a plain grid."""
    colours = FELT if is_shipped(game, "othello") else SLATE
    centres = _centres(diagram)
    squares = [
        element("rect", **_square(at), fill=colours.cell, stroke=colours.line, stroke_width=1.2)
        for at in centres.values()
    ]
    return _board(diagram, colours, centres, squares, radius=0.41 * UNIT, lined=False)


def lined_board(diagram: Diagram) -> Geometry:
    """Intersections of lines with star points, as in Go."""
    centres = _centres(diagram)
    (left, top), (right, bottom) = min(centres.values()), max(centres.values())
    lines = []
    for x in sorted({x for x, _ in centres.values()}):
        width = 1.8 if x in (left, right) else 1.0
        lines.append(_line((x, top), (x, bottom), width))
    for y in sorted({y for _, y in centres.values()}):
        width = 1.8 if y in (top, bottom) else 1.0
        lines.append(_line((left, y), (right, y), width))
    stars = [
        element("circle", cx=x, cy=y, r=3.2, fill=WOOD.line)
        for x, y in (
            centres[diagram.rows[row][column]] for row, column in star_points(len(diagram.rows))
        )
    ]
    return _board(diagram, WOOD, centres, lines + stars, radius=0.475 * UNIT, lined=True)


def star_points(size: int) -> list[tuple[int, int]]:
    """Rows and columns of the star points, by custom; even and small boards have none."""
    if size < 7 or size % 2 == 0:
        return []
    edge, middle = 3 if size >= 13 else 2, (size - 1) // 2
    corners = [
        (row, column) for row in (edge, size - 1 - edge) for column in (edge, size - 1 - edge)
    ]
    sides = [(edge, middle), (middle, edge), (middle, size - 1 - edge), (size - 1 - edge, middle)]
    return [*corners, (middle, middle), *(sides if size >= 13 else [])]


def _board(
    diagram: Diagram,
    colours: Colours,
    centres: dict[int, Point],
    ground: list[str],
    *,
    radius: float,
    lined: bool,
) -> Geometry:
    columns = max(len(row) for row in diagram.rows)

    def shade(at: Point) -> tuple[str, dict[str, str | float]]:
        if lined:
            return "circle", {"cx": at[0], "cy": at[1], "r": radius}
        return "rect", _square(at)

    return Geometry(
        width=_left(diagram) + columns * UNIT + RIM,
        height=MARGIN + len(diagram.rows) * UNIT + RIM,
        colours=colours,
        centres=centres,
        ground=(*ground, *_labels(diagram, colours)),
        shade=shade,
        radius=radius,
        text=0.36 * UNIT,
        patch=0.3 * UNIT if lined else 0.0,
    )


def _left(diagram: Diagram) -> float:
    """Where the first column begins, behind the labels."""
    return max(MARGIN, 12 + LETTER * max(map(len, diagram.labels)))


def _centres(diagram: Diagram) -> dict[int, Point]:
    left = _left(diagram)
    return {
        cell: (left + (column + 0.5) * UNIT, MARGIN + (row + 0.5) * UNIT)
        for row, cells in enumerate(diagram.rows)
        for column, cell in enumerate(cells)
    }


def _square(at: Point) -> dict[str, str | float]:
    return {"x": at[0] - UNIT / 2, "y": at[1] - UNIT / 2, "width": UNIT, "height": UNIT}


def _line(start: Point, end: Point, width: float) -> str:
    return element(
        "line",
        **{"x1": start[0], "y1": start[1], "x2": end[0], "y2": end[1]},
        stroke=WOOD.line,
        stroke_width=width,
        stroke_linecap="square",
    )


def _labels(diagram: Diagram, colours: Colours) -> list[str]:
    """Letters above the columns and labels to the left of the rows."""
    left = _left(diagram)
    above = [
        (letter, left + (i + 0.5) * UNIT, MARGIN / 2) for i, letter in enumerate(diagram.columns)
    ]
    beside = [
        (label, left / 2, MARGIN + (i + 0.5) * UNIT) for i, label in enumerate(diagram.labels)
    ]
    return [
        text(label, x, y, font_size=LABEL, fill=colours.label) for label, x, y in above + beside
    ]
