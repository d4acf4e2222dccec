"""Memory with fences, for kernels that may write too far; and what a game's limits are checked by.

Compiled code checks no index, so a `max_moves` that is too small would let a game overwrite foreign
memory. An array that a game's kernels write is therefore part of a larger one: there is a fence
before it and one behind it, whose content is known, and beyond each a reserve that may be
overwritten without harm. A damaged fence shows that a limit is exceeded, and by how much.
"""

from __future__ import annotations

import math
import threading
from typing import Any

import numpy as np

from uctlab.kernels import hole, kernel

FENCE = 4096  # bytes, on either side
RESERVE = 1 << 17  # bytes beyond a fence: as many moves as there can be codes, twice
LARGE_RESERVE = 1 << 22  # bytes behind lists of moves that are allocated once and used often
ROW_FENCE = 64  # moves behind a list that has others behind it, or is on a GPU
STOP = 64  # moves beyond max_length at which a uniform playout gives up
FILLING = 0x55
CANARY = 0x5555  # a move in a fence
LISTED_WRONGLY = -(2**40)  # the length of a playout that has met a wrong list of moves
PRUNED_WRONGLY = -(2**40)  # the number of moves where `prune` has kept none, or too many
_INTACT = bytes([FILLING]) * FENCE

MAX_MOVES: int = hole("limits.MAX_MOVES")
CODES: int = hole("limits.CODES")  # move codes are 0 to CODES - 1


class Guarded:
    """An array between two fences.

    Args:
        shape: Shape of the array.
        kind: Type of its elements.
        content: The byte that fills the array and what lies behind the fences.
        reserve: How many bytes lie behind the fence at the end.
        before: How many lie before the fence at the beginning.
    """

    def __init__(
        self,
        shape: int | tuple[int, ...],
        kind: Any,
        *,
        content: int = 0,
        reserve: int = RESERVE,
        before: int = 0,
    ) -> None:
        kind = np.dtype(kind)
        size = math.prod(np.atleast_1d(shape).tolist()) * kind.itemsize
        begin = before + FENCE
        end = begin + size
        length = end + FENCE + reserve
        memory = np.full(length, content, np.uint8) if content else np.zeros(length, np.uint8)
        self._size = kind.itemsize
        self._fences = memory[before:begin], memory[end : end + FENCE]
        self._reserves = memory[:before], memory[end + FENCE :]
        inside = memory[begin:end].view(kind).reshape(shape)
        self.array: Any = inside.view(np.recarray) if kind.names else inside
        """The array itself."""
        whole = (length - begin) // kind.itemsize * kind.itemsize
        self.wide: Any = memory[begin : begin + whole].view(kind)
        """The array as one dimension, going on beyond the fence to the end of the reserve."""
        self.fence: Any = self.wide[size // kind.itemsize :][: FENCE // kind.itemsize]
        """The elements of the fence behind it."""
        self.repair()

    def repair(self) -> None:
        """Make the fences intact."""
        for part in self._fences:
            part[:] = FILLING

    def damaged(self) -> bool:
        """Whether a kernel has written outside of the array."""
        before, behind = self._fences
        return before.tobytes() != _INTACT or behind.tobytes() != _INTACT

    def strayed(self) -> bool:
        """Whether a kernel has written beyond a fence, which takes longer to see; the reserves are
        clear again afterwards."""
        found = any(bool(part.any()) for part in self._reserves)
        if found:
            for part in self._reserves:
                part[:] = 0
        return found

    def overrun(self) -> int:
        """How many elements behind the end a kernel has written, as far as the fence shows; the
        fences are intact again afterwards."""
        written = np.flatnonzero(self._fences[1] != FILLING)
        self.repair()
        return int(written[-1]) // self._size + 1 if len(written) else 0


_lists = threading.local()


def move_list(limit: int, kind: Any) -> Guarded:
    """A list of moves to be read at once: each call in a thread gets the same memory."""
    known = vars(_lists)
    if known.get("limit") != limit:
        _lists.limit, _lists.guard = limit, Guarded(limit, kind, reserve=LARGE_RESERVE)
    found: Guarded = _lists.guard
    return found


def move_rows(rows: int, limit: int, kind: Any) -> np.ndarray:
    """Lists of moves, one per row, each with some room behind its stated end; kernels that fill
    them have to check every list at once, by `listed_wrongly`."""
    width = limit + ROW_FENCE
    memory = np.zeros(rows * width + LARGE_RESERVE // np.dtype(kind).itemsize, kind)
    return memory[: rows * width].reshape(rows, width)


@kernel
def listed_wrongly(moves, count):
    """Whether a list of moves breaks the game's limits: it is too long, or has a wrong code."""
    if count < 0 or count > MAX_MOVES:
        return True
    return not codes_within(moves, count, 0)


@kernel
def codes_within(moves, count, lowest):
    """Whether all codes in a list are at least `lowest` and less than CODES."""
    least, most = np.int16(0), np.int16(0)
    for i in range(count):  # without a branch, so that many codes are looked at in one step
        least = min(least, moves[i])
        most = max(most, moves[i])
    return least >= lowest and most < CODES


def excess_error(game: Any, limit: str, found: int, what: str) -> str:
    """What is wrong where a game exceeds a limit.

    Args:
        game: The game, which states the limits.
        limit: The name of the limit: "max_moves" or "max_length".
        found: What was found instead; from max_length + STOP on a playout is given up.
        what: What exceeds it: "a playout after a1 makes 12 moves".
    """
    stated = getattr(game, limit)
    more = " or more" if limit == "max_length" and found >= stated + STOP else ""
    return (
        f"{game.name}: {what}{more}, and {limit} is {stated}: {limit} is exceeded by "
        f"{found - stated}{more}"
    )


def length_error(game: Any, moves: Any, length: int, where: str) -> str:
    """What is wrong with a playout of a negative length.

    Args:
        game: The game, which states the limits.
        moves: The list that the playout has used, which may be wrong.
        length: The length, or LISTED_WRONGLY.
        where: The position in which it began: "after a1 b2".
    """
    if length != LISTED_WRONGLY:
        return f"{game.name}: a playout {where} returns the length {length}"
    codes = len(game.move_names)
    wrong = [move for move in moves.tolist() if not 0 <= move < codes]
    if wrong:
        return (
            f"{game.name}: in a playout {where}, moves lists the code {wrong[0]}, and move_names "
            f"has the codes 0 to {codes - 1}"
        )
    return (
        f"{game.name}: in a playout {where}, moves returns a wrong number of moves, and max_moves "
        f"is {game.max_moves}"
    )


def limit_error(game: Any, moves: Any, count: int, where: str) -> str:
    """What is wrong with a list of `count` moves, of which `moves` has all that are stored.

    Args:
        game: The game, which states the limits.
        moves: The list, beyond its stated end where it goes on there.
        count: How many moves the game says there are.
        where: The position: "after a1 b2".
    """
    codes = len(game.move_names)
    if count == PRUNED_WRONGLY:
        return f"{game.name}: prune keeps none of the moves, or more than there are, {where}"
    if count < 0:
        return f"{game.name}: moves returns {count} {where}"
    if count > game.max_moves:
        return excess_error(game, "max_moves", count, f"moves lists {count} moves {where}")
    wrong = next(int(move) for move in moves[:count] if not 0 <= move < codes)
    return (
        f"{game.name}: moves lists the code {wrong} {where}, and move_names has the codes 0 to "
        f"{codes - 1}"
    )
