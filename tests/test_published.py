"""The published figures as printed, and the positions, trees and problems of the experiments."""

from functools import cache

import pytest

from uctlab.games import Position, make_game
from uctlab.games.solve import solve
from uctlab.papers import (
    browne2013,
    deception,
    gelly2006,
    hashimoto2012,
    yoshimoto2007,
)
from uctlab.papers.experiment import Size
from uctlab.papers.registry import EXPERIMENTS

# Published figures, as the papers print them

HASHIMOTO_TABLE_1 = """
1  39.2 3.1  24.2 2.7   0.8 0.6    0.0 0.0   0.0 0.0   0.0 0.0
2  52.5 3.2  25.1 2.7  41.3 3.1    1.3 0.7   0.0 0.0   0.0 0.0
3  56.3 3.2  47.8 3.2  54.5 3.1   28.0 2.8   8.0 1.7   0.0 0.0
4  52.7 3.1  58.2 3.1  56.0 3.1   47.5 3.2  31.3 2.9  18.6 2.5
5  51.3 3.2  50.6 3.2  53.0 3.2   49.0 3.2  48.5 3.2  45.8 3.2
6  47.4 3.2  48.0 3.2  51.0 3.2   49.2 3.2  52.0 3.2  46.6 3.2
7  48.2 3.2  50.2 3.2  50.1 3.2   48.2 3.2  50.0 3.2  48.7 3.2
"""
HASHIMOTO_TABLE_2 = """
1  51.2 3.2   0.0 0.0
2  51.9 3.3   0.0 0.0
3  54.5 3.4   4.4 0.3
4  55.9 3.5  41.6 2.6
5  53.8 3.4  47.9 3.0
6  54.6 3.4  49.8 3.1
"""
GELLY = {  # total winning rate, in percent
    2: {"5": 26, "20": 41.8, "60": 51.5},
    3: {
        **{"0.05": 3, "0.55": 33, "0.8": 37, "1.0": 39, "1.1": 40, "1.2": 42},
        **{"1.5": 28, "3.0": 30, "6.0": 20},
    },
    4: {"1.4": 39, "1.2": 40, "1.1": 43.4, "1.0": 45.5, "0.9": 40, "0.8": 36},
}


def rows_of(text):
    return [[float(number) for number in line.split()] for line in text.strip().splitlines()]


def test_hashimoto_table_1():
    for k, *numbers in rows_of(HASHIMOTO_TABLE_1):
        figures = list(zip(numbers[::2], numbers[1::2], strict=True))
        for place, game in enumerate(("othello", "havannah", "go")):
            accelerated, discounted = hashimoto2012.TABLE_1[game]
            assert accelerated[int(k) - 1] == figures[place]
            assert discounted[int(k) - 1] == figures[3 + place]


def test_hashimoto_table_2():
    accelerated, discounted = hashimoto2012.TABLE_2
    for k, *numbers in rows_of(HASHIMOTO_TABLE_2):
        assert (accelerated[int(k) - 1], discounted[int(k) - 1]) == (
            tuple(numbers[:2]),
            tuple(numbers[2:]),
        )


@pytest.mark.parametrize("number", [2, 3, 4])
def test_gelly(number):
    """The games won with either colour make the printed total, to the digits that are printed."""
    table = getattr(gelly2006, f"TABLE_{number}")
    assert list(table) == list(GELLY[number])
    for at, (black, white, each) in table.items():
        assert 100 * (black + white) / (2 * each) == pytest.approx(GELLY[number][at], abs=0.051)
    full = EXPERIMENTS[f"gelly2006-table{number}"].full
    assert full.repeats == 2 * max(each for *_, each in table.values())
    assert full.playouts == 70_000


def test_full_sizes():
    for name in (name for name in EXPERIMENTS if name.startswith("hashimoto2012-table")):
        assert EXPERIMENTS[name].full == Size(repeats=1000, playouts=50_000)
    full = EXPERIMENTS["browne2013"].full
    assert full.repeats == 1000
    assert browne2013.epochs(full) == [1000 * 2**epoch for epoch in range(11)]
    assert browne2013.epochs(full)[-1] == 1_024_000


def test_browne_table_1():
    """Heavy playouts slow the flat players by more than a half, the trees by about a fifth."""
    speeds = {name: speed for name, (_, speed) in browne2013.PLAYERS.items() if speed}
    assert list(speeds.values()) == [
        *(396_000, 139_000, 294_000, 124_000, 101_000, 83_000, 50_000, 39_000)
    ]
    assert speeds["MC_h"] < speeds["MC"] / 2 and speeds["UCB_h"] < speeds["UCB"] / 2
    assert 0.15 < 1 - speeds["UCT_h"] / speeds["UCT"] < 0.25
    for name, (agent, _) in browne2013.PLAYERS.items():
        assert ("bridge" in agent) == ("_h" in name or "_rh" in name)
        assert ("rave" in agent) == ("_r" in name)


# Browne's position

SIZE = 5
NEAR = [
    [
        (y + dy) * SIZE + x + dx
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))
        if 0 <= x + dx < SIZE and 0 <= y + dy < SIZE
    ]
    for y in range(SIZE)
    for x in range(SIZE)
]
# Black's from the top and from the bottom, White's from the left and from the right.
EDGES = ((range(5), range(20, 25)), (range(0, 25, 5), range(4, 25, 5)))


def far(own, other, edge):
    """Stones still to be put down on the way from an edge to each cell."""
    steps = [99] * SIZE**2
    todo = [cell for cell in edge if cell not in other]
    for cell in todo:
        steps[cell] = int(cell not in own)
    while todo:
        cell = min(todo, key=steps.__getitem__)
        todo.remove(cell)
        for near in NEAR[cell]:
            there = steps[cell] + (near not in own)
            if near not in other and there < steps[near]:
                steps[near] = there
                todo.append(near)
    return steps


