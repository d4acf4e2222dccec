"""Go's heavy playouts: what every part plays and never plays, by diagrams and by the slow twin."""

import itertools
import json
import random
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tests.naive import go, go_policy
from uctlab.games import Position, make_game
from uctlab.games.go import candidates, trained_weights
from uctlab.games.go.board import code_of, index_of
from uctlab.games.go.choice import better_shape
from uctlab.games.go.exact import prepare
from uctlab.games.go.eyes import simple_eye
from uctlab.games.go.patterns import AROUND, pattern_table
from uctlab.games.go.policy import PARTS, outcome_of
from uctlab.games.go.shape import gains, nakade, self_atari
from uctlab.kernels import seed_rng, specialise

FILE = Path(__file__).parent / "data" / "go_policy.txt"
LOCAL = ("capture", "save", "liberties", "pattern")
SIZES = (5, 9)
TRAINED = json.loads(trained_weights.FILE.read_text(encoding="utf-8"))


def read_cases():
    """Name, board, moves and what is expected, of each case in the file."""
    text = "\n".join(line for line in FILE.read_text().splitlines() if not line.startswith("#"))
    for block in text.split("= ")[1:]:
        name, *lines = filter(None, block.splitlines())
        end = next(i for i, line in enumerate(lines) if line.startswith("moves "))
        facts = dict(line.split(": ") for line in lines[end + 1 :])
        yield pytest.param("\n".join(lines[:end]), lines[end][6:], facts, id=name)


CASES = list(read_cases())


class Kernels:
    """The policy's kernels as plain Python, which compiles nothing, asked for sets of moves."""

    def __init__(self, size):
        self.game = make_game(f"go:{size}").interpreted()
        self.out = self.game.new_out()
        self.bound = {}

    def bind(self, template, *parts):
        if (template, parts) not in self.bound:
            flags = {name.upper(): name in parts for name in PARTS}
            self.bound[template, parts] = specialise(
                template,
                interpret=True,
                game=self.game.constants,
                policy=flags,
                playout={"TRACE": False},
            )
        return self.bound[template, parts]

    def state(self, position):
        """A copy with its liberties counted, as the policy takes it."""
        copy = position.game.new_states(1)
        copy[0] = position.state
        self.bind(prepare)(copy[0])
        return copy[0]

    def at(self, point):
        return self.bind(index_of)(point)

    def ask(self, template, s, point, *more):
        """A kernel's answer about a point and the player to move."""
        return self.bind(template)(s, self.at(point), np.int64(s.turn + 1), *more)

    def part(self, name, s):
        """Candidates of one part."""
        me = np.int64(s.turn + 1)
        if name == "prey":
            known = self.bind(candidates.note_all)(s)
            count, _ = self.bind(candidates.prey_moves)(s, me, known, self.out)
            count = self.bind(candidates.keep_fit)(s, me, self.out, count, False)
        else:
            last, last2 = np.uint64(s.last), np.uint64(s.last2)
            count, _ = self.bind(candidates.local_moves, name)(s, last, last2, me, self.out)
        found = [int(self.bind(code_of)(at)) for at in self.out[:count]]
        assert len(set(found)) == len(found)
        return set(found)

    def random(self, s):
        """Points where a random move may be made."""
        points = {int(self.bind(code_of)(at)) for at in s.empties[: s.count]}
        return {point for point in points if self.ask(candidates.fit, s, point)}

    def played(self, s, points):
        """What is played for each of them that is not refused."""
        answers = {point: self.ask(better_shape, s, point) for point in points}
        return {point: int(self.bind(code_of)(at)) for point, at in answers.items() if at}


@cache
def kernels(size):
    return Kernels(size)


def twin(position):
    """The same moment on the naive board."""
    first = position.first
    size = round(len(first.stones) ** 0.5)
    stones = {cell: int(owner) - 1 for cell, owner in enumerate(first.stones) if owner}
    board = go.Board.from_stones(size, stones, first.turn, superko=False)
    now = go_policy.Moment(board)
    for move in position.moves:
        now = now.play(move)
    return now


# By diagrams


