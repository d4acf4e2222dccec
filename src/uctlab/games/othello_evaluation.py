"""How good a board of Othello looks: corners and the cells beside them, mobility, parity, discs."""

from __future__ import annotations

import numpy as np

from uctlab.games.evaluation import worth
from uctlab.kernels import kernel, popcount

UNIT = 16.0  # a lead that is worth 3/4
CORNER = 12.0
BESIDE_CORNER = 4.0  # what a disc there costs while the corner is empty
EDGE = 1.0
MOBILITY = 1.0
PARITY = 2.0  # for the player who will probably move last
LATE = 12  # empty cells from which on discs count too

_ZERO = np.uint64(0)
_EDGES = np.uint64(0x3C0081818181003C)  # without corners and the cells beside them
_CORNERS = tuple(np.uint64(1 << cell) for cell in (0, 7, 56, 63))
_BESIDE = tuple(
    np.uint64(sum(1 << cell for cell in cells))
    for cells in ((1, 8, 9), (6, 14, 15), (48, 49, 57), (54, 55, 62))
)


@kernel
def judge(own, opp, own_moves, opp_moves):
    """The value for the player to move, given how many moves each side would have."""
    lead = EDGE * (popcount(own & _EDGES) - popcount(opp & _EDGES))
    for i in range(4):
        if (own | opp) & _CORNERS[i] == _ZERO:
            lead -= BESIDE_CORNER * (popcount(own & _BESIDE[i]) - popcount(opp & _BESIDE[i]))
        else:
            lead += CORNER if own & _CORNERS[i] != _ZERO else -CORNER
    lead += MOBILITY * (own_moves - opp_moves)
    empty = 64 - popcount(own | opp)
    lead += PARITY if empty & 1 == 1 else -PARITY
    if empty <= LATE:
        lead += popcount(own) - popcount(opp)
    return worth(lead, UNIT)
