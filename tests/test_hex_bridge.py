"""Playouts that keep bridges, against the definition spelled out on the naive board."""

import random
from collections import Counter

import numpy as np
import pytest

from tests.naive.hex import Board, bridge_replies
from uctlab.games import Position, make_game
from uctlab.kernels import seed_rng


def boards(size, count):
    """Random positions with the last move, in which neither side has won."""
    rng = random.Random(size)
    game = make_game(f"hex:{size}")
    while count > 0:
        position, board, last = Position.start(game), Board(size), None
        for _ in range(rng.randrange(size * size)):
            move = rng.choice(position.legal)
            if position.play(move).is_over:
                break
            position, last = position.play(move), move
            board.play(move)
        count -= 1
        yield position, board, last


@pytest.mark.parametrize("size", [3, 5])
def test_every_answer_of_a_playout(size):
    """An intrusion is answered at one of the other carriers; else any empty cell may follow."""
    game = make_game(f"hex:{size}")
    playout = game.playout("bridge", trace=True)
    state, out, trace = game.new_states(1), game.new_out(), game.new_trace()
    rng = seed_rng(5)
    seen = Counter()
    for position, board, before in boards(size, 300):
        state[0] = position.state
        result, length = playout(state[0], rng, out, trace)
        full, last = board.copy(), before
        for move in trace[:length].tolist():
            replies = bridge_replies(full, last)
            assert full.cells[move] is None
            assert not replies or move in replies, (full.cells, last)
            seen[min(len(replies), 2)] += 1
            full.cells[move] = full.turn
            full.turn = 1 - full.turn
            last = move
        assert None not in full.cells
        assert result == (1.0 if full.connected(0) else 0.0)
    assert min(seen[replies] for replies in (0, 1, 2)) > 10


def test_chances():
    """Several carriers are equally likely, and so are all cells where no bridge is broken."""
    game = make_game("hex:5")
    playout = game.playout("bridge", trace=True)
    state, out, trace = game.new_states(1), game.new_out(), game.new_trace()
    rng = seed_rng(6)

    def first_moves(position):
        counts = Counter()
        for _ in range(6000):
            state[0] = position.state
            playout(state[0], rng, out, trace)
            counts[game.move_name(trace[0])] += 1
        return counts

    # White's last move breaks three bridges at once.
    position = Position.start(game).play_all("c2 a1 b4 a2 d3 e1 e5 a3 a5 c3")
    board = Board.from_stones(5, {i: int(o) - 1 for i, o in enumerate(position.stones) if o}, 0)
    replies = {game.move_name(m) for m in bridge_replies(board, game.parse_move("c3"))}
    assert len(replies) == 3
    counts = first_moves(position)
    assert set(counts) == replies
    assert all(
        abs(count - 6000 / len(replies)) < 5 * np.sqrt(6000) / 2 for count in counts.values()
    )
    counts = first_moves(Position.start(game))
    assert len(counts) == 25
    assert all(abs(count - 240) < 5 * np.sqrt(240) for count in counts.values())


@pytest.mark.parametrize(
    ("moves", "answers"),
    [
        ("c2 e5 b4 b3", "c3"),  # a bridge between stones, both ways
        ("c2 e5 b4 c3", "b3"),
        ("c2 e5 b4 c1", "d1"),  # and to the edge
        ("c2 e5 b4 e1", ""),
        ("a1 b2 e5 a4 e4 b3", ""),  # one's own move breaks nothing
        ("a1 b2 a5 d4 b3", ""),
    ],
)
def test_examples(moves, answers):
    game = make_game("hex:5")
    position = Position.start(game).play_all(moves)
    board = Board.from_stones(
        5, {i: int(o) - 1 for i, o in enumerate(position.stones) if o}, position.turn
    )
    found = bridge_replies(board, position.last_move)
    assert {game.move_name(move) for move in found} == set(answers.split())
