"""The referee of Go: which stones are dead, who has won, and games that it judges."""

import random
import shlex
import sys
from dataclasses import replace

import numpy as np
import pytest

from tests.naive.go import Board
from uctlab.arena.game import GameRunner, GameTask, dismiss_players
from uctlab.arena.match import play_matches
from uctlab.arena.plan import MatchPlan
from uctlab.arena.playing_on import Dispute
from uctlab.arena.store import Store
from uctlab.devices.cpu import Cpu
from uctlab.errors import UsageError
from uctlab.games import Position, Verdict, make_game
from uctlab.games.go import referee
from uctlab.games.go.referee import dead_stones, judge, survival

GAME = make_game("go:9")

# Small letters are dead stones. Fuego 1.1 names the same ones, and so does GNU Go 3.8 but for the
# bent four, which it takes off.
BOARDS = {
    "stones inside eyes": """
        . X . X O . O . .
        X X X X O O O O O
        . . . X O . . . .
        . . X X O . . O O
        . . . X O . x O .
        . . . X O O O O O
        . o . X O . . x .
        . . . X O . . . .
        . . . X O . . . .""",
    "two eyes in the enemy's land": """
        . O . O X . . . .
        O O O O X . X . .
        X X X X X . . . .
        . . . . . . . . .
        . . . X X X X X X
        X X X X O O O O O
        O O O O O . . O .
        . . . . . . . . .
        . . O . . . O . .""",
    "one eye, which is filled": """
        . . . X X O . . .
        . X . . X O . O .
        X X X X X O . . .
        o o o o X O . . .
        . X . o X O . O .
        o o o o X O . . .
        X X X X X O . . .
        . X . . X O . O .
        . . . X X O . . .""",
    "too few liberties": """
        . . . X X O . . .
        X X X X X O . . .
        . . o o X O . O .
        X X X o X O . . .
        . . X o X O . . .
        X . X o X O . . .
        . X X o X O . O .
        . . X X X O . . .
        . . . X X O . . .""",
    "forty stones in atari, that could not all be put back": """
        . x O O x x O O O
        O O . O x x O x O
        x O O O x x O . O
        x O x O x x x O O
        x x x x x . O . O
        O O x x x x O O O
        . O O x x x x O .
        O x O O x O O . O
        O . O x x x O O O""",
    "seki: an eye each and a shared liberty": """
        . . . X O . . . .
        . . . X O . . . .
        . . . X O . . . .
        . X . X O . O . .
        . . X X O O . . .
        . . . . X O . . .
        X X X X X O O O O
        X O O O O X X X O
        X O . O . X . X O""",
    "seki: two shared liberties": """
        . . . X O . . . .
        . . . X O . . . .
        . . . X O . . . .
        . X . X O . O . .
        . . X X O O . . .
        . . . X X X O . .
        X X X X X X X O O
        O O O O O O X O .
        . X X X . O X O .""",
    "bent four in the corner, not played out": """
        . . . . X O . . .
        . X . . X O . O .
        . . . . X O . . .
        . X . . X O . . .
        X X X . X O . O .
        O O X X X O . . .
        . O X . X O . . .
        X O O O X O . O .
        X X . O X O . . .""",
    "two-headed dragon": """
        X X X X . X X X X
        X O O X X O O O X
        X O O O O O . O X
        X O . O . O O O X
        X O O O O O O O X
        X O . O O O . O X
        X O O O . O O O X
        X O O O X X O O X
        X X X X . X X X X""",
    "snapback": """
        . . . . X O . . .
        . X . . X O . O .
        . . . . X O . . .
        . X . . X O . . .
        . . . . X O . O .
        . X . X X O . . .
        X X X X O O . . .
        o o o X O . . O .
        X . o X O . . . .""",
    "dead, but liberties must be taken in the right order": """
        . . . . X O . . .
        . X . . X O . O .
        . . . . X O . . .
        . X . . X O . . .
        . . . . X O . O .
        . X . . X O O . .
        X X X X X X O . .
        o o o o X . X O .
        . o . X . X X O .""",
    "nakade of three": """
        . . . . X O . . .
        . X . . X O . O .
        . . . . X O . . .
        . X . . X O . . .
        . . . . X O . O .
        X X X X X O . . .
        o o o o X O . . .
        . X . o X O . O .
        o o o o X O . . .""",
    "four in a row live": """
        . . . . X O . . .
        . X . . X O . O .
        . . . . X O . . .
        . X . . X O . . .
        X X X X X O . O .
        O O O O X X O . .
        . x . O X . O . .
        O . O O X O O O .
        . O O X X X O . .""",
    "a false eye": """
        . . . . . X O . .
        . X . . . X O . O
        . . . X . X O . .
        . X . . . X O . .
        . . . . . X O O .
        X X X X X X O . .
        o o o X X X O . .
        . o X X o X O . O
        o o . o o X O . .""",
    "an eye against none": """
        . . . . X O . . .
        . X . . X O . O .
        . . . . X O . . .
        . X . . X O . . .
        X X X X X O . O .
        o o o o X O . . .
        . . . o X O . . .
        X X X o X O . O .
        . X X o X O . . .""",
    "invasions that failed": """
        . . . . . X O . .
        . X . . . X O . .
        . . . X . X O . .
        . X . . . X O x .
        X X X X . X O O O
        . . o . X X O . .
        . o o . X . X O .
        . . o . X X X O .
        . . . . X O O O .""",
    "stones inside safe land": """
        X X . X O O O O O
        . X X X O . O . O
        X X o o X O O O O
        X o . o X X O . O
        X o o X . X O O O
        X X . X X X X O .
        X . X X . X X O O
        X X O O X X O O .
        O O O O O O O . O""",
    "nothing": "\n".join([". . . . . . . . ."] * 9),
}


