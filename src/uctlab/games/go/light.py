"""The light playouts of Go: random moves that fill no own eye."""

from __future__ import annotations

import numpy as np

from uctlab.games.go.board import (
    EMPTY,
    area_lead,
    atari_around,
    code_of,
    is_open,
    legal_shut,
    owner_around,
    result_of,
)
from uctlab.games.go.eyes import eye_owner
from uctlab.games.go.placing import place
from uctlab.games.go.settled import settle
from uctlab.kernels import hole, kernel, next_u64, scaled

SIZE: int = hole("game.SIZE")
TRACE: bool = hole("playout.TRACE")


@kernel
def playout(s, rng, out, trace):
    """Random moves that do not fill an own eye, else passes. At most 3 * SIZE**2 moves."""
    color = np.int64(s.turn) + 1
    empties = s.empties
    passes = np.int64(s.passes)
    length = 0
    # Drawn one number ahead: the processor has it ready when the last move is made.
    bits = next_u64(rng)
    while passes < 2 and length < 3 * SIZE * SIZE:
        passes += 1
        untried = np.int64(s.count)
        while untried > 0:
            i = np.uint64(scaled(bits, untried))
            bits = next_u64(rng)
            at = np.uint64(empties[i])
            playable = is_open(s, at)
            if not playable:
                owner = eye_owner(s, at)
                if owner == EMPTY:
                    playable = legal_shut(s, at, color)
                elif atari_around(s, at):
                    playable = owner != color and at != s.ko
                else:
                    settle(s, at, owner)
                    untried -= 1
                    count = np.int64(s.count) - 1
                    s.count = count
                    empties[i] = empties[np.uint64(untried)]
                    empties[np.uint64(untried)] = empties[np.uint64(count)]
                    continue
            if playable:
                if TRACE:
                    trace[length] = code_of(at)
                place(s, i, color)
                passes = 0
                break
            # Out of the way: untried points come first in the list.
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
    # Neither player found a move, so no two empty points touch: each is a region by itself. Settled
    # eyes are in the lead.
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
        if is_open(s, at) or (eye_owner(s, at) != color and legal_shut(s, at, color)):
            out[count] = code_of(at)
            count += 1
    if count == 0:
        out[0] = SIZE * SIZE
        return 1
    return count
