"""A game from a user's file, with a referee and its own habits over GTP, in matches and in GTP.

Nothing in arena/ or protocol/ knows it.
"""

import shlex
import sys
from pathlib import Path

import pytest

from tests.gtp_talk import Talk
from uctlab.arena.game import GameTask, dismiss_players
from uctlab.arena.plan import MatchPlan
from uctlab.errors import UsageError
from uctlab.games import Position, check, make_game
from uctlab.games.sgf import read_sgf, write_sgf

PROGRAM = Path(sys.executable).parent / "uctlab"
FILE = Path(__file__).parent / "third_party_game.py"
GAME = f"{FILE}:3"
# Plays the moves that it is given, then passes, and writes down what it is told.
ENGINE = """
import sys

log, *given = sys.argv[1:]
moves = iter(given)
for line in sys.stdin:
    number, command, *words = line.split()
    with open(log, "a") as told:
        told.write(" ".join([command, *words]) + "\\n")
    answer = next(moves, "pass") if command == "genmove" else ""
    answer = "W+9.5" if command == "final_score" else answer
    answer = "genmove\\nfinal_score" if command == "list_commands" else answer
    print(f"={number} {answer}\\n\\n", end="", flush=True)
    if command == "quit":
        break
"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "engine.py"
    path.write_text(ENGINE)

    def name(log, *moves):
        words = [sys.executable, "-I", "-S", path, tmp_path / log, *moves]
        return f'gtp:"{shlex.join(map(str, words))}"'

    yield name
    dismiss_players()


def test_it_keeps_the_contract():
    assert check(make_game(GAME), games=3).game == "lonely:3,komi=0.5"


def test_its_referee_judges_a_game_of_programs(program, tmp_path):
    """Two stones each, but Black's are alone; by the rules Black would have won by the komi."""
    plan = MatchPlan(GAME, program("white", "a1", "b1"), program("black", "a3", "c3"))
    record = GameTask(plan, 0).perform()
    assert (record.moves, record.ending) == ("a1 a3 b1 c3 pass pass", "played")
    assert (record.referee, record.opinion, record.score) == ("W+1.5", "W+9.5", 1.0)
    assert Position.start(make_game(GAME)).play_all(record.moves).result == 0.0
    told = (tmp_path / "white").read_text().splitlines()
    assert told[:3] == ["boardsize 3", "clear_board", "komi 0.5"]
    assert "genmove w" in told and "play b a3" in told  # White moves first


def test_an_agent_passes_when_its_referee_says_so(program):
    plan = MatchPlan(GAME, "uct", program("white"), playouts=10**6)
    record = GameTask(plan, 1).perform()
    assert (record.moves, record.score, record.playouts_a) == ("pass pass", 1.0, 0)


def test_it_plays_against_our_own_engine(program):
    words = [str(PROGRAM), "gtp", "--game", GAME, "--playouts", "20"]
    plan = MatchPlan(GAME, "mc", f'gtp:"{shlex.join(words)}"', playouts=20)
    record = GameTask(plan, 0).perform()
    assert record.ending == "played" and record.referee


def test_its_habits_over_gtp():
    talk = Talk(make_game(GAME).interpreted())
    for vertex in ("a1", "a2", "c3"):
        talk.ask(f"play b {vertex}")  # White's turn, and Black's again
    assert talk.ask("final_score") == "B+2.5"
    assert talk.ask("final_status_list dead") == "c3"
    assert talk.ask("final_status_list alive") == "a1\na2"
    talk.ask("komi 1.5")
    assert talk.engine.game.name == "lonely:3,komi=1.5"
    assert talk.ask("final_score") == "B+3.5" and talk.position.stones.sum() == 6
    talk.ask("boardsize 4")
    assert talk.engine.game.name == "lonely:4,komi=1.5"
    assert talk.ask("fixed_handicap 2") == "a1 d4"
    assert talk.refused("fixed_handicap 2") == "board not empty"
    assert talk.ask("gogui-rules_game_id") == "Lonely"


def test_its_options():
    game = make_game(GAME)
    assert (game.family, dict(game.options)) == ("lonely", {"size": 3, "komi": 0.5})
    assert game.with_options(komi=0.5) is game and game.resized(3) is game
    assert game.resized(5).with_options(komi=2.0).name == "lonely:5,komi=2"
    assert game.interpreted().resized(5).interpret
    with pytest.raises(UsageError, match=r"lonely:3,komi=0\.5 has no option swap"):
        game.with_options(swap=True)


def test_its_sgf_files_have_its_colours():
    position = Position.start(make_game(GAME).interpreted()).play_all("a1 b2 pass")
    data = write_sgf(position)
    assert b";W[a1];B[b2];W[pass]" in data
    assert read_sgf(position.game, data).moves == position.moves
