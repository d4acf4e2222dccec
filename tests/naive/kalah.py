"""Naive Kalah: a ring of pits; a player who may sow again has the other pass."""

from tests.naive import walks


class Board:
    """A position; player 0 is South and moves first. Moves 0 to h - 1 are South's houses, from its
    left, h to 2h - 1 North's, from North's left; 2h is the pass."""

    def __init__(self, houses=6, seeds=4):
        self.houses = houses
        self.pits = [[seeds] * houses, [seeds] * houses]
        self.stores = [0, 0]
        self.turn = 0
        self.must_pass = False

    def copy(self):
        """Independent copy."""
        other = Board(self.houses)
        other.pits = [list(side) for side in self.pits]
        other.stores = list(self.stores)
        other.turn, other.must_pass = self.turn, self.must_pass
        return other

    def over(self):
        """Whether one side of the board is empty."""
        return not any(self.pits[0]) or not any(self.pits[1])

    def legal(self):
        """Sorted legal moves; [] exactly when the game is over."""
        if self.over():
            return []
        if self.must_pass:
            return [2 * self.houses]
        own = self.pits[self.turn]
        return [self.turn * self.houses + i for i in range(self.houses) if own[i] > 0]

    def play(self, move):
        """Make a move for the player to move."""
        assert move in self.legal(), f"illegal move {move}"
        me, other = self.turn, 1 - self.turn
        again = False
        if move < 2 * self.houses:
            again = self.sow(me, move - me * self.houses)
        self.turn, self.must_pass = other, again

    def sow(self, me, house):
        """Seed by seed; whether the last one fell into the own store."""
        side, at = me, house
        hand, self.pits[me][house] = self.pits[me][house], 0
        for _ in range(hand):
            at += 1
            if (at == self.houses and side != me) or at > self.houses:
                side, at = 1 - side, 0  # the opponent's store is left out
            if at == self.houses:
                self.stores[me] += 1
            else:
                self.pits[side][at] += 1
        if at == self.houses:
            return True
        opposite = self.houses - 1 - at
        if side == me and self.pits[me][at] == 1 and self.pits[1 - me][opposite] > 0:
            self.stores[me] += 1 + self.pits[1 - me][opposite]
            self.pits[me][at] = self.pits[1 - me][opposite] = 0
        return False

    def lead(self):
        """South's seeds minus North's, if everybody keeps what is on their side."""
        south, north = (sum(self.pits[i]) + self.stores[i] for i in (0, 1))
        return south - north

    def result(self):
        """1.0 if South has more seeds, 0.0 if North has, 0.5 if equal."""
        return 0.5 if self.lead() == 0 else float(self.lead() > 0)


playout = walks.playout
