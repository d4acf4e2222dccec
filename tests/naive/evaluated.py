"""A slow twin of searches that evaluate: it is told which moves a simulation made, no more."""

import math
from functools import cached_property

TIE = 1e-9  # scores that are closer may be in either order


class Node:
    """Everything is for the player who moved into it."""

    def __init__(self, position):
        self.position = position
        self.children = {}
        self.visits = 0
        self.total = 0.0

    @cached_property
    def evaluation(self):
        """The result if the game is over, else what the game's evaluation says."""
        position = self.position
        if position.is_over:
            value = position.result
        else:
            value = float(position.game.kernels.evaluate(position.state))
        return value if position.turn == 1 else 1 - value

    def minimax(self):
        """Over the whole tree below, at every call."""
        below = [child.minimax() for child in self.children.values()]
        return 1 - max(below) if below else self.evaluation

    def mean(self):
        return self.total / self.visits


class Search:
    """UCT with expand=1: a node gets its moves at its second visit."""

    def __init__(self, position, value, c):
        self.root = Node(position)
        self.value = value
        """What a rule is to see of a node."""
        self.c = c

    def tell(self, moves, reward=None):
        """One simulation; `reward` of the leaf if it was played out. Fails at a wrong choice."""
        node, line = self.root, [self.root]
        for move in moves:
            assert node is self.root or node.visits > 0, "a leaf is expanded too early"
            self.check_choice(node, move)
            if move not in node.children:
                node.children[move] = Node(node.position.play(move))
            node = node.children[move]
            line.append(node)
        assert node.visits == 0 or node.position.is_over, "a leaf is not expanded"
        reward = node.evaluation if reward is None else reward
        for node in reversed(line):
            node.visits += 1
            node.total += reward
            reward = 1 - reward

    def check_choice(self, node, chosen):
        """Moves without visits come first; after that the highest score."""
        if len(node.children) < len(node.position.legal):
            assert chosen not in node.children, "there are untried moves"
            return
        scores = {
            move: self.value(child) + self.c * math.sqrt(math.log(node.visits) / child.visits)
            for move, child in node.children.items()
        }
        assert scores[chosen] > max(scores.values()) - TIE, (scores, chosen)
