"""GTP engines: whatever they do, there is an answer or an EngineError, in time, and no remains."""

import os
import pickle
import random
import shlex
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.patience import PATIENCE, wait_until
from uctlab.arena.player import GtpPlayer
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.protocol import gtp_client, lifeline
from uctlab.protocol.gtp_client import EngineError, GtpEngine, GtpOpponent

FAKE = shlex.join([sys.executable, "-I", "-S", str(Path(__file__).parent / "data" / "fake_gtp.py")])
GNUGO = "gnugo --mode gtp --level 1 --chinese-rules"


@pytest.fixture
def engine():
    """A fake engine that is up; after the test no process and no descriptor may be left of it."""
    before = open_descriptors()
    engine = GtpEngine(FAKE, timeout=PATIENCE)
    assert engine.send("name") == "fake"
    yield engine
    engine.close()
    assert is_gone(engine)
    assert open_descriptors() == before


def open_descriptors():
    return sorted(os.listdir("/dev/fd"))


def is_gone(engine):
    """Whether the process has ended and been waited for: no zombie."""
    try:
        os.kill(engine._process.pid, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("empty", ""),
        ("board", "\n  A B\n2 . .\n\n1 . ."),
        ("dirty", "D5 and more\nline 2"),
        ("noise", "clean"),
        ("pieces", "bit by bit"),
        ("complain", "done"),
        ("edax", "Edax"),
    ],
)
def test_answers(engine, command, answer):
    for _ in range(2):
        assert engine.send(command) == answer
    assert engine.send("name") == "fake"


def test_long_and_broken_commands_go_out_as_one_line(engine):
    assert engine.send("length", "x" * 300_000) == "300000"
    assert engine.send("play", "b\nquit", "\tD5 ") == ""
    assert engine.send("seen").endswith("; play b quit D5; seen")


def test_a_refusal_does_no_harm(engine):
    with pytest.raises(EngineError, match="refuse: the engine refused: not today") as caught:
        engine.send("refuse")
    assert caught.value.reason == "refused"
    assert engine.running and engine.send("name") == "fake"


@pytest.mark.parametrize("command", ["silent", "half", "unfinished", "trickle"])
def test_silence(engine, command):
    with pytest.raises(EngineError, match=f"{command}: the engine gave no full .* 0.2 s") as caught:
        engine.send(command, timeout=0.2)
    assert caught.value.reason == "timeout"
    assert is_gone(engine)


def test_an_engine_that_does_not_read(engine):
    engine.send("deaf")
    with pytest.raises(EngineError, match=r"length x+\.\.\.: the engine gave no") as caught:
        engine.send("length", "x" * 10**6, timeout=0.2)  # more than a pipe holds
    assert caught.value.reason == "timeout"


@pytest.mark.parametrize("command", ["flood", "lines", "long_answer"])
def test_floods(engine, command):
    with pytest.raises(EngineError, match=f"{command}: .* more than 1,048,576 bytes") as caught:
        engine.send(command)
    assert caught.value.reason == "garbage"


@pytest.mark.parametrize("command", ["other_id", "no_id", "banner"])
def test_wrong_ids(engine, command):
    with pytest.raises(EngineError, match=f"{command}: .* no answer to id 2") as caught:
        engine.send(command)
    assert caught.value.reason == "garbage"


def test_a_second_answer_is_not_taken_for_the_next_one(engine):
    assert engine.send("twice") == "D5"
    with pytest.raises(EngineError, match="name: the engine wrote '=2 D6'") as caught:
        engine.send("name")
    assert caught.value.reason == "garbage"


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("die", "die: .* and ended with code 3; it said: out of memory"),
        ("die_halfway", "die_halfway: .* closed its output and ended with code 4"),
        ("close_output", "close_output: the engine closed its output$"),
    ],
)
def test_deaths(engine, command, says, monkeypatch):
    if "code" in says:
        monkeypatch.setattr(gtp_client, "DYING", PATIENCE)
    with pytest.raises(EngineError, match=says) as caught:
        engine.send(command)
    assert caught.value.reason == "died"
    assert not engine.running and is_gone(engine)
    with pytest.raises(EngineError, match="name: not asked, since the engine closed its") as caught:
        engine.send("name")
    assert caught.value.reason == "died"


@pytest.mark.parametrize(
    ("command", "answer"), [("die_after_answer", "last words"), ("close_input", "goodbye")]
)
def test_deaths_between_commands(engine, command, answer):
    assert engine.send(command) == answer
    with pytest.raises(EngineError, match="name: the engine closed its") as caught:
        engine.send("name")
    assert caught.value.reason == "died"


