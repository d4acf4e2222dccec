"""Alpha-beta to a given depth, with the game's evaluation there: the kernel.

Values are those of the player to move, from 0 to 1. A position on the line that is being searched
has a frame; there is no recursion, so that a search can stop anywhere and go on later. What is in a
subtree that ends on all its lines before the depth is reached stays true at any depth: it is not
`guessed`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.games.guard import listed_wrongly
from uctlab.games.solve import learn, put_best_last, same_key, slot_of
from uctlab.kernels import copy_record, hole, kernel

moves: Any = hole("game.moves")
play: Any = hole("game.play")
result: Any = hole("game.result")
evaluate: Any = hole("game.evaluate")
write_key: Any = hole("solver.write_key")

FRAME = np.dtype(
    [
        ("left", "i4"),  # moves not yet tried
        ("count", "i4"),  # all moves
        ("low", "f8"),  # what the player to move has elsewhere
        ("high", "f8"),  # what the opponent does not allow
        ("best", "f8"),
        ("slot", "i8"),  # its place in the table
        ("depth", "i2"),  # moves left to look ahead
        ("best_move", "i2"),
        ("hint", "i2"),  # the table's move, which is tried first; -1 for none
        ("guessed", "i1"),
    ],
    align=True,
)
ENTRY = [
    ("value", "f8"),
    ("depth", "i2"),
    ("move", "i2"),
    ("bound", "i1"),
    ("guessed", "i1"),
]
EMPTY, EXACT, AT_LEAST, AT_MOST = range(4)  # bounds; a table begins with zeros
ANY_DEPTH = 2**15 - 1
NO_MOVE = -1

# Where a search is: its level, whether it goes down from there, whether the value that it brings up
# is guessed, positions evaluated, those entered, and evaluated before the root's current move; and
# whether the game breaks its limits there.
LEVEL, DOWN, GUESSED, EVALUATED, ENTERED, MARK, WRONG_LIST = range(7)
PLACE = 7


@kernel
def search(states, keys, owners, lists, frames, history, table, shares, place, found, most, steps):
    """Go on from `place` until the root's value is in found[0] (true), `most` positions have been
    evaluated, or that many steps have been made.

    `history` says how often a player's move decided, `shares` how many positions were evaluated for
    each move of the root.
    """
    for _ in range(steps):
        level = place[LEVEL]
        # 1. Go down one move.
        if place[DOWN] == 1:
            if place[EVALUATED] >= most:
                return False
            frame = frames[level]
            _put_next_last(lists[level], frame, history[states[level].turn])
            frame.left -= 1
            copy_record(states, level + 1, level)
            play(states[level + 1], lists[level, frame.left])
            place[LEVEL] = level + 1
            low = 1.0 - frame.high
            high = 1.0 - max(frame.low, frame.best)
            level += 1
            depth = np.int64(frame.depth) - 1
            enter(states, keys, owners, lists, frames, table, place, found, level, depth, low, high)
            if place[WRONG_LIST] == 1:
                return False
        # 2. Or pass a value up.
        elif level == 0:
            return True
        else:
            level -= 1
            place[LEVEL] = level
            frame = frames[level]
            value = 1.0 - found[0]
            move = lists[level, frame.left]
            if place[GUESSED] == 1:
                frame.guessed = 1
            if level == 0:
                shares[move] += place[EVALUATED] - place[MARK]
                place[MARK] = place[EVALUATED]
            if value > frame.best:
                frame.best = value
                frame.best_move = move
            if frame.left > 0 and frame.best < frame.high:
                place[DOWN] = 1
            else:
                if frame.best >= frame.high:
                    learn(history[states[level].turn], lists[level], frame)
                _remember(table[frame.slot], keys[level], frame)
                found[0] = frame.best
                place[GUESSED] = frame.guessed
    return False


@kernel
def enter(states, keys, owners, lists, frames, table, place, found, level, depth, low, high):
    """A value if the line ends here or the table knows enough, else a new frame."""
    place[ENTERED] += 1
    place[DOWN] = 0
    place[GUESSED] = 0
    s = states[level]
    count = moves(s, lists[level])
    if listed_wrongly(lists[level], count):
        place[WRONG_LIST] = 1
        return
    if count == 0 or depth == 0:
        place[EVALUATED] += 1
        if count == 0:
            value = result(s)
        else:
            value = evaluate(s)
            place[GUESSED] = 1
        found[0] = value if s.turn == 0 else 1.0 - value
        return
    write_key(s, owners, keys[level])
    slot = slot_of(keys[level], len(table))
    entry = table[slot]
    hint = NO_MOVE
    if entry.bound != EMPTY and same_key(entry.key, keys[level]):
        hint = np.int64(entry.move)
        if level > 0 and entry.depth >= depth and _enough(entry, low, high):
            found[0] = entry.value
            place[GUESSED] = entry.guessed
            return
    frame = frames[level]
    frame.left = count
    frame.count = count
    frame.low = low
    frame.high = high
    frame.best = -1.0
    frame.slot = slot
    frame.depth = depth
    frame.best_move = NO_MOVE
    frame.hint = hint
    frame.guessed = 0
    place[DOWN] = 1


@kernel
def _enough(entry, low, high):
    if entry.bound == AT_LEAST:
        return entry.value >= high
    if entry.bound == AT_MOST:
        return entry.value <= low
    return True


@kernel
def _put_next_last(moves, frame, history):
    """The table's move first, then those that decided most often."""
    if frame.hint == NO_MOVE:
        put_best_last(moves, frame.left, history)
        return
    last = frame.left - 1
    for i in range(last):
        if moves[i] == frame.hint:
            moves[i] = moves[last]
            moves[last] = frame.hint
    frame.hint = NO_MOVE


@kernel
def _remember(entry, key, frame):
    for i in range(len(key)):
        entry.key[i] = key[i]
    entry.value = frame.best
    entry.depth = frame.depth if frame.guessed == 1 else ANY_DEPTH
    entry.move = frame.best_move
    entry.guessed = frame.guessed
    entry.bound = EXACT
    if frame.best >= frame.high:
        entry.bound = AT_LEAST
    elif frame.best <= frame.low:
        entry.bound = AT_MOST
