"""The bridge, fork or ring that won a game of Havannah, to show it.

Plain Python on sets of cells: it runs once, for a game that is over.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from itertools import combinations

import numpy as np

from uctlab.games.position import Position
from uctlab.games.shapes import Cell, joined, neighbours


def winning_shape(position: Position) -> list[int]:
    """The smallest of the winner's shapes."""
    line = int(position.game.constants["LINE"])
    owner = 1 if position.result == 1.0 else 2
    own = {(int(c) % line, int(c) // line) for c in np.flatnonzero(position.stones == owner)}
    last = position.last_move
    closing = (last % line, last // line) if last >= 0 else None
    return [x + y * line for x, y in sorted(_smallest(own, (line + 1) // 2, closing))]


def _smallest(own: set[Cell], side: int, closing: Cell | None) -> set[Cell]:
    """One move may close several shapes; this is the smallest of them."""
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
    shapes = [joined(own, list(pair)) for pair in combinations(corners, 2)]
    shapes += [joined(own, list(three)) for three in combinations(filter(None, edges), 3)]
    shapes.append(_ring(own, side, closing))
    return min(filter(None, shapes), key=len, default=set())


def _ring(own: set[Cell], side: int, closing: Cell | None) -> set[Cell]:
    """The shortest cycle of own stones round some cell, through the closing stone if known."""
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
    """Cells from which every way off the board crosses own stones, and own stones that have six
    own neighbours."""
    reached: set[Cell] = set()
    queue = [c for c in board - own if any(n not in board for n in neighbours(c))]
    while queue:
        cell = queue.pop()
        if cell not in reached:
            reached.add(cell)
            queue += [n for n in neighbours(cell) if n in board and n not in own]
    held = [cell for cell in own if all(n in own for n in neighbours(cell))]
    return sorted((board - own - reached) | set(held))


def _cycle_round(own: set[Cell], start: Cell, inner: Cell) -> set[Cell]:
    """The shortest cycle through `start` that goes round `inner`; none if there is none.

    Think of a ray from `inner` to the right: a closed way goes round `inner` if it crosses the ray
    an odd number of times. So we look for the shortest way from (start, even) to (start, odd).
    """
    if start not in own:
        return set()
    before: dict[tuple[Cell, bool], tuple[Cell, bool] | None] = {(start, False): None}
    queue = deque([(start, False)])
    while queue and (start, True) not in before:
        cell, odd = queue.popleft()
        for other in neighbours(cell):
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
    """Whether a step crosses from the row of the ray to the row above it."""
    low, high = (a, b) if a[1] > b[1] else (b, a)
    return low[1] == inner[1] and high[1] == inner[1] - 1 and low[0] > inner[0]
