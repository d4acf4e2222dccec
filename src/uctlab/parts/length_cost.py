"""What a long game costs its winner, so that a search prefers to win soon and to lose late."""

from __future__ import annotations

from uctlab.kernels import hole, kernel
from uctlab.parts.part import Option, Part

MOST = 0.5  # a win is never worth less than a draw, unless its margin has lowered it already

GRADED: bool = hole("game.GRADED")  # playouts grade their results: see Game.grading_part


@kernel
def with_length_cost(outcome, depth, length, params):
    """The first player's result after `depth` moves of the tree and `length` of a playout.

    As in Fuego, a playout that was given up counts in full: where playouts grade their results, its
    result is the only one of exactly 0 or 1.
    """
    if GRADED and length > 0 and abs(outcome - 0.5) == 0.5:
        return outcome
    cost = min(MOST, params.length_cost * (depth + length))
    if outcome > 0.5:
        return outcome - cost
    if outcome < 0.5:
        return outcome + cost
    return outcome


PART = Part(
    "length_cost",
    "Takes a little off a win for every move of the simulation, and off a loss as much.",
    source="Fuego 1.1",
    options={
        "length_cost": Option(
            0.0,
            "what each move of a simulation, from the root on, takes off a win and adds to a loss, "
            "at most 0.5 in all; fuego and preset=fuego have 0.00028 in Go from 15x15 on",
            low=0,
            high=1,
            title="Cost of a move",
        )
    },
    groups=("playouts",),
    example="uct(length_cost=0.01)",
    chosen=("length_cost",),
    hooks={"outcome_found": with_length_cost},
)