def test_known_commands_are_asked_for_once(engine):
    assert (
        engine.knows("set_random_seed") and not engine.knows("set_random") and engine.knows("quit")
    )
    assert engine.send("seen") == "name; list_commands; seen"


def test_closing(monkeypatch):
    monkeypatch.setattr(gtp_client, "GRACE", PATIENCE)
    with GtpEngine(FAKE, timeout=PATIENCE) as polite:
        polite.send("name")
    assert is_gone(polite) and polite._ended == "was closed and ended with code 0"
    polite.close()
    with pytest.raises(EngineError, match="not asked"):
        polite.send("name")
    with GtpEngine(FAKE, timeout=PATIENCE) as dead:
        dead.send("die_after_answer")
        wait_until(lambda: not dead.running)
    assert is_gone(dead)


def test_an_engine_that_will_not_quit_is_killed(engine, monkeypatch):
    monkeypatch.setattr(gtp_client, "GRACE", 0.2)
    engine.send("stubborn")
    engine.close()
    assert is_gone(engine) and "code" not in engine._ended  # it did not end by itself


def test_children_of_a_shell_die_too(tmp_path):
    """A named pipe tells whether its writer, a child in the background, is alive."""
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)

    def has_writer():
        try:
            return os.read(reader, 1) != b""
        except BlockingIOError:
            return True

    script = f"sleep 3600 > {shlex.quote(str(fifo))} & {FAKE}; true"
    try:
        with GtpEngine(shlex.join(["sh", "-c", script]), timeout=PATIENCE) as engine:
            assert engine.send("name") == "fake"
            wait_until(has_writer)
        wait_until(lambda: not has_writer())
    finally:
        os.close(reader)
    assert is_gone(engine)


def test_the_first_answer_has_a_limit_of_its_own():
    """Of a program that only repeats what it is told, for one."""
    with GtpEngine("cat", timeout=PATIENCE, start_timeout=0.2) as cat:
        with pytest.raises(
            EngineError, match=r"name: .* 0\.2 s, nor any before; does it"
        ) as caught:
            cat.send("name")
        assert caught.value.reason == "timeout" and is_gone(cat) and not cat.answered
    with GtpEngine(FAKE, timeout=0.2, start_timeout=PATIENCE) as fake:
        assert fake.send("name") == "fake" and fake.answered
        with pytest.raises(EngineError, match=r"silent: the engine gave no full .* 0\.2 s$"):
            fake.send("silent")


def test_errors_travel_between_processes():
    error = pickle.loads(pickle.dumps(EngineError("timeout", "gnugo: genmove b: too slow")))
    assert (error.reason, str(error)) == ("timeout", "gnugo: genmove b: too slow")


