"""`uctlab match`: what it prints, what it stores, and its users' mistakes."""

import json
import re
from contextlib import nullcontext
from unittest import mock

import pytest

from tests.matches import CONNECT_FOUR, WEAK, check_numbers, stored
from tests.patience import PATIENCE, wait_until
from uctlab.arena import player
from uctlab.games import Position, make_game


def test_json(uctlab):
    command = ("match", "othello", "uct", "mc", "--playouts", 4, "--seed", 3, "--workers", 1)
    code, out, _ = uctlab(*command, "--games", 30, "--openings", 4, "--json")
    facts = json.loads(out)
    assert code == 0
    check_numbers(facts)
    assert facts["draws"] > 0 and facts["games"] == 30
    given = {"game": "othello", "a": "uct", "b": "mc", "playouts": 4, "seed": 3, "openings": 4}
    assert given.items() <= facts.items()
    assert facts["complete"] and facts["wanted"] == 30 and facts["repeats"] == 0
    assert 0 <= facts["superiority"] <= 1
    assert 40 < facts["length"] < 70
    assert facts["seconds"] > 0 and min(facts["playouts_per_second"].values()) > 0
    assert facts["elo_interval"][0] < facts["elo"] < facts["elo_interval"][1]
    assert "sprt" not in facts


def test_json_of_a_test(uctlab):
    command = ("match", CONNECT_FOUR, "uct", WEAK, "--playouts", 60, "--workers", 1, "--json")
    facts = json.loads(uctlab(*command, "--games", 101, "--sprt", "0,200")[1])
    check_numbers(facts)
    assert facts["sprt"]["verdict"] == "elo1" and facts["sprt"]["llr"] >= facts["sprt"]["bounds"][1]
    assert (facts["sprt"]["elo0"], facts["sprt"]["elo1"]) == (0, 200)
    assert facts["games"] < facts["wanted"] == 101 and facts["complete"]
    open_end = json.loads(uctlab(*command, "--games", 3, "--sprt", "0,2")[1])
    check_numbers(open_end)
    assert open_end["sprt"]["verdict"] is None and open_end["games"] == 3


def test_infinite_elo_is_null(uctlab):
    command = ("match", CONNECT_FOUR, "uct", WEAK, "--playouts", 100, "--games", 4, "--workers", 1)
    text = uctlab(*command, "--json")[1]
    facts = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    check_numbers(facts)
    assert facts["wins"] == 4 and facts["elo"] is None and facts["elo_interval"][1] is None
    assert facts["interval"] == 0 and facts["wilson"][0] < 60
    assert "Elo +inf" in uctlab(*command)[1]


def test_the_printed_form(uctlab):
    command = ("match", "hex:3", "uct", "mc", "--games", 4, "--playouts", 20, "--workers", 1)
    code, out, _ = uctlab(*command, "--openings", 2, "--reuse", "--seed", 5)
    patterns = [
        r"hex:3: A = uct against B = mc",
        r"20 playouts per move, 2 random opening moves, trees reused, seed 5",
        r" +games +won +drawn +lost +A scores",
        r"A first +2( +\d){3} +[\d.]+ %",
        r"A second +2( +\d){3} +[\d.]+ %",
        r"all +4( +\d){3} +[\d.]+ %",
        r"score [\d.]+ \+- [\d.]+ %  \(Wilson [\d.]+ to [\d.]+\)",
        r"Elo [+-]\S+ \([+-]\S+ to [+-]\S+\); likelihood that A is stronger: [\d.]+ %",
        r"[\d.]+ moves per game; [\d,]+ and [\d,]+ playouts per second; [\d.]+ s",
    ]
    lines = out.splitlines()
    assert code == 0 and len(lines) == len(patterns)
    for line, pattern in zip(lines, patterns, strict=True):
        assert re.fullmatch(pattern, line) and len(line) <= 80


def test_the_store_of_the_command_line(uctlab, tmp_path):
    """The same command again plays nothing; a longer one plays the rest; stored lists it."""
    path = tmp_path / "games.sqlite"
    command = ("match", "hex:3", "uct", "mc", "--playouts", 20, "--workers", 1, "--store", path)
    first = json.loads(uctlab(*command, "--games", 4, "--json")[1])
    before = stored(path)
    again = json.loads(uctlab(*command, "--games", 4, "--json")[1])
    assert {k: v for k, v in first.items() if k != "seconds"} == {
        k: v for k, v in again.items() if k != "seconds"
    }
    assert uctlab(*command, "--games", 6)[2] == f"4 games from {path}\n"
    assert uctlab(*command, "--games", 6, "--json")[2] == ""
    assert stored(path)[:4] == before and len(stored(path)) == 6
    (listed,) = json.loads(uctlab("games", "stored", path, "--json")[1])["matches"]
    assert listed["games"] == 6
    code, out, _ = uctlab("games", "export", path, "--out", tmp_path / "sgf")
    assert code == 0 and out.startswith("6 games written")
    assert len(list((tmp_path / "sgf").rglob("*.sgf"))) == 6


