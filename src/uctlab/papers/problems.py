"""Positions with known right moves, and how often each agent chooses one of them.

`choose` searches one position with several players, `solve_all` many positions, grouped by kind.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from uctlab.arena.search_task import SearchTask
from uctlab.arena.statistics import Score, total
from uctlab.games import Position, make_game
from uctlab.papers.experiment import ExperimentContext
from uctlab.papers.report import Cell, Figure, Table
from uctlab.papers.search_figures import board
from uctlab.papers.shares import Shares

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


# One position


@dataclass(frozen=True)
class Choices(Shares):
    """Which moves were chosen in one position."""

    counts: Mapping[tuple[str, int], Counter[str]]
    """How often each move, by player and playouts."""

    @classmethod
    def of(cls, counts: Mapping[tuple[str, int], Counter[str]], right: Collection[str]) -> Choices:
        scores = {}
        for cell, moves in counts.items():
            wins = sum(moves[move] for move in right)
            scores[cell] = Score(wins, 0, moves.total() - wins)
        return cls(scores, counts)

    def favourite(self, player: str, playouts: int) -> str | None:
        """The move that was chosen most often."""
        counts = self.counts[player, playouts]
        return counts.most_common(1)[0][0] if counts else None

    def percent(self, player: str, playouts: int, moves: Iterable[str]) -> float | None:
        """How often one of these moves was chosen."""
        counts = self.counts[player, playouts]
        return 100 * sum(counts[m] for m in moves) / counts.total() if counts else None

    def table(
        self,
        agents: Mapping[str, str],
        title: str,
        right: str,
        more: Mapping[str, Callable[[tuple[str, int]], Cell]],
    ) -> Table:
        """A row for each player and number of playouts; `more` are further columns."""
        columns: dict[str, Callable[[tuple[str, int]], Cell]] = {
            "player": lambda cell: cell[0],
            "agent": lambda cell: agents[cell[0]],
            "playouts": lambda cell: cell[1],
            "searches": lambda cell: self.scores[cell].games,
            f"chose {right}": lambda cell: self.share(*cell),
        }
        cells = [(player, playouts) for player in agents for playouts in self.budgets]
        return Table.of("choices", title, columns | dict(more), cells)

    def board(
        self,
        player: str,
        caption: str,
        position: Position,
        *,
        marks: Mapping[str, str] | None = None,
    ) -> Figure:
        """What the player chose with the most playouts; `marks` are names of moves in `counts`."""
        playouts = self.budgets[-1]
        counts = self.counts[player, playouts]
        moves = {name: move for move, name in (marks or {}).items()}
        return board(
            "position",
            f"{caption} chose with {playouts:,} playouts, in percent of {counts.total():,} "
            "searches.",
            position,
            shares={moves.get(name, name): n / counts.total() for name, n in counts.items()},
            marks=marks,
        )


def choose(
    context: ExperimentContext,
    position: Problem,
    players: Mapping[str, str],
    budgets: Iterable[int],
    searches: Callable[[int], int],
    *,
    names: Mapping[str, str] | None = None,
) -> Choices:
    """What each player chose with each budget, in as many searches as that budget gets.

    Players are agents by name; `names` are those of moves in what is returned.
    """
    tasks = {
        (name, playouts): [
            position.search(agent, playouts, context.derive_seed(playouts, number))
            for number in range(searches(playouts))
        ]
        for playouts in budgets
        for name, agent in players.items()
    }
    known = names or {}
    counts = {
        cell: Counter(known.get(move, move) for move in found.values())
        for cell, found in context.grid(tasks).items()
    }
    return Choices.of(counts, {known.get(move, move) for move in position.right})


# Many positions


@dataclass(frozen=True)
class Solved(Shares):
    """How many problems each agent solved."""

    by_kind: Mapping[str, Shares]
    examples: Mapping[str, Problem]
    """One problem of each kind, for readers."""

    @classmethod
    def of(cls, by_kind: Mapping[str, Shares], examples: Mapping[str, Problem]) -> Solved:
        cells = dict.fromkeys(cell for some in by_kind.values() for cell in some.scores)
        scores = {cell: total(one.scores[cell] for one in by_kind.values()) for cell in cells}
        return cls(scores, by_kind, examples)

    @property
    def kinds(self) -> list[str]:
        return list(self.by_kind)

    def percents(self, agent: str, playouts: int) -> dict[str, float | None]:
        """Of each kind."""
        return {kind: one.scores[agent, playouts].percent for kind, one in self.by_kind.items()}

    def solving_table(self, title: str) -> Table:
        rows = tuple(
            (
                *(agent, budget, self.scores[agent, budget].games, self.share(agent, budget)),
                *self.percents(agent, budget).values(),
            )
            for agent in self.players
            for budget in self.budgets
        )
        columns = ("agent", "playouts", "searches", "solved", *(f"{k} (%)" for k in self.kinds))
        return Table("solving", title, columns, rows)

    def figures(self) -> tuple[Figure, ...]:
        """The curves of the agents, and an example of each kind."""
        curves = self.figure(
            "solving",
            "Share of the problems in which the search chooses a right move, by playouts per "
            "search.",
            "Who solves the problems",
            size=(7.2, 4.2),
        )
        return curves, *(
            board(
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
    kinds = dict.fromkeys(problem.kind for problem, _ in listed)
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
    by_kind: dict[str, dict[tuple[str, int], Score]] = {kind: {} for kind in kinds}
    for (agent, budget, kind), moves in found.items():
        problems = cells[agent, budget, kind]
        right = sum(move in problems[task].right for task, move in moves.items())
        by_kind[kind][agent, budget] = Score(right, 0, len(moves) - right)
    first = {problem.kind: problem for problem, _ in reversed(listed)}
    return Solved.of(
        {kind: Shares(scores) for kind, scores in by_kind.items()},
        {kind: first[kind] for kind in kinds},
    )
