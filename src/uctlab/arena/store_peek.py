"""Looks into a store to which another program may be writing, and never changes the file."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uctlab.arena.game import GameRecord
from uctlab.arena.statistics import Score
from uctlab.arena.store import FIELDS
from uctlab.arena.store_schema import APPLICATION
from uctlab.errors import LabError, UsageError

_SUMMARIES = """
SELECT matches.id, matches.plan, sum(games.score = 1.0), sum(games.score = 0.5),
    sum(games.score = 0.0), max(games.finished)
FROM matches LEFT JOIN games ON games.match = matches.id
GROUP BY matches.id ORDER BY matches.id DESC LIMIT ?
"""


@dataclass(frozen=True)
class MatchSummary:
    """One match of a store and its score so far."""

    id: int
    game: str
    a: str
    b: str
    playouts: int | None
    """Per move; likewise seconds."""
    seconds: float | None
    seed: int
    score: Score
    """From A's point of view."""
    finished: float | None
    """When the latest game ended, in seconds since 1970; None before the first."""


def summaries(path: Path, *, limit: int, patience: float) -> list[MatchSummary]:
    """The latest matches of a store, newest first; none if the file is no store.

    The file is opened read-only. LabError means that another program has been writing to it for
    `patience` seconds; UsageError that the store is damaged.
    """
    rows = _peek(path, patience, _SUMMARIES, (limit,))
    return [_summary(path, *row) for row in rows]


def latest_games(path: Path, match: int, *, limit: int, patience: float) -> list[GameRecord]:
    """The latest games of a match, in the order of their numbers; errors as in `summaries`."""
    names = ", ".join(FIELDS)
    query = f"SELECT {names} FROM games WHERE match = ? ORDER BY number DESC LIMIT ?"
    return [GameRecord(*row) for row in reversed(_peek(path, patience, query, (match, limit)))]


@contextmanager
def open_to_read(path: Path, patience: float) -> Iterator[sqlite3.Connection]:
    """A store that is never changed; errors as in `summaries`."""
    try:
        address = f"{path.resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=patience)) as db:
            yield db
    except sqlite3.DatabaseError as error:
        if _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise LabError(f"the store {path} is in use") from None
        raise UsageError(f"the store {path} cannot be read: {error}") from None


def _peek(path: Path, patience: float, query: str, values: tuple[int, ...]) -> list[Any]:
    """Rows of a store; none if the file is no store."""
    with open_to_read(path, patience) as db:
        try:
            is_store = db.execute("PRAGMA application_id").fetchone()[0] == APPLICATION
        except sqlite3.DatabaseError as error:
            if _code(error) == sqlite3.SQLITE_NOTADB:
                return []
            raise
        return db.execute(query, values).fetchall() if is_store else []


def _code(error: sqlite3.DatabaseError) -> int:
    """Without the detail."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _summary(
    path: Path,
    number: int,
    plan_text: str,
    wins: int | None,
    draws: int | None,
    losses: int | None,
    finished: float | None,
) -> MatchSummary:
    try:
        plan = json.loads(plan_text)
        return MatchSummary(
            id=number,
            game=plan["game"],
            a=plan["a"],
            b=plan["b"],
            playouts=plan.get("playouts"),
            seconds=plan.get("seconds"),
            seed=plan.get("seed", 0),
            score=Score(wins or 0, draws or 0, losses or 0),
            finished=finished,
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UsageError(f"the plan of match {number} in the store {path} is damaged") from None
