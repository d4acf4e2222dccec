"""The light playouts of Go: random moves that fill no own eye."""

from __future__ import annotations

import numpy as np

from uctlab.games.go.board import area_lead, code_of, is_open, legal_shut, owner_around, result_of
from uctlab.games.go.eyes import eye
from uctlab.games.go.placing import place
from uctlab.kernels import below, hole, kernel

SIZE: int = hole("game.SIZE")
TRACE: bool = hole("playout.TRACE")


@kernel
def playout(s, rng, out, trace):
    """Random moves that do not fill an own eye, else passes. At most 3 * SIZE**2 moves."""
    color = np.int64(s.turn) + 1
    empties = s.empties
    passes = np.int64(s.passes)
    length = 0
    while passes < 2 and length < 3 * SIZE * SIZE:
        passes += 1
        untried = np.int64(s.count)
        while untried > 0:
            i = np.uint64(below(rng, untried))
            at = np.uint64(empties[i])
            if is_open(s, at) or (not eye(s, at, color) and legal_shut(s, at, color)):
                if TRACE:
                    trace[length] = code_of(at)
                place(s, i, color)
                passes = 0
                break
            untried -= 1
            empties[i] = empties[np.uint64(untried)]
            empties[np.uint64(untried)] = at
        if passes > 0:
            s.ko = 0
            if TRACE:
                trace[length] = SIZE * SIZE
        color = 3 - color
        length += 1
    if passes < 2 or length < 2:
        return result_of(area_lead(s), s.komi), length
    # Neither player found a move, so no two empty points touch: each is a region by itself.
    lead = np.int64(s.lead)
    for i in range(s.count):
        owner = owner_around(s, np.uint64(empties[i]))
        lead += (owner & 1) - (owner >> 1)
    return result_of(lead, s.komi), length


@kernel
def playout_moves(s, out):
    """What `playout` chooses among."""
    if s.passes >= 2:
        return 0
    color = np.int64(s.turn) + 1
    count = 0
    for i in range(s.count):
        at = np.uint64(s.empties[i])
        if is_open(s, at) or (not eye(s, at, color) and legal_shut(s, at, color)):
            out[count] = code_of(at)
            count += 1
    if count == 0:
        out[0] = SIZE * SIZE
        return 1
    return count
