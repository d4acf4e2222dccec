"""How good the moves of a new node look in Go before any playout, as in Fuego 1.1.

Two opinions are mixed, by their weights: what the move does, and how far it is from the last move.
Where the policy of the playouts has candidates, the first one has weight 9. Where it has none, a
move is worth more, but with weight 3; and if no move gives atari or fits a pattern either, only bad
moves are known. Bad are the pass and self-atari. Distance has weight 4, if there is a last move.
"""

from __future__ import annotations

import numpy as np

from uctlab.games.go.board import BORDER, EMPTY, NO_POINT, index_of
from uctlab.games.go.candidates import keep_fit, local_moves, matches, note_all, prey_moves
from uctlab.games.go.exact import prepare
from uctlab.games.go.eyes import simple_eye
from uctlab.games.go.shape import only_liberty
from uctlab.kernels import hole, kernel

SIZE: int = hole("game.SIZE")
NEAR: tuple[np.uint64, ...] = hole("game.NEAR")

# Values in millionths, weights in playouts.
LIKELY_WEIGHT, GUESS_WEIGHT, DISTANCE_WEIGHT = 9, 3, 4
CANDIDATE, BAD = 1_000_000, 100_000
ATARI, PATTERN_MOVE, OTHER = 800_000, 600_000, 400_000
ATARI_GUESS, PATTERN_GUESS, OTHER_GUESS = 1_000_000, 900_000, 500_000
BESIDE, NEARBY, FAR = 1_000_000, 600_000, 100_000

# Marks of points in `scratch`, which `prepare` clears: the distance from the last move plus one, in
# the lowest bits, and what the point is.
DISTANCE, IS_MOVE, IS_CANDIDATE = 7, 8, 16
PREY = 5  # the part of the policy that comes after those of `local_moves`


@kernel
def priors(s, moves, count, worth, weights):
    """Sets worth[move] and weights[move] of those legal moves."""
    me = np.int64(s.turn) + 1
    last = np.uint64(s.last)
    prepare(s)
    # Both arrays are scratch until the answers are written.
    found = mark_candidates(s, moves, count, last, me, worth) > 0
    if last != NO_POINT:
        mark_distances(s, last, worth)
    weight = LIKELY_WEIGHT
    if not found:
        weight = GUESS_WEIGHT if _any_guess(s, me) else 0
    for i in range(count):
        move = np.int64(moves[i])
        kind = BAD
        distance = FAR
        if move != SIZE * SIZE:
            at = index_of(move)
            kind = _worth_of_kind(s, at, me, found)
            distance = _worth_of_distance(s, at)
        own = LIKELY_WEIGHT if kind == BAD else weight
        far = DISTANCE_WEIGHT if last != NO_POINT else 0
        weights[move] = own + far
        worth[move] = (own * kind + far * distance) // max(own + far, 1)


@kernel
def mark_candidates(s, moves, count, last, me, out):
    """Mark what the policy would choose from; returns which part of it does, from 1 to PREY, or 0.

    Local candidates that are not among the moves, since they would repeat an earlier board, are no
    candidates; but own eyes are.
    """
    for i in range(count):
        if moves[i] != SIZE * SIZE:
            s.scratch[index_of(np.int64(moves[i]))] = IS_MOVE
    candidates, part = local_moves(s, last, np.uint64(s.last2), me, out)
    if _mark_list(s, me, out, candidates):
        return part
    candidates, _ = prey_moves(s, me, note_all(s), out)
    return PREY if _mark_list(s, me, out, keep_fit(s, me, out, candidates, False)) else 0


@kernel
def _mark_list(s, me, out, candidates):
    found = False
    for i in range(candidates):
        at = np.uint64(out[i])
        if s.scratch[at] & IS_MOVE != 0 or simple_eye(s, at, me):
            s.scratch[at] |= IS_CANDIDATE
            found = True
    return found


@kernel
def gives_atari(s, at, me):
    for step in NEAR:
        near = at + step
        if s.color[near] == 3 - me and s.scratch_exact[s.head[near]] == 2:
            return True
    return False


@kernel
def _any_guess(s, me):
    """Whether any empty point gives atari or fits a pattern, whether it is a legal move or not."""
    for i in range(s.count):
        at = np.uint64(s.empties[i])
        if matches(s, at, me) or gives_atari(s, at, me):
            return True
    return False


@kernel
def gives_up_stones(s, at, me):
    """Whether a move is self-atari; a lone stone that captures is not meant."""
    liberty = only_liberty(s, at, me)
    if liberty == NO_POINT:
        return False
    if s.color[liberty] == EMPTY:
        return True
    for step in NEAR:
        if s.color[at + step] == me:
            return True
    return False


@kernel
def _worth_of_kind(s, at, me, found):
    if s.scratch[at] & IS_CANDIDATE != 0:
        return CANDIDATE
    if gives_up_stones(s, at, me):
        return BAD
    if gives_atari(s, at, me):
        return ATARI if found else ATARI_GUESS
    if matches(s, at, me):
        return PATTERN_MOVE if found else PATTERN_GUESS
    return OTHER if found else OTHER_GUESS


@kernel
def _worth_of_distance(s, at):
    distance = np.int64(s.scratch[at] & DISTANCE) - 1
    if distance == 1:
        return BESIDE
    return NEARBY if distance > 0 else FAR


@kernel
def _reach(s, point, mark, queue, end):
    """Mark a point, or all stones of a chain, and queue them; returns the end of the queue."""
    at = point
    while True:
        s.scratch[at] |= mark
        queue[end] = at
        end += 1
        if s.color[at] == EMPTY:
            break
        at = np.uint64(s.next[at])
        if at == point:
            break
    return end


@kernel
def mark_distances(s, last, queue):
    """Distances from 0 to 3 in the common-fate graph, where a step within a chain is free."""
    end = _reach(s, last, 1, queue, np.int64(0))
    i = 0
    while i < end:
        at = np.uint64(queue[i])
        mark = (s.scratch[at] & DISTANCE) + 1
        if mark > 4:
            break
        for step in NEAR:
            near = at + step
            if s.color[near] != BORDER and s.scratch[near] & DISTANCE == 0:
                end = _reach(s, near, mark, queue, end)
        i += 1
