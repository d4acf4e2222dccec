"""Kalah against its slow twin and OpenSpiel's mancala, its notation and its board."""

import random

import pytest

from tests.naive import kalah
from tests.naive.walks import leaves
from uctlab.errors import UsageError
from uctlab.games import Position, check, check_chances, make_game
from uctlab.kernels import seed_rng

SIZES = [(6, 4), (6, 20), (5, 6), (3, 2), (2, 1), (1, 3)]
# Actions 1 to 6 and 8 to 13 of OpenSpiel are the houses; nobody passes there.
CODES = dict(zip([*range(1, 7), *range(8, 14)], range(12), strict=True))


PERFT = [6, 31, 136, 623, 2630, 11_662, 50_881, 229_485]


def spec(houses, seeds):
    return f"kalah:{houses},seeds={seeds}"


def pits(board):
    return [*board.pits[0], board.stores[0]], [*board.pits[1], board.stores[1]]


def our_pits(position):
    count = position.game.options["houses"] + 1
    words = (int(position.state.own), int(position.state.opp))
    sides = [[word >> 8 * i & 255 for i in range(count)] for word in words]
    return tuple(sides if position.turn == 0 else sides[::-1])


@pytest.mark.parametrize(("houses", "seeds"), SIZES)
def test_games_move_by_move(houses, seeds):
    for number in range(30):
        rng = random.Random(number)
        board = kalah.Board(houses, seeds)
        position = Position.start(make_game(spec(houses, seeds)).interpreted())
        while True:
            where = (houses, seeds, position.moves)
            assert position.legal == tuple(board.legal()), where
            assert position.turn == board.turn and our_pits(position) == pits(board), where
            if board.over():
                break
            move = rng.choice(position.legal)
            board.play(move)
            position = position.play(move)
        assert position.is_over and position.result == board.result(), where
        assert position.game.point_lead(position) == board.lead()


def test_openspiel_plays_the_same_games():
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    game = make_game("kalah").interpreted()
    theirs, ends, passes = pyspiel.load_game("mancala"), set(), 0
    for seed in range(60):
        rng = random.Random(seed)
        state, position = theirs.new_initial_state(), Position.start(game)
        while not position.is_over:
            if position.legal_moves == ["pass"]:
                position = position.play("pass")
                passes += 1
                continue
            actions = state.legal_actions()
            assert position.legal == tuple(CODES[action] for action in actions), position.moves
            assert position.turn == state.current_player(), position.moves
            action = rng.choice(actions)
            state.apply_action(action)
            position = position.play(CODES[action])
        assert state.is_terminal(), position.moves
        assert position.result == (state.returns()[0] + 1) / 2, position.moves
        ends.add(position.result)
    assert ends == {0.0, 0.5, 1.0} and passes > 60


def test_perft():
    start = Position.start(make_game("kalah"))
    assert [start.perft(depth) for depth in range(1, 9)] == PERFT
    for houses, seeds in SIZES[1:]:
        small = Position.start(make_game(spec(houses, seeds)).interpreted())
        assert small.perft(4) == leaves(kalah.Board(houses, seeds), 4)
    assert start.perft(6) == leaves(kalah.Board(), 6)


@pytest.mark.parametrize("size", [(6, 4), (2, 1)])
def test_it_keeps_the_contract(size, monkeypatch):
    monkeypatch.setattr(check_chances, "MOST", 600)
    monkeypatch.setattr(check_chances, "LEAST", 600)
    report = check(make_game(spec(*size)), games=5, compiled=size == (6, 4))
    assert report.games == (5 if report.compiled else 1)


def test_playouts_stop_in_time():
    """Far from the limit: a random game has less than two moves a seed."""
    game = make_game("kalah").interpreted()
    lengths = []
    for seed in range(20):
        state = game.new_states(1)[0]
        game.kernels.start(state)
        lengths.append(game.playout()(state, seed_rng(seed), game.new_out(), game.new_trace())[1])
    assert max(lengths) < 2 * 48 and min(lengths) > 10


def test_a_player_who_moves_again_has_the_other_pass():
    position = Position.start(make_game("kalah").interpreted()).play("c1")
    assert position.legal_moves == ["pass"] and position.turn == 1
    assert position.play("pass").legal_moves == ["a1", "b1", "d1", "e1", "f1"]


def test_the_board():
    game = make_game("kalah").interpreted()
    position = Position.start(game).play_all("c1 pass b1 f2")
    assert str(position).splitlines() == [
        "       a  b  c  d  e  f",
        "2      4  5  5  5  5  0",
        "    0                    1",
        "1      4  0  1  6  6  6",
        "South to play",
    ]
    assert "North to play" in str(Position.start(game).play("a1"))


@pytest.mark.parametrize("bad", ["kalah:7", "kalah:0", "kalah:6,seeds=21", "kalah:6,seeds=0"])
def test_sizes_out_of_range(bad):
    with pytest.raises(UsageError, match="out of range; accepted: 1 to"):
        make_game(bad)