@pytest.mark.parametrize(("diagram", "moves", "facts"), CASES)
def test_diagrams(diagram, moves, facts):
    game = kernels(7).game
    position = Position.from_diagram(game, diagram).play_all(moves)
    now, s = twin(position), kernels(7).state(position)
    for name, text in facts.items():
        points = {game.parse_move(point) for point in text.split() if text != "none"}
        if name in go_policy.PARTS:
            for found in (go_policy.PARTS[name](now), kernels(7).part(name, s)):
                assert named(found) == named(points), name
        else:
            for chosen in (set(go_policy.choices(now)), kernel_choices(s)):
                if name == "plays":
                    assert named(chosen) == named(points)
                elif name == "may":
                    assert points <= chosen
                else:
                    assert name == "never" and not points & chosen


def named(points):
    return sorted(kernels(7).game.move_name(point) for point in points)


def kernel_choices(s):
    own = kernels(7)
    for found in [*(own.part(name, s) for name in go_policy.PARTS), own.random(s)]:
        if played := own.played(s, found):
            return set(played.values())
    return {49}


def test_every_part_has_cases():
    """One that it plays and one that it does not, and moves that are never made."""
    for name in go_policy.PARTS:
        facts = [case.values[2][name] for case in CASES if name in case.values[2]]
        assert "none" in facts and len(set(facts)) > 1, name
    assert sum("never" in case.values[2] for case in CASES) >= 4


# Against the twin

SYMBOLS = {".": 0, "X": 1, "O": 2, "#": 3}
# Which of the eight points around are outside the board: in the middle, on edges, in corners.
OUTSIDE = [(), (0, 1, 2), (5, 6, 7), (0, 3, 5), (2, 4, 7)]
OUTSIDE += [tuple({*a, *b}) for a, b in itertools.product(OUTSIDE[1:3], OUTSIDE[3:])]


def test_all_neighbourhoods():
    """In the middle, at all edges and in all corners, against what Fuego 1.1 answered."""
    table = pattern_table()
    assert tuple((x, y) for y in (-1, 0, 1) for x in (-1, 0, 1) if x or y) == AROUND
    counts = Counter()
    for outside in OUTSIDE:
        for around in itertools.product(*["#" if i in outside else ".XO" for i in range(8)]):
            number = sum(SYMBOLS[symbol] << 2 * i for i, symbol in enumerate(around))
            rows = ["".join(around[:3]), f"{around[3]}.{around[4]}", "".join(around[5:])]
            players = table[number >> 2] >> 2 * (number & 3) & 3  # four in a byte
            assert players == go_policy.pattern_players(rows), rows
            counts[len(outside), int(players)] += 1
    assert len(counts) == 4 + 4 + 1 and counts[5, 0] == 4 * 27


def moments(size, number):
    """Of games half by chance, half by the twin's policy; a pass now and then. (s, twin)"""
    rng = random.Random(f"moments {size}")
    game, made = kernels(size).game, 0
    while made < number:
        position = Position.start(game)
        s, now = position.state, twin(position)
        heavy = rng.random() < 0.5
        for _ in range(3 * size * size):
            if now.board.over() or made == number:
                break
            if rng.random() < 0.15:
                made += 1
                yield kernels(size).state(position), now
            if rng.random() < 0.03:
                move = size * size
            elif heavy:
                shares = go_policy.choices(now)
                move = rng.choices(list(shares), list(shares.values()))[0]
            else:
                points = [p for p in now.points if go_policy.legal(now, p)]
                move = rng.choice(points or [size * size])
            game.kernels.play(s, np.int16(move))
            now = now.play(move)


@pytest.mark.parametrize(("size", "number"), [(5, 45), (9, 6)])
def test_random_positions(size, number):
    """Every part's candidates, and what they are made of, point by point; priors of all moves."""
    own = kernels(size)
    seen = Counter()
    for s, now in moments(size, number):
        where = (now.board.cells, now.last, now.last2, now.me)
        for name, part in go_policy.PARTS.items():
            wanted = part(now)
            assert own.part(name, s) == wanted, (name, where)
            seen[name] += bool(wanted)
        points = go_policy.random(now)
        assert own.random(s) == points, where
        answers = go_policy.played(now, points)
        assert own.played(s, points) == answers, where
        seen["refused"] += len(points) - len(answers)
        seen["shifted"] += any(point != move for point, move in answers.items())
        for point in now.points:
            if now.board.cells[point] is None:
                compare_point(own, s, now, point, seen, where)
            else:
                compare_gains(own, s, now, point, where)
        compare_priors(own, s, now, seen, where)
    if size == 5:
        parts = {*go_policy.PARTS, "shifted", "self-atari", "eye"}
        assert all(seen[name] >= 3 for name in parts), seen
        for knowledge, least in (("priors", 9), ("trained_priors", 80)):
            assert sum(kind[0] == knowledge for kind in seen) >= least, seen


