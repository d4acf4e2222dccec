"""The referee of Go: which stones are dead, who has won."""

import random

import pytest

from tests.dead_stones import BOARDS, GAME, NAKADE_OF_FIVE, PROVEN, board, colours_changed
from tests.naive.go import Board
from uctlab.errors import UsageError
from uctlab.games import Position, Verdict, make_game
from uctlab.games.go import referee
from uctlab.games.go.referee import dead_stones, judge, survival


@pytest.mark.parametrize("name", BOARDS)
def test_dead_stones(name):
    for text in (BOARDS[name], colours_changed(BOARDS[name])):
        for turn in "XO":
            position, dead = board(text, turn)
            assert dead_stones(position) == dead


@pytest.mark.parametrize("name", BOARDS)
def test_the_judgement_is_clear(name):
    """No chain's life hangs on the number of playouts, nor on their seed."""
    position, dead = board(BOARDS[name])
    for cells, share in survival(position).items():
        assert share < referee.ALIVE - 0.1 if cells <= dead else share > referee.ALIVE + 0.1


def test_stones_that_kill_are_not_dead():
    position, dead = board(NAKADE_OF_FIVE)
    stones = next(cells for cells in survival(position) if GAME.parse_move("B2") in cells)
    assert survival(position)[stones] < referee.ALIVE
    assert dead_stones(position) == dead and GAME.score_text(judge(position).lead) == "B+19.5"


@pytest.mark.parametrize("name", PROVEN)
@pytest.mark.parametrize("share", [0.0, 1.0])
def test_playouts_that_err_do_not_matter_where_all_is_proven(monkeypatch, name, share):
    found = survival(board(BOARDS[name])[0])
    monkeypatch.setattr(referee, "survival", lambda position: dict.fromkeys(found, share))
    for text in (BOARDS[name], colours_changed(BOARDS[name])):
        position, dead = board(text)
        assert dead_stones(position) == dead


def test_scores():
    """Points counted by hand, less a komi of 7.5."""
    wanted = {
        "stones inside eyes": "W+16.5",
        "one eye, which is filled": "B+1.5",
        "forty stones in atari, that could not all be put back": "W+88.5",
        "two-headed dragon": "W+15.5",
        "snapback": "W+4.5",
        "four in a row live": "W+23.5",
        "stones inside safe land": "W+2.5",
        "nothing": "W+7.5",
    }
    for name, text in wanted.items():
        verdict = judge(board(BOARDS[name])[0])
        assert GAME.score_text(verdict.lead) == text and verdict.result == (text[0] == "B")
        assert verdict.dead == board(BOARDS[name])[1]


def test_words_of_a_verdict():
    assert [GAME.score_text(lead) for lead in (2.5, -81.0, 0.0)] == ["B+2.5", "W+81", "0"]
    assert [Verdict(lead).result for lead in (0.5, 0.0, -0.5)] == [1.0, 0.5, 0.0]
    assert make_game("havannah:3").score_text(1) == "W+1"  # White moves first there


def test_the_same_stones_get_the_same_verdict():
    """However they came about, and however often they are judged."""
    position = board(BOARDS["too few liberties"])[0]
    again = Position.from_stones(GAME, position.stones, 1)
    assert survival(position) == survival(position) == survival(again.play("pass").play("pass"))


def test_without_dead_stones_the_count_is_that_of_a_naive_board(monkeypatch):
    """At the end of random games, however wild."""
    monkeypatch.setattr(referee, "dead_stones", lambda position: set())
    rng = random.Random(3)
    leads = set()
    for _ in range(12):
        position = Position.start(GAME)
        for _ in range(rng.randint(20, 110)):
            position = position.play(rng.choice(position.legal[:-1] or position.legal))
        stones = {cell: owner - 1 for cell, owner in enumerate(position.stones) if owner}
        board = Board.from_stones(9, stones, turn=0)
        verdict = judge(position)
        assert verdict.lead == board.area(0) - board.area(1) - 7.5
        assert verdict.result == position.play("pass").play("pass").result
        leads.add(verdict.lead)
    assert len(leads) > 6


def test_other_games_have_no_dead_stones():
    with pytest.raises(UsageError, match="hex:3 has no dead stones; accepted: games of Go"):
        dead_stones(Position.start(make_game("hex:3")))
