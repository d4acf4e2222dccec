"""Looks into a store to which another program may be writing: its matches in short."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from uctlab.arena.game import GameRecord
from uctlab.arena.plan import MatchPlan
from uctlab.arena.statistics import Score
from uctlab.arena.store_reader import StoreReader


@dataclass(frozen=True)
class MatchSummary:
    """One match of a store and its score so far."""

    id: int
    plan: MatchPlan
    score: Score
    """From A's point of view."""
    finished: float | None
    """When the latest game ended, in seconds since 1970; None before the first."""


def summaries(
    path: Path, *, limit: int, patience: float
) -> tuple[list[MatchSummary], tuple[str, ...]]:
    """The latest matches of a store, newest first, and what is damaged in them.

    LabError means that another program has been writing to it for `patience` seconds; UsageError
    that the store is damaged, or NotAStore that the file is none.
    """
    with StoreReader(path, patience=patience, report=_keep_quiet) as store, store.snapshot():
        latest = store.matches()[-limit:]
        found = [_summary(match.id, match.plan, store.records(match.id)) for match in latest]
        return found[::-1], tuple(store.damage)


def latest_games(path: Path, match: int, *, limit: int, patience: float) -> list[GameRecord]:
    """The latest games of a match, in the order of their numbers; errors as in `summaries`."""
    with StoreReader(path, patience=patience, report=_keep_quiet) as store:
        return store.records(match)[-limit:]


def _keep_quiet(path: Path, damage: str) -> None:
    """A report of damage that prints nothing: the page shows it."""


def _summary(number: int, plan: MatchPlan, games: list[GameRecord]) -> MatchSummary:
    score = Score.of(game.score for game in games)
    return MatchSummary(number, plan, score, max((game.finished for game in games), default=None))
