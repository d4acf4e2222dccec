"""MAST: the mean result of each move, wherever it was made (Finnsson and Björnsson 2008)."""

from __future__ import annotations

from uctlab.kernels import kernel
from uctlab.rules.playouts.greedy import add, choose, mean

__all__ = ["choose", "note", "rows", "worth"]


def rows(codes: int) -> int:
    return codes


@kernel
def worth(table, before, move):
    return mean(table, move)


@kernel
def note(table, before, move, reward):
    add(table, move, reward)
