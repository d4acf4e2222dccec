"""A selection rule of one's own: exploration by sqrt(s) / n instead of sqrt(ln s / n).

    uctlab analyze hex:5 --agent "uct(c=0.5,select=examples/ucb_sqrt.py)" --playouts 20000

`value`, `inverse_tries` and `total_tries` are bound by the backup operator, so that the rule works
with plain, accelerated and discounted values alike.
"""

import math
from typing import Any

from uctlab.kernel import UNBOUND, kernel
from uctlab.rules.select.best import fpu_score as untried_score

__all__ = ["common", "score", "untried_score"]

value: Any = UNBOUND
inverse_tries: Any = UNBOUND
total_tries: Any = UNBOUND


@kernel
def common(nodes, parent, params):
    return params.c * math.sqrt(total_tries(nodes, parent, params))


@kernel
def score(nodes, child, parent, shared, params):
    return value(nodes, child) + shared * inverse_tries(nodes, child, parent)
