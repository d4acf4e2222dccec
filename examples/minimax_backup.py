"""An example of your own backup operator: minimax values mixed with means.

    uctlab analyze othello --agent "uct(a=0.5,backup=examples/minimax_backup.py)" --playouts 20000

The value of a node is the mean of its playouts with weight 1 - a, plus the minimax value over its
visited children with weight a.
"""

import numpy as np

from uctlab.kernel import kernel
from uctlab.rules.backup.mean import inverse_visits, parent_visits

__all__ = ["FIELDS", "backup", "clear", "inverse_visits", "parent_visits", "value"]

FIELDS = [("total", "f8"), ("mixed", "f8")]


@kernel
def clear(nodes, node):
    nodes[node].total = 0.0
    nodes[node].mixed = 0.0


@kernel
def best_answer(nodes, node):
    """The highest value among the visited children, for the player to move."""
    best = 0.0
    first = np.int64(nodes[node].first)
    for child in range(first, first + nodes[node].count):
        if nodes[child].visits > 0:
            best = max(best, nodes[child].mixed)
    return best


@kernel
def backup(nodes, path, depth, reward, params):
    for level in range(depth, -1, -1):
        node = path[level]
        nodes[node].visits += 1
        nodes[node].total += reward
        mean = nodes[node].total / nodes[node].visits
        nodes[node].mixed = mean
        if nodes[node].count > 0:
            answer = 1.0 - best_answer(nodes, node)
            nodes[node].mixed = (1.0 - params.a) * mean + params.a * answer
        reward = 1.0 - reward


@kernel
def value(nodes, node):
    return nodes[node].mixed
