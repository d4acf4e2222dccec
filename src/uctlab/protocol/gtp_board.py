"""The game as a GTP controller tells it: colours, vertices, moves in any order, undo.

The protocol lets either colour move at any time, even after the end. What that means is up to the
game (`GtpHabits`). In other games a pass that is the only legal move may be left out, and any other
move out of turn is an error. A pass after the end changes nothing, in games without passes too:
programs that referee a match wait for two of them.

After a swap the next move tells what the controller means by it: one of the other player, that the
stone now belongs to the one who swapped; one of the same player, that the stone stays as it is and
the players have exchanged their colours, as in HexGui 0.9 and MoHex.
"""

from __future__ import annotations

import re
from functools import cached_property

import numpy as np

from uctlab.errors import UsageError
from uctlab.games import Game, Position
from uctlab.games.api import same_position
from uctlab.protocol.gtp_line import quoted

MAX_NAMED = 20  # moves that a message names one by one
PASS = "pass"
REST = -1  # the code of a pass after the end


class Names:
    """Colours and vertices of a game, as the protocol writes them."""

    def __init__(self, game: Game, *, gogui: bool = False, hexagons: bool = False) -> None:
        self.game = game
        self.gogui = gogui
        """Whether the controller is GoGui, which names cells as in Go, whatever the game."""
        self._hexagons = hexagons and game.diagram is not None and any(game.diagram.indents)
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
        if not (self.gogui and is_cell(name)):
            return name
        if not self._skips_i:
            name = (_shifted(name, 1) if name[0] >= "i" else name).upper()
        return self._mirrored(name)

    def move(self, text: str, *, ended: bool = False) -> int:
        """The code of a vertex; after the end of a game anybody may pass."""
        name = text.lower()
        if ended and name == PASS:
            return REST
        if self.gogui and is_cell(name):
            if not self._skips_i and name[0] >= "i":
                name = "" if name[0] == "i" else _shifted(name, -1)
            name = self._mirrored(name)
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
    def hexagons(self) -> bool:
        """Whether GoGui draws the cells as hexagons. Its rows shift to the right from the top down,
        as ours do, but it counts them from the bottom: row 1 is the last one there."""
        return self.gogui and self._hexagons

    @cached_property
    def _height(self) -> int:
        return max((int(name[1:]) for name in self.game.move_names if is_cell(name)), default=0)

    def _mirrored(self, name: str) -> str:
        """The name of a cell for GoGui, or from it."""
        return f"{name[0]}{self._height + 1 - int(name[1:])}" if self.hexagons and name else name

    @property
    def grid(self) -> list[list[int]]:
        """Cell codes, -1 where there is no cell, from the top as GoGui shows it."""
        places = {
            (int(name[1:]) - 1, self._column(name)): code
            for code, name in enumerate(self.game.move_names)
            if is_cell(name)
        }
        if not has_grid(self.game):
            raise UsageError(f"{self.game.name} has no grid of cells")
        width = 1 + max(column for _, column in places)
        rows = range(self._height) if self.hexagons else reversed(range(self._height))
        return [[places.get((row, column), -1) for column in range(width)] for row in rows]

    def _column(self, name: str) -> int:
        letter = name[0].lower()
        return ord(letter) - ord("a") - (self._skips_i and letter > "i")


def with_komi(game: Game, komi: float) -> Game:
    """The same game with another komi."""
    if "komi" not in game.options:
        raise UsageError(f"{game.name} has no komi")
    return game.with_options(komi=komi)


def has_grid(game: Game) -> bool:
    """Whether the moves are cells of a board."""
    return game.diagram is not None and any(map(is_cell, game.move_names))


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

    @property
    def ended(self) -> bool:
        """Whether no move can follow any more."""
        return self.position.is_over and not self.game.gtp.reopens

    @property
    def length(self) -> int:
        """How many moves the controller has sent."""
        return len(self._told)

    def barred(self, player: int) -> frozenset[int]:
        """Legal moves of `turned(player)` that would be a second swap in a row."""
        swap = self.game.gtp.swap
        if swap is None or self._told[-1:] != [(player, swap)]:
            return frozenset()
        return frozenset({swap})

    def turned(self, player: int) -> Position:
        """The position with that player to move, after a turn that was left out if necessary."""
        now = self._line[-2] if self.barred(player) else self.position
        if self.ended:
            raise UsageError("the game is over")
        if self.game.gtp.turned is not None:
            return self.game.gtp.turned(now, player)
        if now.turn == player:
            return now
        if now.legal == (self.game.pass_move,):
            return now.play("pass")
        raise UsageError(f"it is {self.game.players[now.turn]}'s turn")

    def play(self, player: int, move: int) -> None:
        if self.ended and move in (REST, self.game.pass_move):
            self._line.append(self.position)
            self._told.append((player, REST))
            return
        try:
            if move in self.barred(player):
                raise UsageError(f"{self.game.move_name(move)} after a swap")
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
