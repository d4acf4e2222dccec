"""Chains and empty regions of a board of Go, in plain Python, for finished games and for roots."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

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
    near = neighbour_table(size)
    owner_of = owners.tolist()
    seen: set[int] = set()
    for start, owner in enumerate(owner_of):
        if start in seen:
            continue
        cells, around = {start}, set()
        unvisited = [start]
        while unvisited:
            for cell in near[unvisited.pop()]:
                if owner_of[cell] != owner:
                    around.add(cell)
                elif cell not in cells:
                    cells.add(cell)
                    unvisited.append(cell)
        seen |= cells
        yield Group(owner, cells, around, {owner_of[cell] for cell in around})


def neighbours(cell: int, size: int) -> tuple[int, ...]:
    """The cells beside a cell."""
    return neighbour_table(size)[cell]


@lru_cache(maxsize=32)
def neighbour_table(size: int) -> tuple[tuple[int, ...], ...]:
    """The neighbours of all cells."""
    return tuple(tuple(_neighbours(cell, size)) for cell in range(size * size))


def _neighbours(cell: int, size: int) -> Iterator[int]:
    y, x = divmod(cell, size)
    for row, column in ((y, x - 1), (y, x + 1), (y - 1, x), (y + 1, x)):
        if 0 <= row < size and 0 <= column < size:
            yield row * size + column
