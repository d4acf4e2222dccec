"""Go's heavy playout policy, slow and obvious, on the naive board.

A part of the policy is a function from a `Moment` to a set of points; the first part that is not
empty decides. What is played is a mapping, since a point may stand for another one.
"""

import gzip
import math
from collections import Counter
from functools import cache
from pathlib import Path

from tests.naive.go import DIAGONAL, ORTHOGONAL, around

# Who may play a pattern move, by the eight points around, as Fuego 1.1 itself answered.
FACTS = Path(__file__).parents[1] / "data" / "go_patterns.txt.gz"
# Trained priors: the power of a move's share, the width of a step in thousandths, their weight.
POWER, STEP, TRUST = 0.25, 64, 10
NAKADE = {
    3: [(1, 1, 2)],
    4: [(2, 2, 2, 2), (1, 1, 1, 3)],  # square, pyramid
    5: [(1, 1, 1, 1, 4), (1, 2, 2, 2, 3)],  # cross, bulky five
    6: [(1, 1, 2, 2, 2, 4)],  # rabbity six
}


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
        return {None: ".", 0: "X", 1: "O"}[board.cells[y * size + x]] if on_board else "#"

    x, y = point % size, point // size
    return ["".join(symbol(x + dx, y + dy) for dx in (-1, 0, 1)) for dy in (-1, 0, 1)]


def symmetries(rows):
    """All rotations and reflections of a square of symbols."""
    for _ in range(4):
        rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
        yield rows
        yield [row[::-1] for row in rows]


@cache
def pattern_facts():
    lines = gzip.decompress(FACTS.read_bytes()).decode().splitlines()
    return {around: int(players) for around, players in map(str.split, lines)}


def pattern_players(rows):
    """Who may play a pattern move there: 0 nobody, 1 Black, 2 White, 3 both."""
    for turned in symmetries(rows):
        around = "".join(turned)
        if (key := around[:4] + around[5:]) in pattern_facts():
            return pattern_facts()[key]
    raise AssertionError(rows)


def matches(now, point):
    return bool(pattern_players(neighbourhood(now.board, point)) & 1 + now.me)


# The parts in their order


def fit(now, point):
    """Whether a move may be played at all: legal, and not into an own eye."""
    return legal(now, point) and not eye_like(now, point, now.me)


def capture(now):
    if now.last is None:
        return set()
    _, liberties = now.chain(now.last)
    return {p for p in liberties if len(liberties) == 1 and fit(now, p)}


def save(now):
    found = set()
    for stones, liberties in _mine_beside_last(now):
        if len(liberties) != 1:
            continue
        found |= {p for p in liberties if fit(now, p) and not self_atari(now, p)}
        for _, theirs in now.chains_beside(stones, 1 - now.me):
            found |= {q for q in theirs if len(theirs) == 1 and fit(now, q)}
    return found


def liberties(now):
    if now.last is None:
        return set()
    return {
        p
        for chain in [now.chain(now.last), *_mine_beside_last(now)]
        if not tied(now, chain)
        for p in chain[1]
        if gains(now, chain, p) and fit(now, p) and not self_atari(now, p)
    }


def tied(now, chain):
    """Whether both of a chain's liberties touch one other chain of its colour."""
    stones, liberties = chain
    colour = now.board.cells[min(stones)]
    if len(liberties) != 2:
        return False
    first, second = ({min(other) for other, _ in now.chains_beside({p}, colour)} for p in liberties)
    return bool(first & second - {min(stones)})


def pattern(now):
    size = now.board.size
    near = {
        p
        for centre in (now.last, now.last2)
        if centre is not None
        for p in around(size, centre, ORTHOGONAL + DIAGONAL)
    }
    return {p for p in near if fit(now, p) and matches(now, p) and not self_atari(now, p)}


def prey(now):
    return {
        p
        for point in now.points
        if now.board.cells[point] == 1 - now.me
        for p in now.chain(point)[1]
        if len(now.chain(point)[1]) == 1 and fit(now, p)
    }


