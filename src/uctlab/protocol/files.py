"""Reads a position by its name or from a file: SGF by its ending, otherwise a text diagram."""

from __future__ import annotations

import sys
from pathlib import Path

from uctlab.errors import UsageError
from uctlab.games import Game, Position
from uctlab.games.named import NAMED, named_position
from uctlab.games.sgf import read_sgf


def read_position(game: Game, name: str) -> Position:
    """`name` is a named position, a path, or - for a diagram from standard input."""
    if name in NAMED:
        return named_position(game, name)
    if name == "-":
        return Position.from_diagram(game, sys.stdin.read())
    try:
        data = Path(name).read_bytes()
    except OSError as error:
        known = ", ".join(NAMED)
        raise UsageError(
            f"cannot read the position {name}: {error.strerror}; named positions: {known}"
        ) from None
    if name.lower().endswith(".sgf"):
        return read_sgf(game, data)
    try:
        return Position.from_diagram(game, data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise UsageError(f"{name} is not a text diagram; SGF files end in .sgf") from None
