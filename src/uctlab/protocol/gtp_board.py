"""The game as a GTP controller tells it: colours, vertices, moves in any order, undo.

The protocol lets either colour move at any time, even after the end. What that means is up to the
game (`GtpHabits.turned`). In other games a pass that is the only legal move may be left out, and
any other move out of turn is an error.
"""

from __future__ import annotations

import re

import numpy as np

from uctlab.errors import UsageError
from uctlab.games import Game, Position
from uctlab.games.api import same_position
from uctlab.protocol.gtp_line import quoted

MAX_NAMED = 20  # moves that a message names one by one


class Names:
    """Colours and vertices of a game, as the protocol writes them."""

    def __init__(self, game: Game, *, gogui: bool = False) -> None:
        self.game = game
        self.gogui = gogui
        """Whether the controller is GoGui, which names cells as in Go, whatever the game."""
        self._colours = tuple(letter.lower() for letter in game.colours)
        cells = [name[0].lower() for name in game.move_names if is_cell(name)]
        self._skips_i = "i" not in cells and max(cells, default="") > "i"
        """Whether columns go from H to J, as in Go."""

    def colour(self, player: int) -> str:
        """b or w."""
        return self._colours[player]

    def player(self, text: str) -> int:
        colour = {"black": "b", "white": "w"}.get(text.lower(), text.lower())
        if colour not in self._colours:
            raise UsageError(f"invalid color '{quoted(text)}'; accepted: b, w, black, white")
        return self._colours.index(colour)

    def vertex(self, move: int | str) -> str:
        name = move if isinstance(move, str) else self.game.move_name(move)
        if not (self._renames and is_cell(name)):
            return name
        return (_shifted(name, 1) if name[0] >= "i" else name).upper()

    def move(self, text: str) -> int:
        name = text.lower()
        if self._renames and name[:1] >= "i" and is_cell(name):
            name = "" if name[0] == "i" else _shifted(name, -1)
        try:
            return self.game.parse_move(name)
        except UsageError:
            cells = [self.vertex(n) for n in self.game.move_names if is_cell(n)]
            others = [n for n in self.game.move_names if n and not is_cell(n)]
            if len(others) > MAX_NAMED:
                others = [f"{others[0]} to {others[-1]}"]
            span = [f"{cells[0]} to {cells[-1]}"] if cells else []
            accepted = ", ".join(span + others)
            if name.startswith("swap") and self.game.options.get("swap") is False:
                swapping = self.game.with_options(swap=True)
                accepted += f" (for the swap: --game {swapping.name})"
            raise UsageError(f"invalid vertex '{quoted(text)}'; accepted: {accepted}") from None

    def side(self, size: int) -> int:
        """The size of the game for the size that a controller sends: GoGui sends that of a grid."""
        if not self.gogui or str(len(self.grid)) == self.game.sgf_root.get("SZ"):
            return size
        if size % 2 == 0:
            raise UsageError(f"unacceptable size: {size}; accepted: odd ones, for a hexagon")
        return (size + 1) // 2

    @property
    def grid(self) -> list[list[int]]:
        """Cell codes, -1 where there is no cell, with the highest row number first."""
        places = {
            (int(name[1:]) - 1, self._column(name)): code
            for code, name in enumerate(self.game.move_names)
            if is_cell(name)
        }
        if not places or self.game.diagram is None:
            raise UsageError(f"{self.game.name} has no grid of cells")
        height = 1 + max(row for row, _ in places)
        width = 1 + max(column for _, column in places)
        return [
            [places.get((row, column), -1) for column in range(width)]
            for row in reversed(range(height))
        ]

    def _column(self, name: str) -> int:
        letter = name[0].lower()
        return ord(letter) - ord("a") - (self._skips_i and letter > "i")

    @property
    def _renames(self) -> bool:
        return self.gogui and not self._skips_i


def is_cell(name: str) -> bool:
    return re.fullmatch(r"[A-Za-z][0-9]{1,2}", name) is not None


def _shifted(name: str, letters: int) -> str:
    return chr(ord(name[0]) + letters) + name[1:]


class Board:
    """A game from its start or a set-up, move by move, as the controller gave it."""

    def __init__(self, first: Position) -> None:
        self.game = first.game
        self._line = [first]
        """The position after each move that the controller has sent."""
        self._told: list[tuple[int, int]] = []
        """Player and move."""

    @property
    def position(self) -> Position:
        return self._line[-1]

    @property
    def fresh(self) -> bool:
        """Whether nothing has happened: no move, no set-up stones."""
        start = Position.start(self.game)
        return not self._told and np.array_equal(self.position.stones, start.stones)

    def turned(self, player: int) -> Position:
        """The position with that player to move, after a turn that was left out if necessary."""
        now = self.position
        if self.game.gtp.turned is not None:
            return self.game.gtp.turned(now, player)
        if now.is_over:
            raise UsageError("the game is over")
        if now.turn == player:
            return now
        if now.legal == (self.game.pass_move,):
            return now.play("pass")
        raise UsageError(f"it is {self.game.players[now.turn]}'s turn")

    def play(self, player: int, move: int) -> None:
        try:
            after = self.turned(player).play(move)
        except UsageError as mistake:
            raise UsageError(f"illegal move: {mistake}") from None
        self._line.append(after)
        self._told.append((player, move))

    def undo(self, moves: int = 1) -> None:
        if moves > len(self._told):
            raise UsageError("cannot undo")
        for _ in range(moves):
            self._line.pop()
            self._told.pop()

    def copy(self) -> Board:
        twin = Board(self._line[0])
        twin._line, twin._told = list(self._line), list(self._told)
        return twin

    def under(self, game: Game) -> Board:
        """The same moves under other rules, such as another komi."""
        first = self._line[0]
        if same_position(first.state, Position.start(self.game).state):
            twin = Board(Position.start(game))
        else:
            twin = Board(Position.from_stones(game, first.stones, first.turn))
        for player, move in self._told:
            twin.play(player, move)
        return twin