def random(now):
    return {p for p in now.points if fit(now, p)}


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


def shaped(now, p):
    """The move played for a point: itself, the chain's one other liberty, or None if refused."""
    _, free = chain_after(now, p)
    if len(free) != 1:
        return p
    (q,) = free
    if now.board.cells[q] is None and legal(now, q) and not self_atari(now, q):
        return q
    enemy = Moment(now.board.copy())
    enemy.board.turn = 1 - now.me
    return None if wasted(now, p) and wasted(enemy, p) else p


def wasted(now, p):
    """Whether a move is self-atari of more than two stones that have no nakade shape."""
    stones, free = chain_after(now, p)
    return len(free) == 1 and len(stones) > 2 and not nakade_shape(now.board.size, stones)


def played(now, found, shape=True):
    """What is played for each candidate that is not refused."""
    answers = {p: shaped(now, p) if shape else p for p in found}
    return {p: move for p, move in answers.items() if move is not None}


def decided(now, parts=ALL_PARTS):
    """(name, candidates) of the first part that has any, or (None, empty)."""
    for name, part in PARTS.items():
        if name in parts and (found := part(now)):
            return name, found
    return None, set()


def choices(now, parts=ALL_PARTS):
    """How often each move is chosen, as a share; the pass is the move behind the points."""
    for part in [*(PARTS[name] for name in PARTS if name in parts), random]:
        counts = Counter(played(now, part(now), "shape" in parts).values())
        if counts:
            return {move: count / counts.total() for move, count in counts.items()}
    return {now.board.size**2: 1.0}


# The end of a playout


def mercy_difference(size):
    """Stones on the board that one player has more when a playout is given up: three tenths."""
    return 3 * size * size // 10


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


def mercy_value(lead, komi):
    """Black's result of a playout that was given up, with no bonus."""
    return 1.0 if lead > komi else 0.0


def playout(now, rng, parts=ALL_PARTS):
    """(Black's result, length) with a random number generator of Python's own."""
    size, komi, length = now.board.size, now.board.komi, 0
    while not now.board.over() and length < 3 * size * size:
        shares = choices(now, parts)
        now = now.play(rng.choices(list(shares), list(shares.values()))[0])
        length += 1
        if "mercy" in parts and abs(stone_lead(now.board)) >= mercy_difference(size):
            return mercy_value(stone_lead(now.board), komi), length
    lead = now.board.area(0) - now.board.area(1) - komi
    return value(lead, size, komi, "score" in parts), length


# The tree: which moves it has, and their priors


def surrounded(board, point, colour):
    return board.cells[point] is None and all(
        board.cells[near] == colour for near in board.near(point)
    )


def simple_eye(board, point, colour):
    """Surrounded, with three of four diagonal points one's own, or all of them at the edge.

    Two such points at each other's diagonal, each of which lacks only the other, are eyes too.
    """

    def lacking(point, granted):
        corners = around(board.size, point, DIAGONAL)
        theirs = sum(board.cells[corner] != colour and corner != granted for corner in corners)
        return theirs > (1 if len(corners) == 4 else 0)

    return surrounded(board, point, colour) and any(
        not lacking(point, other) and (other is None or not lacking(other, point))
        for other in [None, *around(board.size, point, DIAGONAL)]
        if other is None or surrounded(board, other, colour)
    )


def tree_moves(now):
    """Legal moves without own simple eyes, and the pass."""
    eyes = {p for p in now.points if simple_eye(now.board, p, now.me)}
    return {p for p in now.points if legal(now, p)} - eyes | {now.board.size**2}


