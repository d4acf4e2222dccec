"""Ways over the stones of one player on a board of hexagons, to show the shape that won a game.

Plain Python on sets of cells: it runs once, for a game that is over.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

Cell = tuple[int, int]  # x, y
STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))  # to the six neighbours


def neighbours(cell: Cell) -> list[Cell]:
    return [(cell[0] + dx, cell[1] + dy) for dx, dy in STEPS]


def _distances(own: set[Cell], sources: Iterable[Cell]) -> dict[Cell, int]:
    """How many steps over own stones it takes from the nearest source."""
    far = {cell: 0 for cell in sources if cell in own}
    queue = deque(far)
    while queue:
        cell = queue.popleft()
        for other in neighbours(cell):
            if other in own and other not in far:
                far[other] = far[cell] + 1
                queue.append(other)
    return far


def _way_back(far: dict[Cell, int], cell: Cell) -> list[Cell]:
    """A shortest way from a cell back to the source that its distance was counted from."""
    way = [cell]
    while far[cell] > 0:
        cell = next(c for c in neighbours(cell) if far.get(c) == far[cell] - 1)
        way.append(cell)
    return way


def joined(own: set[Cell], goals: list[set[Cell]]) -> set[Cell]:
    """The fewest stones that connect two or three goals; none if the goals are not connected."""
    reach = [_distances(own, goal) for goal in goals]
    meeting = [cell for cell in own if all(cell in far for far in reach)]
    if not meeting:
        return set()
    middle = min(sorted(meeting), key=lambda cell: sum(far[cell] for far in reach))
    return {cell for far in reach for cell in _way_back(far, middle)}
