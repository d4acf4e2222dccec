"""Naive Havannah on the hexagon of side S: cell y*(2S-1)+x with S-1 <= x+y <= 3S-3.

Move (2S-1)**2 is the swap.
"""

import copy
from functools import cache

from tests.naive import walks

NEIGHBOURS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]


@cache
def all_cells(side):
    """The codes of the cells on the board."""
    width = 2 * side - 1
    spots = [(x, y) for y in range(width) for x in range(width)]
    return [y * width + x for x, y in spots if side - 1 <= x + y <= 3 * side - 3]


@cache
def near(side, cell):
    """Neighbours on the board: six inside, four on an edge, three in a corner."""
    width = 2 * side - 1
    x, y = cell % width, cell // width
    around = [(x + dx, y + dy) for dx, dy in NEIGHBOURS]
    # x must be tested before coding: x = -1 would wrap onto the row above.
    codes = [b * width + a for a, b in around if 0 <= a < width]
    return [code for code in codes if code in all_cells(side)]


@cache
def borders(side, cell):
    """Which of the six border lines the cell lies on: none, one, or two in a corner."""
    width = 2 * side - 1
    x, y = cell % width, cell // width
    low, high = side - 1, 3 * side - 3
    lines = [x == 0, y == 0, x == width - 1, y == width - 1, x + y == low, x + y == high]
    return [line for line in range(6) if lines[line]]


class Board:
    """A position; `cells` maps each on-board cell code to None, 0 or 1."""

    def __init__(self, side, swap=False):
        assert side >= 2
        self.side = side
        self.swap = swap
        self.width = 2 * side - 1
        self.cells = dict.fromkeys(all_cells(side))
        self.turn = 0

    @classmethod
    def from_stones(cls, side, stones, turn, swap=False):
        """Set-up position from a dict cell -> player (not both players having won)."""
        board = cls(side, swap)
        assert set(stones) <= set(board.cells), "stone off the board"
        board.cells.update(stones)
        board.turn = turn
        return board

    def copy(self):
        """Independent copy."""
        other = copy.copy(self)
        other.cells = dict(self.cells)
        return other

    def near(self, cell):
        return near(self.side, cell)

    def borders(self, cell):
        return borders(self.side, cell)

    def regions(self, members):
        """The connected parts of a set of cells, each as a set."""
        left, parts = set(members), []
        while left:
            todo = [left.pop()]
            part = set(todo)
            while todo:
                for other in self.near(todo.pop()):
                    if other in left:
                        left.remove(other)
                        part.add(other)
                        todo.append(other)
            parts.append(part)
        return parts

    def has_bridge(self, player):
        """Whether one chain touches two corners."""
        return any(
            sum(len(self.borders(cell)) == 2 for cell in chain) >= 2
            for chain in self.regions(self.owned(player))
        )

    def has_fork(self, player):
        """Whether one chain touches three edges, corners counting for no edge."""
        for chain in self.regions(self.owned(player)):
            on_lines = [self.borders(cell) for cell in chain]
            if len({lines[0] for lines in on_lines if len(lines) == 1}) >= 3:
                return True
        return False

    def has_ring(self, player):
        """Whether there is a loop of own stones round at least one cell of any content."""
        # Call "foreign" the cells not owned by the player (empty or enemy). A ring exists iff
        #   (a) some foreign region lies wholly off the border, or
        #   (b) some own cell has six own neighbours.
        # If: round a region as in (a) all cells are on the board and own, and on a hexagonal
        # grid the cells along a region's outer boundary follow each other as neighbours, so
        # they close a loop round it; in (b) the six neighbours are such a loop.
        # Only if: let a ring enclose a cell. If it encloses a foreign cell, that cell's region
        # cannot cross the own loop (hexagons share sides only, there is no diagonal gap), so
        # it stays inside and off the border: (a). Otherwise all enclosed cells are own; each
        # neighbour of an enclosed cell is enclosed too or on the loop, hence own: (b).
        foreign = set(self.cells) - self.owned(player)
        for region in self.regions(foreign):
            if not any(self.borders(cell) for cell in region):
                return True
        for cell in self.owned(player):
            around = self.near(cell)
            if len(around) == 6 and all(self.cells[other] == player for other in around):
                return True
        return False

    def owned(self, player):
        """Set of the cells of a player (None: the empty cells)."""
        return {cell for cell, owner in self.cells.items() if owner == player}

    def won(self, player):
        """Whether the player has a bridge, a fork or a ring."""
        return self.has_bridge(player) or self.has_fork(player) or self.has_ring(player)

    def over(self):
        """Whether somebody has won or the board is full."""
        return not self.owned(None) or self.won(0) or self.won(1)

    def legal(self):
        """Sorted legal moves; [] exactly when the game is over."""
        swaps = [self.width**2] if self.can_swap() else []
        return [] if self.over() else sorted(self.owned(None)) + swaps

    def can_swap(self):
        """Whether this is the second player's first move, with the swap rule in force."""
        return self.swap and self.turn == 1 and len(self.owned(0)) == 1 and not self.owned(1)

    def play(self, move):
        """Put a stone of the player to move on an empty cell, or take over the only one."""
        if move == self.width**2:
            assert self.can_swap(), "swap not available"
            (cell,) = self.owned(0)
            self.cells[cell] = 1
            self.turn = 0
            return
        assert self.cells[move] is None, f"cell {move} is occupied"
        self.cells[move] = self.turn
        self.turn = 1 - self.turn

    def result(self):
        """1.0 if player 0 has won, 0.0 if player 1 has, 0.5 on a full board without winner."""
        if self.won(0):
            return 1.0
        return 0.0 if self.won(1) else 0.5


playout = walks.playout
