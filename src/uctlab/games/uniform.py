"""The default playout, for games without their own: uniformly random legal moves to the end."""

from __future__ import annotations

from typing import Any

from uctlab.kernels import below, hole, kernel

moves: Any = hole("game.moves")
play: Any = hole("game.play")
result: Any = hole("game.result")
TRACE: bool = hole("playout.TRACE")


@kernel
def uniform(s, rng, out, trace):
    """Play `s` to its end; (result, moves made). `out` is scratch, `trace` gets the moves."""
    length = 0
    count = moves(s, out)
    while count > 0:
        move = out[below(rng, count)]
        if TRACE:
            trace[length] = move
        play(s, move)
        length += 1
        count = moves(s, out)
    return result(s), length
