"""Where a check of a game is, what it is doing there, and how it says what is wrong."""

from __future__ import annotations

from functools import cache
from numbers import Real
from typing import Any

import numpy as np

from uctlab.errors import first_lines
from uctlab.games.api import MOVE, Game
from uctlab.games.guard import Guarded
from uctlab.sandbox import Note

SHOWN = 8  # moves of a line, in messages


class ConformanceError(AssertionError):
    """The game breaks the contract; the message says where and how."""


class Scene:
    """One game, compiled or as plain Python, and the moves made so far."""

    def __init__(self, game: Game, note: Note) -> None:
        self.game = game
        self.note = note
        self.line: list[int] = []
        """The moves from the start to the position that is being looked at."""
        self.out = Guarded(game.max_moves, MOVE, content=0xFF)
        self.trace = Guarded(game.max_length, MOVE, content=0xFF)
        self._copy = Guarded(1, game.state)
        self.playout = cache(game.playout)
        """As the game's own, which binds it anew at every call."""

    @property
    def mode(self) -> str:
        return "interpreted" if self.game.interpret else "compiled"

    @property
    def where(self) -> str:
        """The position, for messages: "after a b c"."""
        if not self.line:
            return "at the start"
        names = [self.name_of(move) for move in self.line[-SHOWN:]]
        left_out = len(self.line) - len(names)
        return f"after {f'{left_out} moves and ' if left_out else ''}{' '.join(names)}"

    def doing(self, what: str) -> None:
        """Note what follows, which may crash or never end."""
        self.note.write(f"running {what}, {self.mode}, {self.where}")

    def call(self, what: str, kernel: Any, *args: Any, limited: bool = False) -> Any:
        """Call a kernel; an exception is the game's fault. Where arrays are `limited` by the
        contract, an IndexError is left to the caller."""
        self.doing(what)
        try:
            return kernel(*args)
        except IndexError as error:
            if limited:
                raise
            raise self.broken(f"{what}: an array is too short: {first_lines(error)}") from error
        except Exception as error:  # a field that is misspelt, code that cannot be compiled
            raise self.broken(f"{what}: {first_lines(error)}") from error

    def count_moves(self, state: Any, kernel: Any = None) -> int:
        """Put the legal moves into `out` and count them; there may be too many."""
        moves = kernel or self.game.kernels.moves
        try:
            found = self.call("moves", moves, state, self.out.array, limited=True)
        except IndexError:  # once more with more room: by how much is the limit exceeded?
            found = self.call("moves", moves, state, self.out.wide)
        count = int(self.number("moves", found))
        limit = self.game.max_moves
        most = max(count, limit + self.out.overrun())
        self.require(
            most <= limit,
            f"moves lists {most} moves and max_moves is {limit}: max_moves is exceeded by "
            f"{most - limit}",
        )
        self.require(count >= 0, f"moves returns {count}")
        return count

    def number(self, what: str, value: Any) -> float:
        """What a kernel has returned, if it is a number."""
        kind = type(value).__name__
        self.require(isinstance(value, Real | np.generic), f"{what} returns a {kind}, not a number")
        return float(value)

    def copy(self, state: Any) -> Any:
        """The position in memory of its own, until the next copy is made."""
        self._copy.array[0] = state
        return self._copy.array[0]

    def check_copy(self, what: str) -> None:
        self.require(not self._copy.damaged(), f"{what} writes outside of its record")

    def require(self, kept: bool, message: str) -> None:
        if not kept:
            raise self.broken(message)

    def broken(self, message: str) -> ConformanceError:
        return ConformanceError(f"{self.game.name}: {message} ({self.mode}, {self.where})")

    def name_of(self, move: int) -> str:
        names = self.game.move_names
        return (0 <= move < len(names) and names[move]) or f"move {move}"
