"""Runs Fig. 1 of hashimoto2012: after how many playouts each agent finds the winning move."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from uctlab.agents import make_agent
from uctlab.games import Position, make_game
from uctlab.mcts.rules_digest import kernels_digest
from uctlab.mcts.searcher import Searcher
from uctlab.papers import search_figures
from uctlab.papers.experiment import ExperimentContext, Findings, Size
from uctlab.papers.measured import quantile
from uctlab.papers.report import Figure, Table

WINNING = "C"
DECAYS = range(1, 8)
AGENTS = (
    "uct",
    *(f"auct(k={k})" for k in DECAYS),
    *(f"duct(k={k})" for k in DECAYS),
)
TREES = {
    "deceptive:2": "The paper's tree",
    "deceptive:2,depth=4": "The same trap four levels deep",
    "deceptive:2,depth=6": "The same trap six levels deep",
}
FINE = 100  # playouts checked one by one; after them, in steps of one per cent
PLAYOUTS_PER_SECOND = 400_000

Turns = Mapping[str, Sequence[int | None]]
"""By agent: the playout at which each search turned for good, None if it did not."""


@dataclass(frozen=True)
class Turn:
    """One search; its outcome is the playout from which on it prefers the winning move, or None."""

    game: str
    agent: str
    seed: int
    horizon: int

    def __str__(self) -> str:
        return f"a search of {self.game} by {self.agent}"

    @property
    def kernels(self) -> str:
        """Digest of what the search computes."""
        return kernels_digest(self.game, (self.agent,))

    def perform(self) -> int | None:
        searcher = Searcher(make_game(self.game), make_agent(self.agent), seed=self.seed)
        searcher.prepare(Position.start(searcher.game), self.horizon)
        made, turned = 0, None
        while made < self.horizon:
            step = min(max(1, made // FINE), self.horizon - made)
            searcher.run(step)
            made += step
            if searcher.best_move() != WINNING:
                turned = None
            elif turned is None:
                turned = made
        return turned


def run(context: ExperimentContext) -> Findings:
    horizon = context.size.playouts
    tasks = {
        (tree, agent): [
            Turn(tree, agent, context.derive_seed(i), horizon) for i in range(context.size.repeats)
        ]
        for tree in TREES
        for agent in AGENTS
    }
    found = context.grid(tasks)
    turns = {tree: {a: list(found[tree, a].values()) for a in AGENTS} for tree in TREES}
    return Findings(
        summary=tuple(_tell(tree, turns[tree], horizon) for tree in TREES),
        tables=tuple(
            turns_table(_name(tree), f"Playout of the turn: {tree}", turns[tree], horizon)
            for tree in TREES
        ),
        figures=tuple(
            turns_figure(
                _name(tree),
                f"{TREES[tree]}. ",
                f"{TREES[tree]}: who turns to the winning move, and when",
                {agent: some for agent, some in turns[tree].items() if some},
                horizon,
            )
            for tree in TREES
            if turns[tree]["uct"]
        ),
        notes=(
            "Leaves have exact results. The winning move is C; B looks better at first. A search "
            "turns at the playout after which its best move is always C, up to the last playout.",
            "deceptive:2 is the tree of the figure. In the deeper trees the leaves F and H lead to "
            "trees of the same kind: the refutation of B and the win by C must be found several "
            "times in a row.",
            "c = 1 and expand = 1 for all agents. Searches differ only in the random order of "
            "moves.",
        ),
    )


def _name(tree: str) -> str:
    """Of its files."""
    return "turns-" + re.sub(r"\W", "-", tree)


def median_turn(turns: Sequence[int | None], horizon: int) -> int | None:
    """None if more than half of the searches did not turn, or if there are none."""
    known = sorted(horizon + 1 if turn is None else turn for turn in turns)
    middle = int(quantile(known, 0.5)) if known else horizon + 1
    return middle if middle <= horizon else None


def _tell(tree: str, turns: Turns, horizon: int) -> str:
    medians = {agent: median_turn(some, horizon) for agent, some in turns.items() if some}
    if not medians:
        return f"{tree}: no search was finished."
    found = {agent: median for agent, median in medians.items() if median is not None}
    lost = [agent for agent, median in medians.items() if median is None]
    sentences = []
    if "uct" in found:
        sentences.append(f"uct turns to the winning move at playout {found['uct']:,}")
    if found:
        best = min(found, key=lambda agent: found[agent])
        sentences.append(f"the first to turn is {best}, at playout {found[best]:,}")
    if lost:
        sentences.append(f"not within {horizon:,} playouts: {', '.join(lost)}")
    return f"{tree}, in the median: {'; '.join(sentences)}."


def turns_table(name: str, title: str, turns: Turns, horizon: int) -> Table:
    done = {agent: sorted(t for t in some if t is not None) for agent, some in turns.items()}
    return Table.of(
        name,
        title,
        {
            "agent": lambda agent: agent,
            "searches": lambda agent: len(turns[agent]),
            "turned": lambda agent: len(done[agent]),
            "earliest": lambda agent: next(iter(done[agent]), None),
            "median": lambda agent: median_turn(turns[agent], horizon),
            "latest": lambda agent: next(reversed(done[agent]), None),
        },
        turns,
    )


def turns_figure(
    name: str,
    caption: str,
    title: str,
    turns: Turns,
    horizon: int,
    size: tuple[float, float] = search_figures.TALL,
) -> Figure:
    """`caption` is the beginning of what readers are told who cannot see it."""
    return Figure(
        name,
        f"{caption}For each agent, the playout at which each search turned to the winning move "
        "for good; further left is better.",
        partial(search_figures.turning_points, rows=turns, horizon=horizon, title=title),
        size=size,
    )


def cost(size: Size) -> float:
    return len(TREES) * len(AGENTS) * size.repeats * size.playouts / PLAYOUTS_PER_SECOND
