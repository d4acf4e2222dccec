"""`uctlab gtp` as a program: its games against others, Ctrl-C, its command line."""

import re
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.gtp_talk import Talk
from tests.patience import PATIENCE
from uctlab.games import Position, make_game
from uctlab.protocol.gtp_client import GtpOpponent

PROGRAM = Path(sys.executable).parent / "uctlab"
GNUGO = "gnugo --mode gtp --level 1 --chinese-rules"


def test_a_game_against_itself_through_the_client():
    command = shlex.join([str(PROGRAM), "gtp", "--playouts", "50", "--resign", "0", "--game"])
    game = make_game("go:4")
    position = Position.start(game)
    with GtpOpponent(game, command + " go:4", timeout=PATIENCE) as engine:
        engine.new_game(position, 7)
        while not position.is_over and len(position.moves) < 60:
            player = position.turn
            position = position.play(engine.genmove(player))
        assert position.is_over


def test_a_program_is_interrupted():
    """Analysis ends when a line comes, Ctrl-C ends the program, with no traceback."""
    command = [str(PROGRAM), "gtp", "--game", "hex:5", "--seconds", "3600"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes) as engine:
        engine.stdin.write(b"lz-analyze 5\n")
        engine.stdin.flush()
        assert engine.stdout.readline() == b"=\n"
        assert all(engine.stdout.readline().startswith(b"info move") for _ in range(3))
        engine.stdin.write(b"9 name\n")
        engine.stdin.flush()
        while (line := engine.stdout.readline()) != b"=9 uctlab uct\n":
            assert line.startswith(b"info") or line == b"\n"
        engine.stdin.write(b"lz-genmove_analyze b 5\n")
        engine.stdin.flush()
        while not engine.stdout.readline().startswith(b"info move"):
            pass  # it is thinking, for an hour
        engine.send_signal(signal.SIGINT)
        assert engine.wait(PATIENCE) == 130
        assert b"Traceback" not in engine.stderr.read()


def test_nobody_thinks_for_a_controller_that_is_gone():
    """What is asked before the end of input is answered, as long as somebody listens."""
    command = [str(PROGRAM), "gtp", "--game", "hex:5", "--no-early"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([*command, "--seconds", "3600"], **pipes) as engine:
        engine.stdin.write(b"name\ngenmove b\n")
        engine.stdin.close()
        assert engine.stdout.readline() == b"= uctlab uct\n"
        engine.stdout.close()
        assert engine.wait(PATIENCE) == 0
    with subprocess.Popen([*command, "--playouts", "100"], **pipes) as engine:
        out, _ = engine.communicate(b"name\ngenmove b\n", PATIENCE)
        assert re.fullmatch(rb"= uctlab uct\n\n= [a-e][1-5]\n\n", out)


@pytest.mark.skipif(
    not (shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")), reason="no GNU Go"
)
def test_a_game_against_gnu_go():
    talk = Talk("go:9", playouts=100)
    with GtpOpponent(talk.engine.game, GNUGO, timeout=PATIENCE) as gnugo:
        gnugo.new_game(talk.position, 1)
        while not talk.position.is_over and len(talk.position.moves) < 160:
            colour = "bw"[talk.position.turn]
            if talk.position.turn == 0:
                vertex = talk.ask(f"genmove {colour}")
                gnugo.play(0, vertex)
            else:
                vertex = gnugo.genmove(1)
                if vertex == "resign":
                    break
                talk.ask(f"play {colour} {vertex}")
        theirs = gnugo.engine.send("showboard")
    assert len(talk.position.moves) > 20
    rows = [line.split()[1:10] for line in theirs.splitlines() if re.match(r" *\d ", line)]
    ours = [line.split()[1:] for line in str(talk.position).splitlines()[1:10]]
    assert [[point.replace("+", ".") for point in row] for row in rows] == ours
    assert re.fullmatch(r"[BW]\+\d+(\.5)?|0", talk.ask("final_score"))


def test_command_line(uctlab):
    for arguments, message in (
        (("--playouts", 0), "--playouts takes a whole number from 1 to"),
        (("--resign", 101), "--resign must be a percentage from 0 to 100, not 101"),
        (("--agent", "gnu"), "unknown agent 'gnu'"),
    ):
        code, out, err = uctlab("gtp", *arguments)
        assert (code, out) == (2, "") and re.search(message, err)
