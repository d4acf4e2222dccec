"""Chains and empty regions of a board of Go, in plain Python, for finished games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Group:
    """Connected cells of one owner: a chain, or an empty region."""

    owner: int
    """0 nobody, 1 Black, 2 White."""
    cells: set[int]
    around: set[int]
    """Cells of other owners that touch it."""
    neighbours: set[int]
    """The owners of those cells."""


def groups(owners: np.ndarray, size: int) -> Iterator[Group]:
    """All chains and regions, given the owner of each cell."""
    seen: set[int] = set()
    for start in range(size * size):
        if start in seen:
            continue
        group = Group(int(owners[start]), {start}, set(), set())
        unvisited = [start]
        while unvisited:
            for near in neighbours(unvisited.pop(), size):
                if owners[near] != group.owner:
                    group.around.add(near)
                    group.neighbours.add(int(owners[near]))
                elif near not in group.cells:
                    group.cells.add(near)
                    unvisited.append(near)
        seen |= group.cells
        yield group


def neighbours(cell: int, size: int) -> Iterator[int]:
    """The cells beside a cell."""
    y, x = divmod(cell, size)
    for row, column in ((y, x - 1), (y, x + 1), (y - 1, x), (y + 1, x)):
        if 0 <= row < size and 0 <= column < size:
            yield row * size + column
