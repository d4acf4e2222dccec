"""Says which part of the league was played, and what its gaps mean for the ratings."""

from __future__ import annotations

from collections.abc import Mapping

from uctlab.papers.experiment import Size
from uctlab.papers.league_agents import ANCHOR
from uctlab.papers.league_plan import TUNED, Selection, games_of, pairings
from uctlab.papers.league_ratings import Standings
from uctlab.papers.report import Cell, NextStep, Percent, Table

TUNE = "uctlab reproduce league --full --only tuning"


def played(
    standings: Mapping[str, Standings],
    words: Mapping[str, str],
    selection: Selection,
    size: Size,
) -> Table:
    """A row for each budget and kind of game."""
    rows: list[tuple[Cell, ...]] = []
    for budget, found in standings.items():
        for game in selection.games:
            matches = found.results.get(game, ())
            games = sum(one.score.games for one in matches)
            each = {rating.games for rating in found.ratings.get(game, {}).values()}
            rows.append(
                (
                    words[budget],
                    game,
                    len(found.ratings.get(game, {})),
                    games,
                    _planned(selection, size, budget, game),
                    _range(each),
                    Percent.of(found.first_mover(game)) if matches else None,
                )
            )
    return Table(
        "played",
        "What was played",
        (
            *("budget", "game", "agents", "games", "planned", "games of an agent"),
            "score of the first mover",
        ),
        tuple(rows),
    )


def gaps(
    standings: Mapping[str, Standings],
    tuned: bool,
    words: Mapping[str, str],
    selection: Selection,
    size: Size,
) -> tuple[str, ...]:
    """What is missing, in sentences."""
    told = []
    for budget, found in standings.items():
        planned = sum(_planned(selection, size, budget, game) for game in selection.games)
        finished = found.games + sum(one.score.games for one in found.withdrawn)
        if finished >= planned:
            continue
        told.append(
            f"Only {finished:,} of {planned:,} games with {words[budget]} were played. Which of "
            "them does not depend on results: matches take turns, game by game, in a fixed order. "
            f"But in {found.one_sided():,} of {found.matches:,} matches the agent that stands "
            f"earlier in the list of agents, where {ANCHOR} is the first, has moved first once "
            "more than the other. Ratings do not correct that; the table of what was played has "
            "the score of the first mover. Take this part as preliminary."
        )
    if _lacks_tuning(tuned, selection, size):
        told.append(
            "The table of tuned agents is missing, as its search is not finished: all settings "
            f"here are the untuned ones. To play it: {TUNE}."
        )
    return tuple(told)


def next_steps(tuned: bool, selection: Selection, size: Size) -> tuple[NextStep, ...]:
    """How to play the search alone."""
    if not _lacks_tuning(tuned, selection, size):
        return ()
    return (
        NextStep(
            TUNE,
            "plays the table of tuned agents, in a folder of its own",
        ),
    )


def _range(counts: set[int]) -> str:
    if len(counts) < 2:
        return ", ".join(map(str, counts))
    return f"{min(counts)} to {max(counts)}"


def _lacks_tuning(tuned: bool, selection: Selection, size: Size) -> bool:
    return TUNED in selection.budgets and games_of(size, TUNED) > 0 and not tuned


def _planned(selection: Selection, size: Size, budget: str, game: str) -> int:
    return len(pairings(selection.players(game), budget)) * games_of(size, budget)
