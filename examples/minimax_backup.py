"""A backup operator to start from: minimax values mixed with means.

    uctlab check examples/minimax_backup.py --rule --agent "uct(a=0.5)"
    uctlab analyze othello --agent "uct(a=0.5,backup=examples/minimax_backup.py)" --playouts 20000
    uctlab match hex:5 "uct(a=0.5,backup=examples/minimax_backup.py)" uct --games 50 --playouts 1000

A backup operator says what a node remembers of the playouts through it. Here its value is their
mean with weight 1 - a, plus the minimax value over its visited children with weight a; `a` is a
number of the agent. `uctlab agents --rules` says what an operator has to bring.
"""

import numpy as np

from uctlab import kernel
from uctlab.rules.backup.mean import inverse_visits, parent_visits

__all__ = ["FIELDS", "backup", "clear", "inverse_visits", "parent_visits", "value"]

# What each node has besides its visits.
FIELDS = [("total", "f8"), ("mixed", "f8")]


@kernel
def clear(nodes, node):
    """Makes a new node."""
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
    """Enters a playout in all nodes of its path, from the last, path[depth], up to the root.

    `reward` is what the player who moved into the last node has got: 1, 0.5 or 0.
    """
    for level in range(depth, -1, -1):
        node = path[level]
        nodes[node].visits += 1
        nodes[node].total += reward
        mean = nodes[node].total / nodes[node].visits
        nodes[node].mixed = mean
        if nodes[node].count > 0:
            answer = 1.0 - best_answer(nodes, node)
            nodes[node].mixed = (1.0 - params.a) * mean + params.a * answer
        reward = 1.0 - reward  # for the other player, who moved into the node above


@kernel
def value(nodes, node):
    """How good the node is for the player who moved into it, from 0 to 1."""
    return nodes[node].mixed
