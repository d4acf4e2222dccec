"""Go's heavy playout policy, slow and obvious, on the naive board.

A part of the policy is a function from a `Moment` to a set of points; the first part that is not
empty decides. Random moves of the last part are a mapping, since one point may stand for another.
"""

from collections import Counter

from tests.naive.go import DIAGONAL, ORTHOGONAL, around

# The point to be played is +. X Black, O White, . empty, x not Black, o not White (both on the
# board), ? anything, _ outside.
PATTERNS = [
    ("hane1", "XOX .+. ???", "either"),
    ("hane2", "XO. .+. ?.?", "either"),
    ("hane3", "XO? X+. x.?", "either"),
    ("hane4", "XOO .+. ?.?", "X"),
    ("cut1", "XO? O+? ???", "either"),
    ("cut2", "?O? X+X ooo", "either"),
    ("edge1", "X.? O+? ___", "either"),
    ("edge2", "?X? o+O ___", "either"),
    ("edge3", "?XO ?+? ___", "X"),
    ("edge4", "?XO o+x ___", "O"),
    ("edge5", "?XO X+O ___", "O"),
]
COVERS = {"X": "X", "O": "O", ".": ".", "x": ".O", "o": ".X", "?": "XO._", "_": "_", "+": "."}
NAKADE = {
    3: [(1, 1, 2)],
    4: [(2, 2, 2, 2), (1, 1, 1, 3)],  # square, pyramid
    5: [(1, 1, 1, 1, 4), (1, 2, 2, 2, 3)],  # cross, bulky five
    6: [(1, 1, 2, 2, 2, 4)],  # rabbity six
}
WEIGHT = 13  # of every prior: 9 for the kind of move, 4 for its distance


class Moment:
    """A board, and the points of the last move and of the one before; None for a pass."""

    def __init__(self, board, last=None, last2=None):
        self.board = board
        self.last = last
        self.last2 = last2

    @property
    def me(self):
        return self.board.turn

    @property
    def points(self):
        return range(self.board.size**2)

    def play(self, move):
        point = None if move == self.board.size**2 else move
        board = self.board.copy()
        board.play(move)
        return Moment(board, point, self.last)

    def chain(self, point):
        """(stones, liberties)"""
        return self.board.chain(self.board.cells, point)

    def chains_beside(self, stones, colour):
        """The chains of a colour that touch these stones, each as (stones, liberties)."""
        found = {}
        for stone in stones:
            for near in self.board.near(stone):
                if self.board.cells[near] == colour:
                    chain, liberties = self.chain(near)
                    found[min(chain)] = chain, liberties
        return list(found.values())


def legal(now, point):
    """No suicide and not the point of a simple ko."""
    return now.board.allowed(point, superko=False)


def chain_after(now, point):
    """(stones, liberties) of the new stone's chain, captured stones being off the board."""
    cells, _ = now.board.after(point)
    return now.board.chain(cells, point)


def self_atari(now, point):
    return len(chain_after(now, point)[1]) == 1


def eye_like(now, point, colour):
    """Shut in by chains of one colour, none of them in atari."""
    board = now.board
    return board.cells[point] is None and all(
        board.cells[near] == colour and len(now.chain(near)[1]) > 1 for near in board.near(point)
    )


def nakade_shape(size, stones):
    degrees = sorted(sum(near in stones for near in around(size, s, ORTHOGONAL)) for s in stones)
    return tuple(degrees) in NAKADE.get(len(stones), [])


def gains(now, chain, point):
    """Whether the chain, which has two liberties, has three or more with a stone on one of them."""
    stones, liberties = chain
    if len(liberties) != 2 or point not in liberties:
        return False
    cells = list(now.board.cells)
    cells[point] = cells[min(stones)]
    return len(now.board.chain(cells, point)[1]) >= 3


# 3x3 patterns


def neighbourhood(board, point):
    """Nine symbols in rows from the top, the point itself in the middle."""
    size = board.size

    def symbol(x, y):
        on_board = 0 <= x < size and 0 <= y < size
        return {None: ".", 0: "X", 1: "O"}[board.cells[y * size + x]] if on_board else "_"

    x, y = point % size, point // size
    return ["".join(symbol(x + dx, y + dy) for dx in (-1, 0, 1)) for dy in (-1, 0, 1)]


def symmetries(rows):
    """All rotations and reflections of a square of symbols."""
    for _ in range(4):
        rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
        yield rows
        yield [row[::-1] for row in rows]


def covers(name, pattern, rows):
    east, south = rows[1][2], rows[2][1]
    if name == "cut1" and (east, south) in (("O", "."), (".", "O")):
        return False
    return all(map(str.__contains__, map(COVERS.get, pattern.replace(" ", "")), "".join(rows)))


def matching_patterns(rows, colour):
    """Names of the patterns that a neighbourhood matches for the player who would move there."""
    seen = list(symmetries(rows))
    swapped = list(symmetries([row.translate(str.maketrans("XO", "OX")) for row in rows]))
    views = {
        "either": seen + swapped,
        "X": seen if colour == 0 else swapped,
        "O": seen if colour == 1 else swapped,
    }
    return {
        name
        for name, pattern, who in PATTERNS
        if any(covers(name, pattern, turned) for turned in views[who])
    }


def matches(now, point):
    return bool(matching_patterns(neighbourhood(now.board, point), now.me))


# The parts in their order


