"""The board of Go with exact liberties: moves cost more than in board.py, questions far less.

`prepare` works on any position and fills in the extra fields; from then on `put` makes the moves,
and the pseudo-liberties of board.py are no longer kept up to date.

    scratch_exact     at a head: how many empty points touch the chain
    scratch_around    at an empty point: the colours of the eight points around it, two bits each
    scratch_where     at an empty point: its place in `empties`
"""

from __future__ import annotations

import numpy as np

from uctlab.games.go.board import BORDER, EMPTY, NO_POINT, how_many, is_open
from uctlab.games.go.placing import merge
from uctlab.kernels import hole, kernel

SIZE: int = hole("game.SIZE")
WIDTH: int = hole("game.WIDTH")
NEAR: tuple[np.uint64, ...] = hole("game.NEAR")
# Steps to all eight; the opposite of k is 7 - k.
AROUND: tuple[np.uint64, ...] = hole("game.AROUND")


@kernel
def prepare(s):
    for i in range(s.count):
        s.scratch_where[s.empties[i]] = i
    for point in range(WIDTH + 1, (SIZE + 1) * WIDTH):
        at = np.uint64(point)
        s.scratch_around[at] = _colors_around(s, at)
        s.scratch[at] = 0
    for point in range(WIDTH + 1, (SIZE + 1) * WIDTH):
        at = np.uint64(point)
        if s.head[at] == at:
            _count_liberties(s, at)


@kernel
def _colors_around(s, at):
    number = np.uint64(0)
    shift = np.uint64(0)
    for step in AROUND:
        number |= np.uint64(s.color[at + step]) << shift
        shift += np.uint64(2)
    return number


@kernel
def _count_liberties(s, head):
    count = 0
    at = head
    while True:
        for step in NEAR:
            near = at + step
            if s.color[near] == EMPTY and s.scratch[near] == 0:
                s.scratch[near] = 1
                count += 1
        at = np.uint64(s.next[at])
        if at == head:
            break
    while True:
        for step in NEAR:
            s.scratch[at + step] = 0
        at = np.uint64(s.next[at])
        if at == head:
            break
    s.scratch_exact[head] = count


@kernel
def _change_color(s, at, bits):
    """Tell the points around a point that it has changed: the bits that differ."""
    shift = np.uint64(14)
    for step in AROUND:
        s.scratch_around[at + step] ^= np.uint64(bits) << shift
        shift -= np.uint64(2)


@kernel
def _add_to_neighbours(s, at, change):
    """All chains around a point gain or lose it as a liberty, each of them once."""
    head = s.head
    exact = s.scratch_exact
    h0, h1 = np.uint64(head[at + NEAR[0]]), np.uint64(head[at + NEAR[1]])
    h2, h3 = np.uint64(head[at + NEAR[2]]), np.uint64(head[at + NEAR[3]])
    exact[h0] += change
    if h1 != h0:
        exact[h1] += change
    if (h2 != h0) & (h2 != h1):
        exact[h2] += change
    if (h3 != h0) & (h3 != h1) & (h3 != h2):
        exact[h3] += change


@kernel
def _touches(s, point, chain, apart):
    """Whether a stone of the chain, other than the one on `apart`, is next to a point."""
    for step in NEAR:
        near = point + step
        if s.head[near] == chain and near != apart:
            return True
    return False


@kernel
def _join(s, at, chain, color):
    """A stone on `at` joins a chain, and connects the other chains of its colour to it."""
    s.head[at] = chain
    s.next[at] = s.next[chain]
    s.next[chain] = at
    s.stones[chain] += 1
    tied = False
    for step in NEAR:
        near = at + step
        if s.color[near] == color and s.head[near] != chain:
            chain = merge(s, chain, np.uint64(s.head[near]))
            tied = True
    if tied:
        _count_liberties(s, chain)
    else:
        for step in NEAR:
            near = at + step
            if s.color[near] == EMPTY and not _touches(s, near, chain, at):
                s.scratch_exact[chain] += 1


@kernel
def _capture(s, first, color):
    """Take the chain of that stone off the board; returns how many stones it had."""
    count = np.int64(s.count)
    taken = 0
    at = first
    while True:
        s.color[at] = EMPTY
        s.head[at] = 0
        s.empties[count] = at
        s.scratch_where[at] = count
        count += 1
        _change_color(s, at, color)
        _add_to_neighbours(s, at, 1)
        taken += 1
        at = np.uint64(s.next[at])
        if at == first:
            break
    s.count = count
    return taken


@kernel
def put(s, at, color):
    """Put a stone on an empty point, which must be a legal move, with its captures."""
    colors = s.color
    # Step 1. Off the list of empty points, onto the board.
    i = s.scratch_where[at]
    count = np.int64(s.count) - 1
    s.count = count
    moved = s.empties[np.uint64(count)]
    s.empties[i] = moved
    s.scratch_where[moved] = i
    colors[at] = color
    _change_color(s, at, color)
    # Step 2. The chains around lose a liberty.
    _add_to_neighbours(s, at, -1)
    # Step 3. The stone starts a chain, or joins one.
    c0, c1 = colors[at + NEAR[0]], colors[at + NEAR[1]]
    c2, c3 = colors[at + NEAR[2]], colors[at + NEAR[3]]
    free = how_many(EMPTY, c0, c1, c2, c3)
    own = how_many(color, c0, c1, c2, c3)
    if own == 0:
        s.head[at] = at
        s.next[at] = at
        s.stones[at] = 1
        s.scratch_exact[at] = free
    else:
        chain = NO_POINT
        for step in NEAR:
            if colors[at + step] == color:
                chain = np.uint64(s.head[at + step])
        _join(s, at, chain, color)
    # Step 4. Chains without liberties leave the board; ko as in board.py.
    other = 3 - color
    taken = 0
    ko = NO_POINT
    for step in NEAR:
        near = at + step
        if colors[near] == other and s.scratch_exact[s.head[near]] == 0:
            taken += _capture(s, near, other)
            ko = near
    if taken > 1 or own > 0 or free > 0:
        ko = NO_POINT
    s.ko = ko
    s.lead += (1 + taken) * (3 - 2 * color)


@kernel
def legal(s, at, color):
    """Whether a move on an empty point is legal: neither ko nor suicide."""
    if is_open(s, at):
        return True
    if at == s.ko:
        return False
    for step in NEAR:
        near = at + step
        if s.color[near] != BORDER and (s.scratch_exact[s.head[near]] > 1) == (
            s.color[near] == color
        ):
            return True
    return False


@kernel
def a_liberty(s, stone, apart):
    """A liberty of the stone's chain, other than `apart`; NO_POINT if there is none."""
    at = stone
    while True:
        for step in NEAR:
            near = at + step
            if s.color[near] == EMPTY and near != apart:
                return near
        at = np.uint64(s.next[at])
        if at == stone:
            break
    return NO_POINT
