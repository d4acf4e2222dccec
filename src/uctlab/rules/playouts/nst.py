"""NST: the mean results of moves and of pairs of consecutive moves (Tak, Winands, Björnsson 2012).

A pair that has been seen often enough counts as much as the move alone.
"""

from __future__ import annotations

from uctlab.errors import UsageError
from uctlab.kernels import hole, kernel
from uctlab.rules.playouts.greedy import add, choose, mean

__all__ = ["choose", "note", "rows", "worth"]

CODES: int = hole("learned.CODES")

OFTEN = 7.0
MOST_CODES = 1000  # the table has their square, 32 bytes each


def rows(codes: int) -> int:
    """First the moves alone, then those after each move."""
    if codes > MOST_CODES:
        raise UsageError(
            f"playout=nst keeps pairs of up to {MOST_CODES:,} moves, and this game has {codes:,}; "
            "use playout=mast"
        )
    return codes * (codes + 1)


@kernel
def worth(table, before, move):
    alone = mean(table, move)
    if before < 0:
        return alone
    pair = CODES * (before + 1) + move
    return (alone + mean(table, pair)) / 2.0 if table[pair, 1] >= OFTEN else alone


@kernel
def note(table, before, move, reward):
    add(table, move, reward)
    if before >= 0:
        add(table, CODES * (before + 1) + move, reward)
