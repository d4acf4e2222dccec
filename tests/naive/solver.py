"""A slow twin of MCTS-Solver: what is proven is computed anew from the whole tree, every time."""

import math
from dataclasses import dataclass, field

TIE = 1e-7  # scores that are closer may be in either order


@dataclass
class Node:
    """One position; results are for the player who moved into it."""

    visits: int = 0
    total: float = 0.0
    end: float | None = None
    """The result, if the game is over."""
    children: list[int] = field(default_factory=list)


class SolverTwin:
    """Is told the playouts of a fast search, by the numbers of its nodes."""

    def __init__(self, c):
        self.c = c
        self.nodes = {}

    def expand(self, number, children):
        """The node has those moves, if it was not told before."""
        node = self.nodes.setdefault(number, Node())
        node.children = node.children or children

    def bounds(self, number):
        """The least and the highest result that the node can still have."""
        node = self.nodes.get(number, Node())
        if node.end is not None:
            return node.end, node.end
        if not node.children:
            return 0.0, 1.0
        below = [self.bounds(child) for child in node.children]
        return 1 - max(high for _, high in below), 1 - max(low for low, _ in below)

    def proven(self):
        low, high = self.bounds(0)
        return low == high

    def may_choose(self, number):
        """The moves that the search may choose at a node."""
        node = self.nodes[number]
        visits = {child: self.nodes.get(child, Node()).visits for child in node.children}
        untried = [child for child in node.children if not visits[child]]
        if untried:
            return untried[:1]
        bounds = {child: self.bounds(child) for child in node.children}
        sure = max(low for low, _ in bounds.values())
        scores = {
            child: self.nodes[child].total / visits[child]
            + self.c * math.sqrt(math.log(node.visits) / visits[child])
            for child in node.children
            if bounds[child][1] > sure
        }
        return [child for child in scores if scores[child] > max(scores.values()) - TIE]

    def tell(self, path, reward, over):
        """A playout; `reward` is for the player who moved into the last node."""
        if over:
            self.nodes.setdefault(path[-1], Node()).end = reward
        for number in reversed(path):
            node = self.nodes.setdefault(number, Node())
            node.visits += 1
            node.total += reward
            reward = 1 - reward
