"""Stores the results of games and other tasks in one SQLite file.

A game is committed before it is reported, and its number is unique in its match: whatever happens
to the program, no reported game is lost and none is counted twice.
"""

from __future__ import annotations

import json
import os
import shlex
import sqlite3
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from uctlab.arena.game import GameRecord
from uctlab.arena.plan import MatchPlan
from uctlab.arena.store_schema import APPLICATION, SCHEMA, UPGRADES, VERSION, check_kind
from uctlab.arena.versions import Share
from uctlab.bench.machine import machine_facts, program_version
from uctlab.errors import LabError, UsageError

BUSY_SECONDS = 60.0  # how long to wait for another program that is writing
TROUBLE = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_BUSY)  # not the user's mistake
FIELDS = [field.name for field in fields(GameRecord)]


@dataclass(frozen=True)
class StoredMatch:
    """One match of a store."""

    id: int
    plan: MatchPlan
    games: int


class Store:
    """An open store; a context manager."""

    def __init__(self, path: Path | str, *, create: bool = True, gpu: str = "") -> None:
        """`gpu` is the name of the GPU that does the work, noted with the results."""
        self.path = Path(path)
        self._gpu = gpu
        self._run: int | None = None
        self._opened = time.perf_counter()
        self._check_place(create)
        with self._explained("opened"):
            self._db = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
            try:
                self._db.execute("PRAGMA synchronous = EXTRA")  # against a power cut too
                self._db.execute("PRAGMA foreign_keys = ON")
                self._prepare()
            except BaseException:
                self._db.close()
                raise

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._db.close()

    def _this_run(self) -> int:
        """The entry of this run, added with the first result, in the same transaction."""
        if self._run is None:
            command = shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])
            row = self._db.execute(
                "INSERT INTO runs (started, version, command, machine) VALUES (?, ?, ?, ?)",
                (time.time(), program_version(), command, json.dumps(machine_facts(self._gpu))),
            )
            self._run = row.lastrowid
        return self._run or 0

    def find(self, plan: MatchPlan) -> list[GameRecord]:
        """The finished games of that plan's match, if there is one."""
        return list(self.records(self._known_id(plan)))

    def _known_id(self, plan: MatchPlan) -> int:
        """The match of that plan; 0 if there is none."""
        with self._explained("read"):
            row = self._db.execute("SELECT id FROM matches WHERE key = ?", (plan.key,)).fetchone()
        return int(row[0]) if row else 0

    def match_id(self, plan: MatchPlan) -> int:
        """The match of that plan, which is added if it is new."""
        key = plan.key
        with self._explained("written"):
            self._db.execute(
                "INSERT OR IGNORE INTO matches (key, game, a, b, plan) VALUES (?, ?, ?, ?, ?)",
                (key, plan.game, plan.a, plan.b, json.dumps(plan.facts())),
            )
            row = self._db.execute("SELECT id FROM matches WHERE key = ?", (key,)).fetchone()
        return int(row[0])

    def add(
        self, games: Sequence[tuple[int, GameRecord]], kernels: Mapping[int, str] | None = None
    ) -> list[GameRecord]:
        """Save games with their matches in one transaction; `kernels` are digests by match.

        Returns the games that count: if another program saved a game first, that one.
        """
        names = ", ".join(["match", "run", "kernels", *FIELDS])
        marks = ", ".join("?" * (len(FIELDS) + 3))
        counted = []
        with self._explained("written"), self._transaction():
            for match, record in games:
                origin = match, self._this_run(), (kernels or {}).get(match, "")
                values = (*origin, *(getattr(record, name) for name in FIELDS))
                insert = f"INSERT OR IGNORE INTO games ({names}) VALUES ({marks})"
                if self._db.execute(insert, values).rowcount == 1:
                    counted.append(record)
                    continue
                row = self._db.execute(
                    f"SELECT {', '.join(FIELDS)} FROM games WHERE match = ? AND number = ?",
                    (match, record.number),
                ).fetchone()
                counted.append(GameRecord(*row))
            self._note_time()
        return counted

    def _note_time(self) -> None:
        spent = time.perf_counter() - self._opened
        self._db.execute("UPDATE runs SET seconds = ? WHERE id = ?", (spent, self._run))

    def revise(self, match: int, games: Sequence[GameRecord]) -> None:
        """Replace the referee's verdicts and the scores of stored games, in one transaction."""
        with self._explained("written"), self._transaction():
            for record in games:
                self._db.execute(
                    "UPDATE games SET referee = ?, score = ? WHERE match = ? AND number = ?",
                    (record.referee, record.score, match, record.number),
                )

    def records(self, match: int) -> Iterator[GameRecord]:
        """The finished games of a match, in the order of their numbers."""
        names = ", ".join(FIELDS)
        with self._explained("read"):
            rows = self._db.execute(
                f"SELECT {names} FROM games WHERE match = ? ORDER BY number", (match,)
            ).fetchall()
        return (GameRecord(*row) for row in rows)

    def shares(self, match: MatchPlan | int, games: int | None = None) -> list[Share]:
        """Which versions have played the games of a match, or the first so many of them."""
        number = match if isinstance(match, int) else self._known_id(match)
        with self._explained("read"):
            rows = self._db.execute(
                "SELECT version, kernels, count(*) FROM games JOIN runs ON runs.id = run"
                " WHERE match = ? AND (? IS NULL OR number < ?)"
                " GROUP BY version, kernels ORDER BY min(runs.id)",
                (number, games, games),
            ).fetchall()
        return [Share(*row) for row in rows]

    def contributions(self) -> list[Share]:
        """How many games and other outcomes each version has contributed to the whole store."""
        with self._explained("read"):
            rows = self._db.execute(
                "SELECT version, '', count(*) FROM"
                " (SELECT run FROM games UNION ALL SELECT run FROM outcomes)"
                " JOIN runs ON runs.id = run GROUP BY version ORDER BY min(runs.id)"
            ).fetchall()
        return [Share(*row) for row in rows]

    def keep(self, outcomes: Mapping[str, Any], kernels: Mapping[str, str] | None = None) -> None:
        """Save outcomes of tasks in one transaction; `kernels` are digests by task."""
        with self._explained("written"), self._transaction():
            for task, outcome in outcomes.items():
                self._db.execute(
                    "INSERT OR IGNORE INTO outcomes (task, run, outcome, kernels)"
                    " VALUES (?, ?, ?, ?)",
                    (task, self._this_run(), json.dumps(outcome), (kernels or {}).get(task, "")),
                )
            self._note_time()

    def outcomes(self) -> dict[str, Any]:
        """The outcomes of all tasks other than games."""
        with self._explained("read"):
            rows = self._db.execute("SELECT task, outcome FROM outcomes").fetchall()
        return {task: json.loads(outcome) for task, outcome in rows}

    def origins(self) -> dict[str, Share]:
        """Which version each outcome is from, by task."""
        with self._explained("read"):
            rows = self._db.execute(
                "SELECT task, version, kernels FROM outcomes JOIN runs ON runs.id = run"
            ).fetchall()
        return {task: Share(version, kernels, 1) for task, version, kernels in rows}

    @contextmanager
    def attached(self, other: Path) -> Iterator[sqlite3.Connection]:
        """A transaction in which another store, which nobody else uses, is called `other`."""
        with self._explained("written"):
            self._db.execute("ATTACH ? AS other", (str(other),))
            try:
                with self._transaction():
                    yield self._db
            finally:
                self._db.execute("DETACH other")

    def matches(self) -> list[StoredMatch]:
        with self._explained("read"):
            rows = self._db.execute(
                "SELECT id, plan, (SELECT count(*) FROM games WHERE match = matches.id)"
                " FROM matches ORDER BY id"
            ).fetchall()
        return [StoredMatch(row[0], MatchPlan(**json.loads(row[1])), row[2]) for row in rows]

    def search_seconds(self) -> float:
        """Search time of all games; games played together on a GPU share its time."""
        with self._explained("read"):
            row = self._db.execute("SELECT sum(seconds_a + seconds_b) FROM games").fetchone()
        return float(row[0] or 0.0)

    def results(self) -> int:
        """The number of games and outcomes."""
        return self._number("SELECT (SELECT count(*) FROM games) + (SELECT count(*) FROM outcomes)")

    def run_seconds(self) -> float:
        """How long all runs together took, each from its start to its latest result."""
        with self._explained("read"):
            row = self._db.execute("SELECT sum(seconds) FROM runs").fetchone()
        return float(row[0] or 0.0)

    def runs(self) -> list[dict[str, Any]]:
        """The runs that produced results: when, by which version and command, on which machine."""
        with self._explained("read"):
            rows = self._db.execute(
                "SELECT started, version, command, machine FROM runs ORDER BY id"
            ).fetchall()
        return [
            {"started": r[0], "version": r[1], "command": r[2], "machine": json.loads(r[3])}
            for r in rows
        ]

    def _check_place(self, create: bool) -> None:
        """Explain what SQLite would only call a file that it cannot open."""
        if os.path.isfile(self.path):
            return
        if os.path.exists(self.path):
            raise UsageError(f"{self.path} is not a file; a store is a file")
        if not create:
            raise UsageError(f"there is no store {self.path}")
        if not os.path.isdir(self.path.parent):
            raise UsageError(f"there is no folder {self.path.parent} for the store")

    def _prepare(self) -> None:
        """Create the tables of a new file, or upgrade those of an earlier version; refuse a file
        that is not a store or has a later version."""
        no_tables = self._number("SELECT count(*) FROM sqlite_master") == 0
        if no_tables and self._number("PRAGMA application_id") == 0:
            self._create()
        check_kind(self.path, self._db)
        if self._number("PRAGMA user_version") in UPGRADES:
            self._upgrade()

    def _create(self) -> None:
        """All or nothing, and only once if two programs start together."""
        with self._transaction():
            if self._number("SELECT count(*) FROM sqlite_master") == 0:
                for statement in filter(str.strip, SCHEMA.split(";")):
                    self._db.execute(statement)
                self._db.execute(f"PRAGMA user_version = {VERSION}")
                self._db.execute(f"PRAGMA application_id = {APPLICATION}")

    def _upgrade(self) -> None:
        """All or nothing, and once, as above."""
        with self._transaction():
            while (version := self._number("PRAGMA user_version")) in UPGRADES:
                for statement in UPGRADES[version]:
                    self._db.execute(statement)
                self._db.execute(f"PRAGMA user_version = {version + 1}")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing."""
        run = self._run
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._db.execute("COMMIT")
        except BaseException:
            self._run = run
            if self._db.in_transaction:  # SQLite itself rolls back when the disk is full
                self._db.execute("ROLLBACK")
            raise

    def _number(self, query: str) -> int:
        return int(self._db.execute(query).fetchone()[0])

    @contextmanager
    def _explained(self, done: str) -> Iterator[None]:
        """Turn SQLite's errors into messages that help."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            what = f"the store {self.path} cannot be {done}: {error}"
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # without the detail
            no_journal = done == "written" and code == sqlite3.SQLITE_CANTOPEN
            if code in TROUBLE or no_journal:
                raise LabError(
                    f"{what}. All reported games are safe in it; free some space, or fix whatever "
                    "else is wrong, and run the same command again"
                ) from None
            raise UsageError(what) from None
