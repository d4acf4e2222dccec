"""Settled eyes of light playouts: nobody could play there, at any time, says the slow twin."""

import random

import numpy as np
import pytest

from tests.naive import go
from uctlab.games import Position, make_game
from uctlab.games.go.board import BLACK, EMPTY, SETTLED, atari_around, code_of, find_empty, index_of
from uctlab.games.go.eyes import eye_owner
from uctlab.games.go.light import playout
from uctlab.games.go.placing import place
from uctlab.games.go.settled import settle
from uctlab.kernels import seed_rng, specialise

# Size of the board, games.
CASES = [(2, 20), (3, 20), (5, 20), (7, 6), (9, 4)]
TEMPLATES = (atari_around, code_of, eye_owner, find_empty, index_of, place, settle)


class Kernels:
    """Kernels of one size as plain Python, by name."""

    def __init__(self, size):
        self.game = make_game(f"go:{size}").interpreted()
        for template in TEMPLATES:
            setattr(self, template.__name__, self.bind(template))

    def bind(self, template, **playout):
        constants = self.game.constants
        return specialise(template, interpret=True, game=constants, playout=playout)

    def new_state(self):
        state = self.game.new_states(1)
        state[0] = Position.start(self.game).state
        return state[0]


def playable(board, player):
    """What a light playout may choose if it is that player's turn."""
    turn, ko = board.turn, board.ko
    board.turn, board.ko = player, ko if player == turn else None
    points = range(board.size * board.size)
    found = {p for p in points if board.allowed(p, superko=False) and not board.own_eye(p, player)}
    board.turn, board.ko = turn, ko
    return found


def settle_at(kernels, s, at, owner):
    kernels.settle(s, at, owner)
    i = kernels.find_empty(s, at)
    s.count -= 1
    s.empties[i] = s.empties[s.count]


def settle_some(kernels, s, rng):
    """Settle about half of what a playout would settle; returns how many."""
    points = [np.uint64(at) for at in s.empties[: s.count]]
    rng.shuffle(points)
    settled = 0
    for at in points[: len(points) // 2 + 1]:
        owner = kernels.eye_owner(s, at)
        if owner != EMPTY and not kernels.atari_around(s, at):
            settle_at(kernels, s, at, owner)
            settled += 1
    return settled


def settled_points(kernels, s, board):
    """Owners of settled points, by point."""
    colors = {p: int(s.color[kernels.index_of(p)]) for p in range(board.size * board.size)}
    return {p: color - SETTLED for p, color in colors.items() if color >= SETTLED}


def expected_word(kernels, board, chain, settled):
    """What `liberties` should be for the chain with that stone."""
    word = 0
    for stone in board.chain(board.cells, chain)[0]:
        for near in board.near(stone):
            if near in settled:
                word += (1 << 10) + (int(kernels.index_of(near)) << 20)
            elif board.cells[near] is None:
                word += 1
    return word % 2**32


def check_board(kernels, s, board):
    """That list, colours, words and lead are right; returns how many points are settled."""
    settled = settled_points(kernels, s, board)
    listed = [int(kernels.code_of(at)) for at in s.empties[: s.count]]
    empty = [p for p, owner in enumerate(board.cells) if owner is None]
    assert sorted(listed + list(settled)) == empty
    for point, owner in settled.items():
        assert board.own_eye(point, owner - BLACK)
    assert not (playable(board, 0) | playable(board, 1)) & set(settled)
    owners = [owner for owner in board.cells if owner is not None]
    owners += [owner - BLACK for owner in settled.values()]
    assert s.lead == owners.count(0) - owners.count(1)
    for point, owner in enumerate(board.cells):
        if owner is not None:
            head = s.head[kernels.index_of(point)]
            assert s.liberties[head] == expected_word(kernels, board, point, settled)
    return len(settled)


@pytest.mark.parametrize(("size", "games"), CASES)
def test_nobody_may_play_on_a_settled_eye(size, games):
    kernels, rng = Kernels(size), random.Random(size)
    ever_settled, most, unsettled = 0, 0, 0
    for _ in range(games):
        s, board = kernels.new_state(), go.Board(size, superko=False)
        while not board.over() and len(board.earlier) < 3 * size * size:
            check_board(kernels, s, board)
            ever_settled += settle_some(kernels, s, rng)
            most = max(most, check_board(kernels, s, board))
            moves = sorted(playable(board, board.turn))
            move = rng.choice(moves) if moves else size * size
            if moves:
                at = kernels.index_of(move)
                before = len(settled_points(kernels, s, board))
                kernels.place(s, kernels.find_empty(s, at), np.int64(board.turn + 1))
                unsettled += before - len(settled_points(kernels, s, board))
            s.ko = s.ko if moves else 0
            board.play(move)
    if size >= 5:
        assert most >= 4
        assert 0 < unsettled < ever_settled  # some return to the list, others stay to the end


@pytest.mark.parametrize(("size", "games"), CASES)
def test_playouts_pass_only_when_nothing_can_be_played(size, games):
    kernels, rng = Kernels(size), seed_rng(size)
    traced = kernels.bind(playout, TRACE=True)
    for _ in range(games):
        trace = kernels.game.new_trace()
        result, length = traced(kernels.new_state(), rng, kernels.game.new_out(), trace)
        board = go.Board(size, superko=False)
        for move in trace[:length]:
            moves = playable(board, board.turn) or {size * size}
            assert move in moves
            board.play(int(move))
        assert board.over() or length == 3 * size * size
        assert result == board.result()


# Black's chain along the top has three pseudo-liberties once White plays J8: A9 and, twice, B8. The
# mean of their indices is that of H9, a stone beside which the chain has three other stones.
TWO_EYES = """
. X X X X X X X X
X . X O O O O X .
X X O . . . . O .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
"""


def test_two_settled_eyes_stay_settled_without_other_liberties():
    kernels = Kernels(9)
    cells = TWO_EYES.split()
    stones = {p: "XO".index(cell) for p, cell in enumerate(cells) if cell != "."}
    board = go.Board.from_stones(9, stones, turn=1, superko=False)
    s = kernels.new_state()
    array = np.array([".XO".index(cell) for cell in cells])
    assert kernels.bind(kernels.game.setup)(s, array, 1)
    for point in (0, 10):
        settle_at(kernels, s, kernels.index_of(point), BLACK)
    kernels.place(s, kernels.find_empty(s, kernels.index_of(17)), np.int64(2))
    board.play(17)
    assert check_board(kernels, s, board) == 2
