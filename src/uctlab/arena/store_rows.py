"""The rows of a store: their columns, how they become records, and how damage to them shows.

A row is a tuple of its table's columns, in the order of COLUMNS.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple, get_type_hints

from uctlab.arena.game import GameRecord
from uctlab.arena.plan import MatchPlan
from uctlab.arena.versions import Origin


class RunRow(NamedTuple):
    """A run of the program that produced results."""

    id: int
    started: float
    version: str
    command: str
    machine: str
    seconds: float


class MatchRow(NamedTuple):
    id: int
    key: str
    game: str
    a: str
    b: str
    plan: str

    def to_plan(self) -> MatchPlan:
        return MatchPlan(**json.loads(self.plan))


class OutcomeRow(NamedTuple):
    """The outcome of a task that is no game."""

    task: str
    run: int
    outcome: str
    kernels: str


@dataclass(frozen=True)
class StoredGame:
    """A game and where it is from."""

    record: GameRecord
    origin: Origin

    def to_row(self, match: int) -> Row:
        return match, self.origin.run, self.origin.kernels, *vars(self.record).values()


Row = tuple[Any, ...]
COLUMNS: dict[str, dict[str, type]] = {
    "runs": get_type_hints(RunRow),
    "matches": get_type_hints(MatchRow),
    "games": {"match": int, "run": int, "kernels": str, **get_type_hints(GameRecord)},
    "outcomes": get_type_hints(OutcomeRow),
}
NUMBER, _SCORE = map(list(COLUMNS["games"]).index, ("number", "score"))
_KINDS = {table: list(columns.values()) for table, columns in COLUMNS.items()}


def to_game(row: Row, version: str) -> StoredGame:
    """The game of a row; `version` is that of its run."""
    _, run, kernels, *record = row
    return StoredGame(GameRecord(*record), Origin(run, version, kernels))


def text(data: bytes) -> str | bytes:
    """A text in the file; bytes, which no column has, if it cannot be decoded."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


def checksum(row: Row) -> int:
    """Of all columns with their types; it fits into an integer of SQLite."""
    return int.from_bytes(sha256(ascii(tuple(row)).encode()).digest()[:8], "big") >> 1


def sealed(table: str, values: Sequence[Any]) -> Row:
    """A row to be written, with its checksum at the end; numbers of NumPy become plain ones."""
    kinds = _KINDS[table]
    row = tuple(v if kind is str else kind(v) for kind, v in zip(kinds, values, strict=True))
    if not is_sound(table, row):
        raise ValueError(f"{table} cannot have the row {row}")
    return *row, checksum(row)


def is_sound(table: str, row: Row) -> bool:
    """Whether the values are possible; of a row without a checksum this is all that can be told."""
    if [*map(type, row)] != _KINDS[table]:
        return False
    if table == "games":
        return row[NUMBER] >= 0 and row[_SCORE] in (0.0, 0.5, 1.0)
    try:
        if table == "runs":
            return isinstance(json.loads(RunRow(*row).machine), dict)
        if table == "matches":
            return _is_sound_match(MatchRow(*row))
        json.loads(OutcomeRow(*row).outcome)
    except (ValueError, TypeError, AttributeError, RecursionError):
        return False
    return True


def _is_sound_match(match: MatchRow) -> bool:
    openings = json.loads(match.plan).get("openings")
    if not isinstance(openings, int | list):  # a text would be the name of a file
        return False
    plan = match.to_plan()
    return (plan.game, plan.a, plan.b) == (match.game, match.a, match.b)
