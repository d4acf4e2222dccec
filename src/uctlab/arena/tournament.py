"""Tournaments: which players meet, the cross table and the ratings."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from uctlab.arena.plan import MatchPlan
from uctlab.arena.player import player_name
from uctlab.arena.ratings import Rating, bradley_terry
from uctlab.arena.result import MatchResult
from uctlab.errors import UsageError

KINDS = {
    "round-robin": "every player meets every other",
    "gauntlet": "the first player meets all others",
}


@dataclass(frozen=True)
class TournamentResult:
    """The matches, points and ratings of a tournament."""

    players: tuple[str, ...]
    matches: tuple[MatchResult, ...]
    ratings: tuple[Rating, ...]
    """Best first: Elo by the Bradley-Terry model, with mean 0."""

    def points(self) -> list[list[float | None]]:
        """Points of the row's player against the column's; None if they did not meet."""
        table: list[list[float | None]] = [[None] * len(self.players) for _ in self.players]
        for match in self.matches:
            if match.score.games:
                a, b = (self.players.index(name) for name in (match.plan.a, match.plan.b))
                table[a][b] = match.score.points
                table[b][a] = match.score.games - match.score.points
        return table

    def as_json(self) -> dict[str, Any]:
        return {
            "players": list(self.players),
            "points": self.points(),
            "ratings": [vars(rating) for rating in self.ratings],
            "matches": [match.as_json() for match in self.matches],
        }


def tournament_plans(
    kind: str, players: Sequence[str], game: str, **conditions: Any
) -> list[MatchPlan]:
    """The plans of a tournament's matches; `conditions` are the other fields of a plan."""
    if kind not in KINDS:
        raise UsageError(f"unknown tournament '{kind}'; known: {', '.join(KINDS)}")
    names = [player_name(text) for text in players]
    if len(names) < 2:
        raise UsageError("a tournament needs at least two players")
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"{name} is listed twice")
    everybody = itertools.combinations(names, 2)
    pairings = everybody if kind == "round-robin" else ((names[0], b) for b in names[1:])
    return [MatchPlan(game, a, b, **conditions) for a, b in pairings]


def rate(players: Sequence[str], matches: Sequence[MatchResult]) -> TournamentResult:
    """Ratings and cross table of those matches."""
    names = tuple(player_name(text) for text in players)
    result = TournamentResult(names, tuple(matches), ())
    points = [[cell or 0.0 for cell in row] for row in result.points()]
    ratings = sorted(bradley_terry(names, points), key=lambda rating: -rating.elo)
    return TournamentResult(names, tuple(matches), tuple(ratings))
