"""A position in a real game: immutable, with its history, every move checked."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from uctlab.errors import UsageError
from uctlab.games.api import MOVE, Game
from uctlab.games.line import bind_line, perft

MAX_PERFT = 100  # moves


class Position:
    """Where a game stands, and how it got there.

    position = Position.start(game)
    position = position.play("f5")
    """

    def __init__(self, game: Game, state: np.record, before: Position | None, move: int) -> None:
        self.game = game
        self.state = state
        """The record that kernels take; copy it before you change it."""
        self.before = before
        """The position one move earlier; None at the start and at a set-up."""
        self.last_move = move
        """The move that led here, or -1."""

    @classmethod
    def start(cls, game: Game) -> Position:
        state = game.new_states(1)[0]
        game.kernels.start(state)
        return cls(game, state, None, -1)

    @classmethod
    def from_stones(cls, game: Game, stones: np.ndarray, turn: int) -> Position:
        """A set-up: the owner of each cell (0, 1, 2) and who is to move (0, 1)."""
        if game.setup is None:
            raise UsageError(f"{game.name} has no set-up positions")
        cells = game.diagram.cells if game.diagram else 0
        owners = np.asarray(stones)
        if owners.shape != (cells,) or not np.isin(owners, (0, 1, 2)).all() or turn not in (0, 1):
            raise UsageError(
                f"{game.name}: a set-up takes {cells} owners, each 0, 1 or 2, and a turn of 0 or 1"
            )
        state = game.new_states(1)[0]
        if not game.kernels.setup(state, owners.astype(np.int8), turn):
            raise UsageError(f"{game.name}: this position is not allowed: {game.setup_violation}")
        return cls(game, state, None, -1)

    @classmethod
    def from_diagram(cls, game: Game, text: str) -> Position:
        """A set-up from a text board as `str(position)` writes it."""
        if game.diagram is None:
            raise UsageError(f"{game.name} has no diagrams")
        return cls.from_stones(game, *game.diagram.read(text))

    @property
    def first(self) -> Position:
        """The start of the game, or its set-up."""
        return self._history()[0]

    @property
    def turn(self) -> int:
        """0: the first player is to move, 1: the second."""
        return int(self.state.turn)

    @cached_property
    def legal(self) -> tuple[int, ...]:
        """Codes of the legal moves, in ascending order; none when the game is over."""
        line, now = self._line(room=1)
        out = self.game.new_out()
        count = self.game.legal_moves(line, now, out)
        return tuple(sorted(int(move) for move in out[:count]))

    @property
    def legal_moves(self) -> list[str]:
        return [self.game.move_name(move) for move in self.legal]

    @property
    def is_over(self) -> bool:
        return not self.legal

    @property
    def result(self) -> float | None:
        """1 if the first player has won, 0.5 for a draw, 0 if the second has; None until then."""
        return float(self.game.kernels.result(self.state)) if self.is_over else None

    @cached_property
    def moves(self) -> tuple[int, ...]:
        """The moves from the start or the set-up to here."""
        return tuple(position.last_move for position in self._history()[1:])

    @property
    def stones(self) -> np.ndarray:
        """The owner of each cell of the diagram: 0 nobody, 1 the first player, 2 the second."""
        if self.game.diagram is None:
            raise UsageError(f"{self.game.name} has no diagrams")
        out = np.zeros(self.game.diagram.cells, np.int8)
        self.game.kernels.stones(self.state, out)
        return out

    def play(self, move: int | str) -> Position:
        """The position after a move, given by its code or its name."""
        code = self.game.parse_move(move) if isinstance(move, str) else move
        if not 0 <= code < len(self.game.move_names):
            raise UsageError(f"{self.game.name} has no move with the code {code}")
        if code not in self.legal:
            raise UsageError(self._why_illegal(code))
        state = self.game.new_states(1)
        state[0] = self.state
        self.game.kernels.play(state[0], MOVE.type(code))
        return Position(self.game, state[0], self, code)

    def play_all(self, names: str) -> Position:
        """The position after several moves, given by their names."""
        position = self
        for name in names.replace(",", " ").split():
            position = position.play(name)
        return position

    def perft(self, depth: int) -> int:
        """How many lines of `depth` moves start here; a line that ends earlier counts too."""
        if not 0 <= depth <= MAX_PERFT:
            raise UsageError(f"depth {depth} is out of range; accepted: 0 to {MAX_PERFT}")
        if depth == 0:
            return 1
        line, now = self._line(room=depth + 1)
        lists = np.zeros((depth, self.game.max_moves), MOVE)
        counts = np.zeros(depth, np.int64)
        return int(bind_line(perft, self.game)(line, now, lists, counts, depth))

    def _why_illegal(self, code: int) -> str:
        name = self.game.move_name(code)
        number = len(self.moves) + 1
        if self.is_over:
            return f"{self.game.name}: move {number}, {name}, comes after the end of the game"
        legal = self.legal_moves
        shown = " ".join(legal[:12]) + (f" and {len(legal) - 12} more" if len(legal) > 12 else "")
        return f"{self.game.name}: move {number}, {name}, is illegal; legal: {shown}"

    def _history(self) -> list[Position]:
        """All positions from the start or the set-up to this one."""
        positions = [self]
        while (before := positions[-1].before) is not None:
            positions.append(before)
        return positions[::-1]

    def _line(self, room: int) -> tuple[np.ndarray, int]:
        """The states that a rule against repetition looks at, with room for more behind them."""
        seen = self._history() if self.game.same_board else [self]
        line = self.game.new_states(len(seen) + room)
        for i, position in enumerate(seen):
            line[i] = position.state
        return line, len(seen) - 1

    def __str__(self) -> str:
        diagram = self.game.diagram
        if diagram is None and self.game.text is not None:
            return self.game.text(self)
        if diagram is None:
            return " ".join(self.game.move_name(move) for move in self.moves) or "start"
        return diagram.draw(self.stones, None if self.is_over else self.turn)
