"""A slow twin of a search that knows transpositions: results by position, visits by line."""

import math
from collections import defaultdict

TIE = 1e-9


class Twin:
    def __init__(self, turn, position_after, c):
        """`position_after(line)` is equal for equal positions."""
        self.turn, self.position_after, self.c = turn, position_after, c
        self.results = defaultdict(list)
        self.visits = defaultdict(int)

    def told(self, line, outcome):
        for depth in range(len(line) + 1):
            first_moved = (self.turn + depth) % 2 == 1
            self.results[self.position_after(line[:depth])].append(
                outcome if first_moved else 1 - outcome
            )
            self.visits[line[:depth]] += 1

    def value(self, line):
        results = self.results[self.position_after(line)]
        return sum(results) / len(results)

    def may_choose(self, line, order, chosen):
        untried = [move for move in order if not self.visits[(*line, move)]]
        if untried:
            return chosen == untried[0]
        scores = {move: self.score(line, move) for move in order}
        return scores[chosen] > max(scores.values()) - TIE

    def score(self, line, move):
        spent = math.log(self.visits[line]) / self.visits[(*line, move)]
        return self.value((*line, move)) + self.c * math.sqrt(spent)
