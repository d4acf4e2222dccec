"""Games of the user's own over GTP: one with a diagram but no SGF, one without a board at all."""

from pathlib import Path

import pytest

from tests.gtp_talk import Talk
from uctlab.agents import make_agent
from uctlab.games import make_game
from uctlab.protocol import gtp_engine
from uctlab.protocol.gtp_commands import COMMANDS
from uctlab.protocol.gtp_engine import Engine, EngineOptions
from uctlab.protocol.gtp_session import Session

FILE = Path(__file__).parents[1] / "examples" / "connect_four.py"


@pytest.fixture
def talk():
    return Talk(make_game(str(FILE)).interpreted())


def test_a_game_from_a_file(talk):
    talk.ask("play b d")
    talk.ask("play white D")
    assert talk.ask("genmove b") in talk.engine.game.move_names
    assert len(talk.position.moves) == 3
    talk.ask("undo")
    assert talk.ask("showboard").splitlines()[-3:] == [
        "2  . . . O . . .",
        "1  . . . X . . .",
        "X to play",
    ]
    assert "genmove" in talk.ask("list_commands").split()
    for move in ("a", "b", "a", "b", "a", "b", "a"):
        talk.ask(f"play {'bw'[len(talk.position.moves) % 2]} {move}")
    assert talk.ask("final_score") == "B+"
    assert talk.ask("genmove w") == "resign" and talk.ask("genmove b") == "pass"


def test_its_budget_under_a_clock(talk):
    talk.ask("time_settings 60 0 0")
    assert talk.ask("genmove b") in talk.engine.game.move_names


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("play b d9", "invalid vertex 'd9'; accepted: a, b, c, d, e, f, g"),
        ("play w d", "illegal move: it is Black's turn"),
        ("komi 7.5", "connect_four has no komi"),
        ("boardsize 9", "unacceptable size: connect_four has boards of one size only"),
        ("loadsgf game.sgf", "connect_four has no SGF files"),
        ("printsgf", "connect_four has no SGF files"),
        ("fixed_handicap 2", "connect_four has no handicap"),
        ("final_status_list dead", "connect_four has no dead stones"),
        ("gogui-rules_board", "unknown command 'gogui-rules_board'"),
        ("uctlab-visits", "connect_four has no grid of cells"),
    ],
)
def test_what_it_does_not_have_is_an_error(talk, line, says):
    assert talk.refused(line) == says
    assert talk.ask("reg_genmove b") in talk.engine.game.move_names  # the game goes on


def test_a_game_without_a_board():
    talk = Talk(make_game("deceptive").interpreted())
    assert talk.ask("showboard") == "start"
    talk.ask("time_settings 60 0 0")
    assert talk.ask("genmove b") in ("B", "C")
    talk.ask("undo")
    talk.ask("play b C")
    assert talk.ask("showboard") == "C" and talk.ask("genmove w") == "G"
    assert talk.ask("uctlab-variation") in ("b H", "b I")
    assert talk.refused("uctlab-visits") == "deceptive:2 has no grid of cells"
    assert "komi" in talk.refused("komi 1") and "SGF" in talk.refused("printsgf")


def test_questions_compile_nothing(monkeypatch):
    """A match gives a program ten seconds for its first answer."""
    out = []
    engine = Engine(make_game(str(FILE)).interpreted(), make_agent("uct"), EngineOptions())
    monkeypatch.setattr(gtp_engine, "Preparation", lambda *_: pytest.fail("it compiles"))
    session = Session(engine, COMMANDS, out.append, lambda: True)
    for line in (b"protocol_version", b"name", b"list_commands", b"known_command play", b"quit"):
        session.handle(line)
    assert out[:2] == ["= 2\n\n", "= uctlab uct\n\n"] and session.ended
