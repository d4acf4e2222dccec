"""The rows and tables of a store: their columns, which of them stores of earlier versions lack, how
rows become records, and how damage to them shows.

A row is a tuple of its table's columns, in the order of COLUMNS.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

import uctlab
from uctlab.arena.game import GameRecord
from uctlab.arena.plan import MatchPlan
from uctlab.arena.versions import Origin
from uctlab.errors import UsageError


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


def part_of(table: str, match: int) -> str:
    """The part of a store that a row belongs to, as `totals` calls it; `match` is its first column,
    which matters only for games."""
    return f"games of match {match}" if table == "games" else table


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


# The tables of a file

VERSION = 6  # of the schema
SEALED = 6  # since this version rows have checksums, and there are totals of them
APPLICATION = 0x75637431  # "uct1": marks the file as ours

SCHEMA = """
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    started REAL NOT NULL,      -- seconds since 1970
    version TEXT NOT NULL,      -- of uctlab
    command TEXT NOT NULL,
    machine TEXT NOT NULL,      -- JSON: processor, cores, Python, Numba
    seconds REAL NOT NULL,      -- from its start to its latest result
    checksum INTEGER NOT NULL   -- here and below of the other columns (see `checksum`)
);
CREATE TABLE matches (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,   -- of all that decides how the games go
    game TEXT NOT NULL,
    a TEXT NOT NULL,
    b TEXT NOT NULL,
    plan TEXT NOT NULL,         -- JSON: the same and the rest
    checksum INTEGER NOT NULL
);
CREATE TABLE games (
    match INTEGER NOT NULL REFERENCES matches(id),
    run INTEGER NOT NULL REFERENCES runs(id),
    kernels TEXT NOT NULL,      -- their digest, or empty if it is not known
    number INTEGER NOT NULL CHECK (number >= 0),  -- A moves first in even ones
    score REAL NOT NULL CHECK (score IN (0, 0.5, 1)),  -- of A
    moves TEXT NOT NULL,
    opening INTEGER NOT NULL CHECK (opening >= 0),  -- moves that were given
    length INTEGER NOT NULL CHECK (length >= 0),
    ending TEXT NOT NULL,
    seed INTEGER NOT NULL,
    playouts_a INTEGER NOT NULL CHECK (playouts_a >= 0),
    playouts_b INTEGER NOT NULL CHECK (playouts_b >= 0),
    seconds_a REAL NOT NULL,
    seconds_b REAL NOT NULL,
    finished REAL NOT NULL,     -- seconds since 1970
    referee TEXT NOT NULL,      -- B+2.5: Go with an external program
    opinion TEXT NOT NULL,      -- the program's own
    settled TEXT NOT NULL,      -- agreed B+0.5: if the two named different winners
    cleanup TEXT NOT NULL,      -- moves after the end of such a game
    checksum INTEGER NOT NULL,
    PRIMARY KEY (match, number)
) WITHOUT ROWID;
CREATE TABLE outcomes (         -- of tasks that are no games
    task TEXT PRIMARY KEY NOT NULL,
    run INTEGER NOT NULL REFERENCES runs(id),
    outcome TEXT NOT NULL,      -- JSON
    kernels TEXT NOT NULL,      -- as of games
    checksum INTEGER NOT NULL
);
CREATE TABLE totals (           -- tell that a row is missing
    part TEXT PRIMARY KEY NOT NULL,  -- runs, matches, outcomes, games of match 1
    count INTEGER NOT NULL,
    digest INTEGER NOT NULL     -- the exclusive or of the checksums
) WITHOUT ROWID;
"""
TOTALS = {"part TEXT", "count INTEGER", "digest INTEGER"}
TYPES = {int: "INTEGER", float: "REAL", str: "TEXT"}
SINCE = {
    2: {("games", "referee"), ("games", "opinion")},
    3: {("runs", "seconds")},
    4: {("games", "kernels"), ("outcomes", "kernels")},
    5: {("games", "settled"), ("games", "cleanup")},
}
"""The columns that came with later versions; before, they are empty, or 0."""


class NotAStore(UsageError):  # noqa: N818 (it names the mistake)
    """A file of another program."""


@cache
def selected(table: str, version: int) -> str:
    """The columns of a table and the checksum, as SQL for a store of that version."""
    there = _tables(version)[table]
    names = [
        name if f"{name} {TYPES[kind]}" in there else repr(kind())
        for name, kind in COLUMNS[table].items()
    ]
    return ", ".join([*names, "checksum" if version >= SEALED else "NULL"])


@cache
def into(table: str) -> str:
    """The end of a statement that writes a row of this version."""
    names = [*COLUMNS[table], "checksum"]
    return f"INTO main.{table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"


def schema_version(path: Path, db: sqlite3.Connection) -> int:
    """The version of an open store; UsageError unless it is a store of this version or an earlier
    one, with the tables and columns of that version."""
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    ours = db.execute("PRAGMA application_id").fetchone()[0] == APPLICATION
    found: dict[str, set[str]] = {}
    for table, column in db.execute(
        "SELECT tables.name, columns.name || ' ' || columns.type FROM sqlite_master AS tables"
        " JOIN pragma_table_info(tables.name) AS columns WHERE tables.type = 'table'"
    ):
        found.setdefault(table, set()).add(column)
    if not ours and not COLUMNS.keys() <= found.keys():
        raise NotAStore(f"{path} is a database, but not a store of uctlab")
    if version > VERSION:
        raise UsageError(
            f"{path} is a store of version {version}; this uctlab ({uctlab.__version__}) reads "
            f"versions up to {VERSION}"
        )
    if (
        not ours
        or version < 1
        or any(found.get(table, set()) != columns for table, columns in _tables(version).items())
    ):
        raise UsageError(f"the store {path} is damaged: its tables are not those of a store")
    return version


def _tables(version: int) -> dict[str, set[str]]:
    """The columns, with their types, of the tables in a store of that version."""
    later = {column for since, columns in SINCE.items() if since > version for column in columns}
    checksum = {"checksum INTEGER"} if version >= SEALED else set()
    tables = {
        table: checksum
        | {f"{name} {TYPES[kind]}" for name, kind in columns.items() if (table, name) not in later}
        for table, columns in COLUMNS.items()
    }
    return tables | {"totals": TOTALS if version >= SEALED else set()}
