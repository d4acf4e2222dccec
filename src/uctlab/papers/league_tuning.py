"""The league's second table: every agent with the best setting of an equal search."""

from __future__ import annotations

from dataclasses import dataclass

from uctlab.agents import Agent
from uctlab.arena.plan import MatchPlan
from uctlab.arena.result import MatchResult
from uctlab.arena.tune_space import read_space, sample
from uctlab.arena.tuning import Race
from uctlab.papers.experiment import ExperimentContext
from uctlab.papers.league_agents import ANCHOR, Entrant
from uctlab.papers.league_plan import SHORT, TUNED, Selection, games_of, match_plan, reason_against

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


def tune_all(context: ExperimentContext, selection: Selection) -> list[TunedEntrant]:
    """Search for all agents at once, rung by rung; nothing if it was stopped before the end."""
    races = {
        entrant.agent: _race(entrant, selection, context)
        for entrant in selection.entrants
        if entrant.tune and _playable(entrant, selection)
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

    def plan(agent: Agent, game: str) -> MatchPlan:
        return match_plan(game, agent.name, ANCHOR, context.size, SHORT, seed)

    return Race(
        [agent for _, agent in sample(entrant.agent, space, SETTINGS, context.seed)],
        _playable(entrant, selection),
        plan,
        games_of(context.size, TUNED),
    )


def _playable(entrant: Entrant, selection: Selection) -> list[str]:
    return [game for game in selection.games if not reason_against(game, entrant.agent)]


def confirmation_games(context: ExperimentContext) -> int:
    """Of each setting in each game."""
    return 4 * context.size.repeats


def _confirmed(
    context: ExperimentContext, selection: Selection, races: dict[str, Race]
) -> list[TunedEntrant]:
    """Fresh games, which the search has not seen."""
    seed = context.derive_seed("league confirmation")
    playable = {e.agent: _playable(e, selection) for e in selection.entrants}
    plans = {
        (setting, game): match_plan(game, setting, ANCHOR, context.size, SHORT, seed)
        for agent, race in races.items()
        for setting in dict.fromkeys((agent, race.best.name))
        for game in playable[agent]
    }
    played = context.matches(list(plans.values()), [confirmation_games(context)] * len(plans))
    results = dict(zip(plans, played, strict=True))
    return [
        TunedEntrant(
            agent,
            race.best.name,
            race.best_score.percent or 0.0,
            {game: results[agent, game] for game in playable[agent]},
            {game: results[race.best.name, game] for game in playable[agent]},
        )
        for agent, race in races.items()
    ]
