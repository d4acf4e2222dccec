"""Adds the results of one store to another, so that the matches of a table may be played on several
machines."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from uctlab.arena.store import BUSY_SECONDS, Store
from uctlab.arena.store_peek import open_to_read
from uctlab.arena.store_schema import check_kind
from uctlab.arena.versions import kernels_in_words

# Below, `other` is the store from which results come, and main the one that gets them. Ids of
# matches and runs differ from store to store; keys of matches and numbers of games do not.
_MATCHES = """
INSERT OR IGNORE INTO main.matches (key, game, a, b, plan)
SELECT key, game, a, b, plan FROM other.matches ORDER BY id
"""
_GAMES = """
FROM other.games AS theirs
JOIN other.matches AS their_match ON their_match.id = theirs.match
JOIN main.matches AS our_match ON our_match.key = their_match.key
"""
_GAMES_IN_BOTH = f"""
SELECT count(*), total(
    (ours.moves, ours.score, ours.referee) != (theirs.moves, theirs.score, theirs.referee)
) {_GAMES}
JOIN main.games AS ours ON ours.match = our_match.id AND ours.number = theirs.number
"""
_OUTCOMES_IN_BOTH = """
SELECT count(*), total(ours.outcome != theirs.outcome)
FROM other.outcomes AS theirs JOIN main.outcomes AS ours USING (task)
"""
_RUNS = "SELECT id, started, version, command, machine, seconds FROM other.runs ORDER BY id"
_SAME_RUN = """
SELECT id FROM main.runs WHERE (started, version, command, machine) = (?, ?, ?, ?)
"""
_NEW_RUN = """
INSERT INTO main.runs (started, version, command, machine, seconds) VALUES (?, ?, ?, ?, ?)
"""
_OUTCOMES_OF_RUN = """
INSERT OR IGNORE INTO main.outcomes (task, run, outcome, kernels)
SELECT task, ?, outcome, kernels FROM other.outcomes WHERE run = ?
"""


class Merged(NamedTuple):
    """How many results were added, and how many were in both stores."""

    games: int
    outcomes: int
    """Of tasks that are no games."""
    known: int
    different: int
    """Those of `known` that came out differently in the other store: after searches by the clock,
    with other kernels, or before another referee. They stay as they were."""


def merge_store(into: Store, source: Path) -> Merged:
    """Add the results of a store that another one does not have, all or nothing."""
    with _copy_of(source) as copy, into.attached(copy) as db:
        db.execute(_MATCHES)
        in_both = [db.execute(query).fetchone() for query in (_GAMES_IN_BOTH, _OUTCOMES_IN_BOTH)]
        columns = [row[1] for row in db.execute("PRAGMA main.table_info(games)")]
        add_games = _games_of_run([name for name in columns if name not in ("match", "run")])
        added = [_add_run(db, add_games, *run) for run in db.execute(_RUNS).fetchall()]
        return Merged(
            games=sum(games for games, _ in added),
            outcomes=sum(outcomes for _, outcomes in added),
            known=sum(known for known, _ in in_both),
            different=int(sum(different for _, different in in_both)),
        )


def mixed_matches(store: Store) -> int:
    """How many matches have games by versions whose kernels differ or cannot be compared."""
    return sum(kernels_in_words(store.shares(match.id)) != "same" for match in store.matches())


@contextmanager
def _copy_of(source: Path) -> Iterator[Path]:
    """A copy of a store, of this version's form; the store is only read, since another program may
    be writing to it or its folder be read-only."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "store.sqlite"
        with open_to_read(source, BUSY_SECONDS) as theirs, closing(sqlite3.connect(copy)) as ours:
            check_kind(source, theirs)
            theirs.backup(ours)
        with Store(copy, create=False):
            pass  # brought up to date
        yield copy


def _games_of_run(columns: list[str]) -> str:
    return (
        f"INSERT OR IGNORE INTO main.games (match, run, {', '.join(columns)}) "
        f"SELECT our_match.id, ?, {', '.join(f'theirs.{name}' for name in columns)} {_GAMES} "
        "WHERE theirs.run = ?"
    )


def _add_run(
    db: sqlite3.Connection, add_games: str, theirs: int, *facts: str | float
) -> tuple[int, int]:
    """Add the results of one of the other store's runs; how many games and outcomes were new."""
    *origin, seconds = facts
    same = db.execute(_SAME_RUN, origin).fetchone()
    ours = same[0] if same else db.execute(_NEW_RUN, facts).lastrowid
    games = db.execute(add_games, (ours, theirs)).rowcount
    outcomes = db.execute(_OUTCOMES_OF_RUN, (ours, theirs)).rowcount
    if same:  # one of the stores may be a copy of the other as it was before the run ended
        longer = "UPDATE main.runs SET seconds = max(seconds, ?) WHERE id = ?"
        db.execute(longer, (seconds, ours))
    elif games + outcomes == 0:
        db.execute("DELETE FROM main.runs WHERE id = ?", (ours,))
    return games, outcomes
