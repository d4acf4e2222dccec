"""Measures how many positions with known right moves each agent solves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from uctlab.arena.search_task import SearchTask
from uctlab.arena.statistics import Score
from uctlab.games import Position, make_game
from uctlab.papers import figures
from uctlab.papers.experiment import ExperimentContext
from uctlab.papers.report import Figure, Percent, Table

DIVISORS = (64, 16, 4, 1)  # of the largest budget


@dataclass(frozen=True)
class Problem:
    """One position: a diagram, or the moves of a game from its start."""

    kind: str
    """By which tables group it."""
    name: str
    """Unique among all problems."""
    game: str
    right: frozenset[str]
    """The moves that reach the best result."""
    diagram: str = ""
    moves: str = ""

    def search(self, agent: str, playouts: int, seed: int) -> SearchTask:
        return SearchTask(self.game, agent, playouts, seed, self.diagram, self.moves)

    def position(self) -> Position:
        """The position, to show it."""
        game = make_game(self.game).interpreted()
        if self.diagram:
            return Position.from_diagram(game, self.diagram)
        return Position.start(game).play_all(self.moves)


@dataclass(frozen=True)
class Solved:
    """How often each agent chose a right move."""

    scores: Mapping[tuple[str, int, str], Score]
    """By agent, playouts and kind; a win is a solved problem."""
    examples: Mapping[str, Problem] = field(default_factory=dict)
    """One problem of each kind, for readers."""

    @property
    def agents(self) -> list[str]:
        return list(dict.fromkeys(agent for agent, _, _ in self.scores))

    @property
    def budgets(self) -> list[int]:
        return list(dict.fromkeys(budget for _, budget, _ in self.scores))

    @property
    def kinds(self) -> list[str]:
        return list(dict.fromkeys(kind for _, _, kind in self.scores))

    def score(self, agent: str, budget: int, kind: str = "") -> Score:
        """Over all kinds, unless one is given."""
        kinds = [kind] if kind else self.kinds
        parts = [self.scores[agent, budget, part] for part in kinds]
        return Score(sum(part.wins for part in parts), 0, sum(part.losses for part in parts))

    def share(self, agent: str, budget: int, kind: str = "") -> Percent | None:
        return Percent.of(self.score(agent, budget, kind))

    def table(self, title: str) -> Table:
        rows = tuple(
            (
                *(agent, budget, self.score(agent, budget).games, self.share(agent, budget)),
                *(self.score(agent, budget, kind).percent for kind in self.kinds),
            )
            for agent in self.agents
            for budget in self.budgets
        )
        columns = ("agent", "playouts", "searches", "solved", *(f"{k} (%)" for k in self.kinds))
        return Table("solving", title, columns, rows)

    def figure(self) -> Figure:
        curves = {
            agent: {
                budget: share for budget in self.budgets if (share := self.share(agent, budget))
            }
            for agent in self.agents
        }
        title = "Who solves the problems"
        return Figure(
            "solving",
            "Share of the problems in which the search chooses a right move, by playouts per "
            "search.",
            lambda canvas: figures.success_by_epoch(canvas, curves, title=title),
        )

    def boards(self) -> tuple[Figure, ...]:
        """An example of each kind."""
        return tuple(
            figures.board(
                "example-" + re.sub(r"\W", "-", kind),
                f"A problem of the kind {kind}; what is shaded is right.",
                problem.position(),
                shaded=problem.right,
            )
            for kind, problem in self.examples.items()
        )


def solve_all(
    context: ExperimentContext, agents: Sequence[str], tries: Iterable[tuple[Problem, int]]
) -> Solved:
    """Search the problems with each agent and each budget.

    The number of a try distinguishes several tries of one problem. A try uses the same random
    numbers for every agent and every budget.
    """
    listed = list(tries)
    kinds = list(dict.fromkeys(problem.kind for problem, _ in listed))
    cells = {
        (agent, budget, kind): {
            problem.search(agent, budget, context.derive_seed(problem.name, number)): problem
            for problem, number in listed
            if problem.kind == kind
        }
        for budget in (max(1, context.size.playouts // divisor) for divisor in DIVISORS)
        for agent in agents
        for kind in kinds
    }
    found = context.grid({cell: list(searches) for cell, searches in cells.items()})
    scores = {}
    for cell, moves in found.items():
        right = sum(move in cells[cell][task].right for task, move in moves.items())
        scores[cell] = Score(right, 0, len(moves) - right)
    first = {problem.kind: problem for problem, _ in reversed(listed)}
    return Solved(scores, {kind: first[kind] for kind in kinds})