def test_programs_that_cannot_be_started(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(lifeline, "GAME_FOLDERS", str(tmp_path / "games"))
    text = tmp_path / "text"
    text.write_bytes(b"\0not a program")
    text.chmod(0o755)
    before = open_descriptors()
    for command, says in (
        ("gnugo --mode gtp", "no program 'gnugo' on PATH.*Debian's package gnugo has it"),
        ("no-such-engine", "no program 'no-such-engine' on PATH, nor in .*games$"),
        (" ", "the command of a GTP engine is empty"),
        ("gnugo 'x", "is not a command: No closing quotation"),
        ("text", "cannot start 'text': Exec format error"),
    ):
        with pytest.raises(UsageError, match=says):
            GtpEngine(command)
    assert open_descriptors() == before


def test_games_folders_are_searched_too(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(lifeline, "GAME_FOLDERS", str(tmp_path))
    (tmp_path / "fake").write_text(f"#!/bin/sh\nexec {FAKE}\n")
    (tmp_path / "fake").chmod(0o755)
    with GtpEngine("fake", timeout=PATIENCE) as engine:
        assert engine.send("name") == "fake"


def test_opponent_of_go():
    game = make_game("go:9,komi=5.5").interpreted()
    with GtpOpponent(game, f"{FAKE} d4 PASS Resign i5 '' 'D4 D5'", timeout=PATIENCE) as opponent:
        opponent.new_game(Position.start(game), seed=0)
        opponent.play(0, "C3")
        assert [opponent.genmove(1) for _ in range(3)] == ["D4", "pass", "resign"]
        assert opponent.engine.send("seen").split("; ") == [
            *("boardsize 9", "clear_board", "komi 5.5", "list_commands", "set_random_seed 1"),
            *("play b C3", "genmove w", "genmove w", "genmove w", "seen"),
        ]
        for answer in ("i5", "", "D4 D5"):
            says = f"genmove b: .* answered '{answer}', which is not a move of go:9"
            with pytest.raises(EngineError, match=says) as caught:
                opponent.genmove(0)
            assert caught.value.reason == "garbage"


def test_colours_and_sizes_of_other_games():
    white_first = make_game("havannah:4").interpreted()
    unnamed = replace(white_first, players=("Left", "Right"), sgf_root={})
    for game, colours, sizes in ((white_first, "wb", ["boardsize 4"]), (unnamed, "bw", [])):
        with GtpOpponent(game, f"{FAKE} D2", timeout=PATIENCE) as opponent:
            opponent.new_game(Position.start(game), seed=2**40)
            opponent.play(0, "d1")
            assert opponent.genmove(1) == "d2"
            assert opponent.engine.send("seen").split("; ") == [
                *(*sizes, "clear_board", "list_commands", "set_random_seed 513"),
                *(f"play {colours[0]} d1", f"genmove {colours[1]}", "seen"),
            ]


@pytest.mark.parametrize("tells", [True, False])
def test_forced_passes_are_left_out_where_a_program_makes_them_itself(tells):
    """GRhino refuses `play b pass`; a pass that is not forced must be told."""
    game = make_game("othello").interpreted()
    position = Position.from_moves(game, "d3 c3 b3 b2 e6 a3 a1 c1 pass e3 e2")
    player = GtpPlayer(game, FAKE if tells else f"{FAKE} a2 grhino")
    try:
        player.begin(Position.start(game), 1)
        player._tell(player._engine, position)
        player._told = position.moves[:8]  # the pass comes once more
        player._tell(player._engine, position)
        seen = player._engine.engine.send("seen").split("; ")
        assert seen.count("play b pass") == 1 + tells and seen.count("play w e3") == 2
        if not tells:
            with pytest.raises(EngineError, match="syntax error"):
                player._engine.play(0, "pass")
    finally:
        player.close()


def test_set_ups_are_refused():
    game = make_game("go:5").interpreted()
    position = Position.from_diagram(game, str(Position.start(game).play("C3")))
    with GtpOpponent(game, FAKE, timeout=PATIENCE) as opponent:
        with pytest.raises(UsageError, match="go:5: a set-up position cannot be given to a GTP"):
            opponent.new_game(position.play("D4"), seed=1)
        empty = Position.from_diagram(game, str(Position.start(game)))
        opponent.new_game(empty, seed=1)  # a set-up in name only


@pytest.mark.parametrize("fault", ["die", "die_after_answer", "silent"])
def test_an_engine_that_failed_is_started_anew_for_the_next_game(fault):
    game = make_game("go:5").interpreted()
    start = Position.start(game)
    with GtpOpponent(game, f"{FAKE} C3", timeout=PATIENCE) as opponent:
        opponent.new_game(start, seed=1)
        failed = opponent.engine
        try:
            failed.send(fault, timeout=0.2 if fault == "silent" else None)
        except EngineError:
            pass
        else:
            wait_until(lambda: not failed.running)
        opponent.new_game(start, seed=1)
        assert opponent.genmove(0) == "C3"
    assert is_gone(failed) and is_gone(opponent.engine)


def replies(opponent, seed, plies=20):
    """What the engine as White answers to random moves, which are the same each time."""
    ours = random.Random(3)
    position = Position.start(opponent.game)
    opponent.new_game(position, seed)
    names = []
    for _ in range(plies // 2):
        name = opponent.game.move_name(ours.choice(position.legal))
        opponent.play(0, name)
        position = position.play(name)
        names.append(opponent.genmove(1))
        position = position.play(names[-1])  # raises if the engine's move is illegal
    return names


def test_gnu_go_plays_and_its_seed_makes_it_repeatable():
    if not (shutil.which("gnugo") or shutil.which("gnugo", path=lifeline.GAME_FOLDERS)):
        pytest.skip("gnugo is not installed; Debian's package gnugo has it")
    game = make_game("go:9")
    with GtpOpponent(game, GNUGO, timeout=PATIENCE) as opponent:
        assert opponent.engine.send("name") == "GNU Go"
        first = replies(opponent, seed=1)
        assert len(first) == 10
        others = [replies(opponent, seed, plies=6) for seed in (2, 3, 4)]
        again = replies(opponent, seed=1)
    with GtpOpponent(game, GNUGO, timeout=PATIENCE) as opponent:
        elsewhere = replies(opponent, seed=1)
    assert first == again == elsewhere
    assert any(names != first[:3] for names in others)
