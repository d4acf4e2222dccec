"""Reads a position by its name or from a file: SGF by its ending, otherwise a text diagram."""

from __future__ import annotations

import os

from uctlab.errors import UsageError
from uctlab.games import Game, Position
from uctlab.games.named import NAMED, named_position
from uctlab.games.sgf import read_sgf
from uctlab.user_files import POSITION, decoded, read_file, read_standard_input


def read_position(game: Game, name: str) -> Position:
    """`name` is a named position, a path, or - for a diagram from standard input."""
    if name in NAMED:
        return named_position(game, name)
    if name == "-":
        return Position.from_diagram(game, read_standard_input(POSITION))
    try:
        data = read_file(name, POSITION, "the position")
    except UsageError as mistake:
        if os.path.exists(name):
            raise
        raise UsageError(f"{mistake}; named positions: {', '.join(NAMED)}") from None
    if name.lower().endswith(".sgf"):
        return read_sgf(game, data)
    try:
        text = decoded(data, name)
    except UsageError as mistake:
        raise UsageError(f"{mistake}; SGF files end in .sgf") from None
    return Position.from_diagram(game, text)
