"""Selection in a tree with proven bounds: moves that can gain nothing come last.

With solver=on this score replaces that of the selection rule, which is the owner `unsolved`. As
long as a node is not proven itself it has a move that can gain something, so the search enters no
proven node.
"""

from __future__ import annotations

import math
from typing import Any

from uctlab.kernels import hole, kernel
from uctlab.rules.solver import hopeless

unsolved_score: Any = hole("unsolved.score")


@kernel
def score(nodes, child, parent, terms, params):
    if hopeless(nodes, child, parent):
        return -math.inf
    return unsolved_score(nodes, child, parent, terms, params)
