"""Naive Go on an NxN board: point y*N+x, row 0 at the top, move N*N is the pass."""

import functools

ORTHOGONAL = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))


@functools.cache
def around(size, point, steps):
    """The points on the board at the given (dx, dy) steps from a point."""
    spots = [(point % size + dx, point // size + dy) for dx, dy in steps]
    return tuple(y * size + x for x, y in spots if 0 <= x < size and 0 <= y < size)


class Board:
    """A position with its ko point, passes in a row and the set of earlier boards."""

    def __init__(self, size, komi=7.5, superko=True):
        self.size = size
        self.komi = komi
        self.superko = superko
        self.cells = [None] * (size * size)
        self.turn = 0
        self.ko = None  # point forbidden by simple ko for this one move
        self.passes = 0  # passes in a row up to now
        self.earlier = {tuple(self.cells)}  # all boards so far, the present one included

    @classmethod
    def from_stones(cls, size, stones, turn, komi=7.5, superko=True):
        """Set-up position from a dict point -> player; counts as the start of its game."""
        assert set(stones) <= set(range(size * size)), "stone off the board"
        board = cls(size, komi, superko)
        board.cells = [stones.get(point) for point in range(size * size)]
        board.turn = turn
        board.earlier = {tuple(board.cells)}
        for point, owner in enumerate(board.cells):
            if owner is not None:
                assert board.chain(board.cells, point)[1], f"no liberty at {point}"
        return board

    def copy(self):
        """Independent copy."""
        other = Board(self.size, self.komi, self.superko)
        other.cells = list(self.cells)
        other.turn, other.ko, other.passes = self.turn, self.ko, self.passes
        other.earlier = set(self.earlier)
        return other

    def near(self, point):
        """Orthogonal neighbours on the board."""
        return around(self.size, point, ORTHOGONAL)

    def chain(self, cells, point):
        """Points joined to `point` with the same content, and the empty points next to them."""
        seen, todo, liberties = {point}, [point], set()
        size, content = self.size, cells[point]
        while todo:
            for other in around(size, todo.pop(), ORTHOGONAL):
                if cells[other] is None:
                    liberties.add(other)
                if cells[other] == content and other not in seen:
                    seen.add(other)
                    todo.append(other)
        return seen, liberties

    def after(self, point):
        """(cells, captured points) once the mover puts a stone on an empty point."""
        cells = list(self.cells)
        cells[point] = self.turn
        captured = set()
        for other in self.near(point):
            if cells[other] == 1 - self.turn:
                stones, liberties = self.chain(cells, other)
                if not liberties:
                    captured |= stones
        for other in captured:
            cells[other] = None
        return cells, captured

    def allowed(self, point, superko):
        """Whether a stone may be put on `point`, under superko or simple ko."""
        if self.cells[point] is not None or (point == self.ko and not superko):
            return False
        # Shortcut: next to an empty point the new stone has a liberty, so it is no suicide.
        if not superko and any(self.cells[other] is None for other in self.near(point)):
            return True
        cells, _ = self.after(point)
        if not self.chain(cells, point)[1]:
            return False
        return not superko or tuple(cells) not in self.earlier

    def legal(self):
        """Sorted legal moves, pass last; [] exactly when the game is over."""
        if self.over():
            return []
        points = range(self.size * self.size)
        return [p for p in points if self.allowed(p, self.superko)] + [self.size * self.size]

    def play(self, move):
        """Make a move; ko and superko are not checked here, only in legal() and playout()."""
        self.ko = None
        if move == self.size * self.size:
            self.passes += 1
        else:
            assert self.cells[move] is None, f"point {move} is occupied"
            self.cells, captured = self.after(move)
            stones, liberties = self.chain(self.cells, move)
            assert liberties, f"suicide at {move}"
            if len(captured) == 1 and len(stones) == 1 and len(liberties) == 1:
                self.ko = min(captured)
            self.passes = 0
            self.earlier.add(tuple(self.cells))
        self.turn = 1 - self.turn

    def over(self):
        """Whether the last two moves were passes."""
        return self.passes >= 2

    def area(self, player):
        """Stones of the player plus the empty regions that touch this colour only."""
        total, done = self.cells.count(player), set()
        for point, owner in enumerate(self.cells):
            if owner is None and point not in done:
                region, _ = self.chain(self.cells, point)
                done |= region
                edge = {self.cells[other] for inner in region for other in self.near(inner)}
                if edge - {None} == {player}:
                    total += len(region)
        return total

    def result(self):
        """1.0 if Black's area minus White's minus komi is positive, 0.0 negative, else 0.5."""
        margin = self.area(0) - self.area(1) - self.komi
        if margin == 0:
            return 0.5
        return 1.0 if margin > 0 else 0.0

    def own_eye(self, point, player):
        """Whether the empty point is an eye that playouts of the player do not fill."""
        if any(self.cells[other] != player for other in self.near(point)):
            return False
        corners = around(self.size, point, DIAGONAL)
        enemies = sum(self.cells[other] == 1 - player for other in corners)
        return enemies <= (1 if len(corners) == 4 else 0)


def playout(board, rng):
    """Random moves, simple ko, no own eye filled; (result, length, first move or None)."""
    points = board.size * board.size
    first, length = None, 0
    while not board.over() and length < 3 * points:
        empty = [p for p in range(points) if board.cells[p] is None]
        rng.shuffle(empty)
        good = (
            p for p in empty if board.allowed(p, superko=False) and not board.own_eye(p, board.turn)
        )
        move = next(good, points)
        if length == 0:
            first = move
        board.play(move)
        length += 1
    return board.result(), length, first