# In most playouts both the eye and the stones in it are captured, one after the other.
NAKADE_OF_FIVE = """
    . . . . . X O . .
    . X . . . X O . O
    . . . X . X O . .
    . X . . . X O . .
    X X X X X X O O .
    o o o o o X O . .
    o X X . o X O . .
    o X X o . X O . O
    o o o o o X O . ."""
# Whose stones are proven to be alive or dead, so that playouts are not needed.
PROVEN = ("two-headed dragon", "stones inside safe land")


def board(text, turn="X"):
    """The position, and the cells of its dead stones."""
    dead = {i for i, symbol in enumerate("".join(text.split())) if symbol.islower()}
    return Position.from_diagram(GAME, f"{text.upper()}\n{turn} to play"), dead


def colours_changed(text):
    return text.translate(str.maketrans("XOxo", "OXox"))


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


# Games

ENGINE = '''
"""Plays the moves that it is given, then passes; what it thinks of the end is given too.

`cleanup:W+3.5:E5,J9:C5` means that it thinks W+3.5, cleans up by E5 and J9, and calls C5 dead;
with a second score, `cleanup:W+3.5,B+0.5:...`, that is what it thinks once it is asked again.
"""
import sys

thinks, *given = sys.argv[1:]
cleans = thinks.startswith("cleanup:")
if cleans:
    _, scores, cleaning, dead = thinks.split(":")
while line := sys.stdin.readline():
    number, command, *words = line.split()
    answer = ""
    if command == "list_commands":
        answer = "genmove" if thinks == "nothing" else "genmove\\nfinal_score"
        if cleans:
            answer += "\\nkgs-genmove_cleanup\\nfinal_status_list"
    elif command == "clear_board":
        moves = iter(given)
        if cleans:
            opinions, captures = scores.split(","), iter(filter(None, cleaning.split(",")))
    elif command == "genmove":
        answer = next(moves, "pass")
    elif command == "kgs-genmove_cleanup":
        answer = next(captures, "pass")
        if answer == "die":
            sys.exit("tired")
    elif command == "final_status_list":
        answer = dead.replace(",", "\\n")
    elif command == "final_score" and cleans:
        answer = opinions.pop(0) if len(opinions) > 1 else opinions[0]
    elif command == "final_score" and thinks == "dies":
        sys.exit("tired")
    elif command == "final_score" and thinks == "refuses":
        print(f"?{number} no idea\\n\\n", end="", flush=True)
        continue
    elif command == "final_score":
        answer = thinks
    print(f"={number} {answer}\\n\\n", end="", flush=True)
    if command == "quit":
        break
'''
# As the stones stand White wins, since the point in the middle of Black's land is White's.
FOUGHT = """
    . . . X X O . . .
    . X . . X O . O .
    . . . X X O . . .
    . X . . X O O . .
    . . o . X O . O .
    . X . X X O . . .
    . . . . X O O . O
    . X . . X O O . O
    . . . X X O . . ."""