def priors(now, found=None):
    """move -> (value, weight) before the first playout; (0, 0) for a move without knowledge.

    `found` are the candidates, if not those that the policy finds.
    """
    moves = tree_moves(now)
    if found is None:
        _, found = decided(now)
    kinds = {move: _kind(now, move, found) for move in moves}
    worth, weight = (1.0, 0.1, 0.8, 0.6, 0.4), 9
    if not found:
        worth, weight = (None, 0.1, 1.0, 0.9, 0.5), 3
        empty = [p for p in now.points if now.board.cells[p] is None]
        if not any(matches(now, p) or gives_atari(now, p) for p in empty):
            weight = 0
    values = dict(zip(("candidate", "bad", "atari", "pattern", "other"), worth, strict=True))
    distances = {} if now.last is None else common_fate(now)
    known = {}
    for move, kind in kinds.items():
        opinions = [(values[kind], 9 if kind == "bad" else weight)]
        if now.last is not None:
            distance = distances.get(move, 4)
            opinions.append((1.0 if distance == 1 else 0.6 if distance <= 3 else 0.1, 4))
        total = sum(weight for _, weight in opinions)
        mean = sum(value * weight for value, weight in opinions) / total if total else 0.0
        known[move] = mean, total
    return known


def trained_priors(now, data):
    """move -> (value, weight) by the weights of a file, as its JSON says."""
    size = now.board.size
    part, found = decided(now)
    part_number = 0 if part is None else 1 + list(PARTS).index(part)
    stones = sum(cell is not None for cell in now.board.cells) * 81 // size**2
    phase = sum(stones >= begin for begin in (6, 12, 24, 40))
    distances = {} if now.last is None else common_fate(now)
    likely = {}
    for move in tree_moves(now):
        if move == size**2:
            likely[move] = data["passes"][now.board.passes > 0]
            continue
        x, y = move % size, move // size
        distance = distances.get(move, 4)
        taken, saves, given = _tactics(now, move)
        likely[move] = (
            _neighbourhood_weight(now, move, data["around"])
            + data["tactics"][taken][saves][given][gives_atari(now, move)]
            + data["candidacy"][part_number][move in found]
            + data["distances"][distance + 1 if distance <= 3 else 0]
            + data["places"][min(x, y, size - 1 - x, size - 1 - y, 4)][phase]
        )
    best = max(likely.values())
    below = {move: min((best - weight) // STEP, 255) for move, weight in likely.items()}
    return {move: (math.exp(-POWER * steps * STEP / 1000), TRUST) for move, steps in below.items()}


def _tactics(now, move):
    """Stones taken, whether an own chain in atari is extended, stones given up in self-atari."""
    stones, free = chain_after(now, move)
    captured = now.board.after(move)[1]
    lone_capture = len(stones) == 1 and captured
    given = len(stones) if len(free) == 1 and not lone_capture else 0
    saves = any(len(own) == 1 for _, own in now.chains_beside({move}, now.me))
    return min(len(captured), 2), saves, min(given, 3)


def _neighbourhood_weight(now, point, known):
    """Of the one way to turn it that is in the file; 0 if none is."""
    seen = str.maketrans("XO", "XO" if now.me == 0 else "OX")
    for turned in symmetries(neighbourhood(now.board, point)):
        around = "".join(turned).translate(seen)
        if (key := around[:4] + around[5:]) in known:
            return known[key]
    return 0


def _kind(now, move, found):
    if move in found:
        return "candidate"
    if move == now.board.size**2:
        return "bad"
    stones, free = chain_after(now, move)
    lone_capture = len(stones) == 1 and now.board.after(move)[1]
    if len(free) == 1 and not lone_capture:
        return "bad"
    if gives_atari(now, move):
        return "atari"
    return "pattern" if matches(now, move) else "other"


def gives_atari(now, point):
    return any(len(free) == 2 for _, free in now.chains_beside({point}, 1 - now.me))


def common_fate(now):
    """Distance of all points from the last move: a step within a chain is free."""
    board, distances, edge, distance = now.board, {}, {now.last}, 0
    while edge:
        reached = set()
        for point in edge:
            reached |= {point} if board.cells[point] is None else now.chain(point)[0]
        distances |= dict.fromkeys(reached, distance)
        edge = {near for point in reached for near in board.near(point)} - set(distances)
        distance += 1
    return distances
