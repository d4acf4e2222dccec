"""Runs a search that is being watched: one or two agents on one position, in equal steps."""

from __future__ import annotations

import math
import time
from typing import Any

from uctlab.agents import make_agent
from uctlab.errors import UsageError
from uctlab.games import Game, Position
from uctlab.lab import limits
from uctlab.lab.own_games import lab_game
from uctlab.lab.positions import position_of
from uctlab.lab.requests import PositionValue, SearchRequest
from uctlab.lab.split import Split
from uctlab.lab.subtree import subtree
from uctlab.mcts.searcher import Searcher
from uctlab.mcts.view import TreeView

WARM_BYTES = 2**20  # of a search that only compiles
LINES = 12  # the most visited moves, each with the line expected after it
FIRST_SLICE = 16  # playouts per side
SLICES_PER_DOUBLING = 16  # at least


class Side:
    """One agent's search, with a view of its tree."""

    def __init__(
        self, position: Position, agent: str, *, seed: int, memory: int, **instruments: bool
    ) -> None:
        self.game = position.game
        self.agent = make_agent(agent)
        self.searcher = Searcher(self.game, self.agent, seed=seed, memory=memory, **instruments)
        self.made = 0
        """Playouts so far."""
        self.spent = 0.0
        """Wall time of these playouts, in seconds."""
        self._split = Split(self.game, self.agent)

    def begin(self, position: Position) -> None:
        self.searcher.warm_up(position)
        self.searcher.prepare(position, None)

    def advance(self, playouts: int) -> None:
        start = time.perf_counter()
        self.searcher.run(playouts)
        self.spent += time.perf_counter() - start
        self.made += playouts

    def unsettled(self, budget: int) -> int:
        """With final=both: playouts to add until visits and values agree on a move."""
        if self.agent.option("final") != "both" or self.made == 0:
            return 0
        return self.searcher.unsettled(self.made, 2 * budget)

    def snapshot(self) -> dict[str, Any]:
        """The state of the search; values are from the view of the player to move."""
        report = self.searcher.report(playouts=self.made, seconds=self.spent)
        rows = self.children_of(0)
        best = next((row for row in rows if row["move"] == report.best), None)
        return {
            "agent": report.agent,
            "playouts": report.playouts,
            "seconds": round(report.seconds, 4),
            "per_second": round(report.playouts_per_second),
            "nodes": report.nodes,
            "memory": report.memory,
            "full": report.full,
            "depth": report.depth,
            "value": best["value"] if best else None,
            "choice": report.best if report.playouts else None,
            "won": report.won,
            "pv": list(report.pv) if report.playouts else [],
            "lines": self._lines(),
            "root": rows,
        }

    def _lines(self) -> dict[str, list[str]]:
        """For the most visited moves, the move and the most visited answers."""
        view = self._view
        return {
            view.move_name(child): view.variation(child)[: limits.LINE]
            for child in view.ranked(0)[:LINES]
            if view.nodes[child].visits > 0
        }

    def tree(self, path: tuple[str, ...]) -> dict[str, Any]:
        """The node at the end of a path of moves, and its children."""
        node, parent = self._find(path)
        facts = self._row(node, parent, self._view) if parent >= 0 else self._root_facts()
        return {
            "path": [self.game.move_name(self.game.parse_move(move)) for move in path],
            "node": facts,
            "children": self.children_of(node),
        }

    def subtree(self, path: tuple[str, ...], most: int, depth: int) -> dict[str, Any]:
        """The most visited nodes below the end of a path, to be drawn as a tree."""
        node, parent = self._find(path)
        return {"path": list(path), "nodes": subtree(self._view, node, parent, most, depth)}

    def children_of(self, node: int, view: TreeView | None = None) -> list[dict[str, Any]]:
        """The moves of a node, most visited first; `view` if it is of an earlier tree."""
        view = view or self._view
        return [self._row(child, node, view) for child in view.ranked(node)]

    def _find(self, path: tuple[str, ...]) -> tuple[int, int]:
        """The node at the end of a path of moves, and the one above it; -1 above the root."""
        node, parent = 0, -1
        for move in path:
            code = self.game.parse_move(move)
            found = [c for c in self._view.children(node) if self._view.nodes[c].move == code]
            if not found:
                raise UsageError(f"the tree has no node at {' '.join(path)}")
            parent, node = node, found[0]
        return node, parent

    @property
    def _view(self) -> TreeView:
        """Of an agent with several trees, the first."""
        return self.searcher.trees[0].view()

    def _root_facts(self) -> dict[str, Any]:
        root = self._view.nodes[0]
        visits, expanded = int(root.visits), bool(root.count > 0)
        return {"move": None, "visits": visits, "value": None, "expanded": expanded}

    def _row(self, child: int, parent: int, view: TreeView) -> dict[str, Any]:
        report = view.move_report(child, parent)
        above = int(view.nodes[parent].visits)
        count = int(view.nodes[child].count)
        has_prior = self.agent.params.prior > 0
        parts = self._split.parts(view.nodes, parent, child)
        return {
            "move": report.move,
            "visits": report.visits,
            "share": _plain(report.visits / above if above else 0.0),
            "value": _plain(report.value),
            "velocity": _plain(report.velocity),
            "discounted": _plain(report.discounted_visits),
            "rave": _plain(report.rave),
            "samples": _plain(report.samples),
            "prior": _plain(float(view.nodes[child].prior)) if has_prior else None,
            "prior_weight": _plain(float(view.nodes[child].prior_weight)) if has_prior else None,
            "score": _plain(parts["score"]),
            "mean": _plain(parts["mean"]),
            "exploration": _plain(parts["exploration"]),
            "rave_part": _plain(parts["rave"]),
            "prior_part": _plain(parts["prior"]),
            "expanded": count > 0,
            "over": count < 0,
        }


