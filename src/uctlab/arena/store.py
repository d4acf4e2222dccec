"""Stores the results of games and other tasks in one SQLite file.

A game is committed before it is reported, and its number is unique in its match: whatever happens
to the program, no reported game is lost and none is counted twice.

There is one commit for each `Batch` of a device: the games of a round of a GPU, or all that ended
while the last ones were written. One commit per game would limit many cores, since each waits for
the disk (benchmarks/throughput.py).
"""

from __future__ import annotations

import json
import os
import shlex
import sqlite3
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from uctlab.arena.game import GameRecord
from uctlab.arena.packed import packed_form, unpack
from uctlab.arena.plan import MatchPlan
from uctlab.arena.store_reader import Index, StoreReader
from uctlab.arena.store_rows import (
    APPLICATION,
    COLUMNS,
    NUMBER,
    SCHEMA,
    VERSION,
    MatchRow,
    OutcomeRow,
    Row,
    RunRow,
    StoredGame,
    checksum,
    into,
    part_of,
    sealed,
    to_game,
)
from uctlab.arena.versions import Origin
from uctlab.bench.machine import machine_facts, program_version
from uctlab.errors import UsageError


class Store(StoreReader):
    """An open store to which results are added.

    One of an earlier version gets the form of this version when it is first written to. What is
    damaged in a match is removed when the match gets new games.
    """

    def __init__(self, path: Path | str, *, create: bool = True, gpu: str = "") -> None:
        """`gpu` is the name of the GPU that does the work, noted with the results."""
        self._create = create
        self._gpu = gpu
        self._run: int | None = None
        self._opened = time.perf_counter()
        self._changed: set[str] = set()  # the parts whose totals are to be written
        super().__init__(path)

    def _connect(self, patience: float) -> sqlite3.Connection:
        if (packed := packed_form(self.path)) is not None:
            unpack(packed, self.path)
        self._check_place(create=self._create)
        return sqlite3.connect(self.path, timeout=patience, isolation_level=None)

    def _prepare(self) -> None:
        """Create the tables of a new file; only once if two programs start together."""
        self._db.execute("PRAGMA synchronous = EXTRA")  # against a power cut too
        self._db.execute("PRAGMA foreign_keys = ON")
        if self._is_new():
            self._db.execute("BEGIN IMMEDIATE")
            if self._is_new():
                self._make_tables()
                self._db.execute(f"PRAGMA application_id = {APPLICATION}")
            self._db.execute("COMMIT")

    def _is_new(self) -> bool:
        tables = "SELECT count(*) FROM sqlite_master"
        return all(
            self._db.execute(query).fetchone() == (0,)
            for query in (tables, "PRAGMA application_id")
        )

    def _make_tables(self) -> None:
        for statement in filter(str.strip, SCHEMA.split(";")):
            self._db.execute(statement)
        self._db.execute(f"PRAGMA user_version = {VERSION}")

    def match_id(self, plan: MatchPlan) -> int:
        """The match of that plan, which is added if it is new."""
        with self.snapshot() as index:
            known = index.keys.get(plan.key)
        if known is not None:
            return known
        with self.writing():
            facts = json.dumps(plan.facts())
            return self.insert_match(MatchRow(0, plan.key, plan.game, plan.a, plan.b, facts))

    def add(
        self, games: Sequence[tuple[int, GameRecord]], kernels: Mapping[int, str] | None = None
    ) -> list[StoredGame]:
        """Save games with their matches in one transaction; `kernels` are digests by match.

        Returns the games that count: if another program saved a game first, that one.
        """
        with self.writing():
            counted = []
            for match, record in games:
                origin = self._origin((kernels or {}).get(match, ""))
                counted.append(self.insert_game(match, StoredGame(record, origin)))
            self._note_time()
        return counted

    def revise(self, match: int, games: Sequence[GameRecord]) -> None:
        """Replace the referee's verdicts and the scores of stored games, in one transaction."""
        with self.writing() as index:
            known = {row[NUMBER]: row for row in self._games(index, match).intact}
            for record in games:
                old = known[record.number]
                origin = to_game(old, "").origin
                self._replace("games", old, StoredGame(record, origin).to_row(match))

    def renew(
        self, kernels: str, *, match: int = 0, was: str = "", tasks: Iterable[str] = ()
    ) -> None:
        """Enter a digest with results that were found to be of these kernels, in one transaction:
        with the games of a match that had the digest `was`, and with the outcomes of tasks."""
        with self.writing() as index:
            for row in self._games(index, match).intact if was else ():
                game = to_game(row, "")
                if game.origin.kernels == was:
                    new = replace(game, origin=game.origin._replace(kernels=kernels))
                    self._replace("games", row, new.to_row(match))
            wanted = set(tasks)
            for outcome in self._outcomes(index) if wanted else ():
                if outcome.task in wanted:
                    self._replace("outcomes", outcome, outcome._replace(kernels=kernels))

    def keep(self, outcomes: Mapping[str, Any], kernels: Mapping[str, str] | None = None) -> None:
        """Save outcomes of tasks in one transaction; `kernels` are digests by task."""
        with self.writing():
            for task, outcome in outcomes.items():
                origin = self._origin((kernels or {}).get(task, ""))
                self.insert_outcome(
                    OutcomeRow(task, origin.run, json.dumps(outcome), origin.kernels)
                )
            self._note_time()

    # The rest is for work inside of a transaction.

    @contextmanager
    def writing(self) -> Iterator[Index]:
        """A transaction, all or nothing, in a store of this version."""
        run, damage = self._run, dict(self._damage)
        with self._explained("written"):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                if self._current().version < VERSION:
                    self._upgrade()
                yield self._held
                self._write_totals()
                self._db.execute("COMMIT")
            except BaseException:
                self._run, self._damage, self._index = run, damage, None
                self._changed.clear()
                if self._db.in_transaction:  # SQLite itself rolls back when the disk is full
                    self._db.execute("ROLLBACK")
                raise

    def insert_run(self, run: RunRow) -> int:
        """Add a run and return its number."""
        index = self._held
        run = run._replace(id=max(index.runs, default=0) + 1)
        self._insert("runs", run)
        index.runs[run.id] = run
        return run.id

    def lengthen_run(self, number: int, seconds: float) -> None:
        """Note that a run took so long at least."""
        run = self._held.runs[number]
        if run.seconds < seconds:
            longer = run._replace(seconds=seconds)
            self._replace("runs", run, longer)
            self._held.runs[number] = longer

    def insert_match(self, match: MatchRow) -> int:
        """The number of the match with that key, which is added if it is new."""
        index = self._held
        if match.key not in index.keys:
            match = match._replace(id=max(index.matches, default=0) + 1)
            self._insert("matches", match)
            index.matches[match.id] = match
            index.keys[match.key] = match.id
        return index.keys[match.key]

    def insert_game(self, match: int, game: StoredGame) -> StoredGame:
        """Add a game, unless its number is there; returns the one that counts."""
        index = self._held
        self._mend_reported("games", match)
        if self._insert("games", game.to_row(match), once=True):
            return game
        for row in self._rows(index, "games", match, game.record.number).intact:
            return to_game(row, index.runs[row[1]].version)
        self._mend("games", match)
        return self.insert_game(match, game)

    def insert_outcome(self, outcome: OutcomeRow) -> bool:
        """Add an outcome, unless that of its task is there; whether it was added."""
        self._mend_reported("outcomes")
        return self._insert("outcomes", outcome, once=True)

    def _origin(self, kernels: str) -> Origin:
        """This run, whose entry is added with its first result."""
        if self._run is None:
            words = shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])
            command = os.fsencode(words).decode(errors="backslashreplace")
            machine = json.dumps(machine_facts(self._gpu))
            run = RunRow(0, time.time(), program_version(), command, machine, 0.0)
            self._run = self.insert_run(run)
        return Origin(self._run, program_version(), kernels)

    def _note_time(self) -> None:
        if self._run is not None:
            self.lengthen_run(self._run, time.perf_counter() - self._opened)

    def _insert(self, table: str, row: Row, *, once: bool = False) -> bool:
        """Add a row; with `once` it may be there already. Whether it was added."""
        row = sealed(table, row)
        otherwise = " ON CONFLICT DO NOTHING" if once else ""
        added = self._db.execute(f"INSERT {into(table)}{otherwise}", row).rowcount == 1
        if added:
            self._count(table, row, 1, row[-1])
        return added

    def _replace(self, table: str, old: Row, new: Row) -> None:
        """Change a row, but not its key."""
        new = sealed(table, new)
        self._db.execute(f"REPLACE {into(table)}", new)
        self._count(table, new, 0, checksum(old) ^ new[-1])

    def _count(self, table: str, row: Row, rows: int, digest: int) -> None:
        """Add to the totals of the part that the row belongs to."""
        part, totals = part_of(table, row[0]), self._held.totals
        count, before = totals.get(part, (0, 0))
        totals[part] = count + rows, before ^ digest
        self._changed.add(part)

    def _write_totals(self) -> None:
        totals = self._held.totals
        rows = [(part, *totals[part]) for part in self._changed]
        self._db.executemany("REPLACE INTO totals (part, count, digest) VALUES (?, ?, ?)", rows)
        self._changed.clear()

    def _mend_reported(self, table: str, match: int = 0) -> None:
        if part_of(table, match) in self._damage:
            self._mend(table, match)

    def _mend(self, table: str, match: int = 0) -> None:
        """Remove the damaged rows of a part, and count the others anew."""
        index = self._held
        keys = ("match", "number") if table == "games" else ("task",)
        delete = f"DELETE FROM {table} WHERE {' AND '.join(f'{key} IS ?' for key in keys)}"
        for row in self._rows(index, table, match).damaged:
            facts = dict(zip(COLUMNS[table], row, strict=True))
            self._db.execute(delete, [facts[key] for key in keys])
        rows = self._rows(index, table, match)
        (problem,) = self._db.execute("PRAGMA integrity_check(1)").fetchone()
        if rows.damaged or problem != "ok":
            raise UsageError(
                f"the store {self.path} is too damaged to be written to; uctlab games merge adds "
                "what is intact in it to a new store"
            )
        index.totals[rows.part] = rows.total
        self._changed.add(rows.part)
        self._damage.pop(rows.part, None)

    def _upgrade(self) -> None:
        """Write everything again, in the form of this version. What is damaged is left out."""
        old = self._held
        (lost,) = self._db.execute(
            "SELECT count(*) FROM games WHERE match NOT IN (SELECT id FROM matches)"
        ).fetchone()
        if lost:
            raise UsageError(f"the store {self.path} is damaged; {lost} games are of no match")
        for table in reversed(COLUMNS):  # those first that refer to others
            self._db.execute(f"CREATE TEMP TABLE {table} AS SELECT * FROM main.{table}")
            self._db.execute(f"DROP TABLE main.{table}")
        self._make_tables()
        self._index = replace(old, version=VERSION, totals={})
        self._insert_again("runs", old.runs.values())
        self._insert_again("matches", old.matches.values())
        for match in old.matches:
            self._insert_again("games", self._games(old, match).intact)  # of the copies
        self._insert_again("outcomes", self._outcomes(old))
        for table in COLUMNS:
            self._db.execute(f"DROP TABLE temp.{table}")
        self._damage.clear()

    def _insert_again(self, table: str, rows: Iterable[Row]) -> None:
        """Add rows that are known to be sound, many at once."""
        checked = [(*row, checksum(row)) for row in rows]
        self._db.executemany(f"INSERT {into(table)}", checked)
        for row in checked:
            self._count(table, row, 1, row[-1])

    @property
    def _held(self) -> Index:
        """The index, which cannot change during a transaction."""
        assert self._index is not None
        return self._index
