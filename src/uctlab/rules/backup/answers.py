"""What operators have in common that value a node by its answers, the moves of the next player.

They look at all moves of every node on the path, as selection does. The value of an answer belongs
to the player to move, so a node's own is 1 minus what comes of them.
"""

from __future__ import annotations

import numpy as np

from uctlab.kernels import kernel

FIELDS = [("total", "f8"), ("value", "f8")]
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
