"""From a lead to a value: what the evaluations of games have in common."""

from __future__ import annotations

from uctlab.kernels import kernel


@kernel
def worth(lead, unit):
    """A lead as a value from 0 to 1: 1/2 for none, 3/4 for `unit`, 1/4 for one behind by that."""
    return 0.5 + 0.5 * lead / (unit + abs(lead))
