"""What a search does when a game breaks the limits that it states: it stops, with an error.

Kernels check the list of moves of every node that they expand, and after every playout whether the
game has written behind the stated end of its arrays. Python looks at all fences between slices.
"""

from __future__ import annotations

from typing import Any

from uctlab.errors import UsageError
from uctlab.games import Game, Position
from uctlab.games.guard import (
    CANARY,
    Guarded,
    codes_within,
    excess_error,
    length_error,
    limit_error,
    listed_wrongly,
)
from uctlab.kernels import hole, kernel
from uctlab.parts.layout import FAULT, FAULT_DEPTH, FAULT_SIZE
from uctlab.parts.listing import ARRAYS

# Values of counters[FAULT]; counters[FAULT_SIZE] is the count, or the length.
NO_FAULT, WRONG_LIST, LONG_PLAYOUT, WROTE_BEHIND, WRONG_TRACE, WRONG_LENGTH = range(6)

MAX_MOVES: int = hole("limits.MAX_MOVES")
MAX_LENGTH: int = hole("limits.MAX_LENGTH")
CODES: int = hole("limits.CODES")
TRACED: bool = hole("playout.TRACED")  # playouts write down their moves
TRUSTED: bool = hole("playout.TRUSTED")  # they are ours, and look at each code themselves


@kernel
def note_fault(counters, fault, depth, size):
    counters[FAULT] = fault
    counters[FAULT_DEPTH] = depth
    counters[FAULT_SIZE] = size
    return True


@kernel
def wrong_list(own, out, count, depth):
    """Whether the moves listed at that depth break the game's limits, which is noted."""
    return listed_wrongly(out, count) and note_fault(own, WRONG_LIST, depth, count)


@kernel
def within_limits(own, out, trace, length, depth):
    """Whether the playout from that depth has kept the game's limits; else it is noted."""
    if length > MAX_LENGTH:
        note_fault(own, LONG_PLAYOUT, depth, length)
    elif out[MAX_MOVES] != CANARY or (TRACED and trace[MAX_LENGTH] != CANARY):
        note_fault(own, WROTE_BEHIND, depth, length)
    elif length < 0:
        note_fault(own, WRONG_LENGTH, depth, length)
    # A move that gives no samples is written as its complement.
    elif TRACED and not TRUSTED and not codes_within(trace, length, -CODES):
        note_fault(own, WRONG_TRACE, depth, length)
    return own[FAULT] == NO_FAULT


class Overruns:
    """The guarded arrays of a search or of one of its threads, and what to say when one is overrun.

    Args:
        game: The game, which states the limits.
        guards: The arrays by name, from `new_work`.
        counters: Where kernels note a fault.
        work: The memory with the path to it.
    """

    def __init__(self, game: Game, guards: dict[str, Guarded], counters: Any, work: Any) -> None:
        self._game = game
        self._guards = guards
        self._counters = counters
        self._path = work.path

    def check(self, root: Position | None, nodes: Any) -> None:
        """Raise a UsageError if a limit has been exceeded, and forget about it.

        Args:
            root: The position that is searched.
            nodes: The tree, which says by which moves the search has come to the fault.
        """
        counters = self._counters
        fault = int(counters[FAULT])
        damaged = [name for name, guard in self._guards.items() if guard.damaged()]
        if fault == NO_FAULT and not damaged:
            return
        size = int(counters[FAULT_SIZE])
        path = self._path[1 : counters[FAULT_DEPTH] + 1] if fault else ()
        where = "" if root is None else root.where(int(nodes[node].move) for node in path)
        beyond = {name: self._guards[name].overrun() for name in ("out", "trace")}
        text = self._text(fault, size, beyond, damaged, where)
        for guard in self._guards.values():
            guard.repair()
        counters[FAULT] = NO_FAULT
        raise UsageError(f"{text}; `uctlab check` looks for more of the kind")

    def strayed(self) -> bool:
        """Whether a kernel has written far beyond the positions."""
        return self._guards["states"].strayed()

    def _text(
        self, fault: int, size: int, beyond: dict[str, int], damaged: list[str], where: str
    ) -> str:
        game = self._game
        if fault == WRONG_LIST:
            return limit_error(game, self._guards["out"].wide, size, where)
        if fault == WRONG_TRACE:
            codes = len(game.move_names)
            trace = self._guards["trace"].array[:size].tolist()
            wrong = next(code for code in trace if max(code, ~code) >= codes)
            return (
                f"{game.name}: a playout {where} writes the code {wrong} into its trace, and "
                f"move_names has the codes 0 to {codes - 1}"
            )
        if fault == WRONG_LENGTH:
            return length_error(game, self._guards["out"].array, size, where)
        if beyond["out"]:
            most = game.max_moves + beyond["out"]
            least = "at least " if beyond["out"] == len(self._guards["out"].fence) else ""
            what = f"in a playout {where}, moves lists {least}{most} moves"
            return excess_error(game, "max_moves", most, what)
        length = max(size, game.max_length + beyond["trace"])
        if length > game.max_length:
            return excess_error(
                game, "max_length", length, f"a playout {where} makes {length} moves"
            )
        what = " and ".join(WRITES[name] for name in damaged)
        return f"{game.name}: in a search {where}, {what}"


def check_faults(game: Game, faults: Any) -> None:
    """UsageError if one of several searches, of which only this is known, has noted a fault."""
    noted = [fault for fault in _FAULTS if (faults == fault).any()]
    if noted:
        raise UsageError(
            f"{game.name}: {_FAULTS[noted[0]].format(game=game)}; `uctlab check`, or the same "
            "search on a CPU, finds the position"
        )


FAR_WRITE = (
    "a kernel writes outside of its position, far beyond its end or its beginning; `uctlab check` "
    "looks for the place"
)

_FAULTS = {
    WRONG_LIST: "moves lists more than {game.max_moves} moves, which is max_moves, or a wrong code",
    LONG_PLAYOUT: "a playout makes more than {game.max_length} moves, which is max_length",
    WROTE_BEHIND: "a playout lists more than {game.max_moves} moves, which is max_moves, or makes "
    "more than {game.max_length}, which is max_length",
    WRONG_LENGTH: "a playout meets a wrong number of moves or a code that has no name, or it "
    "returns a negative length",
    WRONG_TRACE: "a playout writes a code into its trace that has no name",
}

WRITES = {
    "states": "a kernel writes outside of its position",
    "out": "a kernel writes before the list of moves",
    "trace": "a playout writes before its trace",
} | {array.name: array.guarded for array in ARRAYS.values() if array.guarded}
"""What has been done where the fences of an array are damaged."""
