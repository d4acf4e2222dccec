"""How good the moves of a new node look in Go before any playout, by weights learnt from games.

A move has a few traits, each with a weight: together they say how likely a move is, as in Coulom's
"Computing Elo ratings of move patterns in the game of Go" (2007). The weights come from games of
our own (benchmarks/train_go_priors.py) and are natural logarithms, in thousandths. These are whole
numbers, so that compiled and interpreted code agree. Their table of 128 KiB is not for a GPU.
"""

from __future__ import annotations

import numpy as np

from uctlab.games.go.board import NO_POINT, index_of
from uctlab.games.go.exact import prepare
from uctlab.games.go.priors import (
    DISTANCE,
    IS_CANDIDATE,
    gives_atari,
    gives_up_stones,
    mark_candidates,
    mark_distances,
)
from uctlab.games.go.shape import seen_before, stones_after
from uctlab.kernels import hole, kernel

SIZE: int = hole("game.SIZE")
NEAR: tuple[np.uint64, ...] = hole("game.NEAR")
WEIGHTS: np.ndarray = hole("game.WEIGHTS")

# Where the weights of each trait begin in WEIGHTS; the last one is 0, for a trait that is missing.
PHASES, LINES, PARTS = 5, 5, 6
NEIGHBOURHOODS = 0
TACTICS = NEIGHBOURHOODS + 4**8
CANDIDACY = TACTICS + 3 * 2 * 4 * 2
DISTANCES = CANDIDACY + PARTS * 2
PLACES = DISTANCES + 5
PASSES = PLACES + LINES * PHASES
NOTHING = PASSES + 2

PHASE_BEGINS = (6, 12, 24, 40)  # stones on the board of 9x9, and as many per point on others
TRUST = 10  # playouts
# What a move is worth, by how much its weights are below those of the likeliest, in steps: its
# probability, as a share of that one's, to the power of a quarter; in millionths.
STEP = 64
FADE = np.round(1e6 * np.exp(-0.25 * STEP / 1000 * np.arange(256))).astype(np.int64)
BELOW_ALL = -(10**6)


@kernel
def trained_priors(s, moves, count, worth, weights):
    """Sets worth[move] and weights[move] of those legal moves; the likeliest is worth 1."""
    me = np.int64(s.turn) + 1
    part, phase = look(s, moves, count, me, worth)
    most = np.int64(BELOW_ALL)
    for i in range(count):
        move = np.int64(moves[i])
        total = np.int64(0)
        for trait in traits(s, move, me, part, phase):
            total += np.int64(WEIGHTS[trait])
        worth[move] = total
        most = max(most, total)
    for i in range(count):
        move = np.int64(moves[i])
        worth[move] = FADE[min((most - worth[move]) // STEP, len(FADE) - 1)]
        weights[move] = TRUST


@kernel
def look(s, moves, count, me, out):
    """Mark candidates and distances; returns the part of the policy that has candidates, 0 if none,
    and the phase of the game."""
    last = np.uint64(s.last)
    prepare(s)
    part = mark_candidates(s, moves, count, last, me, out)
    if last != NO_POINT:
        mark_distances(s, last, out)
    stones = (SIZE * SIZE - np.int64(s.count)) * 81 // (SIZE * SIZE)
    phase = 0
    for begin in PHASE_BEGINS:
        phase += np.int64(stones >= begin)
    return part, phase


@kernel
def traits(s, move, me, part, phase):
    """Which weights a move has, as indices of WEIGHTS; after `look`."""
    if move == SIZE * SIZE:
        return PASSES + np.int64(s.passes > 0), NOTHING, NOTHING, NOTHING, NOTHING
    at = index_of(move)
    mark = np.int64(s.scratch[at])
    return (
        NEIGHBOURHOODS + _neighbourhood(s, at, me),
        TACTICS + _tactics(s, at, me),
        CANDIDACY + 2 * np.int64(part) + np.int64(mark & IS_CANDIDATE != 0),
        DISTANCES
        + (mark & DISTANCE),  # one more than the distance; 0 for more than 3, or no last move
        PLACES + PHASES * _line(move) + phase,
    )


@kernel
def _neighbourhood(s, at, me):
    """The eight points around, as the player to move sees them: 1 own, 2 the enemy's."""
    number = np.int64(s.scratch_around[at])
    if me == 1:
        return number
    return (number & 0x5555) << 1 | (number >> 1) & 0x5555


@kernel
def _tactics(s, at, me):
    """Stones taken, up to two; whether an own chain in atari is extended; stones that self-atari
    gives up, up to three; whether a chain is put in atari."""
    taken = np.int64(0)
    saves = np.int64(0)
    for direction in range(4):
        near = at + NEAR[direction]
        head = s.head[near]
        if head != NO_POINT and s.scratch_exact[head] == 1:
            if s.color[near] == me:
                saves = np.int64(1)
            elif not seen_before(s, at, direction, 3 - me):
                taken += np.int64(s.stones[head])
    given = np.int64(0)
    if gives_up_stones(s, at, me):
        given = min(np.int64(stones_after(s, at, me)), np.int64(3))
    return ((min(taken, np.int64(2)) * 2 + saves) * 4 + given) * 2 + np.int64(
        gives_atari(s, at, me)
    )


@kernel
def _line(move):
    """0 at the edge; 4 from the fifth line on."""
    x = move % SIZE
    y = move // SIZE
    return min(x, SIZE - 1 - x, y, SIZE - 1 - y, np.int64(LINES - 1))
