"""Solves Hex on small boards exactly: who wins after a move, and which cells the win needs.

A win needs some of the empty cells and no others: whatever happens elsewhere, it stays a win. So
when an answer to one move wins, every other move outside the cells of that win loses too, and only
the rest has to be tried. When all moves of a player have been refuted, the opponent's win needs the
cells of all those wins together.

Cells are bits of a word, bit y * SIZE + x.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.games.api import MOVE, Game
from uctlab.games.hex import game as rules
from uctlab.games.position import Position
from uctlab.kernels import hole, kernel, low_bit, popcount, specialise

MAX_SIZE = 8  # 64 cells

# Bound by the size of the board.
ROW: Any = hole("board.ROW")
TOP: Any = hole("board.TOP")
BOTTOM: Any = hole("board.BOTTOM")
LEFT: Any = hole("board.LEFT")
RIGHT: Any = hole("board.RIGHT")
ALL: Any = hole("board.ALL")

_NONE = np.uint64(0)
_ONE = np.uint64(1)
_HASH_FACTOR = np.uint64(0xD6E8FEB86659FD93)
_HASH_SHIFT = np.uint64(32)

# What is known of a position, for the player to move.
LOST, WON, OPEN, NEW = 0, 1, 2, 3

# A position on the line that is being searched.
FRAME = np.dtype(
    [
        ("own", "u8"),  # stones of the player to move
        ("other", "u8"),
        ("left", "u8"),  # moves that may still win
        ("lost", "u8"),  # moves that were tried and do not
        ("needed", "u8"),  # cells of the opponent's wins against them
        ("move", "i8"),  # the one that is being tried
        ("slot", "i8"),  # the position's place in the table
        ("turn", "i8"),
    ],
    align=True,
)
ENTRY = np.dtype(
    [("own", "u8"), ("other", "u8"), ("cells", "u8"), ("turn", "i1"), ("known", "i1")], align=True
)
# Where a search is: level on the line, what is known there.
LEVEL, KNOWN = 0, 1


@kernel
def search(frames, table, history, ways, cells, place, budget):
    """(what is known of frames[0], positions seen); OPEN if the budget ends first.

    `place` says where to continue, and NEW where to begin. `cells` holds the cells of the last win.
    The other arrays are: history[player, cell], how often the cell won minus how often it did not;
    ways[level, cell], see _measure.
    """
    positions = 0
    level = place[LEVEL]
    known = place[KNOWN]
    if known == NEW:
        known = _enter(frames[0], table, ways[0], cells)
    while True:
        frame = frames[level]
        # 1. Go down one move.
        if known == OPEN:
            if positions >= budget:
                break
            frame.move = _next_move(frame.left, ways[level], history[frame.turn])
            child = frames[level + 1]
            child.own = frame.other
            child.other = frame.own | (_ONE << np.uint64(frame.move))
            child.turn = 1 - frame.turn
            positions += 1
            level += 1
            known = _enter(child, table, ways[level], cells)
        # 2. Or pass up what is known.
        elif level == 0:
            break
        else:
            level -= 1
            known = _judge(frames[level], known, cells)
            if known != OPEN:
                _learn(frames[level], known, history)
                _remember(table, frames[level], known, cells)
    place[LEVEL] = level
    place[KNOWN] = known
    return known, positions


@kernel
def _enter(frame, table, ways, cells):
    """What is known at once, else OPEN and the moves to try."""
    empty = ALL & ~(frame.own | frame.other)
    wins = _winning_cells(frame.own, empty, frame.turn)
    if wins != _NONE:
        cells[0] = _lowest(wins)
        return WON
    threats = _winning_cells(frame.other, empty, 1 - frame.turn)
    threat = _lowest(threats)
    if threats != threat:
        cells[0] = threat | _lowest(threats ^ threat)
        return LOST
    frame.slot = _slot(frame.own, frame.other, len(table))
    entry = table[frame.slot]
    if entry.own == frame.own and entry.other == frame.other and entry.turn == frame.turn:
        cells[0] = entry.cells
        return np.int64(entry.known)
    frame.left = empty if threats == _NONE else threats
    frame.lost = _NONE
    frame.needed = threats
    _measure(frame, empty, ways)
    return OPEN


@kernel
def _judge(frame, answer, cells):
    """What is known after the opponent's best answer to a move, with the cells of the win."""
    move = _ONE << np.uint64(frame.move)
    if answer == LOST:
        cells[0] |= move
        return WON
    frame.lost |= move
    frame.needed |= cells[0]
    frame.left &= cells[0]  # the move itself is not among them
    if frame.left != _NONE:
        return OPEN
    cells[0] = frame.needed
    return LOST


