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
from uctlab.papers import figures
from uctlab.papers.drawing import quantile
from uctlab.papers.experiment import ExperimentContext, Findings, Size
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
    turns = {cell: list(found.values()) for cell, found in context.grid(tasks).items()}
    notes = (
        "Leaves have exact results. The winning move is C; B looks better at first. A search turns "
        "at the playout after which its best move is always C, up to the last playout.",
        "deceptive:2 is the tree of the figure. In the deeper trees the leaves F and H lead to "
        "trees of the same kind: the refutation of B and the win by C must be found several times "
        "in a row.",
        "c = 1 and expand = 1 for all agents. Searches differ only in the random order of moves.",
    )
    return Findings(
        summary=tuple(_tell(tree, turns, horizon) for tree in TREES),
        tables=tuple(_table(tree, turns, horizon) for tree in TREES),
        figures=tuple(_figure(tree, turns, horizon) for tree in TREES if turns[tree, "uct"]),
        notes=notes,
    )


Turns = Mapping[tuple[str, str], Sequence[int | None]]


def median_turn(turns: Sequence[int | None], horizon: int) -> int | None:
    """None if more than half of the searches did not turn, or if there are none."""
    known = sorted(horizon + 1 if turn is None else turn for turn in turns)
    middle = int(quantile(known, 0.5)) if known else horizon + 1
    return middle if middle <= horizon else None


def _tell(tree: str, turns: Turns, horizon: int) -> str:
    medians = {a: median_turn(turns[tree, a], horizon) for a in AGENTS if turns[tree, a]}
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


def _table(tree: str, turns: Turns, horizon: int) -> Table:
    rows = []
    for agent in AGENTS:
        known = turns[tree, agent]
        done = sorted(turn for turn in known if turn is not None)
        ends = (done[0], done[-1]) if done else (None, None)
        median = median_turn(known, horizon)
        rows.append((agent, len(known), len(done), ends[0], median, ends[1]))
    columns = ("agent", "searches", "turned", "earliest", "median", "latest")
    name = f"turns-{_file_name(tree)}"
    return Table(name, f"Playout of the turn: {tree}", columns, tuple(rows))


def _figure(tree: str, turns: Turns, horizon: int) -> Figure:
    rows = {agent: turns[tree, agent] for agent in AGENTS if turns[tree, agent]}
    return Figure(
        f"turns-{_file_name(tree)}",
        f"{TREES[tree]}. For each agent, the playout at which each search turned to the winning "
        "move for good; further left is better.",
        partial(
            figures.turning_points,
            rows=rows,
            horizon=horizon,
            title=f"{TREES[tree]}: who turns to the winning move, and when",
        ),
        size=figures.TALL,
    )


def _file_name(tree: str) -> str:
    return re.sub(r"\W", "-", tree)


def cost(size: Size) -> float:
    return len(TREES) * len(AGENTS) * size.repeats * size.playouts / PLAYOUTS_PER_SECOND