BASE = ("match", "hex:3", "uct", "mc", "--playouts", 9)
MISTAKES = [
    (("match", "hex:3", "uct", "auto", "--playouts", 9), "unknown agent 'auto'; did you mean auct"),
    (("match", "hex:3", "uct(k=1)", "mc", "--playouts", 9), "uct: unknown parameter 'k=1'"),
    (("match", "chess", "uct", "mc", "--playouts", 9), "unknown game 'chess'; known: othello"),
    (
        ("match", "hex:3", "uct", "mc"),
        "a search needs a budget: give --playouts N, --seconds S or both",
    ),
    (("match", "hex:3", "uct", "mc", "--seconds", 0), "seconds must be more than 0, not 0"),
    (
        ("match", "hex:3", "uct", "mc", "--playouts", 0),
        "--playouts takes a whole number from 1 to 4,294,967,294, not '0'",
    ),
    ((*BASE, "--games", 0), "--games takes a whole number, at least 1, not '0'"),
    ((*BASE, "--games", 10**9), "a match has 1 to 10,000,000 games"),
    ((*BASE, "--device", "gpu"), "unknown device 'gpu'; known: cpu, cuda, ray, ray:ADDRESS"),
    ((*BASE, "--workers", 0), "there must be 1 to 1024 workers, not 0"),
    ((*BASE, "--sprt", "5"), "'5' is not an SPRT; write two bounds in normalized Elo, such as 0,5"),
    ((*BASE, "--sprt", "5,0"), "the first bound must be less than the second"),
    ((*BASE, "--openings", -1), "--openings takes a number of moves, at least 0"),
    ((*BASE, "--openings", 9), "hex:3: the game is over after 9 random opening moves"),
    ((*BASE, "--store", "{text}"), "cannot be opened: file is not a database"),
    (("match", "hex:3", "uct", "gtp:", "--playouts", 9), "gtp: needs a program"),
    (("match", "hex:3", "uct", 'gtp:"no-such"', "--playouts", 9), "no program 'no-such' on PATH"),
    (("match", "hex:3", "uct", "gtp:false", "--playouts", 9), 'gtp:"false" cannot play'),
    (("games", "stored", "{none}"), "there is no store"),
]


@pytest.mark.parametrize(("arguments", "says"), MISTAKES, ids=[says for _, says in MISTAKES])
def test_mistakes_are_one_line_and_code_two(uctlab, tmp_path, arguments, says):
    (tmp_path / "text").write_text("no database, but long enough to have the head of one\n" * 9)
    paths = {"text": tmp_path / "text", "none": tmp_path / "none"}
    code, out, err = uctlab(*[str(argument).format(**paths) for argument in arguments])
    assert code == 2 and out == ""
    assert err.startswith("uctlab: ") and err.count("\n") == 1 and says in err


def test_a_program_that_does_not_speak_gtp(uctlab, monkeypatch):
    monkeypatch.setenv("UCTLAB_GTP_START_SECONDS", "0.2")
    code, out, err = uctlab("match", "go:3", "gtp:cat", "mc", "--playouts", 2)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "cat: protocol_version: the engine gave no full answer within 0.2 s, nor any" in err
    assert "UCTLAB_GTP_START_SECONDS allows more time" in err
    monkeypatch.setenv("UCTLAB_GTP_START_SECONDS", "soon")
    code, _, err = uctlab("match", "go:3", "gtp:cat", "mc", "--playouts", 2)
    assert code == 2 and "must be a number of seconds, not 'soon'" in err


def test_a_line_says_whose_move_takes_long(monkeypatch):
    """Once per program, and with the limit."""
    told = []
    monkeypatch.setattr(player, "_notice", lambda *words: told.append(words) or nullcontext())
    monkeypatch.setattr(player, "MOVE_NOTICE_SECONDS", 0.0)
    silent = player.GtpPlayer(make_game("hex:2"), "silent")
    monkeypatch.setattr(silent, "_engine", mock.MagicMock())
    silent._engine.genmove.return_value = "a1"
    for _ in range(2):
        silent.choose(Position.start("hex:2"))
    assert told == [('waiting for gtp:"silent" to make a move, at most 600 s', 0.0)]


def test_a_line_says_who_is_waited_for(uctlab, monkeypatch, capsys):
    told = []
    notice = player._notice
    monkeypatch.setattr(player, "_notice", lambda text: told.append(text) or nullcontext())
    monkeypatch.setenv("UCTLAB_GTP_START_SECONDS", "0.2")
    uctlab("match", "hex:2", "uct", "gtp:cat", "--playouts", 2)
    assert told == ['waiting for gtp:"cat" to answer, at most 0.2 s']
    monkeypatch.setattr(player, "NOTICE_SECONDS", 0.0)
    heard = []
    with notice(told[0]):
        wait_until(
            lambda: heard.append(capsys.readouterr().err) or "".join(heard) == f"{told[0]}\n"
        )
    monkeypatch.setattr(player, "NOTICE_SECONDS", PATIENCE)
    with notice("nobody waits so long"):
        pass
    assert "nobody" not in capsys.readouterr().err


COMMANDS = (
    *("match hex:3 uct mc", "tournament hex:3 uct mc", "analyze hex:3", "play hex:3", "gtp"),
    *("bench search hex:3", "bench threads", "bench cuda", "reproduce hashimoto2012-fig1"),
)


@pytest.mark.parametrize("command", COMMANDS)
def test_too_many_playouts(uctlab, command):
    code, out, err = uctlab(*command.split(), "--playouts", "99999999999999999999999")
    assert (code, out) == (2, "") and "4294967294" in err.replace(",", "")
