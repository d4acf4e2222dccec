"""Reads ladders: whether a chain in atari is caught although it runs, and after how many moves.

The prey extends at its only liberty, or captures what attacks it; three liberties are an escape.
The hunter plays at one of its two liberties; one that is left is a capture. Nothing else is tried,
so a ladder breaker counts, and a threat that lies elsewhere does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from uctlab.games.go.groups import neighbour_table

# Positions that are looked at, about 5 ms; what takes more is called an escape. A ladder across
# 19x19 takes 31, and of 778 in two games one took more than 80.
POSITIONS = 100


class _Board(NamedTuple):
    cells: list[int]
    """The owner of each cell: 0 nobody, 1 Black, 2 White."""
    ko: int
    """The cell where the player to move may not play, or -1."""


class LadderReader:
    """Reads the ladders of one position."""

    def __init__(self, owners: Sequence[int], size: int, ko: int = -1) -> None:
        self._board = _Board(list(owners), ko)
        self._near = neighbour_table(size)
        self._left = 0

    def moves_to_capture(self, stone: int) -> int | None:
        """Moves until the chain of that stone, which is in atari and moves first, is captured.

        None if it escapes. The prey resists as long as it can; the hunter takes the first way that
        works. The last move is the capture.
        """
        self._left = POSITIONS
        return self._run(self._board, stone)

    def last_liberty(self, stone: int) -> int | None:
        """The liberty of a chain in atari; None for any other chain."""
        liberties = self._chain(self._board.cells, stone, enough=2)[1]
        return liberties.pop() if len(liberties) == 1 else None

    def _run(self, board: _Board, stone: int) -> int | None:
        """The prey is to move, with one liberty."""
        cells = board.cells
        prey, liberties = self._chain(cells, stone)
        longest = 0
        for move in [*self._captures(cells, prey), *liberties]:
            after = self._after(board, move, cells[stone])
            if after is None:
                continue
            moves = self._hunt(after, stone)
            if moves is None:
                return None
            longest = max(longest, 1 + moves)
        return longest

    def _hunt(self, board: _Board, stone: int) -> int | None:
        """The hunter is to move."""
        self._left -= 1
        cells = board.cells
        liberties = self._chain(cells, stone)[1]
        if len(liberties) == 1:
            return 1
        if len(liberties) > 2 or self._left < 0:
            return None
        # First where the prey would gain more.
        for move in sorted(liberties, key=lambda at: -self._empty_around(cells, at)):
            after = self._after(board, move, 3 - cells[stone])
            moves = None if after is None else self._run(after, stone)
            if moves is not None:
                return 1 + moves
        return None

    def _captures(self, cells: list[int], prey: set[int]) -> set[int]:
        """Where the prey captures chains in atari that touch it."""
        enemy = 3 - cells[next(iter(prey))]
        attackers = {near for at in prey for near in self._near[at] if cells[near] == enemy}
        found = set()
        while attackers:
            chain, liberties = self._chain(cells, attackers.pop(), enough=2)
            if len(liberties) == 1:
                found |= liberties
            attackers -= chain
        return found

    def _after(self, board: _Board, move: int, player: int) -> _Board | None:
        """The board after a move; None if it is ko or suicide."""
        if move == board.ko:
            return None
        cells = board.cells.copy()
        cells[move] = player
        taken: set[int] = set()
        for near in self._near[move]:
            if cells[near] == 3 - player and near not in taken:
                chain, liberties = self._chain(cells, near, enough=1)
                taken |= set() if liberties else chain
        for at in taken:
            cells[at] = 0
        chain, liberties = self._chain(cells, move, enough=2)
        if not liberties:
            return None
        lone = len(taken) == len(chain) == len(liberties) == 1
        return _Board(cells, next(iter(taken)) if lone else -1)

    def _chain(self, cells: list[int], stone: int, enough: int = 4) -> tuple[set[int], set[int]]:
        """A chain and its liberties; not all of either once there are enough liberties."""
        owner = cells[stone]
        chain, liberties, unvisited = {stone}, set[int](), [stone]
        while unvisited and len(liberties) < enough:
            for near in self._near[unvisited.pop()]:
                if cells[near] == 0:
                    liberties.add(near)
                elif cells[near] == owner and near not in chain:
                    chain.add(near)
                    unvisited.append(near)
        return chain, liberties

    def _empty_around(self, cells: list[int], at: int) -> int:
        return sum(cells[near] == 0 for near in self._near[at])
