"""Progressive widening: a node considers few of its moves at first, and more with each visit.

floor(1 + widen * s**widen_power) moves, the first ones in the order of the node's children: that of
the game's priors, or a random one (Coulom 2007; Chaslot et al. 2008, "progressive unpruning").
"""

from __future__ import annotations

import numpy as np

from uctlab.kernels import kernel

ROUNDING = 1e-9  # a power that should be a whole number may be a little less


@kernel
def considered(nodes, parent, params):
    most = 1.0 + params.widen * float(nodes[parent].visits) ** params.widen_power
    return np.int64(min(most + ROUNDING, float(nodes[parent].count)))
