"""Ratings of the league: Elo in each game, ranks, who beats whom, and games that do not count."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from uctlab.arena.ratings import Rating, bradley_terry
from uctlab.arena.result import MatchResult
from uctlab.arena.statistics import Score, total
from uctlab.papers.league_agents import ANCHOR
from uctlab.papers.league_plan import TIME
from uctlab.papers.measured import Elo

TIE = 1e-6  # Elo
GRAPH = "uct(graph=on)"
SLOW_GRAPH = {"0.2.0 (source 1de23248)", "0.2.0 (source fe0ca8eb)"}
"""Versions that have played the league with a table of positions for which 10 ms are too short."""


@dataclass(frozen=True)
class Standings:
    """All games that were played with one budget."""

    results: Mapping[str, Sequence[MatchResult]]
    """By game; only matches with a finished game."""
    ratings: Mapping[str, Mapping[str, Rating]]
    """By game and agent: Elo with uct at 0, best first."""
    withdrawn: Sequence[MatchResult] = ()
    """Matches that were played and do not count."""

    @classmethod
    def of(
        cls,
        results: Mapping[str, Iterable[MatchResult]],
        is_faulty: Callable[[MatchResult], bool] = lambda _: False,
    ) -> Standings:
        played: dict[str, list[MatchResult]] = {}
        withdrawn = []
        for game, matches in results.items():
            for one in matches:
                if is_faulty(one):
                    withdrawn.append(one)
                elif one.score.games:
                    played.setdefault(game, []).append(one)
        return cls(played, {game: _rated(some) for game, some in played.items()}, withdrawn)

    @property
    def games(self) -> int:
        """How many games of all kinds count."""
        return sum(one.score.games for matches in self.results.values() for one in matches)

    @property
    def matches(self) -> int:
        """How many of them have a finished game."""
        return sum(len(matches) for matches in self.results.values())

    def ranks(self, agent: str) -> dict[str, float]:
        """The agent's place in each game, 1 for the best; equal agents share the mean of theirs."""
        return {
            game: _place(ratings[agent].elo, [one.elo for one in ratings.values()])
            for game, ratings in self.ratings.items()
            if agent in ratings
        }

    def mean_elo(self, agent: str) -> Elo:
        """Over the kinds of games that the agent plays, whose ratings are independent."""
        known = [ratings[agent] for ratings in self.ratings.values() if agent in ratings]
        mean = fmean(rating.elo for rating in known)
        reach = math.hypot(*((rating.high - rating.low) / 2 for rating in known)) / len(known)
        return Elo(mean, mean - reach, mean + reach) if reach else Elo(mean)

    def order(self) -> list[str]:
        """Agents by their mean rank, best first; those that play few kinds of games at the end."""
        agents = dict.fromkeys(name for ratings in self.ratings.values() for name in ratings)
        return sorted(
            agents, key=lambda name: (self.is_special(name), mean_rank(self.ranks(name)), name)
        )

    def is_special(self, agent: str) -> bool:
        """Whether it plays fewer than half of the kinds of games, so that its rank means little."""
        return 2 * len(self.ranks(agent)) < len(self.ratings)

    def one_sided(self) -> int:
        """Matches of which one colour is missing."""
        every = (one for matches in self.results.values() for one in matches)
        return sum(one.first.games != one.second.games for one in every)

    def first_mover(self, game: str) -> Score:
        """The score of whoever moved first."""
        return total(
            score
            for one in self.results[game]
            for score in (one.first, Score(one.second.losses, one.second.draws, one.second.wins))
        )

    def beaten(self) -> dict[tuple[str, str], Score]:
        """The score of the first agent against the second, over all games."""
        table: dict[tuple[str, str], Score] = {}
        for matches in self.results.values():
            for one in matches:
                a, b, score = one.plan.a, one.plan.b, one.score
                turned = Score(score.losses, score.draws, score.wins)
                for pair, share in (((a, b), score), ((b, a), turned)):
                    table[pair] = total([table.get(pair, Score(0, 0, 0)), share])
        return table


def mean_rank(ranks: Mapping[str, float]) -> float:
    return fmean(ranks.values())


def _place(elo: float, everyone: Sequence[float]) -> float:
    """A tie is a difference that may come from rounding alone, which differs between machines."""
    better = sum(other > elo + TIE for other in everyone)
    equal = sum(abs(other - elo) <= TIE for other in everyone)
    return better + (equal + 1) / 2


def _rated(matches: Sequence[MatchResult]) -> dict[str, Rating]:
    names = list(dict.fromkeys(name for one in matches for name in (one.plan.a, one.plan.b)))
    points = [[0.0] * len(names) for _ in names]
    for one in matches:
        a, b = names.index(one.plan.a), names.index(one.plan.b)
        points[a][b] += one.score.points
        points[b][a] += one.score.games - one.score.points
    anchor = ANCHOR if ANCHOR in names else None  # a run that was cut short may lack it
    ratings = bradley_terry(names, points, anchor=anchor)
    return {rating.name: rating for rating in sorted(ratings, key=lambda one: -one.elo)}


def is_faulty(budget: str, match: MatchResult) -> bool:
    """Whether one of the players is known to have been broken in this match."""
    return (
        budget == TIME
        and GRAPH in (match.plan.a, match.plan.b)
        and any(share.version in SLOW_GRAPH for share in match.shares)
    )


def withdrawn(matches: Iterable[MatchResult]) -> tuple[str, ...]:
    """What does not count and why, in sentences."""
    games = sum(match.score.games for match in matches)
    if not games:
        return ()
    return (
        f"{GRAPH} in equal time is withdrawn: the version that played these {games:,} games spent "
        "most of each move on an empty table of positions, which is corrected since. They measure "
        "that fault, not the method, and count for nobody.",
    )
