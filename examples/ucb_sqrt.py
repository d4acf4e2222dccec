"""An example of your own selection rule: exploration by sqrt(s) / n instead of sqrt(ln s / n).

    uctlab analyze hex:5 --agent "uct(c=0.5,select=examples/ucb_sqrt.py)" --playouts 20000

`value`, `inverse_visits` and `parent_visits` come from the backup operator, so the rule works with
plain, accelerated and discounted values alike.
"""

import math
from typing import Any

from uctlab.kernel import hole, kernel
from uctlab.rules.select.best import fpu_score as untried_score

__all__ = ["node_terms", "score", "untried_score"]

value: Any = hole("backup.value")
inverse_visits: Any = hole("backup.inverse_visits")
parent_visits: Any = hole("backup.parent_visits")


@kernel
def node_terms(nodes, parent, params):
    return params.c * math.sqrt(parent_visits(nodes, parent, params))


@kernel
def score(nodes, child, parent, terms, params):
    return value(nodes, child) + terms * inverse_visits(nodes, child, parent)
