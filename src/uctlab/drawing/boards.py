"""Draws a position as SVG: for notebooks, for reports and for the lab's thumbnails.

A picture is one self-contained element: no scripts, no style sheets, no fonts from elsewhere. It
has a ground of its own, so that it looks right on a light and on a dark page.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from uctlab.drawing.captions import LINE, Aside, caption, status
from uctlab.drawing.colours import AMBER, stone_colour
from uctlab.drawing.hexagons import hexagon_board
from uctlab.drawing.scene import Point, Scene, is_shipped, set_up
from uctlab.drawing.squares import lined_board, square_board
from uctlab.drawing.svg import element, plain, text
from uctlab.drawing.trees import tree_scene
from uctlab.drawing.writing import text_scene
from uctlab.errors import UsageError
from uctlab.games.position import Position

FAINT, STRONG = 0.05, 0.85  # opacity of no heat and of the greatest
BRIGHT = 0.8  # level from which the text on the heat changes its colour, for contrast
FOOT = 6.0  # below the last line
PIXELS = 0.9  # per unit, if no size is asked for
SMALL, LARGE = 240.0, 560.0  # pixels; then sizes are between these


class Picture(str):
    """The text of an `svg` element, which notebooks show as the picture that it is."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def board_svg(
    position: Position,
    *,
    heat: Mapping[str, float] | None = None,
    numbers: Mapping[str, object] | None = None,
    marks: Mapping[str, str] | None = None,
    last_move: bool = True,
    size: float | None = None,
) -> Picture:
    """Draw a position as a picture in SVG.

    Args:
        position: What to draw; its game decides on the kind of board.
        heat: A number from 0 to 1 for each move by its name, such as the share of visits. The
            greatest gets the strongest colour.
        numbers: What to write on the heat, by the move's name.
        marks: Short texts by the move's name, such as the letters of a paper.
        last_move: Whether to mark the last move.
        size: Pixels of the longer side; if not given, it depends on the board.

    Returns:
        The text of an `svg` element, which a notebook shows as a picture. Moves that have no place
        on the board, such as a pass, are listed below it.

    Examples:
        >>> from uctlab.drawing import board_svg
        >>> from uctlab.games import Position, make_game
        >>> position = Position.start(make_game("hex:3").interpreted()).play("b2")
        >>> board_svg(position, heat={"a1": 0.3, "c1": 0.7}).startswith("<svg")
        True
    """
    levels = _levels(position, heat or {})
    written = {_named(position, name): _short(value) for name, value in (numbers or {}).items()}
    marked = {_named(position, name): mark for name, mark in (marks or {}).items()}
    scene = _scene(position)
    asides = {
        name: Aside(
            " ".join(filter(None, (name, written.get(name), marked.get(name)))),
            _opacity(levels.get(name, 0.0)),
            levels.get(name, 0.0) > BRIGHT,
        )
        for name in sorted({**levels, **written, **marked}, key=lambda name: -levels.get(name, 0))
        if name not in scene.spots
    }
    free = {name: at for name, at in scene.spots.items() if at not in scene.stones}
    said = sorted({*written, *marked}) if scene.patch else []
    rows = caption(position, asides, scene.width, scene.colours)
    height = scene.height + LINE * len(rows) + FOOT
    about = _about(position)
    scale = _scale(max(scene.width, height), size)
    drawn = element(
        "svg",
        element("title", plain(about)),
        _panel(scene, height),
        _layer("ground", scene.ground),
        _layer("patches", (_patch(scene, free[name]) for name in said if name in free)),
        _layer("heat", (_heat(scene, free[name], levels[name]) for name in levels if name in free)),
        _layer("over", scene.over),
        _layer("stones", (_stone(position, scene, at) for at in scene.stones)),
        _layer("won", (_ring(scene, at) for at in scene.won)),
        _layer("last", [_last(position, scene)] if last_move else []),
        _layer(
            "words",
            (
                _words(position, scene, at, levels.get(name, 0.0), number, mark)
                for name, at in scene.spots.items()
                if (number := written.get(name, "")) + (mark := marked.get(name, ""))
            ),
        ),
        *(
            element("g", row, transform=f"translate(0 {scene.height + LINE * (i + 0.3):.2f})")
            for i, row in enumerate(rows)
        ),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {scene.width:.2f} {height:.2f}",
        width=scene.width * scale,
        height=height * scale,
        role="img",
        aria_label=about,
    )
    return Picture(drawn)