@kernel
def _learn(frame, known, history):
    """A win counts for its move and against those tried before it; more so on an emptier board."""
    if known == WON:
        weight = popcount(ALL & ~(frame.own | frame.other))
        history[frame.turn, frame.move] += weight
        lost = frame.lost
        while lost != _NONE:
            history[frame.turn, low_bit(lost)] -= weight
            lost &= lost - _ONE


@kernel
def _remember(table, frame, known, cells):
    entry = table[frame.slot]
    entry.own = frame.own
    entry.other = frame.other
    entry.turn = frame.turn
    entry.cells = cells[0]
    entry.known = known


@kernel
def _next_move(left, ways, history):
    """The cell with the shortest ways, and among equals the one that has won most often."""
    best = low_bit(left)
    left &= left - _ONE
    while left != _NONE:
        cell = low_bit(left)
        if ways[cell] < ways[best] or (ways[cell] == ways[best] and history[cell] > history[best]):
            best = cell
        left &= left - _ONE
    return best


@kernel
def _measure(frame, empty, ways):
    """For each empty cell, how many stones connect it to Black's two sides and to White's two."""
    black, white = (frame.own, frame.other) if frame.turn == 0 else (frame.other, frame.own)
    rest = empty
    while rest != _NONE:
        ways[low_bit(rest)] = 0
        rest &= rest - _ONE
    _add_distances(TOP, black, empty, ways)
    _add_distances(BOTTOM, black, empty, ways)
    _add_distances(LEFT, white, empty, ways)
    _add_distances(RIGHT, white, empty, ways)


@kernel
def _add_distances(side, stones, empty, ways):
    reached = (_near(_chains(side & stones, stones)) | side) & empty
    distance = 1
    rest = empty
    while reached != _NONE:
        rest &= ~reached
        bits = reached
        while bits != _NONE:
            ways[low_bit(bits)] += distance
            bits &= bits - _ONE
        around = _near(reached)
        reached = (around | _near(_chains(around & stones, stones))) & rest
        distance += 1
    while rest != _NONE:  # cut off from this side
        ways[low_bit(rest)] += distance + 1
        rest &= rest - _ONE


@kernel
def _winning_cells(stones, empty, player):
    """Empty cells that join the player's two sides in one move."""
    first, last = (TOP, BOTTOM) if player == 0 else (LEFT, RIGHT)
    from_first = _near(_chains(first & stones, stones)) | first
    from_last = _near(_chains(last & stones, stones)) | last
    return from_first & from_last & empty


@kernel
def _chains(seeds, stones):
    """The stones that are connected to the seeds."""
    while True:
        more = (seeds | _near(seeds)) & stones
        if more == seeds:
            return seeds
        seeds = more


@kernel
def _near(cells):
    """All neighbours of the cells, and perhaps some of the cells themselves."""
    not_right = cells & ~RIGHT
    not_left = cells & ~LEFT
    sideways = (not_right << _ONE) | (not_left >> _ONE)
    slanting = (not_right >> (ROW - _ONE)) | (not_left << (ROW - _ONE))
    return (sideways | slanting | (cells >> ROW) | (cells << ROW)) & ALL


