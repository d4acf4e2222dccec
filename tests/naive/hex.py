"""Naive Hex on an NxN board: cell y*N+x, move N*N is the swap (swap-pieces)."""

from functools import cache

from tests.naive.walks import random_game

NEIGHBOURS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]


@cache
def near(size, cell):
    """Neighbours on the board."""
    around = [(cell % size + dx, cell // size + dy) for dx, dy in NEIGHBOURS]
    return [y * size + x for x, y in around if 0 <= x < size and 0 <= y < size]


@cache
def sides(size, player):
    """The cells of the player's first side and of the opposite one."""
    top, left = list(range(size)), [row * size for row in range(size)]
    if player == 0:
        return top, {cell + size * (size - 1) for cell in top}
    return left, {cell + size - 1 for cell in left}


class Board:
    """A position; player 0 joins top and bottom, player 1 joins left and right."""

    def __init__(self, size, swap=False):
        self.size = size
        self.swap = swap
        self.cells = [None] * (size * size)
        self.turn = 0

    @classmethod
    def from_stones(cls, size, stones, turn, swap=False):
        """Set-up position from a dict cell -> player."""
        assert set(stones) <= set(range(size * size)), "stone off the board"
        board = cls(size, swap)
        board.cells = [stones.get(cell) for cell in range(size * size)]
        board.turn = turn
        return board

    def copy(self):
        """Independent copy."""
        other = Board(self.size, self.swap)
        other.cells = list(self.cells)
        other.turn = self.turn
        return other

    def connected(self, player):
        """Whether `player` has a chain from one of its sides to the other."""
        begin, end = sides(self.size, player)
        todo = [cell for cell in begin if self.cells[cell] == player]
        seen = set(todo)
        while todo:
            cell = todo.pop()
            if cell in end:
                return True
            for other in near(self.size, cell):
                if self.cells[other] == player and other not in seen:
                    seen.add(other)
                    todo.append(other)
        return False

    def can_swap(self):
        """Whether this is the second player's first move, with the swap rule in force."""
        # In a game with alternating turns player 1 faces one lone stone of player 0
        # only here: after a swap it is player 0 who faces one lone stone.
        stones = [owner for owner in self.cells if owner is not None]
        return self.swap and self.turn == 1 and stones == [0] and not self.over()

    def empty(self):
        """Empty cells in order."""
        return [cell for cell, owner in enumerate(self.cells) if owner is None]

    def legal(self):
        """Sorted legal moves; [] exactly when the game is over."""
        if self.over():
            return []
        return self.empty() + ([self.size * self.size] if self.can_swap() else [])

    def over(self):
        """Whether a player has connected."""
        return self.connected(0) or self.connected(1)

    def play(self, move):
        """Make a move; a stone may also be put down after the game is decided (playouts)."""
        n = self.size
        if move == n * n:
            assert self.can_swap(), "swap not available"
            stone = self.cells.index(0)
            x, y = stone % n, stone // n
            self.cells[stone] = None
            self.cells[x * n + y] = 1  # the mirrored cell: column y, row x
        else:
            assert self.cells[move] is None, f"cell {move} is occupied"
            self.cells[move] = self.turn
        self.turn = 1 - self.turn

    def result(self):
        """1.0 if player 0 has connected, 0.0 if player 1 has; Hex has no draws."""
        assert self.over(), "no result yet"
        return 1.0 if self.connected(0) else 0.0


def playout(board, rng):
    """Uniform random stones (no swap) until the board is full; (result, length, first)."""
    return random_game(board, rng, board.empty)


def bridge_replies(board, last):
    """Where the player to move can keep a bridge that the last move has broken.

    A bridge is two stones, or a stone and an edge of the player's, with two cells between them that
    both touch; the last move lies on one of these and the other is empty.
    """
    if last is None:
        return set()
    n = board.size
    x, y = last % n, last // n

    def ours(a, b):
        if 0 <= a < n and 0 <= b < n:
            return board.cells[b * n + a] == board.turn
        return not 0 <= (b if board.turn == 0 else a) < n

    around = [(x + dx, y + dy) for dx, dy in NEIGHBOURS]
    found = set()
    for a, b in around:
        if 0 <= a < n and 0 <= b < n and board.cells[b * n + a] is None:
            both = [p for p in around if (p[0] - a, p[1] - b) in NEIGHBOURS]
            assert len(both) == 2
            if all(ours(*p) for p in both):
                found.add(b * n + a)
    return found
