"""The league: every agent of the family against every other, in seven games and three budgets."""

from __future__ import annotations

from functools import partial

from uctlab.arena.result import MatchResult
from uctlab.papers import league_figures as figures
from uctlab.papers import league_words as words
from uctlab.papers.experiment import Experiment, ExperimentContext, Findings, Size
from uctlab.papers.league_agents import ANCHOR
from uctlab.papers.league_plan import (
    BUDGETS,
    LONG,
    PARTS,
    SHORT,
    TIME,
    TUNED,
    Selection,
    game_text,
    pairings,
)
from uctlab.papers.league_ratings import Standings, is_faulty, withdrawn
from uctlab.papers.league_tables import League
from uctlab.papers.league_tuning import tune_all
from uctlab.papers.report import Figure

# A game of 1,000 playouts per move, on one core: seconds, and of them what does not depend on the
# playouts. Means over agents.
_SECONDS = {
    "othello": (0.25, 0.09),
    "hex:7": (0.13, 0.05),
    "hex:11": (0.7, 0.25),
    "havannah:5": (0.4, 0.1),
    "go:9": (1.0, 0.15),
    "connect_four": (0.08, 0.02),
    "kalah": (0.18, 0.05),
}
_MOVES = {
    "othello": 60,
    "hex:7": 16,
    "hex:11": 45,
    "havannah:5": 40,
    "go:9": 95,
    "connect_four": 35,
    "kalah": 45,
}


def run(context: ExperimentContext) -> Findings:
    selection = Selection.of(context.size)
    standings = {
        budget: _play(context, selection, budget)
        for budget in (SHORT, TIME, LONG)
        if selection.plays(budget)
    }
    tuned = tune_all(context, selection) if selection.plays(TUNED) else []
    known = {budget: found for budget, found in standings.items() if found.ratings}
    league = League(selection, known, tuned)
    faulty = [match for found in standings.values() for match in found.withdrawn]
    return Findings(
        summary=(*words.summary(league), *words.gaps(league), *withdrawn(faulty)),
        tables=league.tables(),
        figures=_figures(league),
        notes=words.notes(league),
        next_steps=words.next_steps(league),
    )


def _play(context: ExperimentContext, selection: Selection, budget: str) -> Standings:
    every = selection.plans(budget, context.seed)
    results = context.matches(every, [selection.games_of(budget)] * len(every))
    texts = {game_text(game): game for game in selection.games}
    by_game: dict[str, list[MatchResult]] = {game: [] for game in selection.games}
    for result in results:
        by_game[texts[result.plan.game]].append(result)
    return Standings.of(by_game, partial(is_faulty, budget))


def _figures(league: League) -> tuple[Figure, ...]:
    """All budgets together if there are several, then the ratings and pairs of each."""
    drawn: list[Figure] = []
    if len(league.standings) > 1:
        drawn.append(
            Figure(
                "budgets",
                f"Mean Elo over the games in which an agent plays, by budget; {ANCHOR} is 0. Bars "
                "are 95 % intervals of the difference from it in these games. Agents are in the "
                "order of the first budget; below the line: those that play fewer than half of "
                "the games.",
                partial(figures.mean_elo, standings=league.standings, words=league.words),
                figures.size_of_means(league.standings),
            )
        )
    for budget, found in league.standings.items():
        title = league.words(budget)
        drawn += (
            Figure(
                f"elo-{budget}",
                f"Elo of every agent in every game, {title}; {ANCHOR} is 0. Best mean rank "
                "at the top. Bars are 95 % intervals of the difference from it; filled marks are "
                f"above or below it by more than that. An arrow: beyond {figures.REACH}. Below the "
                "line: agents that play fewer than half of the games.",
                partial(figures.elo_by_game, standings=found, title=title),
                figures.size_of_ratings(found),
            ),
            Figure(
                f"matrix-{budget}",
                f"Score of the agent in the row against the agent in the column, over all games, "
                f"{title}. Blue: the row wins; orange: the column wins; white: even; grey: "
                "not played. Columns have the numbers of the rows.",
                partial(figures.who_beats_whom, standings=found, title=title),
                figures.size_of_matrix(found),
            ),
        )
    return tuple(drawn)


def cost(size: Size) -> float:
    """As if every agent could play every game: to find that out takes seconds."""
    selection = Selection.of(size)
    players = [entrant.agent for entrant in selection.entrants]
    total = 0.0
    for game in selection.games:
        seconds, overhead = _SECONDS[game]
        each = {
            budget: overhead + (seconds - overhead) * selection.playouts(budget) / 1000
            for budget in (SHORT, LONG)
        } | {TIME: overhead + _MOVES[game] * selection.seconds}
        for budget in each.keys() & selection.budgets:
            games = len(pairings(players, budget)) * selection.games_of(budget)
            total += games * each[budget]
        if TUNED in selection.budgets:
            total += len(players) * (selection.games_of(TUNED) + 8 * size.repeats) * each[SHORT]
    return total


EXPERIMENTS = (
    Experiment(
        id="league",
        title="The league: every agent of the family against every other",
        source="A comparison made for uctlab; it is from no paper. The agents' papers are on the "
        "documentation's page about agents.",
        quick=Size(
            repeats=2,
            playouts=1_000,
            only=("hex:7", "connect_four", "kalah", SHORT, TIME, LONG),
        ),
        full=Size(repeats=4, playouts=10_000),
        run=run,
        cost=cost,
        cells=tuple(BUDGETS),
        parts=PARTS,
    ),
)