def compare_priors(own, s, now, seen, where):
    if now.board.over():
        return
    for knowledge, wanted in (
        ("priors", go_policy.priors(now)),
        ("trained_priors", go_policy.trained_priors(now, TRAINED)),
    ):
        known = priors_of(own.game, s, knowledge=knowledge)
        assert set(known) == set(wanted), where
        for move, (value, weight) in wanted.items():
            assert known[move] == (pytest.approx(value, abs=2e-6), weight), (move, where)
            seen[knowledge, round(value, 3)] += 1


def priors_of(game, s, legal=None, knowledge="priors"):
    """The kernels' priors of the moves that a tree has: move -> (value, weight)."""
    if legal is None:
        out = game.new_out()
        legal = out[: game.kernels.moves(s, out)]
    moves = np.array(legal, np.int16)
    moves = moves[: game.kernels.prune(s, moves, len(moves))]
    worth, weights = np.zeros((2, game.max_moves), np.int64)
    getattr(game.kernels, knowledge)(s, moves, len(moves), worth, weights)
    return {int(move): (worth[move] / 1e6, int(weights[move])) for move in moves}


def compare_point(own, s, now, point, seen, where):
    for colour in (0, 1):
        found = bool(own.bind(simple_eye)(s, own.at(point), np.int64(1 + colour)))
        assert found == go_policy.simple_eye(now.board, point, colour), (point, where)
        seen["eye"] += found
    if go_policy.legal(now, point):
        found = bool(own.ask(self_atari, s, point))
        assert found == go_policy.self_atari(now, point), (point, where)
        seen["self-atari"] += found


def compare_gains(own, s, now, point, where):
    stones, liberties = now.chain(point)
    if len(liberties) == 2 and point == min(stones):
        for at in liberties:
            (other,) = liberties - {at}
            indices = [own.at(p) for p in (point, at, other)]
            found = own.bind(gains)(s, *indices)
            assert found == go_policy.gains(now, (stones, liberties), at), (point, at, where)


def polyominoes(cells):
    """All connected shapes of that many cells, not turned, as sets of (x, y)."""
    shapes = {frozenset([(0, 0)])}
    for _ in range(cells - 1):
        grown = set()
        for shape in shapes:
            for x, y in shape:
                for dx, dy in go.ORTHOGONAL:
                    bigger = shape | {(x + dx, y + dy)}
                    left, top = min(x for x, _ in bigger), min(y for _, y in bigger)
                    grown.add(frozenset((x - left, y - top) for x, y in bigger))
        shapes = {shape for shape in grown if len(shape) > len(next(iter(shapes)))}
    return sorted(shapes, key=sorted)


NAKADE = {
    3: 6,  # all: two straight ones and four bent ones
    4: 1 + 4,  # the square and the pyramid, as they may be turned
    5: 1 + 8,  # the cross and the bulky five
    6: 4,  # the rabbity six
}


@pytest.mark.parametrize("cells", NAKADE)
def test_nakade_shapes(cells):
    """All shapes; the last stone of each is the move."""
    rng = random.Random(cells)
    own = kernels(7)
    known = 0
    for shape in polyominoes(cells):
        points = {7 * y + x for x, y in shape}
        wanted = go_policy.nakade_shape(7, points)
        known += wanted
        if not wanted and rng.random() > 0.2:
            continue
        point = rng.choice(sorted(points))
        stones = np.array([int(p in points - {point}) for p in range(49)], np.int8)
        s = own.state(Position.from_stones(own.game, stones, 0))
        assert bool(own.ask(nakade, s, point, np.int64(cells))) == wanted, shape
    assert known == NAKADE[cells]


# Whole playouts


