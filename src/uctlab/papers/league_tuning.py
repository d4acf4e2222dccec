"""The league's second table: every agent with the best setting of an equal search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean

from uctlab.arena.result import MatchResult
from uctlab.arena.tune_space import read_space, sample
from uctlab.arena.tuning import Race
from uctlab.papers.experiment import ExperimentContext
from uctlab.papers.league_agents import ANCHOR, Entrant
from uctlab.papers.league_plan import SHORT, TUNED, Selection

SETTINGS = 8
"""How many settings of each agent are tried, the league's own among them."""


@dataclass(frozen=True)
class TunedEntrant:
    """An agent, its best setting, and fresh games of both against uct."""

    agent: str
    best: str
    found: float
    """Score of the best setting in the search, in percent: too high on average, since it is the
    best of several."""
    default_results: dict[str, MatchResult]
    """Fresh games of the league's own setting against uct, by game."""
    best_results: dict[str, MatchResult]
    """Likewise of the best setting."""

    @property
    def best_mean(self) -> float:
        """Percent, over the kinds of games; so is `default_mean`."""
        return _mean(self.best_results)

    @property
    def default_mean(self) -> float:
        return _mean(self.default_results)


def _mean(results: Mapping[str, MatchResult]) -> float:
    shares = [one.score.percent for one in results.values() if one.score.percent is not None]
    return fmean(shares) if shares else 0.0


def tune_all(context: ExperimentContext, selection: Selection) -> list[TunedEntrant]:
    """Search for all agents at once, rung by rung; nothing if it was stopped before the end."""
    races = {
        entrant.agent: _race(entrant, selection, context)
        for entrant in selection.entrants
        if entrant.tune and selection.playable(entrant.agent)
    }
    while running := [race for race in races.values() if not race.halving.done]:
        asked = [(race, plan) for race in running for plan in race.plans()]
        results = context.matches(
            [plan for _, plan in asked], [race.halving.games for race, _ in asked]
        )
        if context.stopped:
            return []
        for race in running:
            race.tell([r for (asker, _), r in zip(asked, results, strict=True) if asker is race])
    return _confirmed(context, selection, races)


def _race(entrant: Entrant, selection: Selection, context: ExperimentContext) -> Race:
    space = read_space(entrant.agent, entrant.tune)
    seed = context.derive_seed("league tuning")
    return Race(
        [agent for _, agent in sample(entrant.agent, space, SETTINGS, context.seed)],
        selection.playable(entrant.agent),
        lambda agent, game: selection.match_plan(game, agent.name, ANCHOR, SHORT, seed),
        selection.games_of(TUNED),
    )


def _confirmed(
    context: ExperimentContext, selection: Selection, races: dict[str, Race]
) -> list[TunedEntrant]:
    """Fresh games, which the search has not seen."""
    seed = context.derive_seed("league confirmation")
    plans = {
        (setting, game): selection.match_plan(game, setting, ANCHOR, SHORT, seed)
        for agent, race in races.items()
        for setting in dict.fromkeys((agent, race.best.name))
        for game in selection.playable(agent)
    }
    played = context.matches(list(plans.values()), [selection.confirmation_games] * len(plans))
    results = dict(zip(plans, played, strict=True))
    return [
        TunedEntrant(
            agent,
            race.best.name,
            race.best_score.percent or 0.0,
            {game: results[agent, game] for game in selection.playable(agent)},
            {game: results[race.best.name, game] for game in selection.playable(agent)},
        )
        for agent, race in races.items()
    ]
