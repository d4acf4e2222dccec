"""When our agents pass instead of making a move that gains nothing."""

import pytest

from tests.gtp_talk import Talk
from tests.test_go_safety import LAND
from uctlab.arena.game import GameRunner, dismiss_players
from uctlab.arena.plan import MatchPlan
from uctlab.games import Position, make_game
from uctlab.mcts.passing import (
    move_or_pass,
    nothing_to_gain,
    useful_move,
    wins_as_it_stands,
    wins_by_passing,
)
from uctlab.mcts.report import MoveReport, SearchReport

GAME = make_game("go:9")
CLEAN = LAND.replace("x", "O")  # nothing is left to capture


def after_a_pass(text, turn, game=GAME):
    """It is the turn of that side, since the other has passed."""
    other = "O" if turn == "X" else "X"
    return Position.from_diagram(game, f"{text.upper()}\n{other} to play").play("pass")


def report(best, **values):
    """A search that has looked at these moves, the most visited first."""
    moves = tuple(MoveReport(name, 9 - i, v) for i, (name, v) in enumerate(values.items()))
    fields = dict.fromkeys(SearchReport.__dataclass_fields__)
    return SearchReport(**fields | {"best": best, "moves": moves})


def test_nothing_is_left_to_do():
    for turn in "XO":
        assert nothing_to_gain(after_a_pass(CLEAN, turn))
    assert not nothing_to_gain(after_a_pass(LAND, "O"))  # White may still capture
    assert not nothing_to_gain(Position.from_diagram(GAME, f"{CLEAN}\nX to play"))  # nobody passed
    assert not nothing_to_gain(after_a_pass("\n".join([". . . . . . . . ."] * 9), "X"))


def name(move):
    return GAME.move_name(move)


def test_an_idle_move_becomes_a_pass():
    land = after_a_pass(LAND, "O")
    assert name(move_or_pass(land, report("A1", A1=0.1, H2=0.1))) == "pass"
    assert name(move_or_pass(land, report("A1", A1=0.9, H2=0.8))) == "H2"  # captures, and wins
    assert name(move_or_pass(land, report("A1", A1=0.9, H2=None))) == "pass"
    assert name(move_or_pass(land, report("H2", H2=0.1, A1=0.1))) == "H2"
    open_turn = Position.from_diagram(GAME, f"{LAND.upper()}\nO to play")
    assert name(move_or_pass(open_turn, report("A1", A1=0.1, H2=0.1))) == "A1"  # nobody passed


def test_useful_moves():
    land = after_a_pass(LAND, "O")
    values = {"pass": 0.9, "A1": 0.5, "H2": 0.1}
    assert name(useful_move(land, report("pass", **values))) == "H2"
    assert name(useful_move(land, report("H2", **values))) == "H2"
    assert useful_move(land, report("A1", A1=0.9)) is None


@pytest.mark.parametrize(("turn", "wins"), [("X", True), ("O", False)])
def test_who_wins_as_it_stands(turn, wins):
    """Black has 47 points of 81, too few for a komi of 17.5."""
    for komi, favour in ((7.5, wins), (17.5, not wins)):
        game = GAME.with_options(komi=komi)
        assert wins_by_passing(after_a_pass(CLEAN, turn, game)) == favour
        for position in (
            after_a_pass(CLEAN, turn, game),
            Position.from_diagram(game, f"{CLEAN}\n{turn} to play"),
        ):
            assert wins_as_it_stands(position) == favour


def test_a_lost_engine_passes_over_gtp(monkeypatch):
    """Without a search."""
    talk = Talk(GAME.with_options(komi=17.5), playouts=10)
    monkeypatch.setattr(talk.engine, "search", None)
    start = Position.from_diagram(talk.engine.game, f"{CLEAN}\nO to play")
    talk.engine.begin(type(talk.engine.board)(start))
    talk.ask("play w pass")
    assert talk.ask("genmove b") == "pass"


def test_our_own_agents_play_by_the_rules_alone(monkeypatch):
    """Only a program that passes like people is answered like that."""
    land = after_a_pass(LAND, "O")
    try:
        for other, wanted in (("mc", "A1"), ('gtp:"cat"', "pass")):
            runner = GameRunner(MatchPlan("go:9", "uct", other, playouts=1))
            found = report("A1", A1=0.1, H2=0.1)
            monkeypatch.setattr(runner.a, "_search", lambda position, found=found: found)
            assert name(runner._choice(runner.a, land)) == wanted
    finally:
        dismiss_players()