def follow(game, start, trace, outcome, parts=go_policy.ALL_PARTS):
    """Every move of a playout is one that the twin may choose; it ends where it must; why."""
    now, size = start, start.board.size
    trace = [~move if move < 0 else move for move in trace]  # passes, which RAVE skips
    for i, move in enumerate(trace):
        assert move in go_policy.choices(now, parts), (trace[:i], move)
        assert not ended(now, i, parts), trace[:i]
        now = now.play(move)
    why = ended(now, len(trace), parts)
    board = now.board
    if why == "mercy":
        assert outcome == go_policy.mercy_value(go_policy.stone_lead(board), board.komi)
        return why
    lead = board.area(0) - board.area(1) - board.komi
    wanted = go_policy.value(lead, size, board.komi, "score" in parts)
    assert outcome == pytest.approx(wanted, abs=1e-6)
    return why


def ended(now, length, parts):
    lead = abs(go_policy.stone_lead(now.board))
    if "mercy" in parts and length and lead >= go_policy.mercy_difference(now.board.size):
        return "mercy"
    if now.board.over():
        return "passes"
    return "length" if length == 3 * now.board.size**2 else ""


@pytest.mark.parametrize(
    "parts",
    [
        go_policy.ALL_PARTS,
        go_policy.ALL_PARTS - {"mercy", "score"},
        {"prey"},
        {"liberties", "shape"},
    ],
    ids=lambda parts: "+".join(sorted(parts)),
)
def test_playouts_move_by_move(parts):
    game = kernels(5).game
    name = "heavy" if parts == go_policy.ALL_PARTS else "+".join(sorted(parts))
    run = game.playout(name, trace=True)
    out, trace, rng = game.new_out(), game.new_trace(), seed_rng(len(parts))
    reasons = Counter()
    for _ in range(6):
        start = Position.start(game)
        outcome, length = run(start.state, rng, out, trace)
        moves = trace[:length].tolist()
        reasons[follow(game, twin(Position.start(game)), moves, outcome, parts)] += 1
    assert set(reasons) <= {"mercy", "passes", "length"}
    assert bool(reasons["mercy"]) == ("mercy" in parts)


def test_compiled_playouts():
    """Machine code on 9x9: whole playouts, and how often each first move is made."""
    game = make_game("go:9")
    run = game.playout("heavy", trace=True)
    out, trace, rng = game.new_out(), game.new_trace(), seed_rng(3)
    for _ in range(3):
        start = Position.start(game)
        outcome, length = run(start.state, rng, out, trace)
        follow(game, twin(Position.start(game)), trace[:length].tolist(), outcome)
    position = Position.from_diagram(game, SHIFTED)
    wanted = go_policy.choices(twin(position))
    number = 4000
    counts = Counter()
    state = game.new_states(1)
    for _ in range(number):
        state[0] = position.state
        run(state[0], rng, out, trace)
        counts[int(trace[0])] += 1
    assert set(counts) == set(wanted) and max(wanted.values()) > 2 * min(wanted.values())
    for move, share in wanted.items():
        # Five standard deviations: one false alarm in many thousand seeds.
        assert abs(counts[move] / number - share) < 5 * (share * (1 - share) / number) ** 0.5


# A set-up without a last move, so that the last part decides.
SHIFTED = """
. O X X X X X X X
O . O X . X X X X
. . O X X X . X X
O O O X X X X X X
X X X X X X X . X
. O O O O O O O O
O . O O O . O O O
O O O . O O O . O
O O O O O O O O .
X to play
"""


@pytest.mark.parametrize(("size", "stones"), [(9, 24), (13, 50), (19, 108)])
def test_the_lead_that_ends_a_playout_is_fuegos(size, stones):
    assert make_game(f"go:{size}").constants["MERCY_STONES"] == stones


@pytest.mark.parametrize("size", range(2, 20))
def test_mercy(size):
    assert make_game(f"go:{size}").constants["MERCY_STONES"] == go_policy.mercy_difference(size)


@pytest.mark.parametrize("size", [2, 5, 9, 13, 19])
def test_bonus(size):
    game = make_game(f"go:{size}")
    for score in (False, True):
        value_of = specialise(
            outcome_of,
            interpret=True,
            game=game.constants,
            policy={"SCORE": score},
        )
        for lead in range(-size * size, size * size + 1):
            for komi in (7.5, -3.0, 0.0):
                wanted = go_policy.value(lead - komi, size, komi, score)
                assert value_of(float(lead), komi) == pytest.approx(wanted, abs=1e-12)
                assert 0 <= wanted <= 1
