"""A slow twin of GRAVE: every node has a table of what each move of its player did in each game."""

import math
from dataclasses import dataclass, field

TIE = 1e-9  # scores that are closer may be in either order


@dataclass
class Node:
    """Visits and results are those of the player who moved into it, samples of the one to move."""

    visits: int = 0
    total: float = 0.0
    samples: dict[int, list[float]] = field(default_factory=dict)
    """By moves, the result of each game in which that player was the first to make the move."""


class GraveTwin:
    """Is told the games of a fast search."""

    def __init__(self, turn, *, enough, bias, c, fpu):
        self.turn = turn
        self.enough, self.bias, self.c, self.fpu = enough, bias, c, fpu
        self.nodes = {}

    def at(self, line):
        return self.nodes.setdefault(tuple(line), Node())

    def may_choose(self, line, moves, offered):
        """The moves that may be selected after `line`; `moves` in the order of the tree.

        `offered` says of a line which moves are legal there, and so have statistics.
        """
        node = self.at(line)
        untried = [move for move in moves if not self.at((*line, move)).visits]
        if untried and self.fpu == math.inf:
            return untried[:1]
        above = [line[:end] for end in range(len(line), -1, -2)]
        known = next((a for a in above if self.at(a).visits >= self.enough), above[-1])
        scores = {}
        for move in moves:
            child = self.at((*line, move))
            games = self.at(known).samples.get(move, []) if move in offered(known) else []
            rave = sum(games) / len(games) if games else None
            if not child.visits:
                scores[move] = self.fpu if rave is None else rave
                continue
            n, m = child.visits, len(games)
            score = child.total / n
            if m:
                beta = m / (m + n + self.bias * m * n)
                score = (1 - beta) * score + beta * rave
            scores[move] = score + self.c * math.sqrt(math.log(node.visits) / n)
        return [move for move in scores if scores[move] > max(scores.values()) - TIE]

    def tell(self, line, playout, outcome):
        """A game: the moves in the tree, those of the playout, its result for the first player."""
        game = [*line, *playout]
        for level in range(len(line) + 1):
            player = (self.turn + level) % 2
            result = outcome if player == 0 else 1 - outcome
            node = self.at(line[:level])
            node.visits += 1
            node.total += 1 - result
            if level == len(line):
                break  # a leaf has no moves yet
            seen = set()
            for ply in range(level, len(game)):
                if game[ply] < 0:
                    continue  # a move that gives no samples
                if game[ply] not in seen and (ply - level) % 2 == 0:
                    node.samples.setdefault(game[ply], []).append(result)
                seen.add(game[ply])
