"""Reads a tree node by node: moves, values, variations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from uctlab.agents import Agent
from uctlab.games import Game
from uctlab.mcts.report import MoveReport
from uctlab.parts.part import Column, Part


@dataclass(frozen=True)
class TreeView:
    """Read access to the nodes of a tree; nodes[0] is the root."""

    game: Game
    agent: Agent
    parts: tuple[Part, ...]
    """The parts of the search that decide what it does."""
    nodes: Any
    value_kernel: Callable[[Any, int], float]

    def children(self, node: int) -> range:
        first, count = int(self.nodes[node].first), int(self.nodes[node].count)
        return range(first, first + max(count, 0))

    def move_name(self, node: int) -> str:
        return self.game.move_name(int(self.nodes[node].move))

    def value(self, node: int) -> float:
        """Mean result of a visited node for the player who moved into it."""
        return float(self.value_kernel(self.nodes, node))

    @property
    def proven(self) -> str | None:
        """What is proven of the root, for the player to move: win, draw or loss."""
        proofs = (part.proves(self.nodes[0]) for part in self.parts if part.proves)
        return next(proofs, None)

    def child_of(self, move: str) -> int:
        """The child of the root that the move leads to."""
        children, code = self.children(0), self.game.parse_move(move)
        moves = self.nodes["move"][children.start : children.stop]
        return children[int(np.flatnonzero(moves == code)[0])]

    def ranked(self, node: int) -> list[int]:
        """The children of a node, the most visited first; those with as many visits by value."""

        children = self.children(node)
        visits = self.nodes["visits"][children.start : children.stop].tolist()

        def rank(child: int) -> tuple[int, float]:
            seen = visits[child - children.start]
            return -seen, -self.value(child) if seen > 0 else 0.0

        return sorted(children, key=rank)

    @property
    def columns(self) -> dict[str, Column]:
        """What reports say of a move because of the search's parts."""
        return {name: one for part in self.parts for name, one in part.columns.items()}

    @property
    def column_names(self) -> list[str]:
        """The same and, before them, what the backup operator weighs moves by."""
        weight = getattr(self.agent.backup, "WEIGHT", "")
        return [*([weight] if weight else []), *self.columns]

    def move_report(self, child: int, parent: int) -> MoveReport:
        node = self.nodes[child]
        weight = self._weight(child, parent)
        columns = {name: column.read(node) for name, column in self.columns.items()}
        if weight is not None:
            columns = {self.agent.backup.WEIGHT: weight} | columns
        return MoveReport(
            move=self.move_name(child),
            visits=int(node.visits),
            # Rounding may carry the sums of Accelerated UCT slightly out of range.
            value=min(1.0, max(0.0, self.value(child))) if node.visits > 0 else None,
            columns=columns,
        )

    def variation(self, child: int) -> list[str]:
        """The move into that node, then the most visited answers."""
        line = [self.move_name(child)]
        while children := self.children(child):
            visits = self.nodes["visits"][children.start : children.stop]
            most = visits.max()
            if most == 0:
                break
            leaders = [children[i] for i in np.flatnonzero(visits == most).tolist()]
            child = leaders[0] if len(leaders) == 1 else max(leaders, key=self.value)
            line.append(self.move_name(child))
        return line

    def lead(self) -> int:
        """By how many visits the most visited move at the root is ahead of the second."""
        children = self.children(0)
        visits = np.sort(self.nodes.visits[children.start : children.stop])
        return int(visits[-1]) - (int(visits[-2]) if len(visits) > 1 else 0)

    def export(self, depth: int) -> dict[str, Any]:
        """The tree down to that depth, as nested dictionaries for JSON."""
        return self._export(0, -1, depth)

    def _export(self, node: int, parent: int, depth: int) -> dict[str, Any]:
        facts: dict[str, Any] = {"visits": int(self.nodes[node].visits)}
        if parent >= 0:
            report = self.move_report(node, parent)
            facts = {k: v for k, v in report.facts().items() if v is not None}
        if depth > 0 and (children := self.children(node)):
            facts["children"] = [self._export(child, node, depth - 1) for child in children]
        return facts

    def _weight(self, child: int, parent: int) -> float | None:
        """Velocity or discounted visits of a move, where the backup operator keeps them."""
        if not hasattr(self.agent.backup, "WEIGHT"):
            return None
        return float(self.nodes[child].weight / self.nodes[parent].unit)
