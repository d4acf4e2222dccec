"""The problems of Go: what the file holds, how it is read, and the experiment on a few of them."""

from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from uctlab.devices.cpu import Cpu
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.papers import go_problems
from uctlab.papers.experiment import ExperimentContext, Size
from uctlab.papers.go_problems import KINDS, problems, read_problems
from uctlab.papers.problems import solve_all

ALL = problems()


@pytest.fixture(scope="module")
def board():
    """Reads diagrams and compiles nothing but what other tests need too."""
    games = {"go:7": make_game("go:7").interpreted(), "go:9": make_game("go:9")}

    @cache
    def read(diagram, size):
        return Position.from_diagram(games[size], diagram)

    return lambda problem: read(problem.diagram, problem.game.split(",")[0])


def test_the_collection():
    kinds = Counter(problem.kind for problem in ALL)
    assert len(ALL) >= 60 and set(kinds) == set(KINDS)
    assert min(kinds.values()) >= 6, kinds
    assert len({problem.name for problem in ALL}) == len(ALL)
    assert {problem.diagram.splitlines()[-1][0] for problem in ALL} == {"X", "O"}


def test_every_problem_is_sound(board):
    """It can be set up, right moves are legal, there are wrong ones, and nobody draws."""
    for problem in ALL:
        position = board(problem)
        assert problem.right < set(position.legal_moves), problem.name
        assert len(problem.right) <= 3 < len(position.legal), problem.name
        assert not float(problem.game.split("komi=")[1]).is_integer(), problem.name


def test_nobody_is_far_ahead(board):
    """Playouts with the part "mercy" must not end before the problem is looked at."""
    for problem in ALL:
        stones = board(problem).stones
        lead = abs(np.count_nonzero(stones == 1) - np.count_nonzero(stones == 2))
        assert lead < 24 * len(stones) / 81 * 0.6, problem.name


def test_no_problem_comes_twice(board):
    """Not turned, mirrored or with colours exchanged either."""
    seen = {}
    for problem in ALL:
        position = board(problem)
        size = round(len(position.stones) ** 0.5)
        stones = position.stones.reshape(size, size)
        forms = set()
        for owners, turn in ((stones, position.turn), ((3 - stones) % 3, 1 - position.turn)):
            for turned in (np.rot90(owners, k) for k in range(4)):
                forms |= {(turn, turned.tobytes()), (turn, turned[::-1].tobytes())}
        assert min(forms) not in seen, (problem.name, seen[min(forms)])
        seen[min(forms)] = problem.name


SOUND = """
A word before the first problem.

= race: one
. X
O .
X to play
komi 0.5
right A1
"""


def test_reading(tmp_path):
    path = tmp_path / "problems.txt"
    second = SOUND.partition("\n\n")[2].replace("one", "two").replace("right A1", "right A1 pass")
    path.write_text(SOUND + second)
    first, second = read_problems(path)
    assert (first.kind, first.name, first.game) == ("race", "one", "go:2,komi=0.5")
    assert first.diagram == ". X\nO .\nX to play" and first.right == {"A1"}
    assert second.name == "two" and second.right == {"A1", "pass"}


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("= race: one", "= race one", "'= race one' is not a complete problem"),
        ("= race:", "= chase:", r"needs a kind \(ladder, snapback, .*\), a komi and right moves"),
        ("komi 0.5\n", "", "'= race: one' "),
        ("right A1", "right", "'= race: one' needs a kind"),
        ("right A1", "wrong A1", "'= race: one' needs a kind"),
    ],
)
def test_mistakes_in_a_file(tmp_path, old, new, says):
    path = tmp_path / "problems.txt"
    path.write_text(SOUND.replace(old, new))
    with pytest.raises(UsageError, match=says):
        read_problems(path)


@pytest.fixture
def few(monkeypatch):
    """Three problems on 9x9 and an agent that other tests compile too."""
    chosen = [problem for problem in ALL if problem.game.startswith("go:9,")][::20][:3]
    chosen = [replace(p, game="go:9") if number else p for number, p in enumerate(chosen)]
    monkeypatch.setattr(go_problems, "problems", lambda: tuple(chosen))
    monkeypatch.setattr(go_problems, "LIGHT", ("uct",))
    monkeypatch.setattr(go_problems, "HEAVY", ())
    return chosen


def test_the_experiment(few):
    found = go_problems.run(ExperimentContext(Size(2, 128), Cpu(1)))
    (table,) = found.tables
    kinds = list(dict.fromkeys(problem.kind for problem in few))
    assert table.columns[4:] == tuple(f"{kind} (%)" for kind in kinds)
    assert [row[:3] for row in table.rows] == [("uct", n, 2 * len(few)) for n in (2, 8, 32, 128)]
    assert all(0 <= row[3].value <= 100 for row in table.rows)
    figure, *boards = found.figures
    assert [board.name for board in boards] == [f"example-{kind}" for kind in kinds]
    assert figure.name == "solving" and "uct " in found.summary[0]


class Noting:
    """A laboratory that answers every search with a right or a wrong move."""

    size = Size(1, 64)

    def __init__(self, answer):
        self.answer = answer

    def derive_seed(self, *what):
        return hash(what) % 1000

    def grid(self, cells):
        return {
            cell: {task: self.answer(task, cell) for task in tasks} for cell, tasks in cells.items()
        }


def test_what_counts_as_solved():
    tries = [(problem, number) for problem in ALL for number in range(2)]
    rights = {problem.diagram: min(problem.right) for problem in ALL}

    def answer(task, cell):
        _, budget, kind = cell
        return rights[task.diagram] if budget >= 16 and kind != "seki" else "nowhere"

    solved = solve_all(Noting(answer), ("uct", "dfuct"), tries)
    assert solved.players == ["uct", "dfuct"] and solved.budgets == [1, 4, 16, 64]
    assert solved.scores["uct", 4].wins == 0
    sekis = sum(problem.kind == "seki" for problem in ALL)
    for agent in solved.players:
        score = solved.scores[agent, 64]
        assert (score.wins, score.losses) == (2 * (len(ALL) - sekis), 2 * sekis)
        assert solved.by_kind["seki"].scores[agent, 64].wins == 0
        assert solved.by_kind["race"].share(agent, 64).value == 100


def test_a_laboratory_that_found_nothing():
    class Empty(Noting):
        def grid(self, cells):
            return {cell: {} for cell in cells}

    solved = solve_all(Empty(None), ("uct",), [(ALL[0], 0)])
    assert solved.share("uct", 64) is None
    assert go_problems._answer(solved) == "No search was finished."