def _scene(position: Position) -> Scene:
    game = position.game
    if is_shipped(game, "deceptive"):
        return tree_scene(position)
    if game.diagram is None:
        return text_scene(position)
    if game.diagram.indents:
        return set_up(position, hexagon_board(game, game.diagram))
    if is_shipped(game, "go"):
        return set_up(position, lined_board(game.diagram))
    return set_up(position, square_board(game, game.diagram))


def _scale(units: float, size: float | None) -> float:
    """Pixels per unit of a picture whose longer side has that many units."""
    if size is None:
        size = min(max(PIXELS * units, SMALL), LARGE)
    if not (math.isfinite(size) and size > 0):
        raise UsageError(f"size {size} is out of range; accepted: more than 0 pixels")
    return size / units


def _about(position: Position) -> str:
    """The picture in words, for those who cannot see it."""
    count = len(position.moves)
    moves = f" after {count} move{'' if count == 1 else 's'}" if count else ""
    return f"{position.game.name}{moves}: {status(position)}"


def _named(position: Position, name: str) -> str:
    """The name of a move as the game writes it."""
    return position.game.move_name(position.game.parse_move(name))


def _levels(position: Position, heat: Mapping[str, float]) -> dict[str, float]:
    """Heat in parts of the greatest, by the names of moves."""
    for name, value in heat.items():
        if not 0 <= value <= 1:
            raise UsageError(f"heat {value} of {name} is out of range; accepted: 0 to 1")
    most = max(heat.values(), default=0.0) or 1.0
    return {_named(position, name): value / most for name, value in heat.items()}


def _opacity(level: float) -> float:
    return FAINT + (STRONG - FAINT) * level


def _short(value: object) -> str:
    return f"{value:.2g}" if isinstance(value, float) else str(value)


def _layer(name: str, parts: Iterable[str]) -> str:
    inside = "".join(parts)
    return element("g", inside, class_=name) if inside else ""


def _panel(scene: Scene, height: float) -> str:
    return element(
        "rect",
        **{"x": 0.75, "y": 0.75, "width": scene.width - 1.5, "height": height - 1.5, "rx": 8.0},
        fill=scene.colours.panel,
        stroke=scene.colours.panel_line,
        stroke_width=1.5,
    )


def _heat(scene: Scene, at: Point, level: float) -> str:
    name, attributes = scene.shade(at)
    return element(name, **attributes, fill=scene.colours.heat, fill_opacity=_opacity(level))


def _patch(scene: Scene, at: Point) -> str:
    return _circle(at, scene.patch, fill=scene.colours.cell)


def _stone(position: Position, scene: Scene, at: Point) -> str:
    colour = stone_colour(position.game, scene.stones[at])
    return _circle(at, scene.radius, fill=colour.fill, stroke=colour.line, stroke_width=1.2)


def _ring(scene: Scene, at: Point) -> str:
    return _circle(at, 0.62 * scene.radius, fill="none", stroke=AMBER, stroke_width=4)


def _last(position: Position, scene: Scene) -> str:
    if scene.last is None:
        return ""
    owner = scene.stones.get(scene.last, 0)
    return _circle(scene.last, 4.5, fill=stone_colour(position.game, owner).ink)


def _circle(at: Point, radius: float, **look: str | float) -> str:
    return element("circle", cx=at[0], cy=at[1], r=radius, **look)


def _words(
    position: Position, scene: Scene, at: Point, level: float, number: str, mark: str
) -> str:
    """Number and mark of a move; where there are both, the mark is above."""
    x, y = at[0] + scene.aside[0], at[1] + scene.aside[1]
    covered = scene.aside == (0.0, 0.0)
    if covered and at in scene.stones:
        ink = stone_colour(position.game, scene.stones[at]).ink
    else:
        ink = scene.colours.ink_on_heat if covered and level > BRIGHT else scene.colours.ink
    if number and mark:
        size = 0.85 * scene.text
        return _fitted(mark, x, y - 0.6 * size, size, ink) + _fitted(
            number, x, y + 0.6 * size, size, ink
        )
    return _fitted(number or mark, x, y, scene.text, ink)


def _fitted(words: str, x: float, y: float, size: float, ink: str) -> str:
    """Text that is smaller if it is long."""
    fitting = size * min(1.0, 3.2 / len(words))
    return text(words, x, y, font_size=fitting, font_weight="600", fill=ink)
