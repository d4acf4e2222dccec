"""Slow twins of the selection rules: every score from the list of all results of a move.

A node keeps each of its results, in order, and which of the parent's visits brought it. Nothing is
summed up beforehand, and bounds are found by walking the whole tree.
"""

import math
from dataclasses import dataclass, field


@dataclass
class Node:
    """One node, with what was seen there by the player who moved into it."""

    depth: int = 0
    code: int = -1
    """The move that leads here, as the game numbers it."""
    number: int = 0
    """In the tree of the fast search."""
    over: bool = False
    results: list = field(default_factory=list)
    times: list = field(default_factory=list)
    """For each result, how many visits the parent had before it."""
    moves: list = field(default_factory=list)
    upper: float = math.inf
    lower: float = -math.inf

    @property
    def visits(self):
        return len(self.results)

    @property
    def mean(self):
        return sum(self.results) / self.visits

    @property
    def variance(self):
        return sum((result - self.mean) ** 2 for result in self.results) / self.visits

    @property
    def height(self):
        """Moves to the deepest node below that has visits."""
        return max((1 + move.height for move in self.moves if move.visits), default=0)


def add(path, reward):
    """A playout through these nodes; the reward is that of the player who moved into the last."""
    for level in range(len(path) - 1, -1, -1):
        if level > 0:
            path[level].times.append(path[level - 1].visits)
        path[level].results.append(reward)
        reward = 1 - reward


def bound(path, params):
    """BAST: the bounds of the nodes on the path, from its end."""
    for node in reversed(path):
        odds = path[0].visits * node.visits * (node.visits + 1) / params.beta
        width = params.c * math.sqrt(2 * math.log(odds) / node.visits)
        if node.over or (params.delta == math.inf and not node.moves):
            slack = 0.0
        else:
            slack = min(1.0, params.delta * params.gamma**node.depth)
        node.upper = node.mean + slack + width
        node.lower = node.mean - slack - width
        if node.moves:
            answers = [(move.lower, move.upper) for move in node.moves]
            node.upper, node.lower = (
                min(node.upper, 1 - max(lower for lower, _ in answers)),
                max(node.lower, 1 - max(upper for _, upper in answers)),
            )


def bast(node, move, params):
    return move.upper


def modified(node, move, params):
    """Modified UCT, by the recursions that the paper's sums come from."""
    wider, further = 0.0, 0.0
    for _ in range(int(min(max(move.height for move in node.moves), params.levels))):
        wider = (1 + math.sqrt(2)) * (wider + 1)
        further = 3 * further + 1
    odds = node.visits**2 * (node.visits + 1) / params.beta
    width = (wider + 1) * math.sqrt(2 * math.log(odds) / move.visits) + further / move.visits
    return move.mean + params.c * width


def ucb_v(node, move, params):
    """UCB-V, with the paper's weight c of the last term."""
    log = params.zeta * math.log(node.visits)
    spread = math.sqrt(2 * move.variance * log / move.visits)
    return move.mean + spread + params.c * 3 * log / move.visits


def kl_ucb(node, move, params):
    """KL-UCB by bisection: the highest mean that the results do not rule out."""
    log = math.log(node.visits)
    room = (log + params.c * math.log(max(1.0, log))) / move.visits
    low, high = move.mean, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if divergence(move.mean, middle) <= room:
            low = middle
        else:
            high = middle
    return low


def divergence(p, q):
    """Of coins that fall on heads with probabilities p and q."""
    found = 0.0
    for mine, other in ((p, q), (1 - p, 1 - q)):
        if mine > 0:
            found += mine * math.log(mine / other) if other > 0 else math.inf
    return found


def thompson(node, move, params):
    """Thompson sampling: a chance of winning drawn from what the results leave open."""
    wins = sum(move.results)
    draws = Draws((node.visits << 32) + node.moves[0].number, move.code)
    if not move.results:
        return draws.uniform()
    one = draws.gamma(1 + wins)
    return one / (one + draws.gamma(1 + move.visits - wins))


class Draws:
    """Random numbers that depend on the place and the move alone."""

    def __init__(self, place, code):
        self.state = (mix(place) + code * GOLDEN) % 2**64

    def uniform(self):
        self.state = (self.state + GOLDEN) % 2**64
        return ((mix(self.state) >> 11) + 0.5) / 2**53

    def normal(self):
        size = math.sqrt(-2 * math.log(self.uniform()))
        return size * math.cos(2 * math.pi * self.uniform())

    def gamma(self, shape):
        """Marsaglia and Tsang, 2000."""
        d = shape - 1 / 3
        while True:
            x = self.normal()
            v = (1 + x / math.sqrt(9 * d)) ** 3
            u = self.uniform()
            if v > 0 and math.log(u) < x * x / 2 + d - d * v + d * math.log(v):
                return d * v


GOLDEN = 0x9E3779B97F4A7C15


def mix(word):
    """SplitMix64's output function."""
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB % 2**64
    return word ^ (word >> 31)


def discounted_tuned(node, move, params):
    """UCB1-Tuned on sums in which each later visit of the node takes a result's weight down."""
    weights = [params.lam ** (node.visits - 1 - time) for time in move.times]
    visits = sum(weights)
    mean = sum(w * x for w, x in zip(weights, move.results, strict=True)) / visits
    square = sum(w * x * x for w, x in zip(weights, move.results, strict=True)) / visits
    log = math.log(sum(params.lam**age for age in range(node.visits)))
    variance = square - mean**2 + math.sqrt(2 * log / visits)
    return mean + params.p * math.sqrt(log / visits * min(0.25, variance))
