"""The solver of Hex against plain search; the position browne2013; uctlab analyze --solve."""

import importlib.util
import json
import random
import sys
import time
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.keyboard import ctrl_c
from tests.naive import hex as naive_hex
from tests.naive.solve import solve as naive_solve
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.games import solve as solver
from uctlab.games.hex import solve as hex_solve
from uctlab.games.named import BROWNE2013, letters_of, named_position
from uctlab.games.solve import solve

CELLS = {letter: cell for cell, letter in BROWNE2013.letters.items()}


def random_board(size, stones, seed):
    """So many stones of random owners anywhere, in a game that is not over."""
    chance = random.Random(seed)
    while True:
        cells = chance.sample(range(size * size), stones)
        owners = {cell: chance.randrange(2) for cell in cells}
        board = naive_hex.Board.from_stones(size, owners, seed % 2)
        if not board.over():
            return board


def position_of(board, spec, interpreted=False):
    game = make_game(spec)
    owners = [0 if owner is None else 1 + owner for owner in board.cells]
    return Position.from_stones(game.interpreted() if interpreted else game, owners, board.turn)


def true_values(board, memo):
    """Of each move, for the player to move, by the naive twin."""
    values = []
    for move in board.legal():
        after = board.copy()
        after.play(move)
        result = naive_solve(after, memo)
        values.append(1 - result if board.turn else result)
    return values


MEMO = {}  # of all boards of 4x4 without a swap


@cache
def small_truths():
    """Boards of 4x4 with few empty cells, which plain Python solves at once."""
    boards = [random_board(4, 7 + seed % 3, seed) for seed in range(40)]
    return [(board, true_values(board, MEMO)) for board in boards]


def test_against_plain_search_on_random_boards():
    cases = Counter()
    for seed in range(40):
        board = random_board(4, 7 + seed % 4, seed)
        values = true_values(board, MEMO)
        solution = solve(position_of(board, "hex:4"))
        assert list(solution.moves.values()) == values, board.cells
        cases[board.turn, solution.value] += 1
    assert min(cases.values()) > 3 and len(cases) == 4, cases


def test_the_swap():
    """White takes the better side, so every first move loses."""
    memo = {}
    start = Position.start(make_game("hex:3,swap=on"))
    assert set(solve(start).moves.values()) == {0.0}
    for first in (0, 2, 4):
        board = naive_hex.Board(3, swap=True)
        board.play(first)
        solution = solve(start.play(first))
        assert list(solution.moves) == [*start.play(first).legal_moves]
        assert list(solution.moves.values()) == true_values(board, memo) and solution.value == 1.0


def test_small_slices_and_small_tables(monkeypatch):
    monkeypatch.setattr(solver, "SLICE", 3)
    monkeypatch.setattr(solver, "TABLE_BYTES", 256)
    for board, values in small_truths()[:12]:
        assert list(solve(position_of(board, "hex:4")).moves.values()) == values


def test_alpha_beta_agrees(monkeypatch):
    """As it is used on larger boards, in plain Python."""
    monkeypatch.setattr(solver, "plays_hex", lambda game: False)
    monkeypatch.setattr(solver, "TABLE_BYTES", 2**16)
    for board, values in small_truths()[:6]:
        assert list(solve(position_of(board, "hex:4", interpreted=True)).moves.values()) == values


def test_only_small_boards_with_the_rules_of_hex():
    assert hex_solve.plays_hex(make_game("hex:8,swap=on"))
    assert not any(hex_solve.plays_hex(make_game(name)) for name in ("hex:9", "othello"))


MUTANTS = {
    "a win without its move": ("cells[0] |= move\n", "pass\n"),
    "a loss without earlier answers": ("frame.needed |= cells[0]", "frame.needed = cells[0]"),
    "a loss without the threat": ("frame.needed = threats", "frame.needed = _NONE"),
    "a threat is overlooked": ("if threats != threat:", "if threats != _NONE:"),
    "whose sides": ("(TOP, BOTTOM) if player == 0", "(TOP, BOTTOM) if player == 1"),
    "another position's win": ("entry.other == frame.other", "True"),
    "who wins": ("float(mover if known == WON else", "float(mover if known == LOST else"),
    "neighbours": ("(not_right >> (ROW - _ONE))", "(not_right >> (ROW + _ONE))"),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_planted_faults_are_found(name, tmp_path, monkeypatch):
    right, wrong = MUTANTS[name]
    source = Path(hex_solve.__file__).read_text()
    assert source.count(right) == 1
    path = tmp_path / "mutant.py"
    path.write_text(source.replace(right, wrong))
    spec = importlib.util.spec_from_file_location("mutant", path)
    mutant = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "mutant", mutant)
    spec.loader.exec_module(mutant)
    monkeypatch.setattr(solver, "HexSearch", mutant.HexSearch)
    monkeypatch.setattr(solver, "TABLE_BYTES", 2**12)
    for board, values in small_truths():
        try:
            solution = solve(position_of(board, "hex:4", interpreted=True), limit=5000)
        except (UsageError, IndexError):  # it goes round in circles, or beyond the end
            return
        if list(solution.moves.values()) != values:
            return
    pytest.fail("not found")


