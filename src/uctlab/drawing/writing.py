"""A position as text on a panel, for games without a diagram."""

from __future__ import annotations

import textwrap

from uctlab.drawing.colours import SLATE
from uctlab.drawing.scene import Scene
from uctlab.drawing.svg import MONOSPACE, NO_BREAK, element, plain
from uctlab.games.position import Position

COLUMNS = 40  # characters
FONT_SIZE = 15.0
LINE = 21.0
MARGIN = 20.0


def text_scene(position: Position) -> Scene:
    """The lines of `str(position)`; long ones are broken."""
    lines = [
        part
        for line in str(position).splitlines()
        for part in textwrap.wrap(line, COLUMNS, drop_whitespace=False) or [""]
    ]
    drawn = [
        element(
            "text",
            plain(line.replace(" ", NO_BREAK)),
            x=MARGIN,
            y=MARGIN + FONT_SIZE + number * LINE,
            font_family=MONOSPACE,
            font_size=FONT_SIZE,
            fill=SLATE.ink,
        )
        for number, line in enumerate(lines)
    ]
    widest = max(map(len, lines))
    return Scene(
        width=2 * MARGIN + max(220.0, 0.62 * FONT_SIZE * widest),
        height=2 * MARGIN + LINE * len(lines),
        colours=SLATE,
        ground=tuple(drawn),
        shade=lambda point: ("circle", {"cx": point[0], "cy": point[1], "r": FONT_SIZE}),
        radius=FONT_SIZE,
        text=FONT_SIZE,
    )
