"""Names of cells as players write them, by cell code (row by row from the top)."""

from __future__ import annotations

from string import ascii_lowercase

GO_COLUMNS = "ABCDEFGHJKLMNOPQRST"  # without I


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
