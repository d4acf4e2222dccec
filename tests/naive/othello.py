"""Naive Othello on the 8x8 board: cell y*8+x, row 0 at the top, move 64 is the pass."""

from functools import cache

from tests.naive import walks

PASS = 64
DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]


@cache
def rays(cell):
    """The cells in each direction, to the edge of the board."""
    found = []
    for dx, dy in DIRECTIONS:
        spots = [(cell % 8 + n * dx, cell // 8 + n * dy) for n in range(1, 8)]
        found.append([y * 8 + x for x, y in spots if 0 <= x < 8 and 0 <= y < 8])
    return found


class Board:
    """A position; player 0 is Black and moves first, player 1 is White."""

    def __init__(self):
        self.cells = [None] * 64
        self.cells[3 * 8 + 3] = 1  # d4
        self.cells[4 * 8 + 4] = 1  # e5
        self.cells[3 * 8 + 4] = 0  # e4
        self.cells[4 * 8 + 3] = 0  # d5
        self.turn = 0

    @classmethod
    def from_stones(cls, stones, turn):
        """Set-up position from a dict cell -> player."""
        assert set(stones) <= set(range(64)), "disc off the board"
        board = cls()
        board.cells = [stones.get(cell) for cell in range(64)]
        board.turn = turn
        return board

    def copy(self):
        """Independent copy."""
        other = Board()
        other.cells = list(self.cells)
        other.turn = self.turn
        return other

    def flips(self, cell, player):
        """Cells turned over if `player` puts a disc on `cell`; [] if occupied or no flip."""
        if self.cells[cell] is not None:
            return []
        flipped = []
        for ray in rays(cell):
            line = []
            for other in ray:
                if self.cells[other] != 1 - player:
                    if self.cells[other] == player:
                        flipped += line
                    break
                line.append(other)
        return flipped

    def placements(self, player):
        """Cells on which `player` would flip at least one disc."""
        return [cell for cell in range(64) if self.flips(cell, player)]

    def legal(self):
        """Sorted legal moves; [] exactly when the game is over."""
        moves = self.placements(self.turn)
        if moves:
            return moves
        return [PASS] if self.placements(1 - self.turn) else []

    def over(self):
        """Whether neither player can flip anything."""
        return not self.placements(0) and not self.placements(1)

    def play(self, move):
        """Make a move for the player to move."""
        if move == PASS:
            assert self.legal() == [PASS], "pass while a flip is possible, or after the end"
        else:
            flipped = self.flips(move, self.turn)
            assert flipped, f"illegal move {move}"
            for cell in [move, *flipped]:
                self.cells[cell] = self.turn
        self.turn = 1 - self.turn

    def result(self):
        """1.0 if Black has more discs, 0.0 if White has, 0.5 if equal."""
        black, white = self.cells.count(0), self.cells.count(1)
        if black == white:
            return 0.5
        return 1.0 if black > white else 0.0


playout = walks.playout