@pytest.fixture
def players(tmp_path):
    """Two programs that bring a diagram about, A with the first colour, and what B thinks of it."""
    path = tmp_path / "engine.py"
    path.write_text(ENGINE)

    def program(thinks, moves):
        return f'gtp:"{shlex.join([sys.executable, "-I", "-S", str(path), thinks, *moves])}"'

    def name(text, thinks):
        stones = board(text)[0].stones
        black, white = ([GAME.move_name(c) for c in np.flatnonzero(stones == i)] for i in (1, 2))
        assert len(black) == len(white)
        return program("nothing", black), program(thinks, white)

    yield name
    dismiss_players()


@pytest.mark.parametrize(
    ("thinks", "opinion"),
    [
        ("B+3.5", "B+3.5"),
        ("b+1.5", "B+1.5"),
        ("nothing", ""),
        ("refuses", ""),
        ("dies", ""),
        ("White wins", ""),
    ],
)
def test_a_game_of_programs_is_judged(players, thinks, opinion):
    """What the program thinks is noted, whatever it does; the referee's word counts."""
    position, dead = board(FOUGHT)
    assert position.play("pass").play("pass").result == 0.0 and dead_stones(position) == dead
    plan = MatchPlan("go:9", *players(FOUGHT, thinks))
    for number in (0, 2):
        record = GameTask(plan, number).perform()
        assert record.ending == "played" and record.score == 1.0
        assert (record.referee, record.opinion) == ("B+1.5", opinion)
        assert (record.settled, record.cleanup) == ("", "")


@pytest.mark.parametrize(
    ("thinks", "settled", "score", "cleanup"),
    [
        ("W+3.5", "counted W+27.5", 0.0, "pass pass"),  # all stones stand
        ("0", "counted W+27.5", 0.0, "pass pass"),
        ("cleanup:W+3.5::", "counted W+27.5", 0.0, "pass pass"),
        ("cleanup:W+3.5::C5", "counted B+1.5", 1.0, "pass pass"),  # both call that one dead
        ("cleanup:W+3.5,B+1.5::", "agreed B+1.5", 1.0, "pass pass"),
        ("cleanup:W+3.5:resign:", "resigned", 1.0, "pass"),
        ("cleanup:W+3.5:die:", "failed B+1.5", 1.0, ""),
        ("cleanup:W+3.5:C5:", "failed B+1.5", 1.0, ""),  # which is not empty
        ("cleanup:W+3.5:D5,C4,B5,C6,A4:", "counted W+32.5", 0.0, "pass D5 pass C4 pass B5"),
    ],
)
def test_a_disputed_game_is_played_on(players, thinks, settled, score, cleanup):
    """Black passes; White may clean up, or not, or fail."""
    plan = MatchPlan("go:9", *players(FOUGHT, thinks))
    record = GameTask(plan, 0).perform()
    assert (record.ending, record.referee, record.opinion[0] in "W0") == ("played", "B+1.5", True)
    assert (record.settled, record.score) == (settled, score)
    assert record.moves.endswith(" pass pass") and len(record.moves.split()) == record.length
    assert cleanup in record.cleanup
    Position.start(GAME).play_all(record.moves)  # the game itself is as it was


def test_agents_capture_what_the_other_calls_alive(players):
    """Black, ours, has to take C5, or White's land would be all that counts."""
    white = players(FOUGHT, "cleanup:W+3.5,W+3.5,W+3.5,B+1.5::")[1]
    runner = GameRunner(MatchPlan("go:9", "fuego", white, playouts=300))
    end = Position.start(GAME).play_all(game_of(FOUGHT)).play("pass").play("pass")
    verdict = judge(end)
    for player in (runner.a, runner.b):
        player.begin(runner.start, 1)
    settled = Dispute((runner.a, runner.b), judge, end, verdict).settle()
    names = [GAME.move_name(move) for move in settled.moves]
    assert settled.result == 1.0 and settled.how in ("agreed", "counted")
    black, white = names[::2], names[1::2]
    assert "C5" not in black and set(white) == {"pass"}
    assert {"C4", "C6", "B5", "D5"} <= set(black)


class Stubborn:
    """Never passes while it has another move, and thinks that White has won."""

    external = True

    def clean_up(self, position, targets):
        return position.legal[0]

    def opinion(self, position):
        return "W+1.5"

    def dead_stones(self, position):
        return None


