"""On solved positions every tree agent finds a best move, and a sign turned round is noticed."""

import json
import random
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from tests.naive import hex as naive_hex
from tests.naive import othello
from tests.naive.solve import winning_moves
from uctlab.agents import make_agent, with_rules
from uctlab.games import Position, make_game
from uctlab.kernels import kernel
from uctlab.mcts.searcher import Searcher
from uctlab.rules.backup import accelerated, discounted, mean

TREE_AGENTS = [
    "uct",
    "uct(c=0.5,expand=5)",
    "tuned",
    "duct(k=5)",
    "auct(k=3)",
    # Fuego's own setting, no exploration, never tries a move of which RAVE thinks little: it finds
    # much and converges to nothing. So it is asked to explore here, and to try each move once.
    "uct(rave=fuego,c=0.3,fpu=inf)",
    "uct(rave=k)",
    "dfuct",
]
# All agents play Hex; these Go besides, and the others Othello.
MORE_IN_GO = ["tuned", "uct(rave=fuego,c=0.3,fpu=inf)", "uct(rave=k)"]
COMBINED = ["auct(k=4,rave=k)", "duct(k=5,rave=k)"]  # where they have most to find
FAMILY = ["bast", "ucbv(zeta=0.5)", "dtuned(k=5)"]  # likewise
DEAR = ["klucb", "thompson"]  # several times the price, and sooner there


def othello_endgames(count):
    """Random games until eight cells are empty, or seven: either side is to move, some pass."""
    positions = []
    seed = 0
    while len(positions) < count:
        rng = random.Random(seed)
        empties = 8 - len(positions) % 2
        seed += 1
        board = othello.Board()
        while not board.over() and board.cells.count(None) > empties:
            board.play(rng.choice(board.legal()))
        if board.over() or len(board.legal()) < 2:
            continue
        best, result = winning_moves(board, {})
        if result != 0.5 and len(best) < len(board.legal()):
            positions.append((board, best, result))
    return positions


def as_position(spec, board):
    game = make_game(spec)
    stones = [0 if owner is None else 1 + owner for owner in board.cells]
    return Position.from_stones(game, np.array(stones, np.int8), board.turn)


@pytest.fixture(scope="module")
def endgames():
    return othello_endgames(8)


def solved_share(endgames, agent, playouts=10_000):
    """Of the Othello endgames: the share in which a best move is chosen, and the mean error."""
    right, errors = 0, []
    for board, best, result in endgames:
        position = as_position("othello", board)
        report = Searcher(position.game, agent, seed=2).search(position, playouts=playouts)
        right += position.game.parse_move(report.best) in best
        value = next(move.value for move in report.moves if move.move == report.best)
        truth = result if board.turn == 0 else 1 - result
        errors.append(abs(truth - value))
    return right / len(endgames), sum(errors) / len(errors)


@pytest.mark.parametrize("name", [name for name in TREE_AGENTS if name not in MORE_IN_GO])
def test_othello_endgames(endgames, name):
    assert {board.turn for board, _, _ in endgames} == {0, 1}
    share, error = solved_share(endgames, make_agent(name))
    assert share == 1.0
    assert error < 0.15


# White's winning answers to each first move, none where Black has won; by tests/naive/solve.py,
# which takes a second for 3x3 and two minutes for 4x4.
REPLIES = json.loads((Path(__file__).parent / "data" / "hex_replies.json").read_text())


def test_the_table_of_replies():
    memo = {}
    for first, replies in REPLIES["3"].items():
        board = naive_hex.Board(3)
        board.play(int(first))
        best, result = winning_moves(board, memo)
        assert replies == (sorted(best) if result == 0.0 else [])


