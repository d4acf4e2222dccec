"""What the league's report says: the best agents, what is missing, how to read the tables."""

from __future__ import annotations

from uctlab.papers.league_agents import ANCHOR
from uctlab.papers.league_plan import BUDGETS, DISTANCES, LONG, OPENINGS, SHORT, TIME, TUNED
from uctlab.papers.league_ratings import Standings, mean_rank
from uctlab.papers.league_tables import League
from uctlab.papers.league_tuning import SETTINGS
from uctlab.papers.match_table import NO_GAME
from uctlab.papers.report import NextStep

TOP = 5  # agents that a summary names
TUNE = "uctlab reproduce league --full --only tuning"


def summary(league: League) -> tuple[str, ...]:
    """The best by mean rank with each budget, and who is above uct beyond chance."""
    if not league.standings:
        return (NO_GAME,)
    told = []
    for budget, found in league.standings.items():
        best = ", ".join(
            f"{agent} ({mean_rank(found.ranks(agent)):.1f})"
            for agent in found.order()[:TOP]
            if not found.is_special(agent)
        )
        ranks = found.ranks(ANCHOR)
        own = f"{mean_rank(ranks):.1f}" if ranks else "none"
        told.append(
            f"With {league.words(budget)} the best mean ranks are those of {best}; "
            f"{ANCHOR} has {own}. {_above(found)} {found.games:,} games."
        )
    fresh = [
        result
        for one in league.tuned
        for result in (*one.best_results.values(), *one.default_results.values())
    ]
    if fresh and all(result.complete for result in fresh):
        told.append(_gains(league))
    return tuple(told)


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
    told = "; ".join(f"{agent} in {', '.join(above[agent])}" for agent in most)
    which = "Most often above" if len(above) > TOP else "Above"
    return f"{which} {ANCHOR} by more than their intervals: {told}."


def _gains(league: League) -> str:
    tuned, words = league.tuned, league.words(TUNED)
    changed = [one for one in tuned if one.best != one.agent]
    if not changed:
        return f"The search, {words}, changed no agent."
    text = f"The search, {words}, changed {len(changed)} of {len(tuned)} agents"
    one = max(changed, key=lambda one: one.best_mean - one.default_mean)
    if one.best_mean <= one.default_mean:
        return f"{text}; in fresh games none of the new settings scores more than the league's own."
    return (
        f"{text}. It gained most for {one.agent}: {one.best} scores {one.best_mean:.1f} % against "
        f"{ANCHOR} in fresh games, untuned {one.default_mean:.1f} %."
    )


def gaps(league: League) -> tuple[str, ...]:
    """What is missing, in sentences."""
    told = []
    for budget, found in league.standings.items():
        planned = sum(league.selection.planned(budget, game) for game in league.selection.games)
        finished = found.games + sum(one.score.games for one in found.withdrawn)
        if finished >= planned:
            continue
        told.append(
            f"Only {finished:,} of {planned:,} games with {league.words(budget)} were played. "
            "Which of them does not depend on results: matches take turns, game by game, in a "
            f"fixed order. But in {found.one_sided():,} of {found.matches:,} matches the agent "
            f"that stands earlier in the list of agents, where {ANCHOR} is the first, has moved "
            "first once more than the other. Ratings do not correct that; the table of what was "
            "played has the score of the first mover. Take this part as preliminary."
        )
    if league.lacks_tuning:
        told.append(
            "The table of tuned agents is missing, as its search is not finished: all settings "
            f"here are the untuned ones. To play it: {TUNE}."
        )
    return tuple(told)


def next_steps(league: League) -> tuple[NextStep, ...]:
    """How to play the search alone."""
    what = "plays the table of tuned agents, in a folder of its own"
    return (NextStep(TUNE, what),) if league.lacks_tuning else ()


def notes(league: League) -> tuple[str, ...]:
    """How the games were played, and how to read the tables."""
    selection = league.selection
    openings = ", ".join(f"{game} {OPENINGS[game]}" for game in selection.games)
    each = {budget: selection.games_of(budget) for budget in BUDGETS}
    by_budget = {
        SHORT: f"A tenth of the playouts: all pairings, {each[SHORT]} games each.",
        TIME: f"Equal time: all pairings, {each[TIME]} games each, on one core per game. "
        "These games depend on the machine and cannot be repeated exactly.",
        LONG: f"All playouts: {each[LONG]} games of each agent against {ANCHOR} and "
        f"against those at distance {', '.join(map(str, DISTANCES))} from it in the list of "
        "agents, which goes round. Other pairs are compared through common opponents.",
        TUNED: f"Tuning is the same for every agent: {SETTINGS} settings, the league's own and "
        "others spread evenly over the ranges in the table of settings, by successive halving "
        f"against {ANCHOR} with its defaults, {each[TUNED]} games in each game that the agent can "
        "play; what counts is the mean score over these. The settings are therefore tuned to the "
        f"games they are reported on, but the scores are from {selection.confirmation_games} fresh "
        "games in each game; those in the search are too high, being the best of several.",
    }
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
        *(by_budget[budget] for budget in BUDGETS if selection.plays(budget)),
    ]
    if set(selection.budgets) < set(BUDGETS):
        lines.append(f"Only these parts were played: {', '.join(selection.budgets)}.")
    return tuple(lines)
