"""Slow twins of the playout policies that learn: all results, by player and moves."""

from collections import defaultdict


class Twin:
    def __init__(self):
        self.results = defaultdict(list)  # of (player, move) and (player, move before, move)
        self.replies = {}  # of (player, move before)

    def told(self, moves, turn, outcome, forgets=False):
        """All moves of a simulation from the root, where player `turn` was to move."""
        for ply, move in enumerate(moves):
            player = (turn + ply) % 2
            reward = outcome if player == 0 else 1 - outcome
            self.results[player, move].append(reward)
            if ply == 0:
                continue
            before = moves[ply - 1]
            self.results[player, before, move].append(reward)
            if reward > 0.5:
                self.replies[player, before] = move
            elif reward < 0.5 and forgets and self.replies.get((player, before)) == move:
                del self.replies[player, before]

    def accepted(self, policy, player, before, moves):
        """The moves that the policy may choose when it makes no random move."""
        if policy in ("lgr", "lgrf"):
            reply = self.replies.get((player, before))
            return [reply] if reply in moves else moves
        worth = {move: self.worth(policy, player, before, move) for move in moves}
        return [move for move in moves if worth[move] > max(worth.values()) - 1e-12]

    def worth(self, policy, player, before, move):
        alone = self.mean(player, move)
        pair = self.results.get((player, before, move), [])
        if policy == "nst" and len(pair) >= 7:
            return (alone + self.mean(player, before, move)) / 2
        return alone

    def mean(self, *key):
        results = self.results.get(key, [])
        return sum(results) / len(results) if results else 1.0
