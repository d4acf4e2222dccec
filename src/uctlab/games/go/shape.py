"""What a move in Go would do to the chains around it, on a board with exact liberties."""

from __future__ import annotations

import numpy as np

from uctlab.games.go.board import EMPTY, NO_POINT, how_many
from uctlab.games.go.exact import a_liberty
from uctlab.kernels import hole, keep_apart, kernel

NEAR: tuple[np.uint64, ...] = hole("game.NEAR")


@kernel
def seen_before(s, at, direction, color):
    """Whether a neighbour of that colour belongs to the chain of an earlier neighbour."""
    head = s.head[at + NEAR[direction]]
    for earlier in range(direction):
        near = at + NEAR[earlier]
        if s.color[near] == color and s.head[near] == head:
            return True
    return False


@kernel
def only_liberty(s, at, me):
    """The only liberty that a legal move would leave its chain; NO_POINT if it leaves more."""
    colors = s.color
    c0, c1 = colors[at + NEAR[0]], colors[at + NEAR[1]]
    c2, c3 = colors[at + NEAR[2]], colors[at + NEAR[3]]
    if how_many(EMPTY, c0, c1, c2, c3) > 1:  # most moves, told without a branch per neighbour
        return NO_POINT
    enemy = 3 - me
    one = NO_POINT
    takes = False
    # Step 1. What is next to the point itself: empty points and stones that it captures.
    for step in NEAR:
        near = at + step
        color = s.color[near]
        if color == me:
            if s.scratch_exact[s.head[near]] > 2:
                return NO_POINT
        elif color == EMPTY or (color == enemy and s.scratch_exact[s.head[near]] == 1):
            if one != NO_POINT:
                return NO_POINT
            one = near
            takes |= color == enemy
    # Step 2. Chains that it joins have at most one other liberty, besides stones it captures.
    for step in NEAR:
        stone = at + step
        if s.color[stone] == me:
            if s.scratch_exact[s.head[stone]] == 2:
                other = a_liberty(s, stone, at)
                if one == NO_POINT:
                    one = other
                elif other != one:
                    return NO_POINT
            if takes and _touches_prey(s, stone, one):
                return NO_POINT
    return one


@kernel
def _touches_prey(s, stone, apart):
    """Whether a chain touches a stone that the move captures, other than the one on `apart`."""
    prey = s.head[apart]
    link = stone
    while True:
        for step in NEAR:
            near = link + step
            if (s.head[near] == prey) & (near != apart):
                return True
        link = np.uint64(s.next[link])
        if link == stone:
            break
    return False


@kernel
def self_atari(s, at, me):
    """Whether a legal move leaves its chain just one liberty."""
    return only_liberty(s, at, me) != NO_POINT


@kernel
def self_atari_apart(s, at, me):
    """The same for all but one of the places in a playout where it is asked."""
    keep_apart()
    return self_atari(s, at, me)


@kernel
def gains(s, stone, at, other):
    """Whether a chain with the two liberties `at` and `other` has three after extending to `at`."""
    color = s.color[stone]
    west, east, north, south = at + NEAR[0], at + NEAR[1], at + NEAR[2], at + NEAR[3]
    colors = s.color
    c0, c1, c2, c3 = colors[west], colors[east], colors[north], colors[south]
    beside = (west == other) | (east == other) | (north == other) | (south == other)
    new = how_many(EMPTY, c0, c1, c2, c3) - np.int64(beside)
    if new > 1 or how_many(color, c0, c1, c2, c3) == 1:  # without chains to connect with
        return new > 1
    third = NO_POINT
    for step in NEAR:
        near = at + step
        if s.color[near] == EMPTY:
            if (near != other) & (near != third):
                if third != NO_POINT:
                    return True
                third = near
        elif s.color[near] == color and s.head[near] != s.head[stone]:
            if s.scratch_exact[s.head[near]] > 3:  # three besides `at`, one of which may be `other`
                return True
            link = near
            while True:
                for way in NEAR:
                    point = link + way
                    free = (s.color[point] == EMPTY) & (point != at)
                    if free & (point != other) & (point != third):
                        if third != NO_POINT:
                            return True
                        third = point
                link = np.uint64(s.next[link])
                if link == near:
                    break
    return False


@kernel
def stones_after(s, at, me):
    """How many stones the chain has that a move makes."""
    stones = 1
    for direction in range(4):
        near = at + NEAR[direction]
        if s.color[near] == me and not seen_before(s, at, direction, me):
            stones += np.int64(s.stones[s.head[near]])
    return stones


@kernel
def _is_part(s, point, at, me):
    """Whether a point belongs to the chain that a stone on `at` makes."""
    if point == at:
        return True
    if s.color[point] != me:
        return False
    for step in NEAR:
        near = at + step
        if s.color[near] == me and s.head[near] == s.head[point]:
            return True
    return False


@kernel
def _degree(s, point, at, me):
    """How many neighbours of a stone are in its own chain."""
    keep_apart()
    degree = 0
    for step in NEAR:
        degree += np.int64(_is_part(s, point + step, at, me))
    return degree


# How many stones have one, two, three, four neighbours in the chain; one byte each, lowest first.
SQUARE, PYRAMID = 0x00_00_04_00, 0x00_01_00_03
CROSS, BULKY = 0x01_00_00_04, 0x00_01_03_01
RABBIT = 0x01_00_03_02


@kernel
def nakade(s, at, me, stones):
    """Whether the move's chain, of that many stones, has a shape that leaves no room for two eyes.

    Any three stones; a square or a pyramid of four; bulky and crossed five; rabbity six.
    """
    if stones <= 3 or stones > 6:
        return stones <= 3
    degrees = np.int64(1) << 8 * (_degree(s, at, at, me) - 1)
    for direction in range(4):
        stone = at + NEAR[direction]
        if s.color[stone] == me and not seen_before(s, at, direction, me):
            link = stone
            while True:
                degrees += np.int64(1) << 8 * (_degree(s, link, at, me) - 1)
                link = np.uint64(s.next[link])
                if link == stone:
                    break
    if stones == 4:
        return (degrees == SQUARE) | (degrees == PYRAMID)
    if stones == 5:
        return (degrees == CROSS) | (degrees == BULKY)
    return degrees == RABBIT


@kernel
def wasted(s, at, color):
    """Whether a self-atari of that colour would give up more than two stones and is no nakade."""
    keep_apart()
    stones = stones_after(s, at, color)
    return stones > 2 and not nakade(s, at, color, stones)


@kernel
def mutual_atari(s, at, me):
    """Whether a self-atari wastes stones, as the enemy's on the same point would: as in a seki."""
    keep_apart()
    enemy = 3 - me
    return self_atari_apart(s, at, enemy) and wasted(s, at, me) and wasted(s, at, enemy)


@kernel
def tied(s, stone, first, second):
    """Whether both liberties of a chain touch one other chain of its colour."""
    color = s.color[stone]
    own = s.head[stone]
    for step in NEAR:
        near = first + step
        if s.color[near] == color and s.head[near] != own:
            for way in NEAR:
                if s.head[second + way] == s.head[near]:
                    return True
    return False
