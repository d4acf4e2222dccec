"""Draws the next move of Go's heavy playouts from the candidates of each part."""

from __future__ import annotations

import numpy as np

from uctlab.games.go.board import EMPTY, NO_POINT
from uctlab.games.go.candidates import (
    fit,
    good,
    liberty_moves,
    patterns_around,
    prey_moves,
    save_moves,
)
from uctlab.games.go.exact import a_liberty, legal
from uctlab.games.go.shape import mutual_atari, only_liberty, self_atari_apart, wasted
from uctlab.kernels import below, hole, kernel, low_bit, popcount

# Steps to all eight points, in the order of the patterns' bits.
AROUND: tuple[np.uint64, ...] = hole("game.AROUND")

# The parts of the policy, each on or off: see policy.py.
CAPTURE: bool = hole("policy.CAPTURE")
SAVE: bool = hole("policy.SAVE")
LIBERTIES: bool = hole("policy.LIBERTIES")
PATTERN: bool = hole("policy.PATTERN")
PREY: bool = hole("policy.PREY")
SHAPE: bool = hole("policy.SHAPE")
CAREFUL: bool = hole("policy.CAREFUL", False)  # no part of "heavy": for the referee


@kernel
def choose(s, rng, last, last2, me, known, out):
    """(what is played, or NO_POINT to pass; chains known to be in atari)."""
    at = _local_move(s, rng, last, last2, me, out)
    if PREY and at == NO_POINT:
        count, known = prey_moves(s, me, known, out)
        at = _draw(s, rng, me, out, count)
    if at == NO_POINT:
        at = _random_move(s, rng, me)
    return at, known


@kernel
def _local_move(s, rng, last, last2, me, out):
    """A move near the last ones; NO_POINT if there is none."""
    at = NO_POINT
    if last != NO_POINT:
        if CAPTURE and s.scratch_exact[s.head[last]] == 1:
            at = _played(s, a_liberty(s, last, NO_POINT), me)
        if SAVE and at == NO_POINT:
            at = _draw(s, rng, me, out, save_moves(s, last, me, out))
        if LIBERTIES and at == NO_POINT:
            at = _draw_good(s, rng, me, out, liberty_moves(s, last, me, out))
    if PATTERN and at == NO_POINT:
        at = _draw_pattern(s, rng, last, last2, me)
    return at


@kernel
def _played(s, at, me):
    """What is played for a candidate; NO_POINT if it is unfit or refused."""
    if not fit(s, at, me):
        return NO_POINT
    return better_shape(s, at, me) if SHAPE else at


@kernel
def _draw(s, rng, me, out, count):
    """What is played for one of those candidates; NO_POINT if there is none."""
    while count > 0:
        i = below(rng, count)
        at = _played(s, np.uint64(out[i]), me)
        if at != NO_POINT:
            return at
        count -= 1
        out[i] = out[count]
    return NO_POINT


@kernel
def _draw_good(s, rng, me, out, count):
    """The same for candidates that must not be self-atari.

    Testing candidates as they are drawn is faster than testing all of them.
    """
    while count > 0:
        i = below(rng, count)
        at = np.uint64(out[i])
        if good(s, at, me):
            return at
        count -= 1
        out[i] = out[count]
    return NO_POINT


@kernel
def beside(at, center):
    """Whether a point is one of the eight around another."""
    found = False
    for step in AROUND:
        found |= at == center + step
    return found


@kernel
def _draw_pattern(s, rng, last, last2, me):
    """One of the pattern moves that are fit and no self-atari, or NO_POINT; without a list."""
    found = patterns_around(s, last, me) | patterns_around(s, last2, me) << np.uint64(8)
    while found != np.uint64(0):
        rest = found
        for _ in range(below(rng, popcount(found))):
            rest &= rest - np.uint64(1)
        i = low_bit(rest)
        if i < 8:
            at = last + AROUND[i]
            new = True
        else:
            at = last2 + AROUND[i - 8]
            new = last == NO_POINT or not beside(at, last)  # else it has been found twice
        if new and good(s, at, me):
            return at
        found ^= rest & (np.uint64(0) - rest)
    return NO_POINT


@kernel
def better_shape(s, at, me):
    """Where to play instead: the same point, another one, or NO_POINT if the move is refused."""
    liberty = only_liberty(s, at, me)
    return at if liberty == NO_POINT else instead(s, at, liberty, me)


@kernel
def instead(s, at, liberty, me):
    """The same for a move that would leave its chain only that liberty."""
    if s.color[liberty] == EMPTY and legal(s, liberty, me) and not self_atari_apart(s, liberty, me):
        return liberty
    refused = wasted(s, at, me) if CAREFUL else mutual_atari(s, at, me)
    return NO_POINT if refused else at


@kernel
def _random_move(s, rng, me):
    """A point, or NO_POINT to pass."""
    empties = s.empties
    untried = np.int64(s.count)
    while untried > 0:
        i = np.uint64(below(rng, untried))
        at = np.uint64(empties[i])
        played = _played(s, at, me)
        if played != NO_POINT:
            return played
        # Out of the way: untried points come first in the list.
        untried -= 1
        other = empties[np.uint64(untried)]
        empties[i] = other
        empties[np.uint64(untried)] = at
        s.scratch_where[other] = i
        s.scratch_where[at] = untried
    return NO_POINT