@kernel
def _lowest(bits):
    return bits & (~bits + _ONE)


@kernel
def _slot(own, other, slots):
    digest = (own + _ONE) * _HASH_FACTOR
    digest = ((digest ^ (digest >> _HASH_SHIFT)) + other) * _HASH_FACTOR
    return np.int64((digest ^ (digest >> _HASH_SHIFT)) & np.uint64(slots - 1))


def plays_hex(game: Game) -> bool:
    """Whether a game has the rules of Hex, on a board that is small enough."""
    same = (game.moves, game.play, game.result) == (rules.moves, rules.play, rules.result)
    return same and game.constants["SIZE"] <= MAX_SIZE


class HexSearch:
    """Finds who wins after a move from the root, one move after the other."""

    def __init__(self, position: Position, table_bytes: int) -> None:
        self.game = game = position.game
        self.root = position.state
        size = game.constants["SIZE"]
        levels = size * size + 1
        self.frames = np.zeros(levels, FRAME).view(np.recarray)
        slots = 2 ** ((table_bytes // ENTRY.itemsize).bit_length() - 1)
        # An empty slot must not be mistaken for the position without stones.
        self.table = np.full(slots, np.array((0, 0, 0, -1, 0), ENTRY)).view(np.recarray)
        self.history = np.zeros((2, size * size), np.int64)
        self.ways = np.zeros((levels, size * size), np.int64)
        self.cells = np.zeros(1, np.uint64)
        self.place = np.zeros(2, np.int64)
        self.kernel = specialise(search, interpret=game.interpret, board=_board(size))
        self.open = 2 ** (size * size) - 1
        """Moves that may win: cells that are in all known wins of the opponent."""
        self.move = 0
        self.result: float | None = None

    def begin(self, move: int) -> None:
        """Start on that move."""
        mover = int(self.root.turn)
        self.move = move
        after = self.game.new_states(1)
        after[0] = self.root
        self.game.kernels.play(after[0], MOVE.type(move))
        out = self.game.new_out()
        answers = out[: self.game.kernels.moves(after[0], out)]
        self.result = None
        if len(answers) == 0:
            self.result = float(self.game.kernels.result(after[0]))
        elif self._swaps(answers[-1]):
            self.result = 0.0  # White takes the better side
        elif not self._swaps(move) and not self.open >> move & 1:
            self.result = float(mover)
        else:
            owners = np.zeros(self.history.shape[1], np.int8)
            self.game.kernels.stones(after[0], owners)
            sides = [sum(1 << int(cell) for cell in np.flatnonzero(owners == p)) for p in (1, 2)]
            turn = 1 - mover
            self.frames[0].turn = turn
            self.frames[0].own = sides[turn]
            self.frames[0].other = sides[1 - turn]
            self.place[:] = 0, NEW

    def go_on(self, positions: int) -> tuple[float | None, int]:
        """(the first player's result once it is known, positions seen)."""
        if self.result is not None:
            return self.result, 0
        known, seen = self.kernel(
            *(self.frames, self.table, self.history, self.ways),
            *(self.cells, self.place, positions),
        )
        if known == OPEN:
            return None, seen
        mover = int(self.root.turn)
        if known == WON and not self._swaps(self.move):
            self.open &= int(self.cells[0])
        return float(mover if known == WON else 1 - mover), seen

    def _swaps(self, move: int) -> bool:
        return bool(move == self.history.shape[1])


def _board(size: int) -> dict[str, Any]:
    """The constants of a board."""
    top = 2**size - 1
    left = sum(1 << size * y for y in range(size))
    cells = {
        "TOP": top,
        "BOTTOM": top << size * (size - 1),
        "LEFT": left,
        "RIGHT": left << size - 1,
        "ALL": 2 ** (size * size) - 1,
        "ROW": size,
    }
    return {name: np.uint64(value) for name, value in cells.items()}
