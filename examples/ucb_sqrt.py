"""A selection rule to start from: exploration by sqrt(s) / n instead of sqrt(ln s / n).

    uctlab check examples/ucb_sqrt.py --rule
    uctlab analyze hex:5 --agent "uct(c=0.5,select=examples/ucb_sqrt.py)" --playouts 20000
    uctlab match hex:5 "uct(c=0.5,select=examples/ucb_sqrt.py)" uct --games 50 --playouts 1000

A selection rule scores the moves of a node, and a search follows the highest score. This one adds
c * sqrt(s) / n to the value of a move: n are the visits of the move, s those of its parent.
`uctlab agents --rules` says what else a rule may use.
"""

import math
from typing import Any

from uctlab import hole, kernel
from uctlab.rules.select.best import fpu_score as untried_score  # of moves without a visit

__all__ = ["node_terms", "score", "untried_score"]

# From the backup operator, so the rule works with plain, accelerated and discounted values alike.
value: Any = hole("backup.value")
inverse_visits: Any = hole("backup.inverse_visits")
parent_visits: Any = hole("backup.parent_visits")


@kernel
def node_terms(nodes, parent, params):
    """What is the same for all moves of a node, computed once; `params` are the agent's numbers."""
    return params.c * math.sqrt(parent_visits(nodes, parent, params))


@kernel
def score(nodes, child, parent, terms, params):
    """How much a visited move wants the next playout; `terms` is what node_terms has returned."""
    return value(nodes, child) + terms * inverse_visits(nodes, child, parent)
