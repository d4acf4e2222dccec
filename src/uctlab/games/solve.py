"""The exact value of a small position and of each of its moves.

It is alpha-beta to the end of every line, without an evaluation; moves that often decided are tried
first. Hex on small boards has its own solver. Games in which no board may repeat are refused: there
the value depends on how the position arose, which its state does not say.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from uctlab.errors import UsageError
from uctlab.games.api import MOVE, Game
from uctlab.games.guard import Guarded, listed_wrongly, move_rows
from uctlab.games.hex.solve import HexSearch, plays_hex
from uctlab.games.position import Position
from uctlab.kernels import copy_record, hole, kernel, specialise

moves: Any = hole("game.moves")
play: Any = hole("game.play")
result: Any = hole("game.result")
stones: Any = hole("game.stones")
write_key: Any = hole("solver.write_key")

# All values in the kernels are half points of the first player: 0, 1, 2.
MOST = 2
UNKNOWN = -1
NEW = -2
TOO_LONG = -3
WRONG_LIST = -4  # the game breaks its limits

TABLE_BYTES = 2**26
SLICE = 50_000  # positions; Ctrl-C waits no longer than that
CELLS_A_WORD = 32
_HASH_START = np.uint64(0x9E3779B97F4A7C15)
_HASH_FACTOR = np.uint64(0xD6E8FEB86659FD93)
_HASH_SHIFT = np.uint64(32)

# A position on the line that is being searched. The window from low to high is what the first
# player is already sure of, and what the second player is sure to keep it down to.
FRAME = np.dtype(
    [
        ("left", "i4"),  # moves not yet tried
        ("count", "i4"),  # all moves
        ("low", "i1"),
        ("high", "i1"),
        ("first_low", "i1"),  # the window before the first move
        ("first_high", "i1"),
        ("slot", "i8"),  # its place in the table
    ],
    align=True,
)


# Where a search is: level on the line, value there.
LEVEL, VALUE = 0, 1


class Line(NamedTuple):
    """The line that is being searched, with one element per level, and scratch space."""

    states: Any
    keys: Any
    lists: Any
    """Legal moves."""
    frames: Any
    owners: Any
    """Scratch."""


@kernel
def search(line, history, table, place, budget):
    """(value of the first state, positions seen); instead of a value UNKNOWN, if the budget ends
    before, TOO_LONG or WRONG_LIST.

    `place` says where to go on, and NEW where to begin. `table` remembers bounds, `history` how
    often a player's move decided, both also from one call to the next.
    """
    states, lists, frames = line.states, line.lists, line.frames
    positions = 0
    level = place[LEVEL]
    value = place[VALUE]
    if value == NEW:
        value = _enter(line, table, 0, 0, MOST)
    while True:
        # 1. Go down one move.
        if value == UNKNOWN:
            if positions >= budget:
                break
            if level + 1 == len(states):
                value = TOO_LONG
                break
            frame = frames[level]
            put_best_last(lists[level], frame.left, history[states[level].turn])
            frame.left -= 1
            copy_record(states, level + 1, level)
            play(states[level + 1], lists[level, frame.left])
            positions += 1
            level += 1
            low, high = frame.low, frame.high
            value = _enter(line, table, level, low, high)
            if value == WRONG_LIST:
                break
        # 2. Or pass a value up.
        elif level == 0:
            break
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
                if frame.low >= frame.high:
                    learn(history[states[level].turn], lists[level], frame)
                _remember(table[frame.slot], line.keys[level], frame, value)
    place[LEVEL] = level
    place[VALUE] = value
    return value, positions


@kernel
def put_best_last(moves, count, history):
    """The move that decided most often, of those not yet tried."""
    last = count - 1
    best = last
    for i in range(last):
        if history[moves[i]] > history[moves[best]]:
            best = i
    move = moves[best]
    moves[best] = moves[last]
    moves[last] = move


@kernel
def learn(history, moves, frame):
    """Note that the last move decided and those before it did not."""
    for i in range(frame.left, frame.count):
        history[moves[i]] += frame.count if i == frame.left else -frame.count


@kernel
def _enter(line, table, level, low, high):
    """The value if the game is over or the table knows enough, else UNKNOWN and a new frame, or
    WRONG_LIST.

    A value within the window is exact; one at its edge or beyond is a bound, from that side.
    """
    state = line.states[level]
    count = moves(state, line.lists[level])
    if listed_wrongly(line.lists[level], count):
        return WRONG_LIST
    if count == 0:
        return np.int64(MOST * result(state))
    write_key(state, line.owners, line.keys[level])
    slot = slot_of(line.keys[level], len(table))
    entry = table[slot]
    if same_key(entry.key, line.keys[level]):
        low = max(low, entry.low)
        high = min(high, MOST - entry.missing)
        if low >= high:
            return np.int64(high)
    frame = line.frames[level]
    frame.left = count
    frame.count = count
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
    if same_key(entry.key, key):
        low = max(low, entry.low)
        high = min(high, MOST - entry.missing)
    else:
        for i in range(len(key)):
            entry.key[i] = key[i]
    entry.low = low
    entry.missing = MOST - high


@kernel
def key_of_stones(s, owners, key):
    """Two bits per cell, and two for the player to move."""
    stones(s, owners)
    for i in range(len(key)):
        key[i] = 0
    for cell in range(len(owners)):
        key[cell // CELLS_A_WORD] |= np.uint64(owners[cell]) << np.uint64(2 * (cell % CELLS_A_WORD))
    key[len(key) - 1] |= np.uint64(1 + s.turn) << np.uint64(2 * (CELLS_A_WORD - 1))


@kernel
def key_of_bytes(s, owners, key):
    """Nothing to do: the memory of the position itself is the key."""


@kernel
def same_key(a, b):
    for i in range(len(b)):
        if a[i] != b[i]:
            return False
    return True


@kernel
def slot_of(key, slots):
    """Where a position belongs in a table whose length is a power of two."""
    digest = _HASH_START
    for i in range(len(key)):
        digest = (digest ^ np.uint64(key[i])) * _HASH_FACTOR
        digest ^= digest >> _HASH_SHIFT
    return np.int64(digest & np.uint64(slots - 1))


@dataclass(frozen=True)
class Solution:
    """The exact value of a position and of its moves, for the player to move: 1 a win, 0 a loss.

    A draw is 0.5.

    Examples:
        >>> solution = uctlab.solve(uctlab.Position.from_moves("hex:3", "a1"))
        >>> solution.value, solution.best
        (1.0, ('b2',))
    """

    value: float
    moves: Mapping[str, float]
    """The value of each legal move by its name, in the order of `Position.legal`."""
    positions: int
    """How many positions were looked at."""
    position: Position | None = field(default=None, repr=False, compare=False)
    """What was solved."""

    @property
    def best(self) -> tuple[str, ...]:
        """The moves that reach the value."""
        return tuple(name for name, value in self.moves.items() if value == self.value)

    def _repr_html_(self) -> str:
        """The board with W, D or L on each move that wins, draws or loses."""
        from uctlab.drawing import board_svg, html  # noqa: PLC0415 (a layer above)

        words = {1.0: "win", 0.5: "draw", 0.0: "loss"}
        counts = (
            (word, sum(v == value for v in self.moves.values())) for value, word in words.items()
        )
        told = ", ".join(f"{word[0].upper()} {word}: {count}" for word, count in counts if count)
        board = ""
        if self.position is not None:
            marks = {name: words[value][0].upper() for name, value in self.moves.items()}
            board = board_svg(self.position, heat=self.moves, marks=marks)
        best = f"; best: {' '.join(self.best)}" if self.best else ""
        return html.beside(
            board,
            below=[
                f"a {words[self.value]} for the player to move{best}",
                *([f"moves: {told}"] if told else []),
                f"{self.positions:,} positions",
            ],
        )


Progress = Callable[[int, int], None]


def solve(
    position: Position | Game | str,
    limit: int = 50_000_000,
    progress: Progress | None = None,
) -> Solution:
    """Find the exact value of a small position and of each of its moves.

    Args:
        position: A position near its end, or a small game or its name.
        limit: A UsageError if more positions than that would have to be looked at.
        progress: A function that is called many times per second with the moves solved and the
            positions seen so far.

    Returns:
        The solution: `value`, `moves`, `best`; in a notebook, the board with wins and losses.

    Examples:
        >>> uctlab.solve("hex:3").value
        1.0
    """
    position = position if isinstance(position, Position) else Position.start(position)
    game = position.game
    if game.same_board is not None:
        raise UsageError(
            f"{game.name} cannot be solved: its rule against repetition looks at earlier boards"
        )

    def own(value: float) -> float:
        return value if position.turn == 0 else 1.0 - value

    if (ended := position.result) is not None:
        return Solution(own(ended), {}, 0, position)
    kind = HexSearch if plays_hex(game) else _Search
    search = kind(position, TABLE_BYTES)
    values: dict[str, float] = {}
    positions = 0
    for move in position.legal:
        search.begin(move)
        value = None
        while value is None:
            if positions >= limit:
                raise UsageError(
                    f"{game.name}: not solved within {limit:,} positions; "
                    "take a position nearer to the end, or a higher limit"
                )
            value, seen = search.go_on(min(SLICE, limit - positions))
            positions += seen
            if progress is not None:
                progress(len(values), positions)
        values[game.move_name(move)] = own(value)
    return Solution(max(values.values()), values, positions, position)


class _Search:
    """Alpha-beta below one root move after the other; what it learns helps with all of them."""

    def __init__(self, position: Position, table_bytes: int) -> None:
        game = position.game
        levels = game.max_length + 1
        self.game = game
        self._position = position
        self._move = -1
        self.states = game.new_states(levels)
        self.keys, self.owners = self._new_keys()
        word, row = self.keys.dtype, self.keys.shape[1]
        # An empty slot says that the value of its key, all zeros, is between 0 and MOST, which is
        # true of any position.
        entry = np.dtype([("key", word, (row,)), ("low", "i1"), ("missing", "i1")], align=True)
        slots = 2 ** ((table_bytes // entry.itemsize).bit_length() - 1)
        self.lists = move_rows(levels, game.max_moves, MOVE)
        self.frames = np.zeros(levels, FRAME).view(np.recarray)
        self.history = np.zeros((2, len(game.move_names)), np.int64)
        self.table = np.zeros(slots, entry).view(np.recarray)
        self.place = np.zeros(2, np.int64)
        self.kernel = specialise(
            search,
            interpret=game.interpret,
            game=game.kernels,
            limits=game.limits,
            solver={"write_key": key_of_bytes if game.diagram is None else key_of_stones},
        )

    def _new_keys(self) -> tuple[np.ndarray, np.ndarray]:
        """Keys, which are equal if positions are, and scratch space to write them.

        Stones and turn are all there is to a position that can be set up; else equal bytes are
        equal positions.
        """
        diagram = self.game.diagram
        levels = len(self.states)
        if diagram is not None:
            words = diagram.cells // CELLS_A_WORD + 1
            return np.zeros((levels, words), np.uint64), Guarded(diagram.cells, np.int8).array
        word = np.dtype(f"u{math.gcd(self.game.state.itemsize, 8)}")
        keys = self.states.view(np.ndarray).view(word).reshape(levels, -1)
        return keys, np.zeros(0, np.int8)

    def begin(self, move: int) -> None:
        """Start on that move."""
        self._move = move
        self.states[0] = self._position.state
        with self.game.limited():
            self.game.kernels.play(self.states[0], MOVE.type(move))
        self.place[:] = 0, NEW

    def go_on(self, positions: int) -> tuple[float | None, int]:
        """(the first player's result once it is known, positions seen)."""
        with self.game.limited():
            line = Line(self.states, self.keys, self.lists, self.frames, self.owners)
            value, seen = self.kernel(line, self.history, self.table, self.place, positions)
        if value == WRONG_LIST:
            level = int(self.place[LEVEL])
            played = (self.lists[at, self.frames[at].left] for at in range(level))
            self._position.refuse_below((self._move, *played))
        if value == TOO_LONG:
            raise UsageError(
                f"{self.game.name} cannot be solved: "
                f"a game went on for more than max_length, {self.game.max_length} moves"
            )
        return (None if value == UNKNOWN else value / MOST), seen
