"""The same choice as in choice.py, draw for draw, in a form for a GPU."""

from __future__ import annotations

import numpy as np

from uctlab.games.go.board import NO_POINT
from uctlab.games.go.candidates import (
    capture_moves,
    fit,
    liberty_moves,
    patterns_around,
    prey_moves,
    save_moves,
)
from uctlab.games.go.choice import beside, instead
from uctlab.games.go.shape import only_liberty
from uctlab.kernels import below, hole, kernel, low_bit, opaque, popcount

AROUND: tuple[np.uint64, ...] = hole("game.AROUND")

# The parts of the policy, each on or off: see policy.py.
CAPTURE: bool = hole("policy.CAPTURE")
SAVE: bool = hole("policy.SAVE")
LIBERTIES: bool = hole("policy.LIBERTIES")
PATTERN: bool = hole("policy.PATTERN")
PREY: bool = hole("policy.PREY")
SHAPE: bool = hole("policy.SHAPE")

# The parts in their order.
_CAPTURE, _SAVE, _LIBERTIES, _PATTERN, _PREY, _RANDOM = range(1, 7)


@kernel
def choose_on_gpu(s, rng, last, last2, me, known, out):
    """(what is played, or NO_POINT to pass; chains known to be in atari), in a form for a GPU.

    The threads of a warp take turns wherever they are at different places in the code. So all parts
    draw and test their candidates at the same place, whatever part each thread has come to.
    """
    empties = s.empties
    part = np.int64(0)
    count = np.int64(0)  # candidates of that part that are left: those in `out`, unless
    found = np.uint64(0)  # pattern moves are meant, a bit each, or random ones, in `empties`
    while True:
        # Step 1. Candidates of the next part that has any.
        while count == 0:
            part = opaque(part + 1)  # else the compiler makes a copy of the loop for each part
            if part == _CAPTURE:
                if CAPTURE and last != NO_POINT:
                    count = np.int64(capture_moves(s, last, out))
            elif part == _SAVE:
                if SAVE and last != NO_POINT:
                    count = np.int64(save_moves(s, last, me, out))
            elif part == _LIBERTIES:
                if LIBERTIES and last != NO_POINT:
                    count = np.int64(liberty_moves(s, last, me, out))
            elif part == _PATTERN:
                if PATTERN:
                    found = patterns_around(s, last, me)
                    found |= patterns_around(s, last2, me) << np.uint64(8)
                    count = np.int64(popcount(found))
            elif part == _PREY:
                if PREY:
                    number, known = prey_moves(s, me, known, out)
                    count = np.int64(number)
            elif part == _RANDOM:
                count = np.int64(s.count)
            else:
                return NO_POINT, known
        # Step 2. Draw one of them.
        i = np.uint64(0)
        if part != _CAPTURE:
            i = np.uint64(below(rng, count))
        new = True
        rest = found
        if part == _PATTERN:
            while i > np.uint64(0):
                rest &= rest - np.uint64(1)
                i -= np.uint64(1)
            bit = low_bit(rest)
            if bit < 8:
                at = last + AROUND[bit]
            else:
                at = last2 + AROUND[bit - 8]
                new = last == NO_POINT or not beside(at, last)
        elif part == _RANDOM:
            at = np.uint64(empties[i])
        else:
            at = np.uint64(out[i])
        # Step 3. Test it.
        if new and fit(s, at, me):
            strict = (part == _LIBERTIES) | (part == _PATTERN)
            liberty = NO_POINT
            if SHAPE or strict:
                liberty = only_liberty(s, at, me)
            if liberty == NO_POINT:
                return at, known
            if not strict:
                played = instead(s, at, liberty, me)
                if played != NO_POINT:
                    return played, known
        # Step 4. It is not played: out of the candidates.
        count -= 1
        if part == _PATTERN:
            found ^= rest & (np.uint64(0) - rest)
        elif part == _RANDOM:  # as in choice.py
            other = empties[np.uint64(count)]
            empties[i] = other
            empties[np.uint64(count)] = at
            s.scratch_where[other] = i
            s.scratch_where[at] = count
        else:
            out[i] = out[count]