@pytest.mark.parametrize(
    ("size", "playouts", "name"),
    [
        (3, 20_000, "uct"),
        *((4, 60_000, name) for name in (*TREE_AGENTS, *COMBINED, *FAMILY)),
        *((4, 20_000, name) for name in DEAR),
    ],
)
def test_first_moves_of_hex(size, playouts, name):
    """A winning answer where there is one; values on the right side, and nearing the truth."""
    game = make_game(f"hex:{size}")
    errors = {playouts // 20: 0.0, playouts: 0.0}
    # Half a turn of the board makes the second half of the first moves of the first; and every
    # other one of those has both kinds among them, won and lost.
    table = {n: REPLIES[str(size)][n] for n in map(str, range(0, size**2 // 2 + 1, 2))}
    assert {bool(replies) for replies in table.values()} == {False, True}
    for first, replies in table.items():
        position = Position.start(game).play(int(first))
        for budget in errors:
            report = Searcher(game, make_agent(name), seed=5).search(position, playouts=budget)
            value = next(move.value for move in report.moves if move.move == report.best)
            errors[budget] += abs(value - bool(replies)) / len(table)
        assert not replies or game.parse_move(report.best) in replies, first
        assert (value > 0.5) == bool(replies), first
    assert errors[playouts] < min(0.4, errors[playouts // 20])


GO_PROBLEMS = [
    # White's corner has room for two eyes or for one: B4 decides, and with it the game.
    ("go:4", ". . . O\nO O O O\nX X X X\n. X . X\nX to play", {"B4"}),
    ("go:4", ". . . O\nO O O O\nX X X X\n. X . X\nO to play", {"B4"}),
]


@pytest.mark.parametrize("name", ["uct", "dfuct", *MORE_IN_GO])
@pytest.mark.parametrize(("spec", "diagram", "best"), GO_PROBLEMS)
def test_small_life_and_death(spec, diagram, best, name):
    position = Position.from_diagram(make_game(spec), diagram)
    report = Searcher(position.game, make_agent(name), seed=1).search(position, playouts=10_000)
    assert report.best in best
    assert next(move.value for move in report.moves if move.move == report.best) > 0.8


@pytest.mark.parametrize("name", [*TREE_AGENTS, "mc", "ucb"])
def test_a_move_that_wins_at_once_is_played(name):
    for text, wins in (
        ("X . . .\n X . . .\n  X . O O\n   . O . .\nX to play", {"a4"}),
        (". . . X\n O O O .\n  . X X .\n   . . . .\nO to play", {"d2"}),
    ):
        position = Position.from_diagram(make_game("hex:4"), text)
        report = Searcher(position.game, make_agent(name), seed=1).search(position, playouts=1)
        assert report.best in wins and report.won and report.pv == (report.best,)


@kernel
def backup_without_turning(nodes, path, depth, seen, params):
    for level in range(depth, -1, -1):
        nodes[path[level]].visits += 1
        nodes[path[level]].total += seen


mean_backup = mean.backup


@kernel
def backup_turned(nodes, path, depth, seen, params):
    mean_backup(nodes, path, depth, 1.0 - seen, params)


accelerated_backup = accelerated.backup
discounted_backup = discounted.backup


@kernel
def accelerated_turned(nodes, path, depth, seen, params):
    accelerated_backup(nodes, path, depth, 1.0 - seen, params)


@kernel
def discounted_turned(nodes, path, depth, seen, params):
    discounted_backup(nodes, path, depth, 1.0 - seen, params)


def operator(module, **changes):
    parts = ("FIELDS", "WEIGHT", "clear", "backup", "value", "inverse_visits", "parent_visits")
    kept = {part: getattr(module, part) for part in parts if hasattr(module, part)}
    return SimpleNamespace(**(kept | changes))


SIGNS = [
    ("uct", operator(mean, backup=backup_without_turning)),
    ("uct", operator(mean, backup=backup_turned)),
    ("auct(k=3)", operator(accelerated, backup=accelerated_turned)),
    ("duct(k=5)", operator(discounted, backup=discounted_turned)),
]


@pytest.mark.parametrize(("name", "backup"), SIGNS)
def test_a_turned_sign_is_noticed(endgames, name, backup):
    """The proof that the endgames above can fail: each wrong sign loses most of them."""
    wrong = with_rules(make_agent(name), backup=backup)
    assert solved_share(endgames, wrong, playouts=5_000)[0] < 0.6


def test_a_turned_result_of_the_game_is_noticed(endgames):
    game = make_game("othello")
    turned = replace(game, result=turned_result, playouts={"uniform": turned_playout})
    right = 0
    for board, best, _ in endgames:
        position = as_position("othello", board)
        position = Position.from_stones(turned, position.stones, position.turn)
        report = Searcher(turned, make_agent("uct"), seed=2).search(position, playouts=5_000)
        right += turned.parse_move(report.best) in best
    assert right / len(endgames) < 0.6


othello_result = make_game("othello").result
othello_playout = make_game("othello").playouts["uniform"]


@kernel
def turned_result(s):
    return 1.0 - othello_result(s)


@kernel
def turned_playout(s, rng, out, trace):
    result, length = othello_playout(s, rng, out, trace)
    return 1.0 - result, length
