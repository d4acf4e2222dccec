"""Games of Go that a referee judges, and those that are played on since the players disagree."""

import shlex
import sys
from dataclasses import replace

import numpy as np
import pytest

from tests.dead_stones import BOARDS, GAME, board
from uctlab.arena.game import GameRunner, GameTask, dismiss_players
from uctlab.arena.match import play_matches
from uctlab.arena.plan import MatchPlan
from uctlab.arena.playing_on import Dispute
from uctlab.arena.store import Store
from uctlab.devices.cpu import Cpu
from uctlab.games import Position, Verdict, make_game
from uctlab.games.go.referee import dead_stones, judge

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
    runner = GameRunner(MatchPlan("go:9", "fuego(knowledge=rules)", white, playouts=300))
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
    last = last.play("pass").play("pass")
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
        (record,) = store.records(plan)
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
