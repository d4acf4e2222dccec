"""UCB1: value + c * sqrt(ln s / n) (hashimoto2012, eq. 1, 2 and 5)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from uctlab.kernels import hole, inverse_root, kernel
from uctlab.rules.select.best import fpu_score as untried_score

__all__ = ["node_terms", "score", "unexplored", "untried_score"]

value: Any = hole("backup.value")
inverse_visits: Any = hole("backup.inverse_visits")
parent_visits: Any = hole("backup.parent_visits")
ON_GPU: bool = hole("device.ON_GPU", False)

SMALL = 1e-30  # replaces 0, which has no inverse; far below any difference that matters

# Most nodes have few visits, and a logarithm takes longer than a table lookup.
LOGS = np.log(np.maximum(np.arange(4096), 1))


@kernel
def log_of(total):
    """ln s, and 0 for a node without visits; s is an integer unless visits are discounted."""
    whole = np.int64(total)
    if not ON_GPU and whole < 4096 and whole == total:
        return LOGS[whole]
    return math.log(max(total, 1.0))


@kernel
def root_of_inverse(nodes, child, parent):
    """For an operator that does not define inverse_root_visits."""
    return math.sqrt(inverse_visits(nodes, child, parent))


inverse_root_visits: Any = hole("backup.inverse_root_visits", root_of_inverse)


@kernel
def exploration(nodes, parent, params):
    """c**2 * ln s."""
    return params.c * params.c * log_of(parent_visits(nodes, parent, params))


@kernel
def node_terms(nodes, parent, params):
    """c**2 * ln s; on a GPU its square root."""
    if ON_GPU:
        square = max(exploration(nodes, parent, params), SMALL)
        return square * inverse_root(square)
    return exploration(nodes, parent, params)


@kernel
def unexplored(nodes, child, parent, params):
    """The score of a visited move without exploration, for sketches."""
    return value(nodes, child)


@kernel
def score(nodes, child, parent, terms, params):
    if ON_GPU:
        return value(nodes, child) + terms * inverse_root_visits(nodes, child, parent)
    return value(nodes, child) + math.sqrt(terms * inverse_visits(nodes, child, parent))