# The position of the paper


def best(position):
    return "".join(BROWNE2013.letters[move] for move in solve(position).best)


def test_browne2013():
    position = named_position(make_game("hex:5"), "browne2013")
    assert best(position) == "ceg"
    begin = time.process_time()
    solution = solve(position)
    assert time.process_time() - begin < 0.5 and solution.positions < 20_000
    assert best(position.play(CELLS["b"])) == "e"
    assert best(position.play(CELLS["d"])) == "a"
    for line in ("dabe", "cg", "gc"):
        after = position.play_all(" ".join(CELLS[letter] for letter in line))
        assert best(after) == "e" if line != "dabe" else solve(after).value == 0.0


def test_letters():
    game = make_game("hex:5")
    position = named_position(game, "browne2013")
    assert letters_of(position.play("d2")) == BROWNE2013.letters
    assert letters_of(Position.from_diagram(game, BROWNE2013.diagram)) == BROWNE2013.letters
    assert letters_of(Position.start(game)) == {}
    other = Position.from_diagram(game, BROWNE2013.diagram.replace("X to", "O to"))
    assert letters_of(other) == {}


# The program


def test_analyze_solves(uctlab):
    code, out, err = uctlab("analyze", "hex:5", "--position", "browne2013", "--solve")
    assert (code, err) == (0, "")
    rows = [line.split() for line in out.splitlines()]
    assert ["d2", "e", "wins"] in rows and ["c2", "d", "loses"] in rows
    assert "solved: Black wins with a2 (c) d2 (e) a3 (g); " in out
    asked = ("analyze", "hex:5", "--position", "browne2013", "--moves", "e1", "--solve", "--json")
    facts = json.loads(uctlab(*asked)[1])
    assert facts["to_move"] == "White" and facts["truth"] == "wins" and facts["best"] == ["d2"]
    assert {"move": "d2", "letter": "e", "truth": "wins"} in facts["moves"]
    assert len(facts["moves"]) == 17


def test_the_truth_beside_a_search(uctlab):
    asked = ("analyze", "hex:5", "--position", "browne2013", "--playouts", 500)
    facts = json.loads(uctlab(*asked, "--solve", "--json")[1])
    truths = {move["letter"]: move["truth"] for move in facts["moves"]}
    assert {letter for letter, truth in truths.items() if truth == "wins"} == set("ceg")
    assert facts["truth"] == "wins" and len(truths) == 18 and facts["playouts"] == 500
    text = uctlab(*asked, "--solve")[1]
    assert "solved: Black wins with" in text and "truth" in text
    plain = uctlab(*asked)[1]
    assert "letter" in plain and "truth" not in plain
    chosen = facts["best"]
    assert f"best {chosen} ({BROWNE2013.letters[chosen]})" in plain
    assert "letter" not in uctlab("analyze", "hex:5", "--playouts", 500)[1]


def test_other_games(uctlab):
    text = uctlab("analyze", "deceptive", "--solve")[1]
    assert "wins with C; " in text
    code, out, _ = uctlab("analyze", "deceptive", "--moves", "B", "--solve", "--json")
    assert code == 0 and json.loads(out)["best"] == ["F"]


MISTAKES = [
    (("hex:4", "--position", "browne2013"), "browne2013 is a position of hex:5, not of hex:4"),
    (("hex:5", "--position", "browne2014"), "named positions: browne2013"),
    (("hex:5", "--limit", 1000), "hex:5: not solved within 1,000 positions"),
    (("go:4",), "go:4 cannot be solved"),
    (("deceptive", "--moves", "B F"), "the game is over, there is nothing to solve"),
    (("hex:5", "--agent", "uct"), "need --playouts or --seconds"),
]


@pytest.mark.parametrize(("arguments", "says"), MISTAKES, ids=[says for _, says in MISTAKES])
def test_mistakes(uctlab, arguments, says):
    code, out, err = uctlab("analyze", *arguments, "--solve")
    assert code == 2 and out == "" and says in err and err.count("\n") == 1


def test_ctrl_c(uctlab):
    """The empty board takes several seconds."""
    solve(named_position(make_game("hex:5"), "browne2013"))
    with ctrl_c(0.3) as begun:
        begun()
        code, out, err = uctlab("analyze", "hex:5", "--solve", "--json")
    assert (code, out, err) == (130, "", "")