def capture(now):
    if now.last is None:
        return set()
    _, liberties = now.chain(now.last)
    return {p for p in liberties if len(liberties) == 1 and legal(now, p)}


def save(now):
    found = set()
    for stones, liberties in _mine_beside_last(now):
        if len(liberties) != 1:
            continue
        found |= {p for p in liberties if legal(now, p) and not self_atari(now, p)}
        for _, theirs in now.chains_beside(stones, 1 - now.me):
            found |= {q for q in theirs if len(theirs) == 1 and legal(now, q)}
    return found


def liberties(now):
    if now.last is None:
        return set()
    return {
        p
        for chain in [now.chain(now.last), *_mine_beside_last(now)]
        for p in chain[1]
        if gains(now, chain, p) and legal(now, p) and not self_atari(now, p)
    }


def pattern(now):
    size = now.board.size
    near = {
        p
        for centre in (now.last, now.last2)
        if centre is not None
        for p in around(size, centre, ORTHOGONAL + DIAGONAL)
    }
    return {p for p in near if legal(now, p) and matches(now, p) and not self_atari(now, p)}


def prey(now):
    return {
        p
        for point in now.points
        if now.board.cells[point] == 1 - now.me
        for p in now.chain(point)[1]
        if len(now.chain(point)[1]) == 1 and legal(now, p)
    }


def _mine_beside_last(now):
    return [] if now.last is None else now.chains_beside({now.last}, now.me)


PARTS = {
    "capture": capture,
    "save": save,
    "liberties": liberties,
    "pattern": pattern,
    "prey": prey,
}
ALL_PARTS = frozenset([*PARTS, "shape", "mercy", "score"])


def decided(now, parts=ALL_PARTS):
    """(name, candidates) of the first part that has any, or (None, empty)."""
    for name, part in PARTS.items():
        if name in parts and (found := part(now)):
            return name, found
    return None, set()


def random_moves(now, shape=True):
    """What is played for each point that the last part accepts."""
    return {
        p: move
        for p in now.points
        if legal(now, p)
        and not eye_like(now, p, now.me)
        and (move := _shaped(now, p) if shape else p) is not None
    }


def _shaped(now, p):
    """The move played for a point: itself, the chain's one liberty, or none."""
    stones, free = chain_after(now, p)
    if len(free) != 1:
        return p
    (q,) = free
    if (
        now.board.cells[q] is None
        and legal(now, q)
        and not eye_like(now, q, now.me)
        and not self_atari(now, q)
    ):
        return q
    if len(stones) <= 2:
        return p
    return p if nakade_shape(now.board.size, stones) and _inside(now, stones, {p, q}) else None


def _inside(now, stones, points):
    """Whether the enemy chains beside those stones have no liberties but these points."""
    beside = now.chains_beside(stones, 1 - now.me)
    return all(set(liberties) <= points for _, liberties in beside)


def choices(now, parts=ALL_PARTS):
    """How often each move is chosen, as a share; the pass is the move behind the points."""
    _, found = decided(now, parts)
    counts = Counter(found or random_moves(now, "shape" in parts).values())
    if not counts:
        return {now.board.size**2: 1.0}
    return {move: count / counts.total() for move, count in counts.items()}


# The end of a playout


def mercy_difference(size):
    """Stones on the board that one player has more when a playout is given up."""
    return round(24 * size * size / 81)


def stone_lead(board):
    return board.cells.count(0) - board.cells.count(1)


def value(lead, size, komi, score=True):
    """Black's result for a lead, komi being taken off already."""
    if lead == 0:
        return 0.5
    bonus = 0.02 * lead / (size * size + abs(komi))
    if not score:
        return float(lead > 0)
    return 0.98 + bonus if lead > 0 else 0.02 + bonus


def playout(now, rng, parts=ALL_PARTS):
    """(Black's result, length) with a random number generator of Python's own."""
    size, komi, length = now.board.size, now.board.komi, 0
    while not now.board.over() and length < 3 * size * size:
        shares = choices(now, parts)
        now = now.play(rng.choices(list(shares), list(shares.values()))[0])
        length += 1
        if "mercy" in parts and abs(stone_lead(now.board)) >= mercy_difference(size):
            return value(stone_lead(now.board) - komi, size, komi, "score" in parts), length
    lead = now.board.area(0) - now.board.area(1) - komi
    return value(lead, size, komi, "score" in parts), length


# Priors


def prior(now, move):
    """The value that a legal move has before its first playout."""
    if move == now.board.size**2:
        return 0.1
    kind = _prior_by_kind(now, move)
    if now.last is None:
        return kind
    return (9 * kind + 4 * _prior_by_distance(now, move)) / WEIGHT


def _prior_by_kind(now, move):
    if self_atari(now, move):
        return 0.1
    if move in decided(now, set(PARTS) - {"prey"})[1]:
        return 1.0
    if any(len(free) <= 2 for _, free in now.chains_beside({move}, 1 - now.me)):
        return 0.8  # one liberty is taken: the chain is captured or in atari
    return 0.6 if matches(now, move) else 0.4


def _prior_by_distance(now, move):
    stones, free = now.chain(now.last)
    if move in free:
        return 1.0
    beside = {near for liberty in free for near in now.board.near(liberty)}
    for _, others in now.chains_beside(stones, now.me):
        beside |= others
    return 0.6 if move in beside else 0.1
