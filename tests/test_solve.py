"""The solver against plain minimax, and against results that are known."""

import importlib.util
import json
import random
import sys
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tests.naive import hex as naive_hex
from tests.naive.solve import solve as naive_solve
from uctlab.errors import UsageError
from uctlab.games import Game, Position, make_game
from uctlab.games import solve as solver
from uctlab.games.solve import solve
from uctlab.kernels import kernel

CONNECT_FOUR = str(Path(__file__).parents[1] / "examples" / "connect_four.py")
# Depth, node of that depth, who moves: a web of nodes, many of them reached by several ways.
WEB = np.dtype([("seed", "i8"), ("depth", "i8"), ("node", "i8"), ("turn", "i1")], align=True)


@kernel
def chance(s, move, choices):
    mixed = ((s.seed * 31 + s.depth) * 31 + s.node) * 31 + move
    return (mixed * 2654435761 >> 16) % choices


@kernel
def web_start(s):
    s.seed = s.depth = s.node = s.turn = 0


@kernel
def web_moves(s, out):
    count = 2 if s.depth < 8 else 0
    for i in range(count):
        out[i] = i
    return count


@kernel
def web_play(s, move):
    s.node = chance(s, move, 16)
    s.depth += 1
    s.turn ^= 1


@kernel
def web_result(s):
    return chance(s, 2, 3) / 2


def web():
    return Game(
        name="web",
        state=WEB,
        start=web_start,
        moves=web_moves,
        play=web_play,
        result=web_result,
        max_moves=2,
        max_length=8,
        move_names=("a", "b"),
    )


# Moves after which a game is near its end.
LATE = {"othello": 54, "hex:3": 3, "hex:3,swap=on": 4, "havannah:2": 2, CONNECT_FOUR: 32}


def minimax(position, memo):
    """The first player's result, without pruning; a state met again is not searched again."""
    key = position.state.tobytes()
    if key not in memo:
        if position.is_over:
            memo[key] = position.result
        else:
            results = [minimax(position.play(move), memo) for move in position.legal]
            memo[key] = min(results) if position.turn else max(results)
    return memo[key]


def late_position(spec, seed):
    """A position of a random game, after so many moves or one more."""
    rng = random.Random(seed)
    position = Position.start(make_game(spec))
    while len(position.moves) < LATE[spec] + seed % 2:
        after = [position.play(move) for move in position.legal]
        going_on = [position for position in after if not position.is_over]
        if not going_on:
            break
        position = rng.choice(going_on)
    return position


def web_position(seed):
    position = Position.start(web())
    position.state.seed = seed
    position.state.turn = seed % 2
    return position


@cache
def truths(spec):
    """Positions, and the value of each of their moves for the player to move."""
    found, memo = [], {}
    for seed in range(40 if spec == "web" else 24):
        position = web_position(seed) if spec == "web" else late_position(spec, seed)
        results = {name: minimax(position.play(name), memo) for name in position.legal_moves}
        turn = position.turn
        found.append((position, {n: 1 - r if turn else r for n, r in results.items()}))
    return found


@pytest.mark.parametrize("spec", ["web", *LATE])
def test_against_minimax(spec):
    cases = Counter()
    for position, values in truths(spec):
        solution = solve(position)
        assert list(solution.moves.items()) == list(values.items())
        assert solution.value == max(values.values())
        assert solution.best == tuple(n for n, v in values.items() if v == solution.value)
        cases[position.turn, solution.value] += 1
    # A sign turned round shows where either player is to move and wins or loses.
    assert {(0, 0.0), (0, 1.0), (1, 0.0), (1, 1.0)} <= set(cases), cases
    if spec == "web":
        assert {(0, 0.5), (1, 0.5)} <= set(cases), cases


