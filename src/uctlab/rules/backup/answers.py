"""What operators have in common that value a node by its answers, the moves of the next player.

They look at all moves of every node on the path, as selection does. The value of an answer belongs
to the player to move, so a node's own is 1 minus what comes of them. Each operator is its own
`worth`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.kernels import hole, kernel
from uctlab.rules.fields import MAX_VISITS, ROUNDING, Field
from uctlab.rules.shared import latch, leave_unlatch

# worth(nodes, node, best, mean, visits) is the value for the player to move. `best` is the visited
# answer with the highest value, `mean` that of all results for the same player.
worth: Any = hole("backup.worth")

FIELDS = [
    Field("total", "f8", 0.0, MAX_VISITS, "sum"),
    Field("value", "f8", -ROUNDING, 1 + ROUNDING, "mean"),
]
# total  sum of all results, for the player who moved into the node
# value  for the same player


@kernel
def clear(nodes, node):
    nodes[node].total = 0.0
    nodes[node].value = 0.0


@kernel
def value(nodes, node):
    return nodes[node].value


@kernel
def best_answer(nodes, node):
    """The visited move with the highest value; -1 if none has visits."""
    first = np.int64(nodes[node].first)
    best = np.int64(-1)
    for child in range(first, first + nodes[node].count):
        if nodes[child].visits > 0 and (best < 0 or nodes[child].value > nodes[best].value):
            best = child
    return best


@kernel
def most_tried(nodes, node):
    """The move with the most visits, the first of equals; -1 if none has visits."""
    first = np.int64(nodes[node].first)
    best = np.int64(-1)
    for child in range(first, first + nodes[node].count):
        if nodes[child].visits > 0 and (best < 0 or nodes[child].visits > nodes[best].visits):
            best = child
    return best


@kernel
def add(nodes, node, reward):
    """Add a result, and value the node; its visit is counted afterwards."""
    nodes[node].total += reward
    visits = np.int64(nodes[node].visits) + 1
    mean = nodes[node].total / visits
    best = best_answer(nodes, node)
    if best >= 0:
        nodes[node].value = 1.0 - worth(nodes, node, best, 1.0 - mean, visits)
    else:
        nodes[node].value = mean


@kernel
def backup(nodes, path, depth, reward, params):
    """Whoever changes a move values the node above it afterwards, so the last one has
    seen all."""
    for level in range(depth, -1, -1):
        latch(nodes, path[level])
        add(nodes, path[level], reward)
        leave_unlatch(nodes, path[level])
        reward = 1.0 - reward
