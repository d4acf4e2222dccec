"""Automatic decay on browne2013's position: how soon is the winning move chosen?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from uctlab.papers import browne2013
from uctlab.papers.auto_decay_asked import Verdict, turns_sooner
from uctlab.papers.browne2013 import WINNING, Chosen
from uctlab.papers.experiment import ExperimentContext, Size
from uctlab.papers.report import Figure, Percent, Table
from uctlab.papers.turning import quotient_interval, turn_of


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
        figure = browne2013.summary_plot(
            "position",
            "Who finds the winning move, and when",
            known,
            browne2013.searches_told(budgets, chosen),
        )
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
        tallies = {name: browne2013.tallies(name, budgets, chosen) for name in self.agents}
        found = {name: turn_of(one) for name, one in tallies.items()}
        turns = {name: turn.playouts if turn else None for name, turn in found.items()}
        interval = quotient_interval(tallies[self.plain], tallies[self.auto])
        verdict = turns_sooner(turns, self.auto, self.plain, horizon=budgets[-1], interval=interval)
        made = sorted({counts.total() for counts in chosen.values()})
        if made == [0]:
            return replace(verdict, figures="No search was made.")
        told = " to ".join(f"{count:,}" for count in dict.fromkeys((made[0], made[-1])))
        return replace(verdict, figures=f"{verdict.figures} Searches per budget: {told}.")


@dataclass(frozen=True)
class PositionFindings:
    verdict: Verdict
    table: Table
    figure: Figure | None
    searches: int
    """Wanted per budget; 0 if the position is left out."""


def _share(chosen: Chosen, name: str, playouts: int) -> Percent | None:
    return browne2013.share_of(chosen[name, playouts], WINNING)
