"""What a leaf is worth without a playout: the game's own evaluation, or the result at its end."""

from __future__ import annotations

from typing import Any

from uctlab.kernels import hole, kernel

GUESS = "guess"
"""A backup operator with a field of this name gets the evaluation of each node at its first visit,
for the player who moved into it."""

moves: Any = hole("game.moves")
result: Any = hole("game.result")
evaluate: Any = hole("game.evaluate")


@kernel
def leaf_value(s, out):
    """For the first player."""
    return evaluate(s) if moves(s, out) > 0 else result(s)


@kernel
def note_guess(nodes, node, s, out, first_moved):
    """Threads that meet here note the same value."""
    if nodes[node].visits == 0:
        value = leaf_value(s, out)
        nodes[node].guess = value if first_moved else 1.0 - value
