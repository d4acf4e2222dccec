"""Second part of the tour: browne2013's Hex problem, and who finds the winning move when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from uctlab.agents import make_agent
from uctlab.games import Position, make_game
from uctlab.mcts.rules_digest import kernels_digest
from uctlab.mcts.searcher import Searcher
from uctlab.papers import figures
from uctlab.papers.browne2013 import (
    GAME,
    LETTERS,
    PLAYERS,
    POSITION,
    SIMULATIONS_PER_SECOND,
    WINNING,
    epochs,
    share_of,
    turning_point,
)
from uctlab.papers.experiment import ExperimentContext, Size
from uctlab.papers.report import Figure, Percent, Table
from uctlab.papers.tour_part import Part, difference

PLAIN, KNOWING = "UCT", "UCT_rh"
NAMES = {
    PLAIN: "plain UCT",
    "AUCT k=3": "Accelerated UCT with k = 3",
    "DUCT k=4": "Discounted UCT with k = 4",
    KNOWING: "UCT with RAVE and bridges",
}
LIMITS = {KNOWING: 32_000}
"""It has found the move by then, and is the slowest."""
Shares = Mapping[str, Mapping[int, Percent]]


@dataclass(frozen=True)
class Watched:
    """One search; its outcome is the list of the moves it prefers after so many playouts."""

    agent: str
    budgets: tuple[int, ...]
    """In ascending order."""
    seed: int

    def __str__(self) -> str:
        return f"a search of {GAME} by {self.agent} with {self.budgets[-1]:,} playouts"

    @property
    def kernels(self) -> str:
        """Digest of what the search computes."""
        return kernels_digest(GAME, (self.agent,))

    def perform(self) -> list[str]:
        searcher = Searcher(make_game(GAME), make_agent(self.agent), seed=self.seed)
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


def part(searches: Mapping[str, Sequence[Watched]], outcomes: Mapping[Any, Any]) -> Part:
    shares: dict[str, dict[int, Percent]] = {}
    for name, watched in searches.items():
        done = [task for task in watched if task in outcomes]
        for i, budget in enumerate(watched[0].budgets):
            share = share_of(Counter(LETTERS[outcomes[task][i]] for task in done), WINNING)
            if share:
                shares.setdefault(name, {})[budget] = share
    most = searches[PLAIN][0].budgets[-1]
    return Part.of(
        "A Hex problem that deceives UCT",
        "In this position on 5x5 Hex, the problem case of browne2013, one move wins and others "
        f"look better. {len(searches[PLAIN])} searches by each of {len(NAMES)} players show how "
        f"often the winning one is chosen, after 1,000 and up to {most:,} playouts.",
        tell(shares) if shares else [],
        "uctlab reproduce browne2013 --full",
        table=_table(searches, shares),
        figure=_figure(shares) if shares else None,
    )


def tell(shares: Shares) -> list[str]:
    """How often each player ends with the winning move, and from when on in half of its searches.

    The published figures are curves without numbers.
    """
    ends = {name: max(points) for name, points in shares.items()}
    parts = [
        f"{NAMES[name]} in {shares[name][end].value:.0f} % with {end:,} playouts "
        f"({_from(shares[name])})"
        for name, end in ends.items()
    ]
    sentences = [f"Searches that choose the winning move: {'; '.join(parts)}."]
    if PLAIN in shares:
        for name in [name for name in shares if name != PLAIN]:
            at = min(ends[name], ends[PLAIN])
            sentences.append(_compared(name, at, difference(shares[name][at], shares[PLAIN][at])))
    return [" ".join(sentences), PUBLISHED]


PUBLISHED = (
    "The paper prints curves (Figs. 10 to 18) for UCT with and without RAVE and bridges, and does "
    "not have Accelerated and Discounted UCT. Our full run has UCT at half of its searches from "
    "about 450,000 playouts on, Accelerated UCT from 258,000, Discounted UCT from 154,000, and UCT "
    "with RAVE and bridges from 1,700."
)


def _compared(name: str, playouts: int, verdict: int) -> str:
    words = {
        1: "finds it more often than plain UCT",
        0: "cannot be told apart from plain UCT in this run",
        -1: "finds it less often than plain UCT",
    }
    subject = NAMES[name][0].upper() + NAMES[name][1:]
    return f"{subject} {words[verdict]} with {playouts:,} playouts."


def _from(points: Mapping[int, Percent]) -> str:
    turn = turning_point(list(points), list(points.values()))
    return f"in half of them from {_rounded(turn):,} on" if turn else "never in half of them"


def _rounded(number: float) -> int:
    """Two digits: more would be noise."""
    return int(float(f"{number:.1e}"))


def _table(searches: Mapping[str, Sequence[Watched]], shares: Shares) -> Table:
    budgets = searches[PLAIN][0].budgets
    rows = [
        (name, searches[name][0].agent, *(shares.get(name, {}).get(b) for b in budgets))
        for name in searches
    ]
    columns = ("player", "agent", *(f"{b:,}" for b in budgets))
    return Table(
        "hex", "Hex: searches that chose the winning move, by playouts", columns, tuple(rows)
    )


def _figure(shares: Shares) -> Figure:
    return Figure(
        "hex",
        "Share of searches that choose the winning move, by playouts per search and player, with "
        "95 % intervals. AUCT and DUCT are Accelerated and Discounted UCT; UCT_rh has RAVE and "
        f"playouts that keep bridges, and ends at {LIMITS[KNOWING]:,} playouts.",
        lambda canvas: figures.success_by_epoch(
            canvas, shares, title="A Hex problem that deceives UCT: who finds the winning move"
        ),
        size=(7.2, 4.6),
    )


def cost(size: Size) -> float:
    return size.repeats * sum(_budgets(n, size)[-1] for n in NAMES) / SIMULATIONS_PER_SECOND
