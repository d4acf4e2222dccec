"""A board as text: X the first player, O the second, a dot an empty cell.

       a b c
    1  X . .
     2  . O .
      3  . . .
    X to play

Diagrams are read as they are written, including the lines that `uctlab show` adds. Row labels,
column letters and indentation may be left out. So may the line that says who is to play, in games
where the numbers of stones tell.
"""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_lowercase

import numpy as np

from uctlab.errors import UsageError

SYMBOLS = ".XO"
GO_COLUMNS = "ABCDEFGHJKLMNOPQRST"  # without I


@dataclass(frozen=True)
class Diagram:
    """How a board is drawn as text, and read: where each cell is.

    Examples:
        >>> board = uctlab.Diagram(rows=((0, 1), (2, 3)), labels=("2", "1"), columns="ab")
        >>> print(board.draw([1, 0, 0, 2], turn=0))
           a b
        2  X .
        1  . O
        X to play
    """

    rows: tuple[tuple[int, ...], ...]
    """Cell codes, top row first."""
    labels: tuple[str, ...]
    """One per row, drawn to its left."""
    columns: str = ""
    """Column letters above the board, if any; one per cell of the first row."""
    indents: tuple[int, ...] = ()
    """Spaces before each row's label, for hexagonal boards."""
    stones_tell_turn: bool = True
    """Whether every move adds one stone and removes none, so that counting tells the turn."""

    @property
    def cells(self) -> int:
        """The length of an array indexed by cell codes."""
        return max(max(row) for row in self.rows) + 1

    def draw(self, stones: np.ndarray, turn: int | None = None) -> str:
        """The board; `turn` adds a line that says who is to play."""
        width = max(len(label) for label in self.labels)
        indents = self.indents or (0,) * len(self.rows)
        lines = []
        if self.columns:
            lines.append(" " * (width + 2 + indents[0]) + " ".join(self.columns))
        for row, label, indent in zip(self.rows, self.labels, indents, strict=True):
            symbols = " ".join(SYMBOLS[stones[cell]] for cell in row)
            lines.append(" " * indent + f"{label:>{width}}  {symbols}")
        if turn is not None:
            lines.append(f"{SYMBOLS[1 + turn]} to play")
        return "\n".join(lines)

    def read(self, text: str) -> tuple[np.ndarray, int]:
        """Owner of each cell (0, 1, 2) and who is to move (0, 1)."""
        stones = np.zeros(self.cells, np.int8)
        turn: int | None = None
        board_lines: list[list[str]] = []
        for line in text.splitlines():
            words = line.split()
            if not words or (not board_lines and self._is_column_line(words)):
                continue
            if words[0] == "legal:" or words[-2:] in (["has", "won"], ["a", "draw"]):
                continue  # what `uctlab show` adds
            if words[1:] == ["to", "play"]:
                turn = self._read_turn(words[0])
            else:
                board_lines.append(words)
        if len(board_lines) != len(self.rows):
            raise UsageError(
                f"the diagram has {len(board_lines)} rows; accepted: {len(self.rows)} rows of "
                "X, O and dots, and a line 'X to play' or 'O to play'"
            )
        for number, (row, words) in enumerate(zip(self.rows, board_lines, strict=True), 1):
            for cell, symbol in zip(row, self._read_row(number, words), strict=True):
                stones[cell] = SYMBOLS.index(symbol)
        if turn is None:
            turn = int(np.count_nonzero(stones == 1) - np.count_nonzero(stones == 2))
            if turn not in (0, 1) or not self.stones_tell_turn:
                raise UsageError(
                    "the diagram does not say whose turn it is; end it with 'X to play' or "
                    "'O to play'"
                )
        return stones, turn

    def _read_row(self, number: int, words: list[str]) -> str:
        expected = len(self.rows[number - 1])
        if words[0] == self.labels[number - 1]:
            words = words[1:]
        symbols = "".join(words)
        for symbol in symbols:
            if symbol not in SYMBOLS:
                raise UsageError(f"row {number} of the diagram has '{symbol}'; accepted: X, O, dot")
        if len(symbols) != expected:
            raise UsageError(
                f"row {number} of the diagram has {len(symbols)} cells, not {expected}"
            )
        return symbols

    def _is_column_line(self, words: list[str]) -> bool:
        return bool(self.columns) and "".join(words).lower() == self.columns.lower()

    @staticmethod
    def _read_turn(symbol: str) -> int:
        if symbol not in ("X", "O"):
            raise UsageError(f"the diagram says '{symbol} to play'; accepted: X or O")
        return "XO".index(symbol)


def square_diagram(
    size: int, columns: str, *, top_label: int, stones_tell_turn: bool = True
) -> Diagram:
    """A square board; rows are numbered downwards from 1 or, if the top one is `size`, upwards."""
    step = 1 if top_label == 1 else -1
    return Diagram(
        rows=tuple(tuple(range(y * size, (y + 1) * size)) for y in range(size)),
        labels=tuple(str(top_label + step * y) for y in range(size)),
        columns=columns,
        stones_tell_turn=stones_tell_turn,
    )


def letter_number_names(size: int) -> tuple[str, ...]:
    """a1 at the top left, as in Othello and Hex."""
    return tuple(f"{ascii_lowercase[x]}{y + 1}" for y in range(size) for x in range(size))


def go_names(size: int) -> tuple[str, ...]:
    """A1 at the bottom left, without the letter I."""
    return tuple(f"{GO_COLUMNS[x]}{size - y}" for y in range(size) for x in range(size))


def sgf_square_names(size: int) -> tuple[str, ...]:
    """SGF's own letters: aa at the top left, column first."""
    letters = ascii_lowercase
    return tuple(letters[x] + letters[y] for y in range(size) for x in range(size))