class LiveSearch:
    """The sides of one search. The budget is playouts per side, and wall time in total."""

    def __init__(self, request: SearchRequest) -> None:
        self.request = request
        self.budget = request.playouts
        self.goal = self.budget
        """Playouts per side at which the search pauses: the budget, or the end of a step."""
        self._position = searchable(self._game(request.position.game), request.position)
        memory = limits.TREE_BYTES // len(request.agents)
        self.sides = [self._make_side(agent, memory) for agent in request.agents]
        if request.only:
            rest = _all_but(self._position, request.only)
            for side in self.sides:
                side.searcher.leave_out(rest)
        self._slice = FIRST_SLICE

    def _game(self, spec: str) -> Game:
        return lab_game(spec)

    def _make_side(self, agent: str, memory: int) -> Side:
        return Side(self._position, agent, seed=self.request.seed, memory=memory)

    def begin(self, side: Side) -> None:
        """Compile one side's kernels, which may take seconds."""
        side.begin(self._position)

    @property
    def made(self) -> int:
        return min(side.made for side in self.sides)

    @property
    def spent(self) -> float:
        return sum(side.spent for side in self.sides)

    @property
    def why_done(self) -> str:
        """Which budget is used up; empty while none is."""
        if self.made > 0 and self.spent >= self.request.seconds:
            return "seconds"
        unsettled = any(side.unsettled(self.budget) for side in self.sides)
        return "playouts" if self.made >= self.budget and not unsettled else ""

    @property
    def resting(self) -> bool:
        """Whether the end of the step, or of the whole search, is reached."""
        stepping = self.goal != self.budget
        return self.made >= self.goal if stepping else self.why_done != ""

    def run_slice(self) -> None:
        """A few milliseconds of search, with the same number of playouts for all sides."""
        start = self.spent
        # Short at first, so that reports can follow the growth of the tree.
        wanted = min(self._slice, self.goal - self.made, 1 + self.made // SLICES_PER_DOUBLING)
        if wanted > 0:
            for side in self.sides:
                side.advance(wanted)
        else:
            for side in self.sides:
                if more := side.unsettled(self.budget):
                    side.advance(min(more, self._slice))
        spent = max(self.spent - start, 1e-9)
        better = int(max(wanted, 1) * limits.SLICE_SECONDS / spent)
        self._slice = max(1, min(8 * self._slice, better))

    def step(self, playouts: int) -> None:
        """Continue for exactly that many playouts per side, within the limit for all searches."""
        self.goal = min(self.made + playouts, limits.PLAYOUTS)

    def go_on(self) -> None:
        """Continue up to the budget."""
        self.goal = self.budget

    def snapshot(self) -> list[dict[str, Any]]:
        return [side.snapshot() for side in self.sides]

    def tree(self, side: int, path: tuple[str, ...]) -> dict[str, Any]:
        return {"side": side, **self._side(side).tree(path)}

    def subtree(self, side: int, path: tuple[str, ...], most: int, depth: int) -> dict[str, Any]:
        return {"side": side, **self._side(side).subtree(path, most, depth)}

    def playout(self) -> list[dict[str, Any]]:
        """One playout of each side, and what it did."""
        raise UsageError("this search is not guided, so that nothing is known of single playouts")

    def _side(self, side: int) -> Side:
        if side >= len(self.sides):
            raise UsageError("this search has one side")
        return self.sides[side]


def compile_search(game: str, agent: str) -> None:
    """Compile what an agent needs for a game, and leave it in the disk cache."""
    side = Side(Position.start(lab_game(game)), agent, seed=0, memory=WARM_BYTES)
    side.begin(Position.start(side.game))
    side.advance(1)


def searchable(game: Game, value: PositionValue) -> Position:
    position = position_of(game, value)
    if position.is_over:
        raise UsageError("the game is over, there is nothing to search")
    return position


def _all_but(position: Position, move: str) -> frozenset[int]:
    code = position.game.parse_move(move)
    if code not in position.legal:
        raise UsageError(f"{move} is not a legal move")
    return frozenset(position.legal) - {code}


def _plain(value: float | None) -> float | None:
    """A number for JSON, with the digits that the page shows."""
    return round(value, 6) if value is not None and math.isfinite(value) else None
