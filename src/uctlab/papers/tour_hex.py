"""Second part of the tour: browne2013's Hex problem, and who finds the winning move when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from uctlab.agents import make_agent
from uctlab.games import Position, make_game
from uctlab.mcts.rules_digest import kernels_digest
from uctlab.mcts.searcher import Searcher
from uctlab.papers.browne2013 import (
    GAME,
    LETTERS,
    PLAYERS,
    POSITION,
    SIMULATIONS_PER_SECOND,
    WINNING,
    epochs,
)
from uctlab.papers.experiment import ExperimentContext, Findings, Size
from uctlab.papers.measured import Difference, Percent, listed
from uctlab.papers.problems import Choices
from uctlab.papers.report import Section, Table
from uctlab.papers.shares import Curves, turning_point

PLAIN, KNOWING = "UCT", "UCT_rh"
NAMES = {
    PLAIN: "Plain UCT",
    "AUCT k=4": "Accelerated UCT with k = 4",
    "DUCT k=4": "Discounted UCT with k = 4",
    KNOWING: "UCT with RAVE and bridges",
}
LIMITS = {KNOWING: 32_000}
"""It has found the move by then, and is the slowest."""


@dataclass(frozen=True)
class Watched:
    """One search; its outcome is the list of the moves it prefers after so many playouts."""

    game: ClassVar[str] = GAME

    agent: str
    budgets: tuple[int, ...]
    """In ascending order."""
    seed: int

    def __str__(self) -> str:
        return f"a search of {self.game} by {self.agent} with {self.budgets[-1]:,} playouts"

    @property
    def kernels(self) -> str:
        """Digest of what the search computes."""
        return kernels_digest(self.game, (self.agent,))

    def perform(self) -> list[str]:
        searcher = Searcher(make_game(self.game), make_agent(self.agent), seed=self.seed)
        searcher.prepare(Position.from_diagram(searcher.game, POSITION), self.budgets[-1])
        chosen = []
        for before, budget in zip((0, *self.budgets), self.budgets, strict=False):
            searcher.run(budget - before)
            chosen.append(searcher.best_move())
        return chosen


def _budgets(player: str, size: Size) -> tuple[int, ...]:
    known = epochs(size)
    return tuple(b for b in known if b <= LIMITS.get(player, known[-1]))


def tasks(context: ExperimentContext) -> dict[str, list[Watched]]:
    return {
        name: [
            Watched(PLAYERS[name][0], _budgets(name, context.size), context.derive_seed(number))
            for number in range(context.size.repeats)
        ]
        for name in NAMES
    }


def section(searches: Mapping[str, Sequence[Watched]], outcomes: Mapping[Any, Any]) -> Findings:
    counts = {
        (name, budget): Counter(LETTERS[outcomes[one][i]] for one in watched if one in outcomes)
        for name, watched in searches.items()
        for i, budget in enumerate(watched[0].budgets)
    }
    chosen = Choices.of(counts, WINNING)
    curves = {name: curve for name, curve in chosen.curves().items() if curve}
    most = searches[PLAIN][0].budgets[-1]
    figure = chosen.figure(
        "hex",
        "Share of searches that choose the winning move, by playouts per search and player, with "
        "95 % intervals. AUCT and DUCT are Accelerated and Discounted UCT; UCT_rh has RAVE and "
        f"playouts that keep bridges, and ends at {LIMITS[KNOWING]:,} playouts.",
        "A Hex problem that deceives UCT: who finds the winning move",
        size=(7.2, 4.6),
    )
    columns = {"playouts": lambda budget: budget} | {
        name: lambda budget, name=name: chosen.share(name, budget) for name in searches
    }
    return Findings.of_section(
        Section(
            "A Hex problem that deceives UCT",
            "In this position on 5x5 Hex, the problem case of browne2013, one move wins and others "
            f"look better. {len(searches[PLAIN])} searches by each of {len(NAMES)} players show "
            f"how often the winning one is chosen, after 1,000 and up to {most:,} playouts.",
            seen=tuple(tell(curves)) if curves else (),
            repeat="uctlab reproduce browne2013 --full",
        ),
        Table.of(
            "hex",
            "Hex: searches that chose the winning move",
            columns,
            searches[PLAIN][0].budgets,
        ),
        figure if curves else None,
    )


def tell(curves: Curves) -> list[str]:
    """How often each player ends with the winning move, and whether plain UCT does less often."""
    plain = curves.get(PLAIN, {})
    sentences, better = [], []
    for name, points in curves.items():
        end = max(points)
        text = (
            f"{NAMES[name]} chooses the winning move in {points[end].value:.0f} % of its searches "
            f"with {end:,} playouts"
        )
        if name != PLAIN and end in plain:
            sign = Difference.of(points[end], plain[end]).sign
            better += [NAMES[name]] if sign > 0 else []
            text += f", {_compared(sign, plain[end])}"
        if turn := turning_point({b: share.value for b, share in points.items()}):
            text += f"; in half of them from {_rounded(turn):,} playouts on"
        sentences.append(f"{text}.")
    return [_conclusion(plain, better), " ".join(sentences), PUBLISHED]


def _conclusion(plain: Mapping[int, Percent], better: Sequence[str]) -> str:
    if not plain:
        return "No search by plain UCT is finished, so there is nothing to compare with."
    end = max(plain)
    deceived = 100 - plain[end].value
    text = (
        f"With {end:,} playouts plain UCT still misses the win in {deceived:.0f} % of its searches"
    )
    return (
        f"{text}; with no more than these it is found more often by {listed(better)}."
        if better
        else f"{text}; no other player finds it more often in this run."
    )


PUBLISHED = (
    "The paper prints curves (Figs. 10 to 18), for UCT with and without RAVE and bridges; it did "
    "not try Accelerated and Discounted UCT."
)


def _compared(sign: int, plain: Percent) -> str:
    beside = f"plain UCT with as many ({plain.value:.0f} %)"
    words = {
        1: f"more often than {beside}",
        0: f"which this run does not tell apart from {beside}",
        -1: f"less often than {beside}",
    }
    return words[sign]


def _rounded(number: float) -> int:
    """Two digits: more would be noise."""
    return int(float(f"{number:.1e}"))


def cost(size: Size) -> float:
    return size.repeats * sum(_budgets(n, size)[-1] for n in NAMES) / SIMULATIONS_PER_SECOND
