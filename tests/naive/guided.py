"""A slow twin of searches that a game's opinion guides: PUCT, progressive bias and widening.

It is told the line of each playout, as moves from the root, and its result. Statistics are kept by
the line; every choice is looked up in the formulas of the papers.
"""

import math

TIE = 1e-6  # scores that are closer may be in either order; probabilities have 32 bits


class Guided:
    def __init__(self, turn, opinions, rule="ucb1", c=1.0, p=1.0, fpu=math.inf, bias=0.0, widen=()):
        """`opinions(line)` has the value of each move there; `widen` is factor and exponent."""
        self.turn, self.opinions = turn, opinions
        self.rule, self.c, self.p, self.fpu, self.bias, self.widen = rule, c, p, fpu, bias, widen
        self.results = {(): []}
        self.known = {}

    def told(self, line, outcome):
        """A playout through these moves; `outcome` is the first player's."""
        for depth in range(len(line) + 1):
            first_moved = (self.turn + depth) % 2 == 1
            results = self.results.setdefault(tuple(line[:depth]), [])
            results.append(outcome if first_moved else 1 - outcome)

    def considered(self, line, order):
        if not self.widen:
            return order
        factor, exponent = self.widen
        visits = len(self.results.get(line, []))
        return order[: math.floor(1 + factor * visits**exponent + 1e-9)]

    def may_choose(self, line, order, chosen):
        """Whether `chosen` may be tried next; `order` are the node's moves, in that order."""
        moves = self.considered(line, order)
        if self.fpu == math.inf:
            untried = [move for move in moves if (*line, move) not in self.results]
            if untried:
                return chosen == untried[0]
        scores = {move: self.score(line, move) for move in moves}
        return chosen in scores and scores[chosen] > max(scores.values()) - TIE

    def score(self, line, move):
        if line not in self.known:
            self.known[line] = self.opinions(line)
        opinion = self.known[line][move]
        s = max(len(self.results.get(line, [])), 1)
        results = self.results.get((*line, move), [])
        n = len(results)
        guided = self.bias * opinion / (n + 1)
        if self.rule == "puct":
            probability = opinion / sum(self.known[line].values())
            guided += self.c * probability * math.sqrt(s) / (1 + n)
        if n == 0:
            return self.fpu + guided
        mean = sum(results) / n
        if self.rule == "ucb1":
            guided += self.c * math.sqrt(math.log(s) / n)
        if self.rule == "tuned":
            squares = sum(result**2 for result in results) / n
            variance = squares - mean**2 + math.sqrt(2 * math.log(s) / n)
            guided += self.p * math.sqrt(math.log(s) / n * min(0.25, variance))
        return mean + guided
