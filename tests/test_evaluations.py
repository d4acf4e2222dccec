"""The evaluations of games against slow twins, and with the players' colours changed."""

import random
from dataclasses import replace

import numpy as np
import pytest

from tests.naive import evaluations as naive
from tests.naive import othello
from tests.searches import CONNECT_FOUR
from uctlab.games import ConformanceError, Position, check, make_game
from uctlab.kernels import kernel

UNITS = {"othello": 16, "hex": 1, "kalah": 6, "connect_four": 8}


def lead_of(position):
    """The lead that the value stands for, for the first player."""
    family = position.game.family.rpartition("/")[2].removesuffix(".py")
    value = float(position.game.kernels.evaluate(position.state))
    ahead = 2 * value - 1
    return ahead * UNITS[family] / (1 - abs(ahead))


def positions(spec, games=4):
    """Positions of random games in plain Python that are not over."""
    game = make_game(spec).interpreted()
    for seed in range(games):
        draw, position = random.Random(seed), Position.start(game)
        while not position.is_over:
            yield position
            position = position.play(draw.choice(position.legal))


def close(a, b):
    return a == pytest.approx(b, abs=1e-6)


def test_othello():
    for position in positions("othello"):
        board = othello.Board.from_stones(
            {cell: owner - 1 for cell, owner in enumerate(position.stones) if owner}, position.turn
        )
        lead = naive.othello_lead(board)
        assert close(lead_of(position), -lead if position.turn else lead), str(position)


@pytest.mark.parametrize("spec", ["hex:2", "hex:4", "hex:6"])
def test_hex(spec):
    for position in positions(spec):
        far = [
            naive.hex_distance(position.stones, position.game.options["size"], p) for p in (0, 1)
        ]
        tempo = 0.5 if position.turn == 0 else -0.5
        assert close(lead_of(position), far[1] - far[0] + tempo), str(position)


def test_kalah():
    for position in positions("kalah"):
        rows = str(position).splitlines()
        north, south = map(int, rows[2].split())
        assert close(lead_of(position), south - north), str(position)


def test_connect_four():
    for position in positions(CONNECT_FOUR):
        owners = position.stones
        stones = {(x, y): owners[7 * x + y] for x in range(7) for y in range(6)}
        lead = naive.connect_four_lines(stones, 1) - naive.connect_four_lines(stones, 2)
        assert close(lead_of(position), lead), str(position)


@pytest.mark.parametrize("spec", ["othello", "hex:4", CONNECT_FOUR])
def test_who_changes_colours_changes_the_value(spec):
    for position in positions(spec, games=2):
        game, stones = position.game, np.array((0, 2, 1), np.int8)[position.stones]
        if game.family == "hex":  # whose edges change too
            stones = stones.reshape(4, 4).T.reshape(-1)
        state = game.new_states(1)[0]
        game.kernels.setup(state, stones, 1 - position.turn)
        assert close(game.kernels.evaluate(state), 1 - game.kernels.evaluate(position.state))


@kernel
def too_much(s):
    return 1.5


@kernel
def meddling(s):
    s.turn = 1
    return 0.5


@pytest.mark.parametrize(
    ("evaluate", "message"),
    [(too_much, "the evaluation is 1.5, not 0 to 1"), (meddling, "evaluate changes the position")],
)
def test_the_check_finds_what_is_wrong(evaluate, message):
    game = replace(make_game("kalah:2,seeds=1"), evaluate=evaluate)
    with pytest.raises(ConformanceError, match=message):
        check(game, games=1, compiled=False)
