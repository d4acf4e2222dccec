"""External programs that fail in a match: that game is lost, the next one is played."""

import shlex
import sys

import pytest

from tests.patience import engine_clock
from uctlab.arena.game import GameTask, dismiss_players
from uctlab.arena.plan import MatchPlan
from uctlab.arena.player import GtpPlayer
from uctlab.errors import UsageError
from uctlab.games import Position, make_game

# The first process fails at a command; later ones play the first free cell of 2x2 Hex.
ENGINE = """
import os, pathlib, sys, time

fault, at, marker = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
faulty = not marker.exists()
marker.touch()
while line := sys.stdin.readline():
    number, command, *words = line.split()
    answer = ""
    if command == "clear_board":
        free = ["b1", "a1", "a2", "b2"]
    elif command == "play":
        free.remove(words[1])
    elif command == "genmove":
        answer = free.pop(0)
    if faulty and command == at:
        marker.with_suffix(".fault").touch()
        if fault == "hang":
            time.sleep(3600)
        if fault == "die":
            os._exit(3)
        if fault == "close":
            os.close(1)
            time.sleep(3600)
        while fault == "chatter":
            print("thinking", flush=True)
            time.sleep(0.01)
        while fault == "flood":
            print("." * 10_000)
        if fault == "refuse":
            print(f"?{number} no", end="\\n\\n", flush=True)
            continue
        answer = {"nonsense": "checkmate", "illegal": "b1"}[fault]
    print(f"={number} {answer}", end="\\n\\n", flush=True)
    if command == "quit":
        break
"""


@pytest.mark.parametrize(
    ("fault", "at", "reason"),
    [
        ("hang", "genmove", "timeout"),
        ("hang", "boardsize", "timeout"),
        ("chatter", "genmove", "timeout"),
        ("flood", "genmove", "garbage"),
        ("nonsense", "genmove", "garbage"),
        ("die", "play", "died"),
        ("close", "genmove", "died"),
        ("refuse", "genmove", "refused"),
        ("illegal", "genmove", "illegal"),
    ],
)
def test_a_failure_loses_one_game(tmp_path, monkeypatch, fault, at, reason):
    if reason == "timeout":  # all answer in time, until one does not answer at all
        engine_clock(monkeypatch, (tmp_path / "marker.fault").exists)
    path = tmp_path / "engine.py"
    path.write_text(ENGINE)
    words = [sys.executable, "-I", "-S", path, fault, at, tmp_path / "marker"]
    program = f'gtp:"{shlex.join(map(str, words))}"'
    sane = f'gtp:"{shlex.join(map(str, [*words[:4], "none", "never", tmp_path / "other"]))}"'
    try:
        # The faulty program is the second player, so that it has been told of b1 before it moves.
        lost = GameTask(MatchPlan("hex:2", sane, program), 0).perform()
        played = GameTask(MatchPlan("hex:2", sane, program), 2).perform()
    finally:
        dismiss_players()
    assert lost.ending.startswith(f"forfeit ({reason}): ") and lost.score == 1.0
    assert played.ending == "played" and played.length == 3


def test_the_time_for_a_first_answer_runs_once_before_the_match(tmp_path, monkeypatch):
    """Workers start the program anew, all at once, which may take long."""
    monkeypatch.setenv("UCTLAB_GTP_START_SECONDS", "1e-6")
    path = tmp_path / "engine.py"
    path.write_text(ENGINE)
    words = [sys.executable, "-I", "-S", path, "none", "nowhere", tmp_path / "marker"]
    command = shlex.join(map(str, words))
    player = GtpPlayer(make_game("hex:2").interpreted(), command)
    start = Position.start(make_game("hex:2").interpreted())
    try:
        player.begin(start, 0)
        with pytest.raises(UsageError, match="protocol_version: the engine gave no full answer"):
            GtpPlayer(start.game, command).check(start)
    finally:
        player.close()