@pytest.mark.parametrize("wins", [1, 2, 20, 60])
def test_the_deceptive_tree(wins):
    game = make_game(f"deceptive:{wins}")
    root = Position.start(game if wins == 2 else game.interpreted())
    assert solve(root).moves == {"B": 0.0, "C": 1.0} and solve(root).best == ("C",)
    answers = solve(root.play("B"))  # the second player's view
    assert answers.value == 1.0 and answers.best == ("F",) and len(answers.moves) == wins + 1
    assert solve(root.play("C")).moves == {"G": 0.0}
    assert solve(root.play_all("C G")).moves == {"H": 1.0, "I": 0.0}


def test_the_empty_board_of_hex():
    """3x3: the short diagonal and its neighbours in the middle row, by the naive twin too."""
    memo, naive = {}, {}
    for first in range(9):
        board = naive_hex.Board(3)
        board.play(first)
        naive[first] = naive_solve(board, memo)
    solution = solve(Position.start(make_game("hex:3")))
    assert list(solution.moves.values()) == list(naive.values())
    assert solution.value == 1.0 and solution.best == ("c1", "a2", "b2", "c2", "a3")


@pytest.mark.parametrize("first", [0, 3, 9])
def test_answers_on_a_larger_board(first):
    """4x4: the winning answers that the naive twin has found."""
    replies = json.loads((Path(__file__).parent / "data" / "hex_replies.json").read_text())["4"]
    position = Position.start(make_game("hex:4")).play(first)
    solution = solve(position)
    won = [
        code for code, value in zip(position.legal, solution.moves.values(), strict=True) if value
    ]
    assert won == replies[str(first)]


def test_the_end_of_a_game():
    lost = Position.start(make_game("deceptive")).play_all("B F")
    assert solve(lost).value == 0.0 and solve(lost).moves == {} and solve(lost).best == ()
    assert solve(Position.start(make_game("deceptive")).play_all("C G I")).value == 1.0


def test_plain_python_and_a_crowded_table(monkeypatch):
    monkeypatch.setattr(solver, "TABLE_BYTES", 1024)
    for spec in ("hex:3", "web"):
        for position, values in truths(spec)[:6]:
            assert solve(position).moves == values
            plain = Position(position.game.interpreted(), position.state, None, -1)
            assert solve(plain).moves == values


MUTANTS = {
    "who moves": ("states[level].turn == 0", "states[level].turn == 1"),
    "whose value": ("value if position.turn == 0", "value if position.turn == 1"),
    "early cut": ("frame.low < frame.high:", "frame.low + 1 < frame.high:"),
    "a bound taken for a value, below": ("value if value > frame.first_low else 0", "value"),
    "a bound taken for a value, above": ("value if value < frame.first_high else MOST", "value"),
    "another position's bounds": ("if same_key(entry.key, line.keys[level]):", "if True:"),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_planted_faults_are_found(name, tmp_path, monkeypatch):
    """The comparison above fails for each of these; in plain Python, which compiles nothing."""
    right, wrong = MUTANTS[name]
    source = Path(solver.__file__).read_text()
    assert source.count(right) == 1
    path = tmp_path / "mutant.py"
    path.write_text(source.replace(right, wrong).replace("2**26", "2**12"))
    spec = importlib.util.spec_from_file_location("mutant", path)
    mutant = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "mutant", mutant)
    spec.loader.exec_module(mutant)
    for position, values in truths("web"):
        plain = Position(position.game.interpreted(), position.state, None, -1)
        if mutant.solve(plain).moves != values:
            return
    pytest.fail("not found")


def test_a_limit():
    position = Position.start(make_game("othello"))
    with pytest.raises(UsageError, match="othello: not solved within 1,000 positions"):
        solve(position, limit=1000)


def test_games_that_cannot_be_solved():
    with pytest.raises(UsageError, match="go:2 cannot be solved: its rule against repetition"):
        solve(Position.start(make_game("go:2")))
    short = replace(make_game("deceptive"), max_length=1)
    with pytest.raises(UsageError, match="more than max_length, 1 moves"):
        solve(Position.start(short))
