"""A position from a file: SGF by its ending, else a text diagram."""

from __future__ import annotations

import sys
from pathlib import Path

from uctlab.errors import UsageError
from uctlab.games import Game, Position
from uctlab.protocol.sgf import read_sgf


def read_position(game: Game, name: str) -> Position:
    """`name` is a path, or - for a diagram from standard input."""
    if name == "-":
        return Position.from_diagram(game, sys.stdin.read())
    try:
        data = Path(name).read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read the position {name}: {error.strerror}") from None
    if name.lower().endswith(".sgf"):
        return read_sgf(game, data)
    try:
        return Position.from_diagram(game, data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise UsageError(f"{name} is not a text diagram; SGF files end in .sgf") from None
