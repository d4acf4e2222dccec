"""Finds the stones that won a game: a chain in Hex; a bridge, fork or ring in Havannah.

Plain Python on sets of cells, since it runs only once, at the end of a game.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from itertools import combinations

import numpy as np

from uctlab.games import Position

Cell = tuple[int, int]  # x, y
Near = Callable[[Cell], list[Cell]]
STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))  # the six neighbours


def winning_cells(position: Position) -> list[str]:
    """Names of the cells to highlight; none if the game is not won by a shape."""
    family = position.game.name.partition(":")[0]
    if family not in ("hex", "havannah") or not position.over or position.result == 0.5:
        return []
    owner = 1 if position.result == 1.0 else 2
    line = _line(position, family)
    codes = np.flatnonzero(position.stones == owner)
    own = {(int(code) % line, int(code) // line) for code in codes}
    if family == "hex":
        shape = _hex_chain(own, line, owner)
    else:
        last = position.last_move
        closing = (last % line, last // line) if last >= 0 else None
        shape = _havannah_shape(own, (line + 1) // 2, closing)
    return [position.game.move_name(x + y * line) for x, y in sorted(shape)]


def _line(position: Position, family: str) -> int:
    """Difference between the codes of two rows."""
    constants = position.game.constants
    return int(constants["SIZE" if family == "hex" else "LINE"])


def _neighbours(cell: Cell) -> list[Cell]:
    return [(cell[0] + dx, cell[1] + dy) for dx, dy in STEPS]


def _distances(own: set[Cell], sources: Iterable[Cell]) -> dict[Cell, int]:
    """Steps over own stones from the nearest source."""
    far = {cell: 0 for cell in sources if cell in own}
    queue = deque(far)
    while queue:
        cell = queue.popleft()
        for other in _neighbours(cell):
            if other in own and other not in far:
                far[other] = far[cell] + 1
                queue.append(other)
    return far


def _way_back(far: dict[Cell, int], cell: Cell) -> list[Cell]:
    """A shortest path from a cell back to its nearest source."""
    way = [cell]
    while far[cell] > 0:
        cell = next(c for c in _neighbours(cell) if far.get(c) == far[cell] - 1)
        way.append(cell)
    return way


def _joined(own: set[Cell], goals: list[set[Cell]]) -> set[Cell]:
    """The fewest stones that connect two or three goals through one stone; empty if none do."""
    reach = [_distances(own, goal) for goal in goals]
    meeting = [cell for cell in own if all(cell in far for far in reach)]
    if not meeting:
        return set()
    middle = min(sorted(meeting), key=lambda cell: sum(far[cell] for far in reach))
    return {cell for far in reach for cell in _way_back(far, middle)}


def _hex_chain(own: set[Cell], size: int, owner: int) -> set[Cell]:
    """Black, the first player, connects top and bottom, White connects left and right."""
    axis = 1 if owner == 1 else 0
    ends = [{cell for cell in own if cell[axis] == end} for end in (0, size - 1)]
    return _joined(own, ends)


def _havannah_shape(own: set[Cell], side: int, closing: Cell | None) -> set[Cell]:
    """The smallest shape, since one move may complete several."""
    last = 2 * side - 2
    sides: list[Callable[[Cell], bool]] = [
        lambda c: c[1] == 0,
        lambda c: c[0] == last,
        lambda c: c[0] + c[1] == 3 * side - 3,
        lambda c: c[1] == last,
        lambda c: c[0] == 0,
        lambda c: c[0] + c[1] == side - 1,
    ]
    on = {cell: [i for i, test in enumerate(sides) if test(cell)] for cell in own}
    corners = [{cell} for cell in sorted(own) if len(on[cell]) == 2]
    edges = [{cell for cell in own if on[cell] == [i]} for i in range(6)]
    shapes = [_joined(own, list(pair)) for pair in combinations(corners, 2)]
    shapes += [_joined(own, list(three)) for three in combinations(filter(None, edges), 3)]
    shapes.append(_ring(own, side, closing))
    return min(filter(None, shapes), key=len, default=set())


def _ring(own: set[Cell], side: int, closing: Cell | None) -> set[Cell]:
    """The shortest cycle of own stones around some cell, through the last stone if it is known."""
    board = {
        (x, y)
        for x in range(2 * side - 1)
        for y in range(2 * side - 1)
        if side - 1 <= x + y <= 3 * side - 3
    }
    starts = [closing] if closing in own and closing is not None else sorted(own)
    rings = [
        ring
        for inner in _shut_in(own, board)
        for start in starts
        if (ring := _cycle_round(own - {inner}, start, inner))
    ]
    return min(rings, key=len, default=set())


def _shut_in(own: set[Cell], board: set[Cell]) -> list[Cell]:
    """Cells from which no path of empty or enemy cells leads off the board, and own stones that are
    surrounded by own stones."""
    reached: set[Cell] = set()
    queue = [c for c in board - own if any(n not in board for n in _neighbours(c))]
    while queue:
        cell = queue.pop()
        if cell not in reached:
            reached.add(cell)
            queue += [n for n in _neighbours(cell) if n in board and n not in own]
    held = [cell for cell in own if all(n in own for n in _neighbours(cell))]
    return sorted((board - own - reached) | set(held))


def _cycle_round(own: set[Cell], start: Cell, inner: Cell) -> set[Cell]:
    """The shortest cycle through `start` around `inner`; empty if there is none.

    A ray goes from `inner` to the right; a closed path that crosses it an odd number of times goes
    around `inner`. So this searches for the shortest path from (start, even) to (start, odd).
    """
    if start not in own:
        return set()
    before: dict[tuple[Cell, bool], tuple[Cell, bool] | None] = {(start, False): None}
    queue = deque([(start, False)])
    while queue and (start, True) not in before:
        cell, odd = queue.popleft()
        for other in _neighbours(cell):
            if other in own:
                state = (other, odd ^ _crosses(cell, other, inner))
                if state not in before:
                    before[state] = (cell, odd)
                    queue.append(state)
    cycle = set()
    state_or_none: tuple[Cell, bool] | None = (start, True) if (start, True) in before else None
    while state_or_none is not None:
        cycle.add(state_or_none[0])
        state_or_none = before[state_or_none]
    return cycle


def _crosses(a: Cell, b: Cell, inner: Cell) -> bool:
    """Whether a step crosses from the ray's row to the row above it, to the right of `inner`."""
    low, high = (a, b) if a[1] > b[1] else (b, a)
    return low[1] == inner[1] and high[1] == inner[1] - 1 and low[0] > inner[0]
