"""Matches against external programs."""

import os
import shlex
import sys

import pytest

from tests.matches import children, play, stored
from uctlab.arena.match import play_matches
from uctlab.arena.plan import MatchPlan
from uctlab.arena.store import Store
from uctlab.devices.cpu import Cpu
from uctlab.protocol.gtp_client import GtpOpponent

ENGINE = '''
"""A program that plays Hex: the first free cell of a row after the other, or worse."""
import os, sys

how, size, games, taken, last = sys.argv[1], 0, sys.argv[2:], [], ""
while line := sys.stdin.readline():
    number, command, *words = line.split()
    answer = ""
    if command == "list_commands":
        answer = "play genmove"
    elif command == "boardsize":
        size = int(words[0])
    elif command == "clear_board":
        taken = []
        if games:
            with open(games[0], "a") as file:
                file.write("x")
    elif command == "play" and words[1] in taken:
        print(f"?{number} taken", end="\\n\\n", flush=True)
        continue
    elif command == "play":
        taken.append(words[1])
    elif command == "genmove":
        cells = [f"{chr(97 + x)}{y + 1}" for y in range(size) for x in range(size)]
        answer = next(cell for cell in cells if cell not in taken)
        if how == "resign":
            answer = "resign"
        elif how == "nonsense":
            answer = "z99"
        elif how == "illegal" and taken:
            answer = taken[0]
        elif how == "die" and os.path.getsize(games[0]) % 2 == 0:
            sys.exit("tired")
        taken.append(answer)
    print(f"={number} {answer}", end="\\n\\n", flush=True)
    if command == "quit":
        break
'''


@pytest.fixture
def engine(tmp_path):
    """From a manner of playing to the name of such a player."""
    path = tmp_path / "engine.py"
    path.write_text(ENGINE)

    def name(*arguments):
        words = [sys.executable, "-I", "-S", str(path), *map(str, arguments)]
        return f'gtp:"{shlex.join(words)}"'

    return name


def endings(path):
    return [record["ending"] for record in stored(path)]


def test_programs_win_and_lose(engine):
    """On a board of 2x2 the first player wins with a1 and a2 after b1."""
    result = play(MatchPlan("hex:2", engine("first"), engine("first", os.devnull)), 4)
    assert (result.first.wins, result.second.losses) == (2, 2)
    assert result.length == 3 and result.speed == (None, None) and result.forfeits == 0
    assert "unknown and unknown playouts per second" in str(result)


def test_a_program_against_an_agent(engine):
    """It learns of all moves, the opening's too: it would play on taken cells else."""
    plan = MatchPlan("hex:3", engine("first"), "uct", playouts=500, openings=2)
    result = play(plan, 6)
    assert result.forfeits == 0 and result.score.games == 6
    assert result.speed[0] is None and result.speed[1] > 1000
    assert result.second.losses >= 2
    assert play(MatchPlan("hex:3", "uct", engine("first"), playouts=500), 4).first.wins == 2


def test_a_program_is_started_once_for_all_its_games(engine, monkeypatch):
    """In two matches, and once for each trial before them; none runs on at the end."""
    started = []

    class Noted(GtpOpponent):
        def __init__(self, game, command, **options):
            started.append(command)
            super().__init__(game, command, **options)

    monkeypatch.setattr("uctlab.arena.player.GtpOpponent", Noted)
    before = children()
    program = engine("first")
    plans = [
        MatchPlan("hex:3", program, b, playouts=9) for b in (engine("first", os.devnull), "uct")
    ]
    play_matches(plans, games=4, device=Cpu(1))
    assert sorted(map(started.count, set(started))) == [1 + 1, 2 + 1]
    assert children() == before


def test_a_program_that_resigns(engine, tmp_path):
    with Store(tmp_path / "games.sqlite") as store:
        result = play(MatchPlan("hex:3", engine("resign"), "uct", playouts=10), 4, store=store)
    assert result.score.losses == 4 and result.forfeits == 0
    assert endings(tmp_path / "games.sqlite") == ["resigned"] * 4
    assert play(MatchPlan("hex:3", "uct", engine("resign"), playouts=10), 4).score.wins == 4


@pytest.mark.parametrize(("how", "reason"), [("illegal", "illegal"), ("nonsense", "garbage")])
def test_a_wrong_move_loses_the_game_and_no_more(engine, tmp_path, how, reason):
    plan = MatchPlan("hex:3", engine("first"), engine(how))
    with Store(tmp_path / "games.sqlite") as store:
        result = play(plan, 4, store=store)
    assert result.score.wins == 4 and result.forfeits == 4 and result.complete
    assert all(
        end.startswith(f"forfeit ({reason}): ") for end in endings(tmp_path / "games.sqlite")
    )
    # Of which the first is told.
    assert result.forfeit == f"game 0: {endings(tmp_path / 'games.sqlite')[0]}"
    told = f"games lost by forfeit, which count: 0 by A, 4 by B; {result.forfeit}"
    assert told in str(result).splitlines()


def test_a_program_that_dies_now_and_then(engine, tmp_path):
    """In its second, fourth, ... game; the first one is the trial before the match."""
    dying = engine("die", tmp_path / "games")
    with Store(tmp_path / "games.sqlite") as store:
        result = play(MatchPlan("hex:2", dying, engine("first")), 6, store=store)
    ends = endings(tmp_path / "games.sqlite")
    assert [end == "played" for end in ends] == [False, True] * 3
    assert all("tired" in end for end in ends[::2])
    assert result.forfeits == 3 and result.score.games == 6
    assert result.first.losses == 3 and result.second.losses == 3
    # Apart from the score of the games that were played to their end.
    assert result.forfeited.losses == 3 and result.contested.losses == 3
    rows = [line.split()[:5] for line in str(result).splitlines()]
    assert ["forfeits", "3", "0", "0", "3"] in rows and ["others", "3", "0", "0", "3"] in rows
    assert result.as_json()["contested"] == {"wins": 0, "draws": 0, "losses": 3, "score": 0.0}