def test_playing_on_ends_after_as_many_moves_as_the_board_has_points():
    end = Position.start(GAME).play_all(game_of(FOUGHT)).play("pass").play("pass")
    one_sided = Verdict(1.5)
    settled = Dispute((Stubborn(), Stubborn()), lambda _: one_sided, end, one_sided).settle()
    assert (settled.how, len(settled.moves)) == ("limit", 82)
    last = GAME.gtp.turned(end, end.turn)
    for move in settled.moves:
        last = last.play(move)
    assert settled.result == last.result and settled.score == GAME.score_text(GAME.point_lead(last))


def test_a_game_that_cannot_be_reopened_is_left_to_the_referee():
    game = make_game("go:9")
    game = replace(game, gtp=replace(game.gtp, turned=None))
    end = Position.start(game).play("pass").play("pass")
    assert Dispute((Stubborn(), Stubborn()), judge, end, judge(end)).settle() is None


def test_a_tree_of_the_game_is_not_reused_when_it_is_played_on(players):
    """The game's last position has no moves; the first of the playing on has all of them."""
    passes = players(BOARDS["nothing"], "cleanup:B+1.5::")[1]
    plan = MatchPlan("go:9", "uct", passes, playouts=200, reuse=True)
    runner = GameRunner(plan)
    runner._referee = lambda position: Verdict(-7.5 if position.moves[-2:] == (81, 81) else 1.5)
    record = runner.play(GameTask(plan, 1))
    assert record.settled and record.cleanup


def game_of(text):
    """Moves that bring a diagram about."""
    stones = board(text)[0].stones
    sides = ([GAME.move_name(c) for c in np.flatnonzero(stones == i)] for i in (1, 2))
    return " ".join(name for pair in zip(*sides, strict=True) for name in pair)


def test_disputes_are_kept_and_counted(players, tmp_path):
    plan = MatchPlan("go:9", *players(FOUGHT, "cleanup:W+3.5::"))
    with Store(tmp_path / "store.db") as store:
        (result,) = play_matches([plan], games=1, device=Cpu(1), store=store)
        (record,) = store.find(plan)
    assert (record.referee, record.opinion) == ("B+1.5", "W+3.5")
    assert (record.settled, record.cleanup) == ("counted W+27.5", "pass pass")
    assert (result.judged, result.disputed, result.settled) == (1, 1, {"counted": 1})
    assert str(result).endswith(
        "1 games were played to the end and judged by the referee; in 1 of them the opponent named "
        "a different winner: 1 played on and counted as they stood"
    )
    facts = result.as_json()
    assert (facts["judged"], facts["disputed"], facts["settled"]) == (1, 1, {"counted": 1})


def test_an_agent_passes_when_that_wins(players):
    """White, ours, has the komi; the program passes on the empty board, and no search is made."""
    passes = players(BOARDS["nothing"], "W+7.5")[1]
    record = GameTask(MatchPlan("go:9", "uct", passes, playouts=10**6), 1).perform()
    assert (record.moves, record.ending, record.score) == ("pass pass", "played", 1.0)
    assert (record.referee, record.opinion, record.playouts_a) == ("W+7.5", "W+7.5", 0)


@pytest.mark.parametrize(("lead", "by_black", "by_white"), [(0.5, 1, 0), (-0.5, 0, 1), (0, 0, 0)])
def test_an_agent_searches_when_a_pass_does_not_win(players, monkeypatch, lead, by_black, by_white):
    program = players(BOARDS["nothing"], "nothing")[1]
    table = GameRunner(MatchPlan("go:9", "uct", program, playouts=1))
    monkeypatch.setattr(table, "_referee", lambda position: Verdict(lead))
    passed = Position.start(GAME).play("pass")
    turned = Position.start(GAME).play("E5").play("pass")
    for position, wins in ((passed, by_white), (turned, by_black)):
        move = table._winning_pass(table.a, position)
        assert (move == GAME.parse_move("pass")) == wins and (move is None) == (not wins)
        assert table._winning_pass(table.b, position) is None  # a program decides itself
    assert table._winning_pass(table.a, Position.start(GAME)) is None  # nobody has passed


def test_who_is_judged(players):
    """Go with an external program; agents of ours play for the stones that stand."""
    a, b = players(FOUGHT, "nothing")
    judged = {("go:9", a, b): True, ("go:9", "uct", b): True, ("go:9", "uct", "mc"): False}
    judged |= {("hex:3", a, b): False}
    for (game, *names), wanted in judged.items():
        runner = GameRunner(MatchPlan(game, *names, playouts=1))
        assert (runner._referee is not None) == wanted
