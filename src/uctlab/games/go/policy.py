"""The heavy playouts of Go, as in Fuego 1.1.

Each part of the policy lists candidates (candidates.py), which are then drawn at random
(choice.py). The first one that passes the tests of its part, and whose shape is not refused, is
played; if there is none, the next part is asked. `me` is the colour to move.
"""

from __future__ import annotations

import numpy as np

from uctlab.games.go.board import NO_POINT, area_lead, code_of
from uctlab.games.go.candidates import note_all, note_around
from uctlab.games.go.choice import choose
from uctlab.games.go.choice_on_gpu import choose_on_gpu
from uctlab.games.go.exact import prepare, put
from uctlab.kernels import hole, kernel

SIZE: int = hole("game.SIZE")
MERCY_STONES: int = hole("game.MERCY_STONES")  # a lead that ends a playout
TRACE: bool = hole("playout.TRACE")
ON_GPU: bool = hole("device.ON_GPU", False)
PREY: bool = hole("policy.PREY")
MERCY: bool = hole("policy.MERCY")
SCORE: bool = hole("policy.SCORE")

# The parts of the policy, each on or off: hole("policy.CAPTURE") and so on.
PARTS = {
    "capture": "take the stones just played, when they are in atari",
    "save": "save stones that the last move put in atari: extend, or take what attacks them",
    "liberties": "where a chain has two liberties after the last move, play the one that makes "
    "more; not if both touch one other chain of that side",
    "pattern": "3x3 patterns around the last two moves",
    "prey": "take any chain that is in atari",
    "shape": "instead of self-atari play the chain's other liberty, if that is none; refuse mutual "
    "atari of more than two stones unless it is nakade",
    "mercy": "end a playout when one side has many more stones, three tenths of the points",
    "score": "a little bonus for winning by more, 0.02 in all; not where mercy ended the playout",
}
BONUS = 0.02


@kernel
def outcome_of(lead, komi):
    """Black's result from Black's lead before komi."""
    margin = lead - komi
    if margin == 0.0:
        return 0.5
    won = 1.0 if margin > 0.0 else 0.0
    if not SCORE:
        return won
    return won * (1.0 - 2.0 * BONUS) + BONUS + BONUS * margin / (SIZE * SIZE + abs(komi))


@kernel
def playout(s, rng, out, trace):
    """At most 3 * SIZE**2 moves. A playout that ends by mercy gets no bonus, as in Fuego."""
    me = np.int64(s.turn) + 1
    passes = np.int64(s.passes)
    last = np.uint64(s.last)
    last2 = np.uint64(s.last2)
    prepare(s)
    known = note_all(s) if PREY else 0
    length = 0
    while passes < 2 and length < 3 * SIZE * SIZE:
        if ON_GPU:
            at, known = choose_on_gpu(s, rng, last, last2, me, known, out)
        else:
            at, known = choose(s, rng, last, last2, me, known, out)
        last2 = last
        last = at
        if TRACE:
            trace[length] = code_of(last) if last != NO_POINT else ~(SIZE * SIZE)
        length += 1
        if last == NO_POINT:
            passes += 1
            s.ko = 0
        else:
            passes = 0
            put(s, last, me)
            if PREY:
                known = note_around(s, last, known)
            if MERCY and abs(np.int64(s.lead)) >= MERCY_STONES:
                return 1.0 if s.lead > s.komi else 0.0, length
        me = 3 - me
    return outcome_of(float(area_lead(s)), float(s.komi)), length
