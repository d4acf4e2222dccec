"""The league's tables and sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from uctlab.arena.ratings import Rating
from uctlab.arena.result import MatchResult
from uctlab.arena.statistics import total
from uctlab.papers.experiment import ExperimentContext
from uctlab.papers.league_agents import ANCHOR
from uctlab.papers.league_plan import (
    BUDGETS,
    DISTANCES,
    LONG,
    OPENINGS,
    SHORT,
    TIME,
    TUNED,
    Selection,
    games_of,
)
from uctlab.papers.league_ratings import Standings, mean_rank
from uctlab.papers.league_tuning import SETTINGS, TunedEntrant, confirmation_games
from uctlab.papers.report import Cell, Elo, Percent, Table

TOP = 5  # agents that a summary names


def all_tables(
    standings: Mapping[str, Standings],
    tuned: Sequence[TunedEntrant],
    words: Mapping[str, str],
    selection: Selection,
) -> tuple[Table, ...]:
    found = [_ratings(budget, one, words[budget]) for budget, one in standings.items()]
    if tuned:
        found.append(_tuned(tuned, words[TUNED], selection))
    found += [_matrix(budget, one, words[budget]) for budget, one in standings.items()]
    found.append(_settings(selection))
    if selection.left_out():
        found.append(_left_out(selection))
    return tuple(found)


def _ratings(budget: str, standings: Standings, words: str) -> Table:
    """Elo in each game, agents by mean rank."""
    games = list(standings.ratings)
    rows: list[tuple[Cell, ...]] = []
    for agent in standings.order():
        ratings = [standings.ratings[game].get(agent) for game in games]
        ranks = standings.ranks(agent)
        rows.append(
            (
                agent,
                round(mean_rank(ranks), 1),
                len(ranks),
                sum(rating.games for rating in ratings if rating),
                *(_elo(rating) if rating else None for rating in ratings),
                standings.mean_elo(agent),
            )
        )
    return Table(
        f"elo-{budget}",
        f"Elo with 95 % intervals, {ANCHOR} = 0, {words}",
        ("agent", "mean rank", "kinds of games", "games", *games, "mean Elo"),
        tuple(rows),
    )


def _elo(rating: Rating) -> Elo:
    """Without an interval where it is 0 by definition."""
    if rating.high > rating.low:
        return Elo(rating.elo, rating.low, rating.high)
    return Elo(rating.elo)


def _tuned(tuned: Sequence[TunedEntrant], words: str, selection: Selection) -> Table:
    """Scores against uct, the best mean first."""
    rows: list[tuple[Cell, ...]] = []
    for one in sorted(tuned, key=lambda one: -(_mean(one.best_results) or 0.0)):
        best = Percent.of(total(r.score for r in one.best_results.values()))
        default = Percent.of(total(r.score for r in one.default_results.values()))
        rows.append(
            (
                one.agent,
                one.best,
                Percent(one.found),
                best,
                default,
                *(_score(one.best_results.get(game)) for game in selection.games),
            )
        )
    return Table(
        "tuned",
        f"Score of tuned agents against {ANCHOR} with its defaults, {words}, 95 % intervals",
        (
            *("agent", "best setting", "in the search", "fresh games", "untuned"),
            *selection.games,
        ),
        tuple(rows),
    )


def _score(result: MatchResult | None) -> Percent | None:
    return None if result is None else Percent.of(result.score)


def _mean(results: Mapping[str, MatchResult]) -> float | None:
    shares = [one.score.percent for one in results.values() if one.score.percent is not None]
    return fmean(shares) if shares else None


def _matrix(budget: str, standings: Standings, words: str) -> Table:
    """Who beats whom; columns are numbered in the order of the rows."""
    order, beaten = standings.order(), standings.beaten()
    rows: list[tuple[Cell, ...]] = []
    for place, agent in enumerate(order, 1):
        scores = (beaten.get((agent, other)) for other in order)
        shares = (None if score is None else score.percent for score in scores)
        rows.append((place, agent, *(None if share is None else round(share) for share in shares)))
    return Table(
        f"matrix-{budget}",
        f"Who beats whom: score of the row against the column over all games, in %, {words}",
        ("", "agent", *(str(place) for place in range(1, len(order) + 1))),
        tuple(rows),
    )


def _settings(selection: Selection) -> Table:
    return Table(
        "settings",
        "The agents, why these settings, and what the search of the tuned table may change",
        ("agent", "why", "search"),
        tuple(
            (entrant.agent, entrant.why, ", ".join(entrant.tune) or "nothing to search")
            for entrant in selection.entrants
        ),
    )


def _left_out(selection: Selection) -> Table:
    return Table(
        "left-out",
        "Why cells are empty",
        ("agent", "does not play", "because"),
        tuple(
            (agent, ", ".join(games), reason)
            for agent, reasons in selection.left_out().items()
            for reason, games in reasons.items()
        ),
    )


def summary(
    standings: Mapping[str, Standings], tuned: Sequence[TunedEntrant], words: Mapping[str, str]
) -> tuple[str, ...]:
    """The best by mean rank with each budget, and who is above uct beyond chance."""
    if not standings:
        return ("No game was finished.",)
    told = []
    for budget, found in standings.items():
        best = ", ".join(
            f"{agent} ({mean_rank(found.ranks(agent)):.1f})"
            for agent in found.order()[:TOP]
            if not found.is_special(agent)
        )
        told.append(
            f"With {words[budget]} the best mean ranks are those of {best}; "
            f"{ANCHOR} has {_rank_of_anchor(found)}. {_above(found)} {found.games:,} games."
        )
    fresh = [
        r for one in tuned for r in (*one.best_results.values(), *one.default_results.values())
    ]
    if fresh and all(result.complete for result in fresh):
        told.append(_gains(tuned, words[TUNED]))
    return tuple(told)


def _rank_of_anchor(found: Standings) -> str:
    ranks = found.ranks(ANCHOR)
    return f"{mean_rank(ranks):.1f}" if ranks else "none"


def _above(found: Standings) -> str:
    """Where agents are better than uct by more than their interval."""
    above: dict[str, list[str]] = {}
    for game, ratings in found.ratings.items():
        for agent, rating in ratings.items():
            if rating.low > 0:
                above.setdefault(agent, []).append(game)
    if not above:
        return f"No agent is above {ANCHOR} by more than its interval in any game."
    most = sorted(above, key=lambda agent: -len(above[agent]))[:TOP]
    listed = "; ".join(f"{agent} in {', '.join(above[agent])}" for agent in most)
    which = "Most often above" if len(above) > TOP else "Above"
    return f"{which} {ANCHOR} by more than their intervals: {listed}."


def _gains(tuned: Sequence[TunedEntrant], words: str) -> str:
    changed = [one for one in tuned if one.best != one.agent]
    if not changed:
        return f"The search, {words}, changed no agent."
    one = max(changed, key=_gain)
    if _gain(one) <= 0:
        return (
            f"The search, {words}, changed {len(changed)} of {len(tuned)} agents; in fresh games "
            "none of the new settings scores more than the league's own."
        )
    return (
        f"The search, {words}, changed {len(changed)} of {len(tuned)} agents. It gained most for "
        f"{one.agent}: {one.best} scores {_mean(one.best_results):.1f} % against {ANCHOR} in fresh "
        f"games, untuned {_mean(one.default_results):.1f} %."
    )


def _gain(one: TunedEntrant) -> float:
    return (_mean(one.best_results) or 0.0) - (_mean(one.default_results) or 0.0)


def notes(context: ExperimentContext, selection: Selection) -> tuple[str, ...]:
    size = context.size
    openings = ", ".join(f"{game} {OPENINGS[game]}" for game in selection.games)
    distances = ", ".join(map(str, DISTANCES))
    lines = [
        f"Elo is by Bradley and Terry's model, for each game on its own; {ANCHOR} is 0, and an "
        "interval is that of the difference from it. Every player gets one virtual draw, spread "
        "over all others, which keeps ratings finite.",
        "Mean rank: the mean of an agent's places in the games that it can play; the column beside "
        "it says how many kinds these are. Agents that play fewer than half of them are at the "
        "end, as their mean rank says little. Ranks and means of agents that play different "
        "games are not quite comparable.",
        "Each interval stands for itself: among two hundred that hold 95 % each, about ten are "
        "beside the truth.",
        "Settings are one for each agent and all games, chosen before any game of the league was "
        "played, by what papers and documentation say. None was tuned for the league, though some "
        "numbers in the documentation come from earlier matches in Othello and Go.",
        "Games begin with random moves, the same for both games of a pair with swapped colours, "
        f"and others in each pair: {openings}. So agents without randomness repeat no game.",
        "Trees are not kept between moves. A playout of alphabeta, uctmax and uct(leaf=evaluate) "
        "is one evaluated position: no game is played out, but the evaluation knows the game.",
    ]
    if SHORT in selection.budgets:
        lines.append(f"A tenth of the playouts: all pairings, {games_of(size, SHORT)} games each.")
    if TIME in selection.budgets:
        lines.append(
            f"Equal time: all pairings, {games_of(size, TIME)} games each, on one core per game. "
            "These games depend on the machine and cannot be repeated exactly."
        )
    if LONG in selection.budgets:
        lines.append(
            f"All playouts: {games_of(size, LONG)} games of each agent against {ANCHOR} and "
            f"against those at distance {distances} from it in the list of agents, which goes "
            "round. Other pairs are compared through common opponents."
        )
    if TUNED in selection.budgets:
        lines.append(
            f"Tuning is the same for every agent: {SETTINGS} settings, the league's own and others "
            "spread evenly over the ranges in the table of settings, by successive halving against "
            f"{ANCHOR} with its defaults, {games_of(size, TUNED)} games in each game that the "
            "agent can play; what counts is the mean score over these. The settings are "
            "therefore tuned to the games they are reported on, but the scores are from "
            f"{confirmation_games(context)} fresh games in each game; those in the search are too "
            "high, being the best of several."
        )
    if set(selection.budgets) < set(BUDGETS):
        lines.append(f"Only these parts were played: {', '.join(selection.budgets)}.")
    return tuple(lines)
