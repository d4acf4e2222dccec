"""A random game by the rules alone; playouts that call themselves uniform are compared with it."""

from __future__ import annotations

from typing import Any

from uctlab.kernels import below, hole, kernel

moves: Any = hole("game.moves")
play: Any = hole("game.play")
result: Any = hole("game.result")
MAX_LENGTH: int = hole("game.MAX_LENGTH")


@kernel
def by_the_rules(s, rng, out):
    """Play `s` to its end, or as long as a playout may be; returns the result."""
    for _ in range(MAX_LENGTH):
        count = moves(s, out)
        if count == 0:
            break
        play(s, out[below(rng, count)])
    return result(s)
