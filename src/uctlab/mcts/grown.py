"""The tree that a search has grown, as objects: nodes, their moves, visits and values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from uctlab.errors import UsageError
from uctlab.frames import make_frame
from uctlab.games import Position
from uctlab.mcts.report import MoveReport
from uctlab.mcts.view import TreeView


class GrownTree:
    """The tree of one search, read only.

    It is not copied: when its searcher searches on, the tree can no longer be read, and says so.

    Examples:
        >>> report = uctlab.search("hex:4", "uct", playouts=500, seed=1)
        >>> tree = report.tree
        >>> tree.root.visits, tree.root.depth
        (500, 0)
        >>> best = max(tree.root.children, key=lambda node: node.visits)
        >>> best.move == report.best
        True
        >>> sum(child.visits for child in tree.root.children)
        500
        >>> all(node.depth == 2 for node in tree.filter(lambda node: node.depth == 2))
        True
    """

    def __init__(self, view: TreeView, position: Position, used: int) -> None:
        self._view = view
        self.position = position
        """The position at the root."""
        self._used = used
        self._visits = int(view.nodes[0].visits)

    @property
    def view(self) -> TreeView:
        """The nodes; a UsageError if they have changed since."""
        if int(self._view.nodes[0].visits) != self._visits:
            raise UsageError(
                "this tree has changed since its report was made: its search has gone on"
            )
        return self._view

    @property
    def root(self) -> Node:
        """The node of the position that was searched."""
        return Node(self, 0, None)

    def __len__(self) -> int:
        """How many nodes it has, those without visits included."""
        return self._used

    def walk(self, *, min_visits: int = 1, max_depth: int | None = None) -> Iterator[Node]:
        """All nodes, each before its children, the most visited child first.

        Args:
            min_visits: Leave out nodes with fewer visits, and what is below them.
            max_depth: Leave out nodes that are deeper; the root has depth 0.
        """
        return self.root.walk(min_visits=min_visits, max_depth=max_depth)

    def filter(self, accept: Callable[[Node], bool], *, min_visits: int = 1) -> list[Node]:
        """The nodes that a function accepts, in the order of `walk`."""
        return [node for node in self.walk(min_visits=min_visits) if accept(node)]

    def find(self, moves: str) -> Node:
        """The node after some moves from the root, such as "c3 b4".

        Examples:
            >>> tree = uctlab.search("hex:4", "uct", playouts=500, seed=1).tree
            >>> tree.find("b3").depth
            1
        """
        node = self.root
        for move in moves.split():
            below = [child for child in node.children if child.move == move]
            if not below:
                tried = " ".join(str(child.move) for child in node.children) or "none"
                raise UsageError(f"the tree has no {move} after '{node.line}'; it has: {tried}")
            node = below[0]
        return node

    def to_frame(self, *, min_visits: int = 1, max_depth: int | None = None) -> Any:
        """The nodes as a pandas data frame, one row each, the root first.

        Args:
            min_visits: Leave out nodes with fewer visits.
            max_depth: Leave out nodes that are deeper.

        Returns:
            A frame with the columns line, move, depth, visits, value and, where the agent has
            them, further columns, such as velocity: `MoveReport.columns`.

        Examples:
            >>> tree = uctlab.search("hex:4", "uct", playouts=500, seed=1).tree
            >>> list(tree.to_frame(max_depth=1).columns)
            ['line', 'move', 'depth', 'visits', 'value']
        """
        rows = [node.facts() for node in self.walk(min_visits=min_visits, max_depth=max_depth)]
        used = {name for row in rows for name, value in row.items() if value is not None}
        columns = [name for name in rows[0] if name in used | _ALWAYS]
        return make_frame(({name: row[name] for name in columns} for row in rows), columns)

    def to_networkx(self, *, min_visits: int = 1, max_depth: int | None = None) -> Any:
        """The tree as a networkx.DiGraph whose nodes are numbers with the columns of `to_frame`.

        Args:
            min_visits: Leave out nodes with fewer visits.
            max_depth: Leave out nodes that are deeper.

        Examples:
            >>> tree = uctlab.search("hex:4", "uct", playouts=500, seed=1).tree
            >>> graph = tree.to_networkx(max_depth=1)
            >>> graph.nodes[0]["visits"], graph.out_degree(0)
            (500, 16)
        """
        try:
            import networkx  # noqa: PLC0415 (an extra, and slow to load)
        except ImportError:
            raise UsageError("to_networkx needs networkx: pip install 'uctlab[frames]'") from None
        graph = networkx.DiGraph()
        for node in self.walk(min_visits=min_visits, max_depth=max_depth):
            graph.add_node(node.number, **node.facts())
            if node.parent is not None:
                graph.add_edge(node.parent.number, node.number, move=node.move)
        return graph

    def __repr__(self) -> str:
        return f"<tree of {self._view.game.name}: {self._visits:,} visits, {len(self):,} nodes>"


_ALWAYS = {"line", "move", "depth", "visits", "value"}


@dataclass(frozen=True)
class Node:
    """One node of a tree: a position that the search has reached, and what it knows of it.

    Examples:
        >>> tree = uctlab.search("hex:4", "uct", playouts=500, seed=1).tree
        >>> node = tree.root.children[0]
        >>> node.depth, node.parent.visits, node.position.turn
        (1, 500, 1)
    """

    tree: GrownTree
    number: int
    """Its place among the nodes; 0 is the root."""
    parent: Node | None

    @property
    def move(self) -> str | None:
        """The move that leads to it; None for the root."""
        return None if self.parent is None else self.tree.view.move_name(self.number)

    @property
    def depth(self) -> int:
        """Moves from the root."""
        return 0 if self.parent is None else self.parent.depth + 1

    @property
    def visits(self) -> int:
        """Playouts that went through it."""
        return int(self.tree.view.nodes[self.number].visits)

    @property
    def value(self) -> float | None:
        """Its value, 0 to 1, for the player who moved into it; None before the first visit."""
        if self.visits == 0:
            return None
        return min(1.0, max(0.0, self.tree.view.value(self.number)))

    @property
    def children(self) -> list[Node]:
        """The positions one move later, the most visited first; empty if it is not expanded."""
        return [Node(self.tree, n, self) for n in self.tree.view.ranked(self.number)]

    @property
    def line(self) -> str:
        """The moves from the root to here."""
        if self.parent is None:
            return ""
        return f"{self.parent.line} {self.move}".lstrip()

    @property
    def position(self) -> Position:
        """The position itself."""
        return self.tree.position.play_all(self.line)

    def report(self) -> MoveReport | None:
        """All that the search knows of the move; None for the root."""
        if self.parent is None:
            return None
        return self.tree.view.move_report(self.number, self.parent.number)

    def facts(self) -> dict[str, Any]:
        """What `to_frame` has in the node's row; None where there is nothing to say."""
        report = self.report()
        columns: dict[str, Any] = dict.fromkeys(self.tree.view.column_names)
        columns |= report.columns if report is not None else {}
        return {
            "line": self.line,
            "move": self.move,
            "depth": self.depth,
            "visits": self.visits,
            "value": self.value,
            **columns,
        }

    def walk(self, *, min_visits: int = 1, max_depth: int | None = None) -> Iterator[Node]:
        """This node and all below it, each before its children; see `GrownTree.walk`."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            if node.visits < min_visits and node is not self:
                continue
            yield node
            if max_depth is None or node.depth < max_depth:
                waiting += node.children[::-1]

    def __repr__(self) -> str:
        value = "" if self.value is None else f", value {self.value:.3f}"
        return f"<node {self.line or 'root'}: {self.visits:,} visits{value}>"
