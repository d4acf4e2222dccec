"""A position in a real game: immutable, with its history, every move checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from uctlab.errors import UsageError
from uctlab.games.api import MOVE, Game, same_position
from uctlab.games.guard import Guarded, limit_error, move_list, move_rows
from uctlab.games.line import WRONG_LIST, bind_line, perft
from uctlab.games.past import Past
from uctlab.user_files import POSITION, read_file

MAX_PERFT = 100  # moves


class Position:
    """Where a game stands, and how it got there.

    A position never changes: `play` returns the next one. Make the first one with `start`,
    `from_moves`, `from_diagram`, `from_sgf` or `named`; games are given by name or as a `Game`.

    Examples:
        >>> position = uctlab.Position.from_moves("hex:3", "b2 a3")
        >>> print(position)
           a b c
         1  . . .
          2  . X .
           3  O . .
        X to play
        >>> position.legal_moves
        ['a1', 'b1', 'c1', 'a2', 'c2', 'b3', 'c3']
        >>> position.play("b1").play("b3").is_over
        False
    """

    def __init__(
        self,
        game: Game,
        state: np.record | None = None,
        before: Position | None = None,
        move: int = -1,
    ) -> None:
        if state is None:
            raise UsageError(
                "Position takes the record of a state; Position.start(game) and "
                "Position.from_moves(game, moves) make a position"
            )
        self.game = game
        self.state = state
        """The record that kernels take; copy it before you change it."""
        self.before = before
        """The position one move earlier; None at the start and at a set-up."""
        self.last_move = move
        """The move that led here, or -1."""
        self._past: Past | None = None
        """For games in which no board may come back; made when it is needed."""

    @classmethod
    def start(cls, game: Game | str) -> Position:
        """The position in which a game begins.

        Args:
            game: A game or its name, such as "othello" or "hex:11".

        Examples:
            >>> len(uctlab.Position.start("othello").legal_moves)
            4
        """
        rules = _game(game)
        room = Guarded(1, rules.state)
        with rules.limited():
            rules.kernels.start(room.array[0])
        return cls(rules, _unfenced(room, rules, "start")[0], None, -1)

    @classmethod
    def from_moves(cls, game: Game | str, moves: str | Iterable[str] = "") -> Position:
        """The position after some moves from the start.

        Args:
            game: A game or its name.
            moves: Their names, in one text such as "f5 d6" or one by one; by default none.

        Examples:
            >>> uctlab.Position.from_moves("othello", "f5 d6").turn
            0
        """
        return cls.start(game).play_all(moves if isinstance(moves, str) else " ".join(moves))

    @classmethod
    def from_sgf(cls, source: Path | str | bytes, game: Game | str | None = None) -> Position:
        """The position at the end of an SGF file's main line.

        Args:
            source: The path of a file, or SGF itself, which begins with a parenthesis.
            game: A game or its name; by default the one that the file is of, with its size and
                komi.

        Examples:
            >>> uctlab.Position.from_sgf("(;GM[1]SZ[9];B[ee];W[gc])").legal_moves[:3]
            ['A9', 'B9', 'C9']
        """
        from uctlab.games.sgf import read_sgf, sgf_game  # noqa: PLC0415 (it uses positions)

        if isinstance(source, bytes):
            data = source
        elif isinstance(source, str) and source.lstrip().startswith("("):
            data = source.encode()
        elif isinstance(source, str | Path):
            data = read_file(source, POSITION, "the SGF file")
        else:
            raise UsageError(f"SGF is a path, a text or bytes, not a {type(source).__name__}")
        return read_sgf(sgf_game(data) if game is None else _game(game), data)

    def to_sgf(self) -> str:
        """The game so far as SGF.

        Examples:
            >>> uctlab.Position.from_moves("hex:3", "b2").to_sgf().startswith("(;FF[4]")
            True
        """
        from uctlab.games.sgf import write_sgf  # noqa: PLC0415 (it uses positions)

        return write_sgf(self).decode()

    @classmethod
    def from_stones(cls, game: Game | str, stones: np.ndarray, turn: int) -> Position:
        """A set-up: the owner of each cell (0, 1, 2) and who is to move (0, 1)."""
        game = _game(game)
        if game.setup is None:
            raise UsageError(f"{game.name} has no set-up positions")
        cells = game.diagram.cells if game.diagram else 0
        owners = np.asarray(stones)
        if owners.shape != (cells,) or not np.isin(owners, (0, 1, 2)).all() or turn not in (0, 1):
            raise UsageError(
                f"{game.name}: a set-up takes {cells} owners, each 0, 1 or 2, and a turn of 0 or 1"
            )
        room = Guarded(1, game.state)
        with game.limited():
            allowed = game.kernels.setup(room.array[0], owners.astype(np.int8), turn)
        if not allowed:
            raise UsageError(f"{game.name}: this position is not allowed: {game.setup_violation}")
        return cls(game, _unfenced(room, game, "setup")[0], None, -1)

    @classmethod
    def from_diagram(cls, game: Game | str, text: str) -> Position:
        '''A set-up from a text board as `str(position)` writes it.

        Args:
            game: A game or its name.
            text: The board: X for the first player, O for the second, a dot for an empty cell, and
                "X to play" or "O to play" below.

        Examples:
            >>> board = """
            ... . X .
            ... X O .
            ... . . .
            ... O to play"""
            >>> uctlab.Position.from_diagram("go:3", board).turn
            1
        '''
        game = _game(game)
        if game.diagram is None:
            raise UsageError(f"{game.name} has no diagrams")
        return cls.from_stones(game, *game.diagram.read(text))

    @classmethod
    def named(cls, name: str) -> Position:
        """A position of a paper, which comes with uctlab.

        Args:
            name: "browne2013": the problem case for UCT, on a 5x5 board of Hex.

        Example:
            >>> uctlab.Position.named("browne2013").letters["d2"]
            'e'
        """
        from uctlab.games.named import NAMED  # noqa: PLC0415 (it uses positions)

        if name not in NAMED:
            raise UsageError(f"there is no position {name!r}; named positions: {', '.join(NAMED)}")
        return cls.from_diagram(NAMED[name].game, NAMED[name].diagram)

    @property
    def letters(self) -> Mapping[str, str]:
        """A paper's letter for each cell, if the game started from a position of that paper."""
        from uctlab.games.named import letters_of  # noqa: PLC0415 (it uses positions)

        return letters_of(self)

    @property
    def first(self) -> Position:
        """The start of the game, or its set-up."""
        return self.line[0]

    @property
    def turn(self) -> int:
        """0: the first player is to move, 1: the second."""
        return int(self.state.turn)

    @cached_property
    def legal(self) -> tuple[int, ...]:
        """Codes of the legal moves, in ascending order; none when the game is over."""
        if self.game.same_board is None:
            line, now = self._line(room=1)
        else:
            if self._past is None:
                self._past = Past(self.game, [position.state for position in self.line])
            line, now = self._past.line, self._past.now
        out = move_list(self.game.max_moves, MOVE)
        with self.game.limited():
            count = int(self.game.legal_moves(line, now, out.wide))
        found = out.wide[: max(count, 0)].tolist()
        codes = range(len(self.game.move_names))
        if len(found) != count or count > self.game.max_moves or not set(found) <= {*codes}:
            raise UsageError(limit_error(self.game, out.wide, count, self.where()))
        return tuple(sorted(found))

    @property
    def legal_moves(self) -> list[str]:
        """Names of the legal moves; none when the game is over."""
        return [self.game.move_name(move) for move in self.legal]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return not self.legal

    @property
    def result(self) -> float | None:
        """1 if the first player has won, 0.5 for a draw, 0 if the second has; None until then."""
        if not self.is_over:
            return None
        with self.game.limited():
            return float(self.game.kernels.result(self.state))

    @cached_property
    def moves(self) -> tuple[int, ...]:
        """The moves from the start or the set-up to here."""
        return tuple(position.last_move for position in self.line[1:])

    @property
    def line(self) -> list[Position]:
        """All positions from the start or the set-up to this one."""
        positions = [self]
        while (before := positions[-1].before) is not None:
            positions.append(before)
        return positions[::-1]

    @property
    def stones(self) -> np.ndarray:
        """The owner of each cell of the diagram: 0 nobody, 1 the first player, 2 the second."""
        if self.game.diagram is None:
            raise UsageError(f"{self.game.name} has no diagrams")
        room = Guarded(self.game.diagram.cells, np.int8)
        with self.game.limited():
            self.game.kernels.stones(self.state, room.array)
        stones: np.ndarray = _unfenced(room, self.game, "stones", self)
        return stones

    @property
    def diagram(self) -> str:
        """The board as text; for a game without one, its moves."""
        return str(self)

    def play(self, move: int | str) -> Position:
        """The position after a move.

        Args:
            move: Its name, such as "f5", or its code.

        Returns:
            The next position. A UsageError says which moves are legal if this one is not.

        Examples:
            >>> uctlab.Position.start("othello").play("f5").turn
            1
        """
        code = self.game.parse_move(move) if isinstance(move, str) else move
        if not 0 <= code < len(self.game.move_names):
            raise UsageError(f"{self.game.name} has no move with the code {code}")
        if code not in self.legal:
            raise UsageError(self._why_illegal(code))
        room = Guarded(1, self.game.state)
        room.array[0] = self.state
        with self.game.limited():
            self.game.kernels.play(room.array[0], MOVE.type(code))
        after = Position(self.game, _unfenced(room, self.game, "play", self)[0], self, code)
        if self._past is not None:
            after._past = self._past.then(after.state)
        return after

    def play_all(self, names: str) -> Position:
        """The position after several moves, given by their names."""
        position = self
        for name in names.replace(",", " ").split():
            position = position.play(name)
        return position

    def perft(self, depth: int) -> int:
        """How many lines of `depth` moves start here; a line that ends earlier counts too.

        Examples:
            >>> uctlab.Position.start("othello").perft(4)
            244
        """
        if not 0 <= depth <= MAX_PERFT:
            raise UsageError(f"depth {depth} is out of range; accepted: 0 to {MAX_PERFT}")
        if depth == 0:
            return 1
        line, now = self._line(room=depth + 1)
        lists = move_rows(depth, self.game.max_moves, MOVE)
        counts = np.zeros(depth, np.int64)
        leaves = int(bind_line(perft, self.game)(line, now, lists, counts, depth))
        if leaves <= WRONG_LIST:
            level = WRONG_LIST - leaves
            self.refuse_below(lists[at, counts[at]] for at in range(level))
        return leaves

    def refuse_below(self, moves: Iterable[int]) -> NoReturn:
        """Raise the error of a position in which a kernel has seen the game break its limits.

        Args:
            moves: Codes of the moves from here to there.
        """
        position = self
        for move in moves:
            position = position.play(int(move))
        count = len(position.legal)  # which raises the error
        raise UsageError(
            f"{self.game.name}: moves varies from call to call {position.where()}: it has listed "
            f"{count} moves now and broken the game's limits before"
        )

    def where(self, moves: Iterable[int] = ()) -> str:
        """Where this position is, for messages: "after a1 b2".

        Args:
            moves: Codes of moves that follow it.
        """
        names = [self.game.move_name(move) for move in (*self.moves, *moves)]
        first = self.first
        set_up = not same_position(first.state, Position.start(self.game).state)
        begin = "a set-up position" if set_up else "the start"
        if not names:
            return f"at {begin}"
        return f"after {' '.join(names)}" + (f" from {begin}" if set_up else "")

    def _why_illegal(self, code: int) -> str:
        name = self.game.move_name(code)
        number = len(self.moves) + 1
        if self.is_over:
            return f"{self.game.name}: move {number}, {name}, comes after the end of the game"
        legal = self.legal_moves
        shown = " ".join(legal[:12]) + (f" and {len(legal) - 12} more" if len(legal) > 12 else "")
        return f"{self.game.name}: move {number}, {name}, is illegal; legal: {shown}"

    def _line(self, room: int) -> tuple[np.ndarray, int]:
        """The states that a rule against repetition looks at, with room for more behind them."""
        seen = self.line if self.game.same_board else [self]
        line = self.game.new_states(len(seen) + room)
        for i, position in enumerate(seen):
            line[i] = position.state
        return line, len(seen) - 1

    def __repr__(self) -> str:
        moves = " ".join(self.game.move_name(move) for move in self.moves)
        return f"<Position of {self.game.name}: {moves or 'no moves'}>"

    def __str__(self) -> str:
        diagram = self.game.diagram
        if diagram is None and self.game.text is not None:
            return self.game.text(self)
        if diagram is None:
            return " ".join(self.game.move_name(move) for move in self.moves) or "start"
        return diagram.draw(self.stones, None if self.is_over else self.turn)

    def _repr_svg_(self) -> str:
        """The board, as notebooks show it."""
        from uctlab.drawing import board_svg  # noqa: PLC0415 (a layer above)

        return board_svg(self)


def _game(game: Game | str) -> Game:
    """The game itself, where its name may be given."""
    if isinstance(game, Game):
        return game
    from uctlab.games.registry import make_game  # noqa: PLC0415 (games make positions)

    return make_game(game)


def _unfenced(room: Guarded, game: Game, kernel: str, position: Position | None = None) -> Any:
    """The array alone; UsageError if that kernel has written outside of it, after `position`."""
    if room.damaged():
        where = "" if position is None else f" {position.where()}"
        raise UsageError(f"{game.name}: {kernel} writes outside of its array{where}")
    return room.array.copy()
