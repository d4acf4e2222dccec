"""Virtual loss: selection in a tree that threads share counts playouts under way as losses.

These kernels replace those of the same names; the backup operator's own are the owner `settled`. As
long as no other thread is in the tree, the choice is that of a single-threaded search.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from uctlab.kernels import hole, kernel
from uctlab.rules.select.best import every_move
from uctlab.rules.shared import pending

settled_value: Any = hole("settled.value")
settled_inverse_visits: Any = hole("settled.inverse_visits")
settled_parent_visits: Any = hole("settled.parent_visits")
score: Any = hole("select.score")
untried_score: Any = hole("select.untried_score")
considered: Any = hole("step.considered", every_move)


@kernel
def tried(nodes, child):
    return nodes[child].visits > 0 or pending(nodes, child) > 0


@kernel
def value(nodes, node):
    lost = pending(nodes, node)
    visits = np.int64(nodes[node].visits)
    if visits == 0:
        return 0.0
    if lost == 0:
        return settled_value(nodes, node)
    return settled_value(nodes, node) * (visits / (visits + lost))


@kernel
def inverse_visits(nodes, child, parent):
    lost = pending(nodes, child)
    if nodes[child].visits == 0:
        return 1.0 / max(lost, 1)
    inverse = settled_inverse_visits(nodes, child, parent)
    if lost == 0:
        return inverse
    return inverse / (1.0 + lost * inverse)


@kernel
def parent_visits(nodes, parent, params):
    """The thread that asks is one of those under way here; it does not count itself."""
    return settled_parent_visits(nodes, parent, params) + (pending(nodes, parent) - 1)


@kernel
def any_score(nodes, child, parent, terms, params):
    if tried(nodes, child):
        return score(nodes, child, parent, terms, params)
    return untried_score(nodes, child, terms, params)


@kernel
def untried(nodes, parent, params):
    """The first move that no thread has tried, if such moves come before all others; else -1."""
    first = np.int64(nodes[parent].first)
    end = first + considered(nodes, parent, params)
    if params.fpu != math.inf or tried(nodes, end - 1):
        return np.int64(-1)
    for child in range(first, end):
        if not tried(nodes, child):
            return child
    return np.int64(-1)
