"""Mix: between the mean and the best or most visited answer, by their visits (coulom2006).

The paper counts in points of the Go board; here they are the moves of the node.
"""

from __future__ import annotations

import numpy as np

from uctlab.kernels import kernel
from uctlab.rules.backup.answers import (
    FIELDS,
    backup,
    clear,
    most_tried,
    value,
)
from uctlab.rules.backup.mean import inverse_root_visits, inverse_visits, parent_visits

__all__ = [
    "FIELDS",
    "backup",
    "clear",
    "inverse_root_visits",
    "inverse_visits",
    "parent_visits",
    "value",
    "worth",
]


@kernel
def second_best(nodes, node, best):
    """The visited move with the highest value besides the best; -1 if there is none."""
    first = np.int64(nodes[node].first)
    second = np.int64(-1)
    for child in range(first, first + nodes[node].count):
        if child == best or nodes[child].visits == 0:
            continue
        if second < 0 or nodes[child].value > nodes[second].value:
            second = child
    return second


@kernel
def drawn_to(mean, nodes, child, weight):
    """The mean of a move's value and `mean`, which counts as that many visits."""
    visits = np.int64(nodes[child].visits)
    return (visits * nodes[child].value + weight * mean) / (visits + weight)


@kernel
def worth(nodes, node, best, mean, visits):
    second = most_tried(nodes, node)
    if second == best:
        second = second_best(nodes, node, best)
    if second < 0:
        return nodes[best].value
    weight = 2.0 * nodes[node].count
    if visits > 8.0 * weight:
        weight = weight * visits / (16.0 * nodes[node].count)
    if nodes[best].visits >= nodes[second].visits:
        return drawn_to(mean, nodes, best, weight)
    if nodes[second].value > mean:
        return drawn_to(mean, nodes, second, weight)
    if nodes[best].value < mean:
        return drawn_to(mean, nodes, best, weight)
    return mean
