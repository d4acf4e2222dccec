"""Slow twins of the backup operators: every playout by the definitions, every sibling decayed.

A twin is told the path of each playout of a fast search, and where nodes got their children. It
keeps its own statistics; `score` is the bandit's value of a move by the paper's formula.
"""

import math

import numpy as np


class Node:
    """A node with the playouts it had as a leaf and, once expanded, its moves."""

    def __init__(self):
        self.visits = 0
        self.playouts = []  # results as a leaf, for the player who moved into it
        self.children = None

    def leaf_mean(self):
        return sum(self.playouts) / len(self.playouts)

    def expand(self, first, count):
        self.children = range(first, first + count)
        self.counts = np.zeros(count)  # plain visits of the moves


class Twin:
    def __init__(self, lam, c):
        self.lam = lam
        self.c = c
        self.nodes = {}

    def node(self, index):
        return self.nodes.setdefault(index, Node())

    def add(self, path, block, outcome_for_leaf):
        """One playout; block(node) tells the first child of a node and the number of children."""
        seen = outcome_for_leaf
        leaf = self.node(path[-1])
        leaf.visits += 1
        leaf.playouts.append(seen)
        self.leaf(path[-1], leaf, seen)
        for level in range(len(path) - 2, -1, -1):
            node = self.node(path[level])
            if node.children is None:
                node.expand(*block(path[level]))
                self.expanded(node)
            chosen = path[level + 1] - node.children[0]
            node.visits += 1
            node.counts[chosen] += 1
            self.passed(node, chosen, path[level + 1], seen)
            seen = 1 - seen
            self.update(path[level], node, seen)

    def best_moves(self, index):
        """The moves that the selection rule may choose, ties included."""
        node = self.node(index)
        if (node.counts == 0).any():
            return {node.children[0] + int(np.argmax(node.counts == 0))}
        scores = self.scores(node)
        return {node.children[0] + int(i) for i in np.flatnonzero(scores > scores.max() - 1e-7)}

    def expanded(self, node): ...
    def leaf(self, index, node, seen): ...
    def passed(self, node, chosen, child, seen): ...
    def update(self, index, node, seen): ...


class Plain(Twin):
    """UCT: the mean of all results."""

    def __init__(self, lam, c):
        super().__init__(lam, c)
        self.total = {}

    def leaf(self, index, node, seen):
        self.total[index] = self.total.get(index, 0.0) + seen

    def update(self, index, node, seen):
        self.total[index] = self.total.get(index, 0.0) + seen

    def value(self, index):
        return self.total[index] / self.nodes[index].visits

    def scores(self, node):
        values = np.array([self.value(child) for child in node.children])
        return values + self.c * np.sqrt(math.log(node.visits) / node.counts)

    def weight(self, node, chosen):
        return None


class Accelerated(Twin):
    """Equations 5 to 7, with the virtual child as the last of the moves."""

    def __init__(self, lam, c):
        super().__init__(lam, c)
        self.values = {}

    def leaf(self, index, node, seen):
        self.values[index] = node.leaf_mean()

    def expanded(self, node):
        count = len(node.children)
        node.velocity = np.zeros(count + 1)
        node.answers = np.zeros(count + 1)
        if node.playouts:
            node.velocity[-1] = sum(self.lam**i for i in range(len(node.playouts)))
            node.answers[-1] = 1 - node.leaf_mean()

    def passed(self, node, chosen, child, seen):
        node.velocity *= self.lam
        node.velocity[chosen] += 1
        node.answers[chosen] = self.values[child]

    def update(self, index, node, seen):
        self.values[index] = 1 - float(node.velocity @ node.answers / node.velocity.sum())

    def value(self, index):
        return self.values[index]

    def scores(self, node):
        return node.answers[:-1] + self.c * np.sqrt(math.log(node.visits) / node.counts)

    def weight(self, node, chosen):
        return node.velocity[chosen]


class Discounted(Twin):
    """Equations 2 to 4; the node's own playouts count among its discounted visits."""

    def expanded(self, node):
        count = len(node.children)
        node.tries = np.zeros(count)
        node.ratio = np.zeros(count)
        node.own = sum(self.lam**i for i in range(len(node.playouts)))

    def passed(self, node, chosen, child, seen):
        older = self.lam * node.tries
        node.own *= self.lam
        node.ratio[chosen] = (older[chosen] * node.ratio[chosen] + seen) / (older[chosen] + 1)
        node.tries = older
        node.tries[chosen] += 1

    def scores(self, node):
        total = max(node.tries.sum() + node.own, 1.0)
        return node.ratio + self.c * np.sqrt(math.log(total) / node.tries)

    def weight(self, node, chosen):
        return node.tries[chosen]
