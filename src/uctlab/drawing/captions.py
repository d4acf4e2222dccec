"""What is written below a board: who is to play, and the moves that have no place on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from uctlab.drawing.colours import Colours, stone_colour
from uctlab.drawing.svg import element, text
from uctlab.games.position import Position

LINE = 24.0  # height of a line
LEFT = 22.0
LETTER = 8.0  # width
MOST = 12  # moves that are listed


@dataclass(frozen=True)
class Aside:
    """A move without a place on the board, such as a pass."""

    words: str
    opacity: float
    """Of its heat."""
    strong: bool


def status(position: Position) -> str:
    """Whose move it is, or how the game has ended."""
    players, result = position.game.players, position.result
    if result is None:
        return f"{players[position.turn]} to play"
    return "a draw" if result == 0.5 else f"{players[0 if result == 1.0 else 1]} has won"


def caption(
    position: Position, asides: Mapping[str, Aside], width: float, colours: Colours
) -> list[str]:
    """Groups of elements, one below the other, `LINE` apart; each is drawn around y = 0."""
    rows, row, x = [_status_line(position, colours)], "", LEFT
    for aside in list(asides.values())[:MOST]:
        wide = LETTER * len(aside.words) + 14
        if row and x + wide > width - 14:
            rows.append(row)
            row, x = "", LEFT
        box: dict[str, float] = {"x": x, "y": -10.0, "width": wide, "height": 20.0, "rx": 5.0}
        row += element("rect", **box, fill=colours.heat, fill_opacity=aside.opacity)
        ink = colours.ink_on_heat if aside.strong else colours.label
        row += text(aside.words, x + wide / 2, 0, font_size=13, fill=ink)
        x += wide + 8
    if row:
        rows.append(row)
    return rows


def _status_line(position: Position, colours: Colours) -> str:
    look: dict[str, str | float] = {
        "font_size": 14,
        "fill": colours.label,
        "text_anchor": "start",
    }
    if position.is_over:
        return text(status(position), LEFT, 0, **look)
    colour = stone_colour(position.game, position.turn)
    disc = element(
        "circle",
        **{"cx": LEFT + 7, "cy": 0.0, "r": 7.0},
        fill=colour.fill,
        stroke=colour.line,
        stroke_width=1.2,
    )
    return disc + text(status(position), LEFT + 21, 0, **look)
