"""The default playout, for games without their own: uniformly random legal moves to the end."""

from __future__ import annotations

from typing import Any

from uctlab.games.guard import LISTED_WRONGLY, STOP
from uctlab.kernels import below, hole, kernel

moves: Any = hole("game.moves")
play: Any = hole("game.play")
result: Any = hole("game.result")
MAX_LENGTH: int = hole("limits.MAX_LENGTH")
MAX_MOVES: int = hole("limits.MAX_MOVES")
CODES: int = hole("limits.CODES")
TRACE: bool = hole("playout.TRACE")


@kernel
def uniform(s, rng, out, trace):
    """Play `s` to its end; (result, moves made). `out` is scratch, `trace` gets the moves.

    A game that goes on far beyond its limit may have no end. It is left there, and the caller sees
    that its length exceeds the limit. One that lists a wrong number of moves, or a wrong code, has
    the length LISTED_WRONGLY.
    """
    length = 0
    count = moves(s, out)
    while count != 0 and length < MAX_LENGTH + STOP:
        if count < 0 or count > MAX_MOVES:
            return result(s), LISTED_WRONGLY
        move = out[below(rng, count)]
        if move < 0 or move >= CODES:
            return result(s), LISTED_WRONGLY
        if TRACE:
            trace[length] = move
        play(s, move)
        length += 1
        count = moves(s, out)
    return result(s), length
