"""UCT, RAVE and Accelerated UCT in plain Python: how a Monte-Carlo tree search works.

    python examples/uct_in_one_file.py
    python examples/uct_in_one_file.py othello 100

The search grows a tree of positions; its root is the position in which a move is wanted. It makes
many simulations of four steps each:

1. Descend from the root to a leaf, from each node to the child with the highest score.
2. Expand the leaf if it was visited before: add its children, and go on to one of them.
3. Play random moves from there to the end of the game: a playout.
4. Update the nodes on the path with the result.

Moves that win often get high scores, so more and more simulations go where both players play well.
In the end the most visited move is played.

Read `Node`, then `UCT`. `RAVE` has another score, `AcceleratedUCT` another update. With the same
random numbers, playouts and order of moves the trees are those of uctlab's compiled search, visit
for visit: see tests/test_uct_in_one_file.py. Equations are those of hashimoto2012, "Accelerated UCT
and Its Application to Two-Player Games".
"""

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random

from uctlab import Position

Playout = Callable[[Position, Random], tuple[float, list[str]]]


@dataclass(eq=False)
class Node:
    """A position in the tree, and what is known of the move that led to it.

    Results are those of the player who made that move: 1 is a win, 0.5 a draw, 0 a loss.
    """

    move: str = ""
    children: list["Node"] = field(default_factory=list)  # a leaf has none
    visits: int = 0  # simulations that came through here
    value: float = 0.0  # the mean of their results; AcceleratedUCT has another mean
    # For RAVE:
    samples: int = 0  # simulations in which that player made the move, here or later
    rave: float = 0.0  # the mean of their results
    # For AcceleratedUCT:
    velocity: float = 0.0  # visits, of which older ones count less
    answers: list["Node"] = field(default_factory=list)  # the children and a virtual child


def random_playout(position: Position, rng: Random) -> tuple[float, list[str]]:
    """The result of a random game for the first player, and its moves."""
    moves = []
    while legal := position.legal_moves:
        moves.append(legal[rng.randrange(len(legal))])
        position = position.play(moves[-1])
    assert position.result is not None  # the game is over
    return position.result, moves


class UCT:
    """The search. It draws all its random numbers from `rng`."""

    c = 1.0  # the more, the more it explores

    def __init__(self, position: Position, rng: Random, playout: Playout = random_playout) -> None:
        self.position, self.rng, self.playout = position, rng, playout
        self.root = Node()
        self.add_children(self.root, position)

    def best_move(self, simulations: int) -> str:
        """The most visited move after that many simulations; of several, the one worth most."""
        for _ in range(simulations):
            self.simulate()
        return max(self.root.children, key=lambda child: (child.visits, child.value)).move

    def simulate(self) -> None:
        """Make one simulation: descend, expand, play out, update."""
        # 1. Descend to a leaf.
        path, position = [self.root], self.position
        while path[-1].children:
            position = self.enter_child(path, position)
        # 2. Expand it at the second visit, unless the game is over there.
        if path[-1].visits > 0:
            self.add_children(path[-1], position)
            if path[-1].children:
                position = self.enter_child(path, position)
        # 3. Play to the end. The result is the first player's: 1, 0.5 or 0.
        result, moves = self.playout(position, self.rng)
        # 4. Update the path. Player `turn` (0 or 1) is to move, so the other one moved to the leaf.
        reward = result if position.turn == 1 else 1 - result
        self.update(path, reward, moves)

    def update(self, path: list[Node], reward: float, moves: list[str]) -> None:
        """Count the result in all nodes of the path. The playout's `moves` are for RAVE."""
        for node in reversed(path):
            node.visits += 1
            node.value += (reward - node.value) / node.visits
            reward = 1 - reward  # for the node above, whose move was the other player's

    def score(self, node: Node, child: Node) -> float:
        """UCB1 (equation 1): the value of a move, and more if it has few visits."""
        if child.visits == 0:
            return math.inf  # each move is tried once before any is tried again
        return child.value + self.c * math.sqrt(math.log(node.visits) / child.visits)

    def enter_child(self, path: list[Node], position: Position) -> Position:
        """Add the child with the highest score to the path, the first one of equals."""
        node, best, highest = path[-1], path[-1].children[0], -math.inf
        for child in node.children:
            score = self.score(node, child)
            if score > highest + 1e-10:  # by more than rounding
                best, highest = child, score
        path.append(best)
        return position.play(best.move)

    def add_children(self, node: Node, position: Position) -> None:
        """Add a child for each legal move, in random order (a Fisher-Yates shuffle)."""
        moves = position.legal_moves
        for i in range(len(moves)):
            other = self.rng.randrange(i + 1)
            moves[i], moves[other] = moves[other], moves[i]
        node.children = [Node(move) for move in moves]


class RAVE(UCT):
    """Judges a move also by simulations in which the same player made it later on."""

    def score(self, node: Node, child: Node) -> float:
        """Equation 8, which has no c; W is that of the Go program Fuego."""
        w = child.samples / (1 + child.samples / 5000)  # below 5000, so many visits outweigh RAVE
        if child.visits + w == 0:
            return 1.0  # nothing is known of the move: as good as a win
        return (child.visits * child.value + w * child.rave) / (child.visits + w)

    def update(self, path: list[Node], reward: float, moves: list[str]) -> None:
        """Give samples to the moves that a player could make at once and was the first to make."""
        super().update(path, reward, moves)
        line = [node.move for node in path[1:]] + moves  # from the root to the end of the game
        first = {}  # by move, the player who makes it first at this ply or later
        for ply in reversed(range(len(line))):
            player = ply % 2  # 0 is the player to move at the root
            first[line[ply]] = player  # instead of whoever makes it later
            if ply < len(path) - 1:  # in the tree; at its last ply `reward` is this player's
                for child in path[ply].children:
                    if first.get(child.move) == player:
                        child.samples += 1
                        child.rave += (reward - child.rave) / child.samples
                reward = 1 - reward


class AcceleratedUCT(UCT):
    """The value of a move comes from its answers, of which those chosen lately count most."""

    decay = 0.999  # lambda; the paper's k = 3, where lambda = 1 - 0.1**k

    def add_children(self, node: Node, position: Position) -> None:
        """A virtual child, never selected, keeps the playout of the former leaf (section 4)."""
        super().add_children(node, position)
        virtual = Node(value=1 - node.value, velocity=node.visits)  # 1 visit; the root has 0
        node.answers = [*node.children, virtual]

    def update(self, path: list[Node], reward: float, moves: list[str]) -> None:
        """Equations 6 and 7. The leaf has no answers: its value is the mean of its playouts."""
        super().update(path[-1:], reward, moves)
        for node, chosen in reversed(list(pairwise(path))):  # a node and its child on the path
            node.visits += 1
            for answer in node.answers:
                answer.velocity *= self.decay
            chosen.velocity += 1
            total = sum(answer.velocity * answer.value for answer in node.answers)
            mean = total / sum(answer.velocity for answer in node.answers)
            node.value = 1 - mean  # the answers are the other player's


def main(game: str = "hex:4", simulations: str = "300") -> None:
    """Print visits and values of the moves in the three searches; a star marks the move to play."""
    position = Position.start(game)
    rows = {move: f"{move:4}" for move in position.legal_moves}
    for kind in (UCT, RAVE, AcceleratedUCT):
        search = kind(position, Random(1))
        best = search.best_move(int(simulations))
        for child in search.root.children:
            star = "*" if child.move == best else " "
            rows[child.move] += f"{child.visits:10} {child.value:.3f} {star}"
    print("move             UCT              RAVE    AcceleratedUCT", *rows.values(), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
