"""The exact value of a small position and of each of its moves, by the game's own rules.

Alpha-beta down to the end of every line, without an evaluation. A game in which no board may be
repeated is refused: there the value depends on how the position came up, which its state does not
say.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from uctlab.errors import UsageError
from uctlab.games.api import MOVE
from uctlab.games.position import Position
from uctlab.kernel import UNBOUND, copy_record, kernel, specialise

# Bound by the game.
moves: Any = UNBOUND
play: Any = UNBOUND
result: Any = UNBOUND

# All values in the kernels are half points of the first player: 0, 1, 2.
MOST = 2
UNKNOWN = -1
LIMIT_REACHED = -2
TOO_LONG = -3

TABLE_BYTES = 2**26
_HASH_START = np.uint64(0x9E3779B97F4A7C15)
_HASH_FACTOR = np.uint64(0xD6E8FEB86659FD93)
_HASH_SHIFT = np.uint64(32)

# A position on the line that is being searched. The window from low to high: what the first player
# is sure of elsewhere or here, and what the second player is sure to hold it down to.
FRAME = np.dtype(
    [
        ("left", "i4"),  # moves not yet tried
        ("low", "i1"),
        ("high", "i1"),
        ("first_low", "i1"),  # the window before the first move
        ("first_high", "i1"),
        ("slot", "i8"),  # its place in the table
    ],
    align=True,
)


@kernel
def search(states, words, lists, frames, table, limit):
    """(value of states[0], positions seen); instead of a value LIMIT_REACHED or TOO_LONG.

    The other states are the line that is being searched, lists and frames belong to them, `words`
    is their memory. `table` remembers bounds, also from one call to the next.
    """
    positions = 1
    level = 0
    value = _enter(states, words, lists, frames, table, 0, 0, MOST)
    while True:
        # 1. Go down by the next move.
        if value == UNKNOWN:
            if positions >= limit:
                return LIMIT_REACHED, positions
            if level + 1 == len(states):
                return TOO_LONG, positions
            frame = frames[level]
            frame.left -= 1
            copy_record(states, level + 1, level)
            play(states[level + 1], lists[level, frame.left])
            positions += 1
            level += 1
            value = _enter(states, words, lists, frames, table, level, frame.low, frame.high)
        # 2. Or hand a value up.
        elif level == 0:
            return value, positions
        else:
            level -= 1
            frame = frames[level]
            if states[level].turn == 0:
                frame.low = max(frame.low, value)
                value = np.int64(frame.low)
            else:
                frame.high = min(frame.high, value)
                value = np.int64(frame.high)
            if frame.left > 0 and frame.low < frame.high:
                value = UNKNOWN
            else:
                _remember(table[frame.slot], words[level], frame, value)


@kernel
def _enter(states, words, lists, frames, table, level, low, high):
    """The value where the game is over or the table says enough, else UNKNOWN and a new frame.

    A value within the window is exact; one at its edge or beyond is a bound, from that side.
    """
    count = moves(states[level], lists[level])
    if count == 0:
        return np.int64(MOST * result(states[level]))
    slot = _slot(words[level], len(table))
    entry = table[slot]
    if _same(entry.key, words[level]):
        low = max(low, entry.low)
        high = min(high, MOST - entry.missing)
        if low >= high:
            return np.int64(high)
    frame = frames[level]
    frame.left = count
    frame.low = low
    frame.high = high
    frame.first_low = low
    frame.first_high = high
    frame.slot = slot
    return UNKNOWN


@kernel
def _remember(entry, key, frame, value):
    low = value if value > frame.first_low else 0
    high = value if value < frame.first_high else MOST
    if _same(entry.key, key):
        low = max(low, entry.low)
        high = min(high, MOST - entry.missing)
    else:
        for i in range(len(key)):
            entry.key[i] = key[i]
    entry.low = low
    entry.missing = MOST - high


@kernel
def _same(a, b):
    for i in range(len(b)):
        if a[i] != b[i]:
            return False
    return True


@kernel
def _slot(key, slots):
    """Where a position belongs in a table whose length is a power of two."""
    digest = _HASH_START
    for i in range(len(key)):
        digest = (digest ^ np.uint64(key[i])) * _HASH_FACTOR
        digest ^= digest >> _HASH_SHIFT
    return np.int64(digest & np.uint64(slots - 1))


@dataclass(frozen=True)
class Solution:
    """Values for the player to move: 1 a win, 0.5 a draw, 0 a loss."""

    value: float
    moves: Mapping[str, float]
    """Of each legal move by its name, in the order of `Position.legal`."""

    @property
    def best(self) -> tuple[str, ...]:
        """The moves that reach the value."""
        return tuple(name for name, value in self.moves.items() if value == self.value)


def solve(position: Position, limit: int = 50_000_000) -> Solution:
    """Search everything below a position; a UsageError if that is more than `limit` positions."""
    game = position.game
    if game.same_board is not None:
        raise UsageError(
            f"{game.name} cannot be solved: its rule against repetition looks at earlier boards"
        )

    def own(value: float) -> float:
        return value if position.turn == 0 else 1.0 - value

    if position.over:
        return Solution(own(position.result), {})
    solver = _Solver(position, limit)
    values = {game.move_name(move): own(solver.value_after(move)) for move in position.legal}
    return Solution(max(values.values()), values)


class _Solver:
    """The work arrays of one solution; what the table knows serves all moves."""

    def __init__(self, position: Position, limit: int) -> None:
        game = position.game
        word = np.dtype(f"u{math.gcd(game.state.itemsize, 8)}")
        row = game.state.itemsize // word.itemsize
        # Equal bytes are equal positions. An empty slot says of its key, all zeros, that the value
        # is 0 or more and MOST or less, which is true of any position.
        entry = np.dtype([("key", word, (row,)), ("low", "i1"), ("missing", "i1")], align=True)
        slots = 2 ** ((TABLE_BYTES // entry.itemsize).bit_length() - 1)
        levels = game.max_length + 1
        self.game = game
        self.root = position.state
        self.states = game.new_states(levels)
        self.words = self.states.view(np.ndarray).view(word).reshape(levels, row)
        self.lists = np.zeros((levels, game.max_moves), MOVE)
        self.frames = np.zeros(levels, FRAME).view(np.recarray)
        self.table = np.zeros(slots, entry).view(np.recarray)
        self.limit = self.left = limit
        self.kernel = specialise(
            search,
            interpret=game.interpret,
            moves=game.kernels.moves,
            play=game.kernels.play,
            result=game.kernels.result,
        )

    def value_after(self, move: int) -> float:
        """The first player's result after a move from the root."""
        self.states[0] = self.root
        self.game.kernels.play(self.states[0], MOVE.type(move))
        value, positions = self.kernel(
            self.states, self.words, self.lists, self.frames, self.table, self.left
        )
        self.left -= positions
        if value == LIMIT_REACHED:
            raise UsageError(
                f"{self.game.name}: not solved within {self.limit:,} positions; "
                "take a position nearer to the end, or a higher limit"
            )
        if value == TOO_LONG:
            raise UsageError(
                f"{self.game.name} cannot be solved: "
                f"a game went on for more than max_length, {self.game.max_length} moves"
            )
        return value / MOST
