"""The league's tables: ratings, tuned agents, who beats whom, settings, and what was played."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from uctlab.arena.ratings import Rating
from uctlab.arena.statistics import total
from uctlab.papers.league_agents import ANCHOR
from uctlab.papers.league_plan import TUNED, Selection
from uctlab.papers.league_ratings import Standings, mean_rank
from uctlab.papers.league_tuning import TunedEntrant
from uctlab.papers.report import Cell, Elo, Percent, Table


@dataclass(frozen=True)
class League:
    """What was to be played, and what came out."""

    selection: Selection
    standings: Mapping[str, Standings]
    """By budget; only those with ratings."""
    tuned: Sequence[TunedEntrant] = ()

    def words(self, budget: str) -> str:
        return self.selection.words(budget)

    @property
    def lacks_tuning(self) -> bool:
        """Whether the search of the tuned table was to be made and is not finished."""
        return self.selection.plays(TUNED) and not self.tuned

    def tables(self) -> tuple[Table, ...]:
        settings = self._settings()
        return (
            *(self._ratings(budget, one) for budget, one in self.standings.items()),
            *((self._tuned(),) if self.tuned else ()),
            *(self._matrix(budget, one) for budget, one in self.standings.items()),
            settings,
            *((self._left_out(),) if self.selection.left_out() else ()),
            self.played(),
        )

    def _ratings(self, budget: str, standings: Standings) -> Table:
        """Elo in each game, agents by mean rank."""
        ranks = {agent: standings.ranks(agent) for agent in standings.order()}

        def elo_in(game: str) -> Callable[[str], Cell]:
            return lambda agent: _elo(standings.ratings[game].get(agent))

        columns: dict[str, Callable[[str], Cell]] = {
            "agent": lambda agent: agent,
            "mean rank": lambda agent: round(mean_rank(ranks[agent]), 1),
            "kinds of games": lambda agent: len(ranks[agent]),
            "games": lambda agent: sum(
                one[agent].games for one in standings.ratings.values() if agent in one
            ),
            **{game: elo_in(game) for game in standings.ratings},
            "mean Elo": standings.mean_elo,
        }
        title = f"Elo with 95 % intervals, {ANCHOR} = 0, {self.words(budget)}"
        return Table.of(f"elo-{budget}", title, columns, ranks)

    def _tuned(self) -> Table:
        """Scores against uct, the best mean first."""

        def score_in(game: str) -> Callable[[TunedEntrant], Cell]:
            return lambda one: Percent.of(
                total(r.score for played, r in one.best_results.items() if played == game)
            )

        columns: dict[str, Callable[[TunedEntrant], Cell]] = {
            "agent": lambda one: one.agent,
            "best setting": lambda one: one.best,
            "in the search": lambda one: Percent(one.found),
            "fresh games": lambda one: Percent.of(
                total(r.score for r in one.best_results.values())
            ),
            "untuned": lambda one: Percent.of(total(r.score for r in one.default_results.values())),
            **{game: score_in(game) for game in self.selection.games},
        }
        return Table.of(
            "tuned",
            f"Score of tuned agents against {ANCHOR} with its defaults, {self.words(TUNED)}, "
            "95 % intervals",
            columns,
            sorted(self.tuned, key=lambda one: -one.best_mean),
        )

    def _matrix(self, budget: str, standings: Standings) -> Table:
        """Who beats whom; columns are numbered in the order of the rows."""
        order, beaten = standings.order(), standings.beaten()
        rows: list[tuple[Cell, ...]] = []
        for place, agent in enumerate(order, 1):
            scores = (beaten.get((agent, other)) for other in order)
            shares = (None if score is None else score.percent for score in scores)
            cells = (None if share is None else round(share) for share in shares)
            rows.append((place, agent, *cells))
        return Table(
            f"matrix-{budget}",
            "Who beats whom: score of the row against the column over all games, in %, "
            f"{self.words(budget)}",
            ("", "agent", *(str(place) for place in range(1, len(order) + 1))),
            tuple(rows),
        )

    def _settings(self) -> Table:
        return Table.of(
            "settings",
            "The agents, why these settings, and what the search of the tuned table may change",
            {
                "agent": lambda entrant: entrant.agent,
                "why": lambda entrant: entrant.why,
                "search": lambda entrant: ", ".join(entrant.tune) or "nothing to search",
            },
            self.selection.entrants,
        )

    def _left_out(self) -> Table:
        rows = tuple(
            (agent, ", ".join(games), reason)
            for agent, reasons in self.selection.left_out().items()
            for reason, games in reasons.items()
        )
        columns = ("agent", "does not play", "because")
        return Table("left-out", "Why cells are empty", columns, rows)

    def played(self) -> Table:
        """A row for each budget and kind of game."""
        rows: list[tuple[Cell, ...]] = []
        for budget, found in self.standings.items():
            for game in self.selection.games:
                matches = found.results.get(game, ())
                ratings = found.ratings.get(game, {})
                each = sorted({rating.games for rating in ratings.values()})
                rows.append(
                    (
                        *(self.words(budget), game, len(ratings)),
                        sum(one.score.games for one in matches),
                        self.selection.planned(budget, game),
                        " to ".join(map(str, dict.fromkeys((each[0], each[-1])))) if each else "",
                        Percent.of(found.first_mover(game)) if matches else None,
                    )
                )
        columns = ("budget", "game", "agents", "games", "planned", "games of an agent")
        return Table(
            "played", "What was played", (*columns, "score of the first mover"), tuple(rows)
        )


def _elo(rating: Rating | None) -> Elo | None:
    """Without an interval where it is 0 by definition."""
    if rating is None:
        return None
    if rating.high > rating.low:
        return Elo(rating.elo, rating.low, rating.high)
    return Elo(rating.elo)
