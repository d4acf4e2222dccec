"""How the GTP engine searches: resignation, passes, early stops, reuse, analysis."""

import re

import pytest

from tests.gtp_talk import Talk
from tests.patience import SearchClock
from uctlab.games import Position, make_game
from uctlab.mcts.resigning import is_hopeless
from uctlab.mcts.searcher import Searcher
from uctlab.protocol.gtp_time import Forecast


def test_resignation():
    talk = Talk("go:4,komi=100.5", playouts=2000, resign=0.05)
    for colour in "bb":
        assert talk.ask(f"reg_genmove {colour}") != "resign"
    assert talk.ask("genmove b") != "resign"
    talk.ask(f"play w {talk.position.legal_moves[0]}")  # no pass, since Black may have passed
    assert talk.ask("genmove b") == "resign"
    assert talk.position.turn == 0 and not talk.position.is_over
    assert talk.ask("reg_genmove b") != "resign"
    assert talk.ask("genmove w") != "resign"  # White is winning
    talk.ask("undo")
    assert talk.ask("genmove b") != "resign"  # one search alone decides nothing
    never = Talk("go:4,komi=100.5", playouts=2000, resign=0.0)
    assert "resign" not in [never.ask("genmove b") for _ in range(4)]


def test_few_playouts_give_up_nothing():
    """The chosen move has about five visits, all of them lost: that says nothing yet."""
    talk = Talk("go:4,komi=100.5", playouts=100, resign=0.05)
    assert "resign" not in [talk.ask("genmove b") for _ in range(4)]
    assert not is_hopeless(0.0, 49, 1.0) and not is_hopeless(None, 1000, 0.05)
    assert is_hopeless(0.03, 1000, 0.05) and not is_hopeless(0.04, 1000, 0.05)


def test_ties_in_visits_go_by_value():
    """Moves that were tried once: one that won its playout is played."""
    report = Searcher(make_game("hex:4"), "uct", seed=1).search(
        Position.start(make_game("hex:4")), playouts=10
    )
    assert [move.visits for move in report.moves] == [1] * 10 + [0] * 6
    values = [move.value for move in report.moves[:10]]
    assert values == sorted(values, reverse=True) and {*values} == {0.0, 1.0}
    assert report.best == report.moves[0].move


def test_pass_when_it_wins():
    talk = Talk("go:4,komi=0.5")
    for line in ("play b B2", "play w pass"):
        talk.ask(line)
    talk.engine.searcher.forget()
    assert talk.ask("genmove b") == "pass" and talk.position.is_over
    assert talk.engine.searcher.position is None  # without a search
    talk.ask("clear_board")
    for line in ("play b pass", "play w B2", "play b pass"):
        talk.ask(line)
    assert talk.ask("reg_genmove w") == "pass"
    talk.ask("undo")
    talk.ask("play b B3")
    talk.ask("play w pass")
    assert talk.ask("genmove b") != "pass"  # one stone each, and komi


def test_early_stop_and_reuse():
    won = "play b A2|play w A1|play b B2|play w B1"
    made = {}
    for early in (True, False):
        options = {"agent": "uct(c=0.1)", "playouts": 50_000, "early": early}
        talk = Talk("go:4,komi=0.5", **options)
        for line in won.split("|"):
            talk.ask(line)
        move = talk.ask("reg_genmove b")
        made[early] = talk.engine.searcher.visits, move
    assert made[False][0] == 50_000 and 10_000 < made[True][0] < 45_000
    assert made[True][1] == made[False][1]
    talk = Talk("go:4", playouts=200)
    talk.ask("genmove b")
    answer = talk.engine.searcher.report().pv[1]
    talk.ask(f"play w {answer}")
    report = talk.engine.search(0, talk.position)
    assert report.reused > 0


def test_the_search_of_a_left_out_turn_reuses_nothing():
    talk = Talk("go:4", playouts=200)
    talk.ask("reg_genmove b")
    talk.ask("reg_genmove w")
    assert talk.engine.searcher.visits <= 200


def test_a_tree_of_a_left_out_turn_is_not_taken_for_one_of_a_pass():
    """The moves are the same, but a real pass and the next end the game."""
    talk = Talk("go:4", playouts=200)
    talk.ask("reg_genmove w")
    talk.ask("play b pass")
    report = talk.engine.search(1, talk.position)
    assert report.reused == 0


def test_how_many_playouts_are_left():
    forecast = Forecast(None, 1.0)
    assert forecast.playouts_left(16, 0.2) is None  # a kept tree was copied, which tells no speed
    assert forecast.playouts_left(116, 0.25) is None
    assert forecast.playouts_left(1116, 0.31) == pytest.approx(1.5 * 10_000 * 0.69, rel=1e-3)
    assert forecast.playouts_left(9016, 1.1) == 0
    both = Forecast(5000, 1.0)
    assert both.playouts_left(16, 0.2) == 4984
    assert both.playouts_left(36, 0.4) == pytest.approx(1.5 * 100 * 0.6, rel=0.02)
    assert Forecast(50, None).playouts_left(20, 9.0) == 30


def test_a_kept_tree_does_not_end_a_search_at_once(monkeypatch):
    SearchClock(monkeypatch)
    talk = Talk("go:4", seconds=0.3, playouts=None)
    for _ in range(3):
        talk.ask("genmove b")
        talk.ask("genmove w")
    report = talk.engine.search(0, talk.position)
    assert report.playouts > 1000 or len(talk.position.legal) == 1


def test_a_look_at_a_depth_first_search_does_not_disturb_it():
    trees = []
    for seen in (False, True):
        talk = Talk("hex:4", agent="dfuct", playouts=3000, early=False)
        look = talk.engine.searcher.report
        talk.engine.search(0, talk.position, (lambda *_, look=look: look()) if seen else None)
        trees.append(talk.engine.searcher.tree.view().export(2))
    assert trees[0] == trees[1]


def test_analysis_goes_on_until_a_line_comes(monkeypatch):
    clock = SearchClock(monkeypatch)
    begin = clock.now

    def waiting():
        return clock.now - begin > 0.15

    talk = Talk("hex:4", waiting=waiting)
    lines = talk.ask("kata-analyze b 3").splitlines()
    assert 3 <= len(lines) <= 7
    visits = [sum(map(int, re.findall(r"visits (\d+)", line))) for line in lines]
    assert visits == sorted(visits) and visits[0] < visits[-1]
    assert re.findall(r"order (\d+)", lines[-1]) == [str(n) for n in range(16)]
    assert talk.position.moves == ()


def test_analysis_ends_when_the_tree_can_count_no_more(monkeypatch):
    talk = Talk("hex:3", waiting=lambda: False)
    monkeypatch.setattr("uctlab.mcts.searcher.MAX_VISITS", 1000)
    talk.ask("lz-analyze b 0")
    assert talk.engine.searcher.visits == 1000
