"""Whole random games against the slow twins: legal moves, board and result at every ply."""

import random

import numpy as np
import pytest

from tests.naive import go, havannah, othello
from tests.naive import hex as naive_hex
from tests.naive.walks import leaves
from uctlab.games import Position, make_game

pytestmark = pytest.mark.usefixtures("machine_code")

# Game, twin, its arguments, how many games. OpenSpiel's test plays the larger sizes; here are the
# rules that it does not have (swap, positional superko) and the boards it does not offer.
CASES = [
    ("othello", othello, (), 4),
    ("hex:2", naive_hex, (2,), 40),
    ("hex:4,swap=on", naive_hex, (4, True), 25),
    ("havannah:2,swap=on", havannah, (2, True), 20),
    ("havannah:3", havannah, (3,), 12),
    ("go:2", go, (2,), 30),
    ("go:3", go, (3,), 12),
    ("go:4,komi=1", go, (4, 1.0), 5),
    ("go:9", go, (9,), 1),
]
MAX_MOVES = 300
# Plain Python takes less than to compile them.
SMALLEST = ("hex:2", "hex:3,swap=on", "havannah:2,swap=on", "go:2")


def game_of(spec):
    game = make_game(spec)
    return game.interpreted() if spec in SMALLEST else game


def owners(board, cells):
    return [0 if (owner := board.cells[cell]) is None else 1 + owner for cell in cells]


@pytest.mark.parametrize(("spec", "twin", "arguments", "games"), CASES)
def test_games_move_by_move(spec, twin, arguments, games):
    game = game_of(spec)
    cells = [cell for row in game.diagram.rows for cell in row]
    for number in range(games):
        rng = random.Random(f"{spec} {number}")
        board = twin.Board(*arguments)
        position = Position.start(game)
        for _ in range(MAX_MOVES):
            where = (spec, number, position.moves)
            assert position.legal == tuple(board.legal()), where
            assert position.turn == board.turn, where
            assert position.is_over == board.over(), where
            assert position.stones[cells].tolist() == owners(board, cells), where
            if position.is_over:
                assert position.result == board.result(), where
                break
            # Passing early would end most games of Go before they begin.
            choices = [move for move in position.legal if game.move_name(move) != "pass"]
            move = rng.choice(choices if choices and rng.random() < 0.95 else position.legal)
            board.play(move)
            position = position.play(move)


@pytest.mark.parametrize("depth", range(1, 5))
@pytest.mark.parametrize("spec", ["go:2", "go:3", "hex:3,swap=on", "havannah:2,swap=on"])
def test_perft_of_the_twins(spec, depth):
    twin, arguments = {
        "go:2": (go, (2,)),
        "go:3": (go, (3,)),
        "hex:3,swap=on": (naive_hex, (3, True)),
        "havannah:2,swap=on": (havannah, (2, True)),
    }[spec]
    assert Position.start(game_of(spec)).perft(depth) == leaves(twin.Board(*arguments), depth)


@pytest.mark.parametrize(("spec", "twin", "arguments", "games"), CASES)
def test_set_ups_play_on_like_the_twins(spec, twin, arguments, games):
    """Random stones, in positions that no game reaches too."""
    game = game_of(spec)
    cells = [cell for row in game.diagram.rows for cell in row]
    tried = 0
    rng = random.Random(spec)
    while tried < 15:
        placed = {cell: rng.randrange(2) for cell in cells if rng.random() < 0.45}
        turn = rng.randrange(2)
        options = {"swap": True} if "swap" in spec else {}
        size = () if spec == "othello" else arguments[:1]
        try:
            board = twin.Board.from_stones(*size, placed, turn, **options)
        except AssertionError:
            continue  # a chain without liberties
        stones = np.zeros(game.diagram.cells, np.int8)
        for cell, owner in placed.items():
            stones[cell] = 1 + owner
        position = Position.from_stones(game, stones, turn)
        tried += 1
        for _ in range(4):
            if twin is havannah and board.won(0) and board.won(1):
                break  # nobody can say who was first
            assert position.legal == tuple(board.legal()), (str(position), placed)
            if position.is_over:
                break
            move = rng.choice(position.legal)
            board.play(move)
            position = position.play(move)
