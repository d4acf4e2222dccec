"""Tournaments: which players meet, the cross table and the ratings."""

from __future__ import annotations

import itertools
from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from uctlab.arena.player import player_name
from uctlab.arena.ratings import Rating, bradley_terry
from uctlab.arena.result import MatchResult
from uctlab.arena.statistics import Score
from uctlab.arena.text_table import text_table
from uctlab.drawing import html
from uctlab.errors import UsageError
from uctlab.frames import make_frame

if TYPE_CHECKING:  # it is slow to load, and not always installed
    from matplotlib.axes import Axes

KINDS = {
    "round-robin": "every player meets every other",
    "gauntlet": "the first player meets all others",
}


@dataclass(frozen=True)
class TournamentResult:
    """The matches, points and ratings of a tournament.

    Examples:
        >>> table = uctlab.tournament("hex:3", ["uct", "mc"], games=2, playouts=20, workers=1)
        >>> len(table.matches), len(table.ratings)
        (1, 2)
    """

    players: tuple[str, ...]
    matches: tuple[MatchResult, ...]
    ratings: tuple[Rating, ...]
    """Best first: Elo by the Bradley-Terry model, with mean 0."""

    @property
    def game(self) -> str:
        return self.matches[0].plan.game

    def scores(self) -> list[list[Score | None]]:
        """Score of the row's player against the column's; None if they did not meet."""
        table: list[list[Score | None]] = [[None] * len(self.players) for _ in self.players]
        for match in self.matches:
            score = match.score
            if score.games:
                a, b = (self.players.index(name) for name in (match.plan.a, match.plan.b))
                table[a][b] = score
                table[b][a] = Score(score.losses, score.draws, score.wins)
        return table

    def points(self) -> list[list[float | None]]:
        """Points of the row's player against the column's; None if they did not meet."""
        return [[None if cell is None else cell.points for cell in row] for row in self.scores()]

    def cross_table(self, *, intervals: bool = False) -> tuple[list[str], list[list[str]]]:
        """Headings and rows, players by rating; columns 1, 2, ... have the same order.

        A cell has the points against that player or, with `intervals`, the score and Wilson's
        interval too.
        """
        order = [self.players.index(rating.name) for rating in self.ratings]
        scores = self.scores()
        places = [str(place) for place in range(1, len(order) + 1)]
        columns = ["", "player", "Elo", "95 %", "games", "score", *places]
        rows = []
        for place, player, rating in zip(places, order, self.ratings, strict=True):
            cells = (scores[player][other] for other in order)
            rows.append(
                [
                    place,
                    rating.name,
                    f"{rating.elo:+.0f}",
                    f"+-{(rating.high - rating.low) / 2:.0f}",
                    str(rating.games),
                    "" if rating.score is None else f"{100 * rating.score:.1f} %",
                    *(_cell(cell, intervals) for cell in cells),
                ]
            )
        return columns, rows

    def remarks(self) -> list[str]:
        """How to read the table, and what is missing or mixed."""
        lines = ["Columns 1, 2, ...: points against the player in that place."]
        for match in self.matches:
            if not match.complete:
                lines.append(f"{match.plan}: {match.wanted - match.score.games} games are missing")
            if match.versions:
                lines.append(f"{match.plan}: {match.versions}")
        return lines

    def to_frame(self) -> Any:
        """A pandas.DataFrame: players by rating, with the points against each in a column."""
        points = self.points()
        order = [self.players.index(rating.name) for rating in self.ratings]
        return make_frame(
            {
                "player": rating.name,
                "elo": rating.elo,
                "elo_low": rating.low,
                "elo_high": rating.high,
                "games": rating.games,
                "score": None if rating.score is None else 100 * rating.score,
                **{self.players[other]: points[player][other] for other in order},
            }
            for player, rating in zip(order, self.ratings, strict=True)
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the ratings with their 95 % intervals; returns matplotlib's axes."""
        from uctlab.arena.pictures import plot_ratings  # noqa: PLC0415 (it needs this class)

        return plot_ratings(self, ax)

    def __str__(self) -> str:
        return "\n".join([text_table(*self.cross_table(), texts=2), *self.remarks()])

    def _repr_html_(self) -> str:
        plan = self.matches[0].plan
        title = f"{self.game}, {plan.conditions}, seed {plan.seed}"
        table = html.table(*self.cross_table(intervals=True), caption=title, texts=2)
        return table + html.paragraphs(self.remarks())

    def as_json(self) -> dict[str, Any]:
        return {
            "players": list(self.players),
            "points": self.points(),
            "ratings": [vars(rating) for rating in self.ratings],
            "matches": [match.as_json() for match in self.matches],
        }


def pairings(kind: str, players: Sequence[str], own: Container[str] = ()) -> list[tuple[str, str]]:
    """Who meets whom, by canonical names; `own` are names of objects, which stay as they are."""
    if kind not in KINDS:
        raise UsageError(f"unknown tournament '{kind}'; known: {', '.join(KINDS)}")
    names = [text if text in own else player_name(text) for text in players]
    if len(names) < 2:
        raise UsageError("a tournament needs at least two players")
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"{name} is listed twice")
    everybody = list(itertools.combinations(names, 2))
    return everybody if kind == "round-robin" else everybody[: len(names) - 1]


def rate(matches: Sequence[MatchResult]) -> TournamentResult:
    """Ratings and cross table of those matches."""
    pairs = ((match.plan.a, match.plan.b) for match in matches)
    names = tuple(dict.fromkeys(itertools.chain.from_iterable(pairs)))
    result = TournamentResult(names, tuple(matches), ())
    points = [[cell or 0.0 for cell in row] for row in result.points()]
    ratings = sorted(bradley_terry(names, points), key=lambda rating: -rating.elo)
    return TournamentResult(names, tuple(matches), tuple(ratings))


def _cell(score: Score | None, interval: bool) -> str:
    if score is None:
        return ""
    if not interval or score.wilson is None:
        return f"{score.points:g}"
    low, high = score.wilson
    return f"{score.points:g} of {score.games}: {score.percent:.0f} % ({low:.0f} to {high:.0f})"
