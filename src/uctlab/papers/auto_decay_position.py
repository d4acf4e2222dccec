"""Automatic decay on browne2013's position: how soon is the winning move chosen?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from uctlab.arena.statistics import Score
from uctlab.papers import browne2013
from uctlab.papers.auto_decay_bar import Verdict, turns_sooner
from uctlab.papers.browne2013 import WINNING, Chosen
from uctlab.papers.drawing import quantile
from uctlab.papers.experiment import ExperimentContext, Size
from uctlab.papers.report import Figure, Percent, Table

RESAMPLED = 1000


@dataclass(frozen=True)
class PositionPart:
    """Searches of the position by automatic decay, plain UCT and one fixed k."""

    agents: Mapping[str, str]
    """By the names that the report has for them."""
    auto: str
    plain: str

    def run(self, context: ExperimentContext, size: Size) -> PositionFindings:
        """`size` has the number of searches per budget, and the largest budget."""
        budgets = browne2013.epochs(size)
        chosen = browne2013.choices(context, self.agents, budgets, lambda _: size.repeats)
        known = {
            name: {b: share for b in budgets if (share := _share(chosen, name, b))}
            for name in self.agents
        }
        table = browne2013.success_table(self.agents, budgets, chosen)
        figure = browne2013.summary_plot("position", "Who finds the winning move, and when", known)
        return PositionFindings(
            self._verdict(budgets, chosen),
            replace(table, name="position", title="browne2013's position: which move is chosen"),
            figure if any(known.values()) else None,
            size.repeats,
        )

    def cost(self, size: Size) -> float:
        playouts = size.repeats * sum(browne2013.epochs(size))
        return len(self.agents) * playouts / browne2013.SIMULATIONS_PER_SECOND

    def _verdict(self, budgets: Sequence[int], chosen: Chosen) -> Verdict:
        turns = {name: browne2013.turn_of(name, budgets, chosen) for name in self.agents}
        slower, sooner = (
            [chosen[name, playouts] for playouts in budgets] for name in (self.plain, self.auto)
        )
        interval = quotient_interval(budgets, slower, sooner)
        found = turns_sooner(turns, self.auto, self.plain, horizon=budgets[-1], interval=interval)
        made = sorted({counts.total() for counts in chosen.values()})
        if made == [0]:
            return replace(found, figures="No search was made.")
        told = " to ".join(f"{count:,}" for count in dict.fromkeys((made[0], made[-1])))
        return replace(found, figures=f"{found.figures} Searches per budget: {told}.")


@dataclass(frozen=True)
class PositionFindings:
    verdict: Verdict
    table: Table
    figure: Figure | None
    searches: int
    """Wanted per budget; 0 if the position is left out."""


def quotient_interval(
    budgets: Sequence[int],
    slower: Sequence[Mapping[str, int]],
    sooner: Sequence[Mapping[str, int]],
    seed: int = 0,
) -> tuple[float, float] | None:
    """95 % interval of how many times sooner an agent turns than a slower one, by bootstrap.

    Each draws its choices again as often as it has searched, with the shares that were seen. A
    slower one that never turns counts as infinitely slow; None if nothing can be said.
    """
    numbers = np.random.default_rng(seed)
    drawn = [_drawn_turns(budgets, counts, numbers) for counts in (slower, sooner)]
    known = sorted((a or np.inf) / b if b else 0.0 for a, b in zip(*drawn, strict=True) if a or b)
    if len(known) < RESAMPLED / 2:
        return None
    return float(quantile(known, 0.025)), float(quantile(known, 0.975))


def _drawn_turns(
    budgets: Sequence[int], counts: Sequence[Mapping[str, int]], numbers: np.random.Generator
) -> list[float | None]:
    searches = np.array([sum(one.values()) for one in counts])
    won = np.array([one.get(WINNING, 0) for one in counts])
    draws = numbers.binomial(searches, won / np.maximum(1, searches), (RESAMPLED, len(counts)))
    return [
        browne2013.turning_point(
            budgets,
            [
                Percent.of(Score(int(hits), 0, int(games - hits)))
                for hits, games in zip(row, searches, strict=True)
            ],
        )
        for row in draws
    ]


def _share(chosen: Chosen, name: str, playouts: int) -> Percent | None:
    return browne2013.share_of(chosen[name, playouts], WINNING)
