"""Adds the results of one store to another, so that the matches of a table may be played on several
machines.

Matches are the same if their keys are, runs if start, version, command and machine are.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from uctlab.arena.game import GameRecord
from uctlab.arena.store import Store
from uctlab.arena.store_reader import BUSY_SECONDS, StoreReader
from uctlab.arena.store_rows import RunRow, StoredGame
from uctlab.arena.versions import kernels_in_words, shares_of


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
    """Add the results of a store that another one does not have, all or nothing.

    Numbers of matches and runs differ from store to store; keys of matches and numbers of games do
    not.
    """
    games = outcomes = known = different = 0
    with (
        StoreReader(source, patience=BUSY_SECONDS) as other,
        other.snapshot() as theirs,
        into.writing() as ours,
    ):
        runs = _Runs(into, theirs.runs, ours.runs)
        for match in theirs.matches.values():
            number = into.insert_match(match)
            there = {game.record.number: game.record for game in into.games(number)}
            for game in other.games(match.id):
                record, origin = game.record, game.origin
                if record.number in there:
                    known += 1
                    different += _verdict(record) != _verdict(there[record.number])
                    continue
                origin = origin._replace(run=runs.ours(origin.run))
                into.insert_game(number, StoredGame(record, origin))
                games += 1
        kept = {outcome.task: outcome for outcome in into.outcome_rows()}
        for outcome in other.outcome_rows():
            if outcome.task in kept:
                known += 1
                different += outcome.outcome != kept[outcome.task].outcome
                continue
            into.insert_outcome(outcome._replace(run=runs.ours(outcome.run)))
            outcomes += 1
        runs.note_times()
    return Merged(games, outcomes, known, different)


def mixed_matches(store: StoreReader) -> int:
    """How many matches have games by versions whose kernels differ or cannot be compared."""
    return sum(
        kernels_in_words(shares_of(game.origin for game in store.games(match.id))) != "same"
        for match in store.matches()
    )


def _verdict(record: GameRecord) -> tuple[str, float, str]:
    return record.moves, record.score, record.referee


class _Runs:
    """The runs of the other store, as numbers of this one."""

    def __init__(self, into: Store, theirs: dict[int, RunRow], ours: dict[int, RunRow]) -> None:
        known = {_origin(run): run.id for run in ours.values()}
        self._into = into
        self._theirs = theirs
        self._numbers = {
            run.id: known[_origin(run)] for run in theirs.values() if _origin(run) in known
        }

    def ours(self, run: int) -> int:
        """The number of that run, which is added with its first result."""
        if run not in self._numbers:
            self._numbers[run] = self._into.insert_run(self._theirs[run])
        return self._numbers[run]

    def note_times(self) -> None:
        """One of the stores may be a copy of the other as it was before a run ended."""
        for theirs, ours in self._numbers.items():
            self._into.lengthen_run(ours, self._theirs[theirs].seconds)


def _origin(run: RunRow) -> tuple[float, str, str, str]:
    return run.started, run.version, run.command, run.machine
