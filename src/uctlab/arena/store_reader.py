"""Reads a store; what it returns is as it was written.

Games and other outcomes that are damaged or missing are reported, and do not count. If the file
itself, a run or a match is damaged, the store is refused. Tables are read row by row and counted in
Python, since an index or a sum of SQLite would trust the file.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Self

from uctlab.arena.game import GameRecord
from uctlab.arena.packed import open_packed, packed_form
from uctlab.arena.plan import MatchPlan
from uctlab.arena.store_rows import (
    APPLICATION,
    NUMBER,
    SEALED,
    MatchRow,
    NotAStore,
    OutcomeRow,
    Row,
    RunRow,
    StoredGame,
    checksum,
    is_sound,
    part_of,
    schema_version,
    selected,
    text,
    to_game,
)
from uctlab.arena.versions import Origin, Share, shares_of
from uctlab.errors import LabError, UsageError

BUSY_SECONDS = 60.0  # how long to wait for another program that is writing
IN_USE = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
TROUBLE = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, *IN_USE)  # not the user's mistake
FEW = 5  # damaged rows of a part that are named
Total = tuple[int, int]  # the number of rows, and the exclusive or of their checksums


@dataclass(frozen=True)
class StoredMatch:
    """A match in a store, with its number there."""

    id: int
    plan: MatchPlan


class Sums(NamedTuple):
    """All results of a store together."""

    results: int
    """Games and outcomes of other tasks."""
    shares: list[Share]
    search_seconds: float
    """Of all games; games played together on a GPU share its time."""


@dataclass
class Index:
    """What is read first, and again after another program has written: all but the results."""

    data_version: int
    version: int
    """Version of the schema that the file has."""
    runs: dict[int, RunRow]
    matches: dict[int, MatchRow]
    keys: dict[str, int]
    """The matches by the keys of their plans."""
    totals: dict[str, Total]
    """By part; none in stores of earlier versions."""


class Rows(NamedTuple):
    """Rows of a part of a store, those that are damaged apart."""

    part: str
    intact: list[Row]
    damaged: list[Row]
    total: Total

    def missing(self, index: Index) -> str:
        """How the rows differ from those that were written; empty if they do not."""
        wanted = index.totals.get(self.part, (0, 0))
        if index.version < SEALED or self.total == wanted:
            return ""
        if self.total[0] != wanted[0]:
            return f"{self.part}: {self.total[0]} of {wanted[0]} are there"
        return "" if self.damaged else f"{self.part}: they are not those that were written"


def print_damage(path: Path, damage: str) -> None:
    print(f"uctlab: {path}: {damage}", file=sys.stderr)


class StoreReader:
    """An open store that is only read; a context manager."""

    def __init__(
        self,
        path: Path | str,
        *,
        patience: float = BUSY_SECONDS,
        report: Callable[[Path, str], None] = print_damage,
    ) -> None:
        """`patience` is how many seconds to wait for a writer; `report` is called for damage."""
        self.path = Path(path)
        self._damage: dict[str, list[str]] = {}  # by part
        self._report = report
        self._index: Index | None = None
        with self._explained("opened"):
            self._db = self._connect(patience)
            self._db.text_factory = text
        try:
            with self._explained("opened"):
                self._prepare()
            with self.snapshot():
                pass  # a store that cannot be read is refused at once
        except BaseException:
            self._db.close()
            raise

    def _connect(self, patience: float) -> sqlite3.Connection:
        """Not read-only: what a program that was killed has left half written is rolled back."""
        if (packed := packed_form(self.path)) is not None:
            return open_packed(packed)
        self._check_place()
        address = f"{self.path.absolute().as_uri()}?mode=rw"
        return sqlite3.connect(address, uri=True, timeout=patience, isolation_level=None)

    def _prepare(self) -> None:
        """What comes before the first look."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._db.close()

    @property
    def damage(self) -> list[str]:
        """The damage to games and other outcomes that was found so far, unless it is mended."""
        return [damage for part in self._damage.values() for damage in part]

    @contextmanager
    def snapshot(self) -> Iterator[Index]:
        """What is read inside is of one moment."""
        with self._explained("read"):
            if self._db.in_transaction:
                yield self._current()
                return
            self._db.execute("BEGIN")
            try:
                yield self._current()
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")

    def matches(self) -> list[StoredMatch]:
        with self.snapshot() as index:
            return [StoredMatch(match.id, match.to_plan()) for match in index.matches.values()]

    def records(self, match: MatchPlan | int) -> list[GameRecord]:
        """The finished games of a match, in the order of their numbers."""
        return [game.record for game in self.games(match)]

    def games(self, match: MatchPlan | int) -> list[StoredGame]:
        """The same, with where they are from; none if there is no such match."""
        with self.snapshot() as index:
            number = match if isinstance(match, int) else index.keys.get(match.key, 0)
            rows = self._games(index, number)
            games = [to_game(row, index.runs[row[1]].version) for row in rows.intact]
        by_number = {game.record.number: game for game in games}
        return [by_number[number] for number in sorted(by_number)]

    def outcome_rows(self) -> list[OutcomeRow]:
        """The outcomes of all tasks other than games."""
        with self.snapshot() as index:
            return self._outcomes(index)

    def outcomes(self) -> dict[str, Any]:
        """The same by task, without where they are from."""
        return {row.task: json.loads(row.outcome) for row in self.outcome_rows()}

    def origins(self) -> dict[str, Origin]:
        """Where each outcome is from, by task."""
        with self.snapshot() as index:
            return {
                row.task: Origin(row.run, index.runs[row.run].version, row.kernels)
                for row in self._outcomes(index)
            }

    def sums(self) -> Sums:
        with self.snapshot() as index:
            games = [game for match in index.matches for game in self.games(match)]
            origins = [*(game.origin for game in games), *self.origins().values()]
        return Sums(
            results=len(origins),
            shares=shares_of(origin._replace(kernels="") for origin in origins),
            search_seconds=sum(game.record.seconds_a + game.record.seconds_b for game in games),
        )

    def run_seconds(self) -> float:
        """How long all runs together took, each from its start to its latest result."""
        with self.snapshot() as index:
            return sum(run.seconds for run in index.runs.values())

    def runs(self) -> list[dict[str, Any]]:
        """The runs that produced results: when, by which version and command, on which machine."""
        with self.snapshot() as index:
            runs = list(index.runs.values())
        names = "started", "version", "command"
        return [
            {name: getattr(run, name) for name in names} | {"machine": json.loads(run.machine)}
            for run in runs
        ]

    def _current(self) -> Index:
        """The index, read again if it is no longer true."""
        (version,) = self._db.execute("PRAGMA data_version").fetchone()
        if self._index is None or self._index.data_version != version:
            self._index = self._read_index(version)
        return self._index

    def _read_index(self, data_version: int) -> Index:
        index = Index(data_version, schema_version(self.path, self._db), {}, {}, {}, {})
        if index.version >= SEALED:
            totals = self._db.execute("SELECT part, count, digest FROM totals")
            index.totals = {part: (count, digest) for part, count, digest in totals}
        runs = self._whole("run", self._rows(index, "runs"), index)
        matches = self._whole("match", self._rows(index, "matches"), index)
        index.runs = {row[0]: RunRow(*row) for row in runs}
        index.matches = {row[0]: MatchRow(*row) for row in matches}
        index.keys = {match.key: match.id for match in index.matches.values()}
        return index

    def _whole(self, what: str, rows: Rows, index: Index) -> list[Row]:
        """All of the rows; UsageError if they are not those that were written."""
        for row in rows.damaged:
            raise UsageError(f"{what} {row[0]} of the store {self.path} is damaged")
        if missing := rows.missing(index):
            raise UsageError(f"the store {self.path} is damaged; {missing}")
        return rows.intact

    def _games(self, index: Index, match: int) -> Rows:
        """The games of a match; damage is reported, here and below."""
        rows = self._rows(index, "games", match)
        return self._reported(rows, index, f"match {match}, game", NUMBER)

    def _outcomes(self, index: Index) -> list[OutcomeRow]:
        rows = self._reported(self._rows(index, "outcomes"), index, "task", 0)
        return [OutcomeRow(*row) for row in rows.intact]

    def _reported(self, rows: Rows, index: Index, what: str, name: int) -> Rows:
        found = [f"{what} {row[name]!a} is damaged and does not count" for row in rows.damaged]
        if len(found) > FEW:
            found[FEW:] = [f"{rows.part}: {len(found) - FEW} more are damaged and do not count"]
        found += filter(None, [rows.missing(index)])
        for damage in found:
            if damage not in self._damage.setdefault(rows.part, []):
                self._damage[rows.part].append(damage)
                self._report(self.path, damage)
        return rows

    def _rows(self, index: Index, table: str, match: int = 0, number: int | None = None) -> Rows:
        """The rows of a table, each compared with its checksum; of games those of a match, or the
        one with that number."""
        keys = {"match": match} if table == "games" else {}
        keys |= {} if number is None else {"number": number}
        where = f" WHERE {' AND '.join(f'{key} = ?' for key in keys)}" if keys else ""
        intact: list[Row] = []
        damaged: list[Row] = []
        digest = 0
        query = f"SELECT {selected(table, index.version)} FROM {table}{where}"
        for found in self._db.execute(query, [*keys.values()]).fetchall():
            row, seal = found[:-1], found[-1]
            sound = seal == checksum(row) if index.version >= SEALED else is_sound(table, row)
            if table in ("games", "outcomes"):
                sound = sound and row[1] in index.runs
            (intact if sound else damaged).append(row)
            digest ^= seal if isinstance(seal, int) else 0
        return Rows(part_of(table, match), intact, damaged, (len(intact) + len(damaged), digest))

    def _check_place(self, *, create: bool = False) -> None:
        """Explain what SQLite would only call a file that it cannot open."""
        if os.path.isfile(self.path):
            if not create and not os.path.getsize(self.path):
                raise UsageError(f"{self.path} is empty, and not a store")
            return
        if os.path.exists(self.path):
            raise UsageError(f"{self.path} is not a file; a store is a file")
        if not create:
            raise UsageError(f"there is no store {self.path}")
        if not os.path.isdir(self.path.parent):
            raise UsageError(f"there is no folder {self.path.parent} for the store")

    @contextmanager
    def _explained(self, done: str) -> Iterator[None]:
        """Turn errors of SQLite, and others that a damaged file causes, into messages that help."""
        try:
            yield
        except (sqlite3.Error, OverflowError, UnicodeError, MemoryError) as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # without the detail
            if code in IN_USE and done != "written":
                raise LabError(f"the store {self.path} is in use") from None
            what = f"the store {self.path} cannot be {done}: {str(error) or 'out of memory'}"
            no_journal = done == "written" and code == sqlite3.SQLITE_CANTOPEN
            if code in TROUBLE or no_journal:
                raise LabError(
                    f"{what}. All reported games are safe in it; free some space, or fix whatever "
                    "else is wrong, and run the same command again"
                ) from None
            if code == sqlite3.SQLITE_NOTADB and not self._is_marked():
                raise NotAStore(what) from None
            raise UsageError(what) from None

    def _is_marked(self) -> bool:
        """Whether the header of the file names our application; the rest may be damaged."""
        with open(self.path, "rb") as file:
            return file.read(72)[68:] == APPLICATION.to_bytes(4, "big")
