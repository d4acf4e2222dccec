"""How good the moves of a new node look in Go before any playout, as in Fuego 1.1.

Two opinions are mixed: what the move does, with weight 9, and how far it is from the last move,
with weight 4. This is simpler than Fuego, because the sum has the same weight for all moves, even
where there is no last move, and for the pass, which has no distance.
"""

from __future__ import annotations

import numpy as np

from uctlab.games.go.board import EMPTY, NO_POINT, index_of
from uctlab.games.go.exact import prepare
from uctlab.games.go.policy import local_moves, matches
from uctlab.games.go.shape import self_atari
from uctlab.kernel import hole, kernel

SIZE: int = hole("game.SIZE")
NEAR: tuple[np.uint64, ...] = hole("game.NEAR")

WHOLE = 1_000_000  # priors are whole numbers so that they fit into the marks of a search
KIND_WEIGHT, DISTANCE_WEIGHT = 9, 4
PASS = SELF_ATARI = 100_000
CANDIDATE, ATARI, PATTERN_MOVE, OTHER = 1_000_000, 800_000, 600_000, 400_000
BESIDE, NEARBY, FAR = 1_000_000, 600_000, 100_000

# Marks of points in `scratch`, which `prepare` clears.
IS_CANDIDATE, IS_BESIDE, IS_NEARBY = 1, 2, 4


@kernel
def priors(s, moves, count, worth):
    """Sets worth[move] of those legal moves: how good each looks, in millionths."""
    me = np.int64(s.turn) + 1
    last = np.uint64(s.last)
    prepare(s)
    # The list of candidates is kept in the array that the answer goes into.
    candidates = local_moves(s, last, np.uint64(s.last2), me, worth)
    for i in range(candidates):
        s.scratch[worth[i]] |= IS_CANDIDATE
    if last != NO_POINT:
        _mark_distances(s, last)
    for i in range(count):
        move = np.int64(moves[i])
        if move == SIZE * SIZE:
            worth[move] = PASS
        else:
            at = index_of(move)
            worth[move] = _worth_of_kind(s, at, me)
            if last != NO_POINT:
                mixed = KIND_WEIGHT * worth[move] + DISTANCE_WEIGHT * _worth_of_distance(s, at)
                worth[move] = mixed // (KIND_WEIGHT + DISTANCE_WEIGHT)


@kernel
def _worth_of_kind(s, at, me):
    if self_atari(s, at, me):
        return SELF_ATARI
    if s.scratch[at] & IS_CANDIDATE != 0:
        return CANDIDATE
    for step in NEAR:
        near = at + step
        if s.color[near] == 3 - me and s.scratch_exact[s.head[near]] <= 2:
            return ATARI
    return PATTERN_MOVE if matches(s, at, me) else OTHER


@kernel
def _worth_of_distance(s, at):
    if s.scratch[at] & IS_BESIDE != 0:
        return BESIDE
    return NEARBY if s.scratch[at] & IS_NEARBY != 0 else FAR


@kernel
def _mark_liberties(s, stone, mark):
    at = stone
    while True:
        for step in NEAR:
            if s.color[at + step] == EMPTY:
                s.scratch[at + step] |= mark
        at = np.uint64(s.next[at])
        if at == stone:
            break


@kernel
def _mark_distances(s, last):
    """BESIDE: the liberties of the last stone's chain. NEARBY: points and chains next to those."""
    _mark_liberties(s, last, IS_BESIDE)
    enemy = 3 - s.color[last]
    at = last
    while True:
        for step in NEAR:
            if s.color[at + step] == enemy:
                _mark_liberties(s, at + step, IS_NEARBY)
        at = np.uint64(s.next[at])
        if at == last:
            break
    for i in range(s.count):
        point = np.uint64(s.empties[i])
        if s.scratch[point] & IS_BESIDE != 0:
            for step in NEAR:
                if s.color[point + step] == EMPTY:
                    s.scratch[point + step] |= IS_NEARBY