@cache
def winner(black, white, turn):
    """Who wins Hex, 0 or 1, and the empty cells that the win needs.

    Whoever moves must move where every win of the opponent that is known so far would need it.
    """
    sides = (black, white)
    ways = [[far(sides[p], sides[1 - p], edge) for edge in EDGES[p]] for p in (0, 1)]
    for player in (0, 1):
        if any(ways[player][0][cell] == 0 for cell in EDGES[player][1]):
            return player, frozenset()
    detour = [sum(steps) for steps in zip(*ways[0], *ways[1], strict=True)]
    must = set(range(SIZE**2)) - black - white
    needed = set()
    while must:
        move = min(must, key=lambda cell: (detour[cell], cell))
        after = (black | {move}, white) if turn == 0 else (black, white | {move})
        won, cells = winner(*after, 1 - turn)
        if won == turn:
            return turn, cells | {move}
        needed |= cells
        must &= cells
    return 1 - turn, frozenset(needed)


@pytest.fixture(scope="module")
def problem():
    return Position.from_diagram(make_game(browne2013.GAME), browne2013.POSITION)


CELLS = {letter: cell for cell, letter in browne2013.LETTERS.items()}


def after(position, letters):
    for letter in letters:
        position = position.play(CELLS[letter])
    return position


def sides(position):
    stones = position.stones
    return tuple(frozenset(i for i, s in enumerate(stones) if s == p) for p in (1, 2))


def best(position):
    return "".join(browne2013.LETTERS[move] for move in solve(position).best)


def test_the_letters_are_those_of_the_diagram(problem):
    """Empty cells in reading order."""
    empty = []
    for y, line in enumerate(browne2013.POSITION.strip().splitlines()[:SIZE]):
        empty += [f"{'abcde'[x]}{y + 1}" for x, mark in enumerate(line.split()) if mark == "."]
    assert list(browne2013.LETTERS) == empty == problem.legal_moves
    assert list(browne2013.LETTERS.values()) == list("abcdefghijklmnopqr")
    assert problem.turn == 0


def test_black_wins_with_c_e_and_g_alone(problem):
    black, white = sides(problem)
    won = [
        browne2013.LETTERS[problem.game.move_name(move)]
        for move in problem.legal
        if winner(black | {move}, white, 1)[0] == 0
    ]
    assert won == ["c", "e", "g"]
    assert {letter for letter, fate in browne2013.TRUTH.items() if fate != "loses"} == set(won)
    assert browne2013.TRUTH["e"] == "wins" and browne2013.TRUTH["c"] == "delays"


def test_the_forcing_sequence_of_the_paper(problem):
    """White's answer to d: a, b, e, f, l, as the paper's text has it; and e to b."""
    assert best(after(problem, "dabef")) == "l"
    assert solve(after(problem, "dabe")).value == 0.0
    for line in ("da", "be"):
        assert winner(*sides(after(problem, line)), 0)[0] == 1


def test_c_and_g_must_be_followed_by_e(problem):
    for answers in ("cg", "gc"):
        position = after(problem, answers)
        black, white = sides(position)
        won = [move for move in position.legal if winner(black | {move}, white, 1)[0] == 0]
        assert [position.game.move_name(move) for move in won] == [CELLS["e"]]


@pytest.mark.parametrize("tree", deception.TREES)
def test_the_deceptive_trees(tree):
    solution = solve(Position.start(make_game(tree)))
    assert solution.moves == {"B": 0.0, "C": 1.0} and deception.WINNING == "C"


def test_a_turn_is_for_good():
    """From the turn on to the horizon the search would play C, and just before it would not."""
    task = deception.Turn("deceptive:2", "uct", seed=1, horizon=60)
    turned = task.perform()
    assert 2 < turned < 60
    from uctlab.agents import make_agent  # noqa: PLC0415
    from uctlab.mcts.searcher import Searcher  # noqa: PLC0415

    def choice(playouts):
        searcher = Searcher(make_game("deceptive:2"), make_agent("uct"), seed=1)
        return searcher.search(Position.start(searcher.game), playouts=playouts).best

    assert choice(turned - 1) == "B"
    assert {choice(playouts) for playouts in range(turned, 61)} == {"C"}
    assert deception.Turn("deceptive:2,depth=6", "uct", seed=1, horizon=60).perform() is None


def test_turns_in_words():
    """In the median; a search that does not turn does so later than all others."""
    tree = "deceptive:2"
    turns = dict.fromkeys(deception.AGENTS, ())
    assert deception._tell(tree, turns, 5000) == "deceptive:2: no search was finished."
    turns |= {"uct": (1500, None), "auct(k=2)": (None, 20, 30)}
    turns["duct(k=1)"] = (None, 2, None)
    assert deception._tell(tree, turns, 5000) == (
        "deceptive:2, in the median: uct turns to the winning move at playout 1,500; the first to "
        "turn is auct(k=2), at playout 30; not within 5,000 playouts: duct(k=1)."
    )


def test_problems_have_right_and_wrong_moves():
    problems = yoshimoto2007.make_problems("hex:4", 6, 5, seed=1)
    assert problems == yoshimoto2007.make_problems("hex:4", 6, 5, seed=1)
    for one in problems:
        position = Position.start(make_game("hex:4")).play_all(one.moves)
        values = solve(position).moves
        assert {name for name, value in values.items() if value == 1.0} == one.right
        assert 0 < len(one.right) < len(values)
