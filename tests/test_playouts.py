"""Fast playouts against their slow twins: mean result, mean length, frequency of the first move."""

import random
from dataclasses import replace

import numpy as np
import pytest

from tests.naive import go, havannah, othello
from tests.naive import hex as naive_hex
from uctlab.games import Position, make_game
from uctlab.games.sampling import PlayoutSampler
from uctlab.kernels import below, hole, kernel

FAST_PLAYOUTS = 20_000  # many more than slow ones
SIGMAS = 4.5  # of the difference of two means; the seeds are fixed

# Game, twin's arguments, random moves before the playouts begin, slow playouts.
CASES = [
    ("othello", othello, (), 0, 120),
    ("othello", othello, (), 30, 200),
    ("othello", othello, (), 52, 1000),
    ("hex:4", naive_hex, (4,), 0, 1000),
    ("hex:4", naive_hex, (4,), 1, 1000),  # White to move, an odd number of empty cells
    ("hex:4", naive_hex, (4,), 6, 1000),
    ("hex:11", naive_hex, (11,), 1, 200),
    ("hex:11", naive_hex, (11,), 60, 400),
    ("havannah:3", havannah, (3,), 0, 250),
    ("havannah:3", havannah, (3,), 7, 250),
    ("go:4", go, (4,), 0, 500),
    ("go:4", go, (4,), 13, 500),
    ("go:9", go, (9,), 0, 50),
    ("go:9", go, (9,), 70, 50),
]


def naive_sample(twin, board, playouts, rng):
    outcomes = [twin.playout(board.copy(), rng) for _ in range(playouts)]
    results = np.array([result for result, _, _ in outcomes])
    lengths = np.array([length for _, length, _ in outcomes], float)
    return results, lengths, [first for _, _, first in outcomes]


def middle_game(spec, twin, arguments, plies):
    """The same position twice; no ko and no pass just before, which set-ups do not know."""
    game = make_game(spec)
    rng = random.Random(f"{spec} {plies}")
    while True:
        board = twin.Board(*arguments)
        for _ in range(plies):
            if board.over():
                break
            board.play(rng.choice(board.legal()))
        if not board.over() and not getattr(board, "passes", 0) and not getattr(board, "ko", None):
            break
    cells = board.cells.items() if isinstance(board.cells, dict) else enumerate(board.cells)
    owners = {cell: owner for cell, owner in cells if owner is not None}
    stones = np.zeros(game.diagram.cells, np.int8)
    for cell, owner in owners.items():
        stones[cell] = 1 + owner
    position = Position.from_stones(game, stones, board.turn)
    return position, twin.Board.from_stones(*arguments, owners, board.turn)


def differences(position, slow_sample, trace):
    """What does not agree between the fast playout and its twin."""
    results, lengths, firsts = slow_sample
    playouts = len(results)
    fast = PlayoutSampler(position, seed=5, trace=trace).run(FAST_PLAYOUTS)
    scale = SIGMAS * np.sqrt(1 / playouts + 1 / FAST_PLAYOUTS)
    found = []
    for name, mean, slow in (("result", fast.result, results), ("length", fast.length, lengths)):
        spread = max(slow.std(), 0.5 / np.sqrt(playouts))  # a sample without spread is not exact
        if abs(mean - slow.mean()) > scale * spread:
            found.append(f"{name} {mean} against {slow.mean()} +- {spread / np.sqrt(playouts)}")
    if trace:
        slow_counts = np.bincount(firsts, minlength=len(fast.first_moves))
        share = (slow_counts + fast.first_moves) / (playouts + FAST_PLAYOUTS)
        gap = np.abs(slow_counts / playouts - fast.first_moves / FAST_PLAYOUTS)
        for move in np.flatnonzero(gap > scale * np.sqrt(share * (1 - share)) + 1e-12):
            found.append(f"first move {move}: {fast.first_moves[move]} and {slow_counts[move]}")
    return found


@pytest.mark.parametrize(("spec", "twin", "arguments", "plies", "playouts"), CASES)
def test_fast_playouts_have_the_twins_distribution(spec, twin, arguments, plies, playouts):
    position, board = middle_game(spec, twin, arguments, plies)
    assert tuple(board.legal()) == position.legal
    slow = naive_sample(twin, board, playouts, random.Random(12))
    assert differences(position, slow, trace=False) == []
    assert differences(position, slow, trace=True) == []


moves, play, result = hole("game.moves"), hole("game.play"), hole("game.result")
TRACE = hole("playout.TRACE")


@kernel
def never_the_last_move(s, rng, out, trace):
    """A playout with the commonest of mistakes."""
    length = 0
    count = moves(s, out)
    while count > 0:
        move = out[below(rng, max(count - 1, 1))]
        if TRACE:
            trace[length] = move
        play(s, move)
        length += 1
        count = moves(s, out)
    return result(s), length


@pytest.mark.parametrize(
    ("spec", "twin", "arguments", "plies", "playouts"),
    [
        ("othello", othello, (), 0, 150),
        ("havannah:3", havannah, (3,), 0, 400),
        ("hex:4", naive_hex, (4,), 6, 1500),
    ],
)
def test_a_biased_playout_is_found_out(spec, twin, arguments, plies, playouts):
    position, board = middle_game(spec, twin, arguments, plies)
    biased = replace(position.game, playouts={"uniform": never_the_last_move})
    position = Position.from_stones(biased, position.stones, position.turn)
    slow = naive_sample(twin, board, playouts, random.Random(11))
    assert any("first move" in line for line in differences(position, slow, trace=True))
