"""Puts stones on the board of board.py: chains that grow, join and are captured."""

from __future__ import annotations

import numpy as np

from uctlab.games.go.board import EMPTY, NO_POINT, PLAYABLE, SETTLED, how_many
from uctlab.games.go.eyes import eye_owner
from uctlab.games.go.settled import unsettle, unsettle_last
from uctlab.kernels import hole, kernel

NEAR: tuple[np.uint64, ...] = hole("game.NEAR")  # steps to the four neighbours
DIAGONAL: tuple[np.uint64, ...] = hole("game.DIAGONAL")


@kernel
def merge(s, a, b):
    """Join two chains, given by their heads; returns the new head. Liberties are not added up."""
    if s.stones[a] < s.stones[b]:
        a, b = b, a
    s.stones[a] += s.stones[b]
    at = b
    while True:
        s.head[at] = a
        at = np.uint64(s.next[at])
        if at == b:
            break
    s.next[a], s.next[b] = s.next[b], s.next[a]
    return a


@kernel
def _capture(s, first):
    """Take the chain of that stone off the board; returns how many stones it had."""
    head = s.head
    liberties = s.liberties
    count = np.int64(s.count)
    taken = 0
    at = first
    while True:
        s.color[at] = EMPTY
        head[at] = 0
        s.empties[np.uint64(count)] = at
        count += 1
        liberties[head[at + NEAR[0]]] += 1
        liberties[head[at + NEAR[1]]] += 1
        liberties[head[at + NEAR[2]]] += 1
        liberties[head[at + NEAR[3]]] += 1
        taken += 1
        at = np.uint64(s.next[at])
        if at == first:
            break
    s.count = count
    return taken


@kernel
def place(s, i, color):
    """Put a stone on empty point number i, which must be a legal move, with its captures."""
    colors = s.color
    head = s.head
    liberties = s.liberties
    after = s.next
    # Step 1. Off the list of empty points, onto the board.
    at = np.uint64(s.empties[i])
    count = np.int64(s.count) - 1
    s.count = count
    s.empties[i] = s.empties[np.uint64(count)]
    colors[at] = color
    # Step 2. The chains around lose a liberty.
    west, east, north, south = at + NEAR[0], at + NEAR[1], at + NEAR[2], at + NEAR[3]
    c0, c1, c2, c3 = colors[west], colors[east], colors[north], colors[south]
    h0, h1 = np.uint64(head[west]), np.uint64(head[east])
    h2, h3 = np.uint64(head[north]), np.uint64(head[south])
    liberties[h0] -= 1
    liberties[h1] -= 1
    liberties[h2] -= 1
    liberties[h3] -= 1
    # Step 3. The stone joins a chain, or one of its own that has no stones yet; then it connects
    # others to it. What is around is random: a branch for each case would often be mispredicted.
    free = how_many(EMPTY, c0, c1, c2, c3)
    chain = at
    if c0 == color:
        chain = h0
    if c1 == color:
        chain = h1
    if c2 == color:
        chain = h2
    if c3 == color:
        chain = h3
    alone = chain == at
    after[at] = at
    s.stones[at] = 0
    liberties[at] = 0
    head[at] = chain
    second = after[chain]
    after[chain] = at
    after[at] = second
    s.stones[chain] += 1
    liberties[chain] += free
    if (
        ((c0 == color) & (h0 != chain))
        | ((c1 == color) & (h1 != chain))
        | ((c2 == color) & (h2 != chain))
    ):
        for near in (west, east, north):
            if colors[near] == color and head[near] != chain:
                other_chain = np.uint64(head[near])
                both = liberties[chain] + liberties[other_chain]
                chain = merge(s, chain, other_chain)
                liberties[chain] = both
    # Step 4. Chains without liberties leave the board. A lone stone that captures one stone and has
    # no other liberty could be recaptured at once: ko. One test for all that seldom happens.
    other = 3 - color
    taken = 0
    ko = NO_POINT
    settled = SETTLED + other
    northwest, northeast = at + DIAGONAL[0], at + DIAGONAL[1]
    southwest, southeast = at + DIAGONAL[2], at + DIAGONAL[3]
    if (
        ((c0 == other) & (liberties[h0] & PLAYABLE == 0))
        | ((c1 == other) & (liberties[h1] & PLAYABLE == 0))
        | ((c2 == other) & (liberties[h2] & PLAYABLE == 0))
        | ((c3 == other) & (liberties[h3] & PLAYABLE == 0))
        | (liberties[chain] & PLAYABLE == 0)
        | (colors[northwest] == settled)
        | (colors[northeast] == settled)
        | (colors[southwest] == settled)
        | (colors[southeast] == settled)
    ):
        for near in (west, east, north, south):
            if colors[near] == other:
                if liberties[head[near]] == 0:
                    taken += _capture(s, near)
                    ko = near
                elif liberties[head[near]] & PLAYABLE == 0:
                    unsettle_last(s, np.uint64(head[near]))
        if taken > 1 or not alone or free > 0:
            ko = NO_POINT
        if liberties[chain] & PLAYABLE == 0:
            unsettle_last(s, chain)
        for near in (northwest, northeast, southwest, southeast):
            if colors[near] == settled and eye_owner(s, near) != other:
                unsettle(s, near)
    s.ko = ko
    s.lead += (1 + taken) * (3 - 2 * color)
