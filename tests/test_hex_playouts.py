"""Who wins a playout of Hex from the middle of a game, against the naive board."""

import random

import pytest

from tests.naive.hex import Board
from uctlab.games import Position, make_game
from uctlab.kernels import seed_rng

SIZE = 5
POSITIONS, PLAYOUTS = 100, 40


def middle_games(game, count):
    """Random positions in which neither side has won."""
    rng = random.Random(1)
    while count > 0:
        position = Position.start(game)
        for _ in range(rng.randrange(4, 16)):
            if not position.is_over:
                position = position.play(rng.choice(position.legal))
        if not position.is_over:
            count -= 1
            yield position


@pytest.mark.parametrize(
    ("policy", "trace"), [("uniform", False), ("uniform", True), ("bridge", True)]
)
def test_the_winner_of_a_full_board(policy, trace):
    """Stones of the game and of the playout make one chain, wherever they touch each other."""
    game = make_game(f"hex:{SIZE}")
    playout = game.playout(policy, trace=trace)
    state, out, moves = game.new_states(1), game.new_out(), game.new_trace()
    rng = seed_rng(3)
    for position in middle_games(game, POSITIONS):
        for _ in range(PLAYOUTS):
            state[0] = position.state
            result, _ = playout(state[0], rng, out, moves)
            rows = state[0].stones[0].tolist()  # Black's, as the playout leaves them
            black = {SIZE * y + x: 0 for y in range(SIZE) for x in range(SIZE) if rows[y] >> x & 1}
            board = Board.from_stones(SIZE, black, 0)
            assert result == (1.0 if board.connected(0) else 0.0), (position.moves, rows)
