"""The GTP engine: every command, every kind of nonsense, and games against other programs."""

import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.gtp_talk import Talk, check_form, no_verdict, odd_line, strict_verdict, would_compile
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.protocol.gtp_client import GtpOpponent
from uctlab.protocol.gtp_commands import COMMANDS
from uctlab.protocol.gtp_engine import Forecast
from uctlab.protocol.gtp_line import MAX_LINE
from uctlab.protocol.gtp_loop import serve

PROGRAM = Path(sys.executable).parent / "uctlab"
GNUGO = "gnugo --mode gtp --level 1 --chinese-rules"
VERTEX = r"[A-D][1-4]|pass"
INFO = r"info move \S+ visits \d+ winrate \d+ prior 0 lcb \d+ order 0 pv (\S+ ?)+.*"
KATA = r"info move \S+ visits \d+ utility \S+ winrate [01]\.\d+ prior 0 lcb [01]\.\d+ .* pv .*"

# (what goes before, the request, the form of the answer without its mark)
FORMS = [
    ("", "protocol_version", "2"),
    ("", "name", "uctlab uct"),
    ("", "version", r"\d+\.\d+\.\d+"),
    ("", "known_command lz-analyze", "true"),
    ("", "known_command castle", "false"),
    ("", "list_commands", r"boardsize\nclear_board\n(.+\n)+version"),
    ("", "quit", ""),
    ("", "boardsize 4", ""),
    ("play b A1", "clear_board", ""),
    ("", "komi 7.5", ""),
    ("", "play B c3", ""),
    ("play b C3", "play white PASS", ""),
    ("", "gogui-play_sequence b A1 w B2 b C3", ""),
    ("", "gogui-play_sequence", ""),
    ("", "genmove black", VERTEX),
    ("", "reg_genmove w", VERTEX),
    ("play b A1", "undo", ""),
    ("play b A1|play w B2", "gg-undo 2", ""),
    ("play b A1", "showboard", r"   A B C D\n4  \. \. \. \.\n(.+\n){2}1  X \. \. \.\nO to play"),
    ("", "set_random_seed 17", ""),
    ("", "time_settings 60 30 5", ""),
    ("", "kgs-time_settings byoyomi 60 30 5", ""),
    ("", "time_left b 30 2", ""),
    ("", "cputime", r"\d+\.\d+"),
    ("", "set_free_handicap A1 D4 A4", ""),
    ("play b B2|play w pass|play b C2|play w pass", "final_score", r"B\+8.5"),
    (
        "play b B2|play w A1|play b A2|play w C4|play b B1",
        "final_status_list dead",
        "C4",
    ),
    ("play b B2|play w pass", "final_status_list alive", "B2"),
    ("play b B2", "printsgf", r"\(;.*GM\[1\].*;B\[bc\]\)"),
    ("", "lz-analyze b 100", INFO),
    ("", "lz-analyze interval 5 maxmoves 1", r"info move (?!.*info).*"),
    ("", "lz-analyze maxmoves 1 5 white", r"info move (?!.*info).*"),
    ("", "kata-analyze w 100 minmoves 5 ownership true", KATA),
    ("", "kata-analyze rootInfo true movesOwnershipStdev false noResultValue true B", KATA),
    ("", "lz-genmove_analyze b", rf"{INFO}\nplay ({VERTEX})"),
    ("", "genmove_analyze w 10", rf"{INFO}\nplay ({VERTEX})"),
    ("", "kata-genmove_analyze b 10", rf"{KATA}\nplay ({VERTEX})"),
    ("", "gogui-analyze_commands", r"(\w+/[^/]+/[\w-]+\n?)+"),
    ("", "uctlab-search", r"VAR b .*\nLABEL .*\nINFLUENCE .*\nTEXT .*"),
    ("play b C3", "uctlab-visits", r'((\d+|"") ?){4}\n((\d+ )\d+ "" \d+\n)(.*\n?){2}'),
    ("", "uctlab-values", r'((\d+|"")[ \n]?){16}'),
    ("", "uctlab-influence", r"(-?[01](\.\d+)?[ \n]?){16}"),
    ("play b C3", "uctlab-variation", r"w \S+( b \S+.*)?"),
    ("", "uctlab-report", r"(.*\n)+.*20 playouts.*|(.*\n)+.*playouts.*"),
    ("", "gogui-rules_game_id", "Go"),
    ("play b A1|play w D4", "gogui-rules_board", r"\. \. \. O\n(\. \. \. \.\n){2}X \. \. \."),
    ("", "gogui-rules_board_size", "4"),
    ("play b A4", "gogui-rules_legal_moves", r"B4 C4 D4 A3 .* D1 pass"),
    ("play b A4", "gogui-rules_side_to_move", "white"),
    ("play b pass|play w pass", "gogui-rules_final_result", r"B\+8.5"),
]
REFUSALS = [
    ("", "castle", "unknown command 'castle'"),
    ("", "12", "unknown command ''"),
    ("", "play b", "syntax error; accepted: color vertex"),
    ("", "name please", "syntax error; accepted: no arguments"),
    ("", "play g A1", "invalid color 'g'; accepted: b, w, black, white"),
    ("", "play b I1", "invalid vertex 'I1'; accepted: A4 to D1, pass"),
    ("", "play b resign", "invalid vertex 'resign'"),
    ("play b A1", "play w A1", "illegal move: .* legal: A4"),
    ("", "boardsize 20", "unacceptable size: go: size 20 is out of range; accepted: 2 to 19"),
    (
        "",
        "boardsize 9999999999999",
        "'9999999999999' is not a whole number; accepted: 0 to 2147483647",
    ),
    ("", "boardsize 4 5", "unacceptable size: 4 by 5; accepted: square boards"),
    ("", "komi seven", "'seven' is not a number"),
    ("", "komi 7.3", "komi 7.3 is not accepted"),
    ("", "komi 1e5", "'1e5' is not a number"),
    ("", "undo", "cannot undo"),
    ("play b A1", "gg-undo 2", "cannot undo"),
    ("", "gogui-play_sequence b A1 w A1", "illegal move"),
    ("", "gogui-play_sequence b", "syntax error; accepted: pairs"),
    ("", "fixed_handicap 2", "invalid number of stones 2; accepted: none on a board of this size"),
    ("", "place_free_handicap 2", "invalid number of stones"),
    ("", "set_free_handicap A1", "invalid number of stones 1; accepted: 2 to 15"),
    ("", "set_free_handicap A1 A1", "bad vertex list"),
    ("", "set_free_handicap A1 pass", "bad vertex list"),
    ("play b A1", "set_free_handicap A1 A2", "board not empty"),
    ("", "time_settings 1 2", "syntax error; accepted: main period stones"),
    ("", "time_settings 1 2 nan", "'nan' is not a whole number"),
    ("", "kgs-time_settings fischer 1 1", "syntax error; accepted: none, absolute"),
    ("", "time_left b soon 0", "'soon' is not a number"),
    ("", "final_status_list sick", "'sick' is not a status; accepted: alive, seki, dead"),
    ("", "loadsgf missing.sgf", "cannot load file 'missing.sgf'"),
    ("", "loadsgf .", "cannot load file '.'"),
    ("", "lz-analyze b 10 avoid b A1 3", "syntax error: 'avoid'; accepted: interval"),
    ("", "lz-analyze interval", "syntax error: interval needs a value"),
    ("", "gogui-rules_final_result", "the game is not over"),
]


@pytest.fixture(scope="module")
def talks():
    """Engines, one a game; each test begins with a clear board."""
    made = {}

    def talk(spec="go:4"):
        if spec not in made or made[spec].engine.game.name != spec:
            made[spec] = Talk(spec, judge=strict_verdict)
        one = made[spec]
        one.send("clear_board")
        one.ask("time_settings 0 1 0")
        one.engine.names.gogui = False
        return one

    return talk


@pytest.mark.parametrize(("before", "request_line", "form"), FORMS)
def test_answers(talks, before, request_line, form):
    talk = talks()
    for line in filter(None, before.split("|")):
        talk.ask(line)
    assert re.fullmatch(form, talk.ask(request_line), re.DOTALL if "info" in form else 0)
    assert talk.send("42 name") == "=42 uctlab uct\n\n"


@pytest.mark.parametrize(("before", "request_line", "message"), REFUSALS)
def test_refusals_change_nothing(talks, before, request_line, message):
    talk = talks()
    for line in filter(None, before.split("|")):
        talk.ask(line)
    board, clock = str(talk.position), talk.engine.clock.budget(0, 10)
    assert re.search(message, talk.refused(request_line))
    assert (str(talk.position), talk.engine.clock.budget(0, 10)) == (board, clock)


def test_every_command_is_tested():
    asked = {line.split()[0] for _, line, _ in [*FORMS, *REFUSALS]}
    assert asked >= set(COMMANDS)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (b"  3\tname # hello", "=3 uctlab uct\n\n"),
        (b"na\x07me\r", "= uctlab uct\n\n"),
        (b"2147483647 name", "=2147483647 uctlab uct\n\n"),
        (b"2147483648 name", "? unknown command '2147483648'\n\n"),
        (b"# name", ""),
        (b" \t\r", ""),
        (b"\xff\xfe name", "? unknown command '\ufffd\ufffd'\n\n"),
        (b"7 play b \xc3\x28", "?7 invalid vertex"),
        (b"x" * 100_000, "? unknown command 'xxxxx"),
        (b"play b A" + b"1" * 100_000, "? invalid vertex 'A111"),
    ],
)
def test_lines(talks, line, answer):
    got = talks().send(line)
    assert got == answer if answer.endswith("\n") or not answer else got.startswith(answer)
    check_form(line, got)
    assert len(got) < 300


def test_othello(talks):
    talk = talks("othello")
    assert talk.ask("boardsize 8") == "" and talk.refused("boardsize 6").startswith("unacceptable")
    assert talk.refused("komi 5") == "othello has no komi"
    assert talk.refused("boardsize 6") == "unacceptable size: othello has boards of one size only"
    talk.ask("play b f5")
    assert talk.ask("gogui-rules_board").splitlines()[3] == ". . . X X X . ."  # row 5 of 8
    assert talk.refused("play b d6") == "illegal move: it is White's turn"
    talk.ask("clear_board")
    talk.ask("gogui-play_sequence b d3 w c3 b b3 w b2 b e6 w a3 b a1 w c1")
    assert talk.ask("gogui-rules_legal_moves") == "pass"
    boards = []
    for told in (["play w e3"], ["play b pass", "play w e3"]):  # a forced pass may be left out
        for line in told:
            talk.ask(line)
        boards.append(talk.ask("showboard"))
        talk.ask(f"gg-undo {len(told)}")
    assert boards[0] == boards[1]
    while not talk.position.over:
        vertex = talk.ask(f"genmove {'bw'[talk.position.turn]}")
        assert vertex.lower() == talk.engine.game.move_name(talk.position.last_move)
    assert re.fullmatch(r"[BW]\+\d+|0", talk.ask("final_score"))
    assert talk.ask("gogui-rules_final_result") == talk.ask("final_score")
    assert talk.ask("gogui-rules_legal_moves") == ""
    assert talk.refused("genmove b") == "the game is over"
    assert talk.refused("lz-analyze") == "the game is over"
    assert talk.refused("final_status_list dead") == "othello has no dead stones"


def test_hex():
    talk = Talk(make_game("hex:3,swap=on").interpreted())
    assert talk.ask("boardsize 3 3") == ""
    talk.ask("play b a2")
    talk.ask("play white swap-pieces")
    assert talk.ask("gogui-rules_board") == ". . .\n. . .\n. O ."  # row 1 is the last line
    assert talk.refused("play w c3") == "illegal move: it is Black's turn"
    assert talk.refused("final_score") == "cannot score: the game is not over"
    talk.ask("undo")
    assert "A2" not in talk.ask("gogui-rules_legal_moves").split()
    talk.ask("gogui-play_sequence w c3 b a1 w c2 b a3")  # Black joins top and bottom
    assert talk.ask("final_score") == "B+"
    assert talk.refused("fixed_handicap 2") == "hex:3,swap=on has no handicap"


def test_havannah_has_white_first(talks):
    talk = talks("havannah:3")
    assert talk.ask("gogui-rules_side_to_move") == "white"
    assert talk.refused("play b a3") == "illegal move: it is White's turn"
    talk.ask("play w a3")
    assert talk.ask("gogui-rules_game_id") == "Havannah"


def test_gogui_sees_a_hexagon_as_a_part_of_a_grid():
    talk = Talk(make_game("havannah:3"), playouts=1)
    talk.ask("boardsize 3")
    assert talk.ask("gogui-rules_board_size") == "5"
    talk.ask("boardsize 5")  # which GoGui repeats
    assert talk.engine.game.name == "havannah:3"
    talk.ask("play w A3")
    rows = talk.ask("gogui-rules_board").splitlines()
    assert rows == [". . . . .", ". . . . .", "O . . . .", ". . . . .", ". . . . ."]
    legal = talk.ask("gogui-rules_legal_moves").split()
    assert len(legal) == 18 and "A4" in legal and not {"A1", "E5"} & set(legal)
    assert talk.refused("boardsize 6") == "unacceptable size: 6; accepted: odd ones, for a hexagon"
    talk.ask("boardsize 7")
    assert talk.engine.game.name == "havannah:4" and talk.ask("gogui-rules_board_size") == "7"


def test_gogui_names_cells_as_in_go():
    talk = Talk(make_game("hex:11").interpreted(), playouts=1)
    assert talk.ask("play b i5") == "" and talk.ask("undo") == ""
    legal = talk.ask("gogui-rules_legal_moves").split()  # from now on GoGui is listening
    assert "J5" in legal and "A1" in legal and "I5" not in legal
    assert talk.refused("play b i5").startswith("invalid vertex 'i5'; accepted: A1 to L11")
    talk.ask("play b J5")
    assert talk.position.moves == (talk.engine.game.parse_move("i5"),)
    assert re.fullmatch("[A-HJ-L][0-9]+", talk.ask("genmove w"))


def test_either_colour_may_move_at_any_time_in_go(talks):
    talk = talks()
    for line in ("play b A1", "play b B2", "play w pass", "play w D4"):  # no game ends by this
        talk.ask(line)
    assert not talk.position.over and talk.position.turn == 0
    assert np.flatnonzero(talk.position.stones == 1).size == 2
    for line in ("play b pass", "play w pass", "play b pass", "play b C1"):
        talk.ask(line)
    assert talk.ask("genmove b") in ("pass", *talk.engine.game.move_names)
    talk.ask("gg-undo 9")
    assert talk.engine.board.fresh and talk.refused("undo") == "cannot undo"


def test_superko(talks):
    talk = talks()
    talk.ask("gogui-play_sequence b B4 w B2 b A2 w A1 b C4 w D3 b D4 w B1 b B3 w A3 b pass w A4")
    assert talk.refused("play b A2").startswith("illegal move")  # the board of five moves ago
    assert "A2" not in talk.ask("gogui-rules_legal_moves").split()
    talk.ask("clear_board")
    boards = set()
    for number in range(80):
        if talk.ask(f"genmove {'bw'[number % 2]}") != "pass":
            board = talk.position.stones.tobytes()
            assert board not in boards
            boards.add(board)
    assert len(boards) > 10


def test_undo_after_anything(talks):
    rng = random.Random(5)
    talk = talks()
    for first in ("clear_board", "set_free_handicap A1 D4", "komi 0.5"):
        talk.ask(first)
        seen = [talk.ask("showboard")]
        while len(seen) < 25:
            colour = rng.choice("bw")
            vertex = rng.choice([*talk.engine.game.move_names, "genmove"])
            line = f"genmove {colour}" if vertex == "genmove" else f"play {colour} {vertex}"
            if talk.send(line).startswith("="):
                seen.append(talk.ask("showboard"))
        while len(seen) > 1:
            assert talk.ask("showboard") == seen.pop()
            talk.ask("undo")
        assert talk.ask("showboard") == seen.pop()
        assert talk.refused("undo") == "cannot undo"
        talk.ask("clear_board")
    talk.ask("komi 7.5")


def test_handicap():
    talk = Talk("go:9", playouts=1)
    assert talk.ask("fixed_handicap 3") == "C3 G7 C7"
    assert talk.position.turn == 1 and talk.position.stones.sum() == 3
    assert talk.refused("fixed_handicap 2") == "board not empty"
    talk.ask("clear_board")
    assert talk.ask("fixed_handicap 5").split()[-1] == "E5"
    talk.ask("clear_board")
    assert "E5" not in talk.ask("fixed_handicap 6")
    talk.ask("clear_board")
    assert len(set(talk.ask("place_free_handicap 20").split())) == 9
    talk.ask("genmove w")
    talk.ask("undo")
    assert talk.position.stones.sum() == 9
    assert talk.refused("fixed_handicap 10").startswith("board not empty")


def test_komi_changes_the_result_of_the_same_game(talks):
    talk = talks()
    for line in ("play b B2", "play w D4", "play b pass", "play b C3", "komi 0.5"):
        talk.ask(line)
    assert talk.engine.game.name == "go:4,komi=0.5" and len(talk.position.moves) == 5
    assert talk.ask("printsgf").count(";B[") == 3
    talk.ask("komi 7.5")
    assert talk.engine.game.name == "go:4" and len(talk.position.moves) == 5


def test_files(talks, tmp_path):
    talk = talks()
    for line in ("set_free_handicap A1 D4", "play w B2", "play b C3", "play b A3", "play w pass"):
        talk.ask(line)
    path = tmp_path / "game.sgf"
    path.write_text(talk.ask("printsgf"))
    board, boards = talk.ask("showboard"), []
    talk.ask("clear_board")
    talk.ask(f"loadsgf {path}")
    assert talk.ask("showboard") == board
    for number in range(8):
        talk.ask(f"loadsgf {path} {number}")
        boards.append(len(talk.position.moves))
    assert boards == [0, 0, 1, 2, 3, 4, 5, 5]  # positions before a move
    talk.ask("undo")
    path.write_text("(;GM[1]SZ[4];B[];W[];B[aa](;B[bb];B[];W[cc])(;W[dd]))")
    talk.ask(f"loadsgf {path}")  # play goes on after two passes, and turns are left out
    assert np.flatnonzero(talk.position.stones).tolist() == [0, 5, 10]
    board = talk.ask("showboard")
    path.write_text(talk.ask("printsgf"))
    talk.ask("gg-undo 6")  # as many moves as the file has
    assert talk.engine.board.fresh
    talk.ask(f"loadsgf {path}")
    assert talk.ask("showboard") == board
    path.write_text("(;GM[1]SZ[4]KM[0.5];B[aa];W[zz])")
    assert "[zz]" in talk.refused(f"loadsgf {path}")
    path.write_bytes(b"\xff(;;;")
    assert talk.refused(f"loadsgf {path}").startswith("cannot load file")
    path.write_text("(;GM[1]SZ[5];B[aa])")
    talk.ask(f"loadsgf {path}")
    assert talk.engine.game.name == "go:5"
    talk.ask("boardsize 4")


def test_dead_stones():
    """The judge of a real engine; see test_referee.py for more of him."""
    talk = Talk("go:9", playouts=1)
    for row in range(1, 10):
        talk.ask(f"play b D{row}")
        talk.ask(f"play w E{row}")
    talk.ask("play w B5")
    talk.ask("play b H5")
    assert sorted(talk.ask("final_status_list dead").split()) == ["B5", "H5"]
    assert len(talk.ask("final_status_list alive").split()) == 18
    assert talk.ask("final_score") == "W+16.5"  # 36 points against 45 and komi


def test_seki():
    talk = Talk("go:4", judge=no_verdict)
    black = ["B4", "C4", "D4", "A3", "B3", "C3", "D3"]  # around an eye at A4
    white = ["A2", "B2", "A1", "B1", "C1"]  # three liberties, all of them Black's too
    for colour, stones in (("b", black), ("w", white)):
        for vertex in stones:
            talk.ask(f"play {colour} {vertex}")
    assert set(talk.ask("final_status_list seki").split()) == set(white)
    assert set(talk.ask("final_status_list alive").split()) == set(black)
    assert talk.ask("final_status_list dead") == ""


def test_resignation():
    talk = Talk("go:4,komi=100.5", playouts=100, resign=0.05)
    for colour in "bb":
        assert talk.ask(f"reg_genmove {colour}") != "resign"
    assert talk.ask("genmove b") != "resign"
    talk.ask("play w pass")
    assert talk.ask("genmove b") == "resign"
    assert talk.position.turn == 0 and not talk.position.over
    assert talk.ask("reg_genmove b") != "resign"
    assert talk.ask("genmove w") != "resign"  # White is winning
    talk.ask("undo")
    assert talk.ask("genmove b") != "resign"  # one search alone decides nothing
    never = Talk("go:4,komi=100.5", playouts=100, resign=0.0)
    assert "resign" not in [never.ask("genmove b") for _ in range(4)]


def test_pass_when_it_wins():
    talk = Talk("go:4,komi=0.5")
    for line in ("play b B2", "play w pass"):
        talk.ask(line)
    talk.engine.searcher.forget()
    assert talk.ask("genmove b") == "pass" and talk.position.over
    assert talk.engine.searcher.position is None  # without a search
    talk.ask("clear_board")
    for line in ("play b pass", "play w B2", "play b pass"):
        talk.ask(line)
    assert talk.ask("reg_genmove w") == "pass"
    talk.ask("undo")
    talk.ask("play b B3")
    talk.ask("play w pass")
    assert talk.ask("genmove b") != "pass"  # one stone each, and komi


def test_early_stop_and_reuse():
    won = "play b A2|play w A1|play b B2|play w B1"
    made = {}
    for early in (True, False):
        options = {"agent": "uct(c=0.1)", "playouts": 50_000, "early": early}
        talk = Talk("go:4,komi=0.5", **options)
        for line in won.split("|"):
            talk.ask(line)
        move = talk.ask("reg_genmove b")
        made[early] = int(talk.engine.searcher.nodes[0].visits), move
    assert made[False][0] == 50_000 and 10_000 < made[True][0] < 45_000
    assert made[True][1] == made[False][1]
    talk = Talk("go:4", playouts=200)
    talk.ask("genmove b")
    answer = talk.engine.searcher.report().pv[1]
    talk.ask(f"play w {answer}")
    report = talk.engine.search(0, talk.position)
    assert report.reused > 0


def test_the_search_of_a_left_out_turn_reuses_nothing():
    talk = Talk("go:4", playouts=200)
    talk.ask("reg_genmove b")
    talk.ask("reg_genmove w")
    assert int(talk.engine.searcher.nodes[0].visits) <= 200


def test_a_tree_of_a_left_out_turn_is_not_taken_for_one_of_a_pass():
    """The moves are the same, but a real pass and the next end the game."""
    talk = Talk("go:4", playouts=200)
    talk.ask("reg_genmove w")
    talk.ask("play b pass")
    report = talk.engine.search(1, talk.position)
    assert report.reused == 0


def test_how_many_playouts_are_left():
    forecast = Forecast(None, 1.0)
    assert forecast.playouts_left(16, 0.2) is None  # a kept tree was copied, which tells no speed
    assert forecast.playouts_left(116, 0.25) is None
    assert forecast.playouts_left(1116, 0.31) == pytest.approx(1.5 * 10_000 * 0.69, rel=1e-3)
    assert forecast.playouts_left(9016, 1.1) == 0
    both = Forecast(5000, 1.0)
    assert both.playouts_left(16, 0.2) == 4984
    assert both.playouts_left(36, 0.4) == pytest.approx(1.5 * 100 * 0.6, rel=0.02)
    assert Forecast(50, None).playouts_left(20, 9.0) == 30


def test_a_kept_tree_does_not_end_a_search_at_once():
    talk = Talk("go:9", seconds=0.3, playouts=None)
    for _ in range(3):
        talk.ask("genmove b")
        talk.ask("genmove w")
    report = talk.engine.search(0, talk.position)
    assert report.playouts > 1000 or len(talk.position.legal) == 1


def test_a_look_at_a_depth_first_search_does_not_disturb_it():
    trees = []
    for seen in (False, True):
        talk = Talk("hex:5", agent="dfuct", playouts=3000, early=False)
        look = talk.engine.searcher.report
        talk.engine.search(0, talk.position, (lambda *_, look=look: look()) if seen else None)
        trees.append(talk.engine.searcher.export(2))
    assert trees[0] == trees[1]


def test_analysis_goes_on_until_a_line_comes():
    calls = []

    def waiting():
        calls.append(time.perf_counter())
        return calls[-1] - calls[0] > 0.15

    talk = Talk("hex:5", waiting=waiting)
    lines = talk.ask("kata-analyze b 3").splitlines()
    assert 3 <= len(lines) <= 7
    visits = [sum(map(int, re.findall(r"visits (\d+)", line))) for line in lines]
    assert visits == sorted(visits) and visits[0] < visits[-1]
    assert re.findall(r"order (\d+)", lines[-1]) == [str(n) for n in range(25)]
    assert talk.position.moves == ()


def test_analysis_ends_when_the_tree_can_count_no_more(monkeypatch):
    talk = Talk("hex:3", waiting=lambda: False)
    monkeypatch.setattr("uctlab.mcts.searcher.MAX_VISITS", 1000)
    talk.ask("lz-analyze b 0")
    assert int(talk.engine.searcher.nodes[0].visits) == 1000


@pytest.mark.parametrize("spec", ["go:4", "hex:3"])
def test_fuzz(spec):
    """50,000 lines a game, as they should be and otherwise."""
    rng = random.Random(2024)
    talk = Talk(spec, judge=no_verdict, playouts=3, memory=2**20)
    for number in range(50_000):
        line = odd_line(rng, spec)
        if would_compile(line, spec):
            continue
        check_form(line, talk.send(line))
        talk.session.ended = False
        if number % 500 == 0:
            assert talk.engine.game.name == spec
            board = talk.engine.board
            assert np.array_equal(board.under(board.game).position.stones, talk.position.stones)
        if len(talk.position.moves) > 30:
            talk.ask("clear_board")
    assert talk.ask("boardsize " + spec[-1]) == ""


def test_a_board_that_does_not_fit_changes_nothing():
    talk = Talk("hex:3", playouts=1, memory=500)
    talk.ask("play b b2")
    assert "hold no tree of hex:5" in talk.refused("boardsize 5")
    assert "X" in talk.ask("showboard") and talk.ask("genmove w")


def test_an_error_of_our_own_does_not_end_the_engine(talks, monkeypatch, capsys):
    talk = talks()
    failing = replace(talk.engine.game, referee=lambda position: 1 / 0)
    monkeypatch.setattr(talk.engine, "game", failing)
    assert talk.refused("5 final_score") == "internal error: division by zero"
    assert "ZeroDivisionError" in capsys.readouterr().err
    assert talk.ask("name") == "uctlab uct"


def test_long_lines_and_the_end_of_input(talks, tmp_path):
    path = tmp_path / "lines"
    path.write_bytes(b"1 name\n" + b"x" * (MAX_LINE + 5) + b"\n2 name\nlz-analyze\n3 name")
    written = []
    with path.open("rb") as lines:
        serve(talks().engine, lines.fileno(), written.append)
    text = "".join(written)
    assert text.startswith("=1 uctlab uct\n\n? line too long; accepted: 1,048,576 bytes\n\n=2 ")
    assert text.count("info move") >= 1 and text.endswith("=3 uctlab uct\n\n")


def test_a_game_against_itself_through_the_client():
    command = shlex.join([str(PROGRAM), "gtp", "--playouts", "50", "--resign", "0", "--game"])
    game = make_game("go:4")
    position = Position.start(game)
    with GtpOpponent(game, command + " go:4") as engine:
        engine.new_game(position, 7)
        while not position.over and len(position.moves) < 60:
            player = position.turn
            position = position.play(engine.genmove(player))
        assert position.over


def test_a_program_is_interrupted():
    """Analysis ends when a line comes, Ctrl-C ends the program, with no traceback."""
    command = [str(PROGRAM), "gtp", "--game", "hex:5", "--seconds", "60"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes) as engine:
        engine.stdin.write(b"lz-analyze 5\n")
        engine.stdin.flush()
        assert engine.stdout.readline() == b"=\n"
        assert all(engine.stdout.readline().startswith(b"info move") for _ in range(3))
        begin = time.monotonic()
        engine.stdin.write(b"9 name\n")
        engine.stdin.flush()
        while (line := engine.stdout.readline()) != b"=9 uctlab uct\n":
            assert line.startswith(b"info") or line == b"\n"
        assert time.monotonic() - begin < 1.0
        engine.stdin.write(b"genmove b\n")
        engine.stdin.flush()
        time.sleep(0.3)
        engine.send_signal(signal.SIGINT)
        assert engine.wait(10) == 130
        assert b"Traceback" not in engine.stderr.read()


@pytest.mark.skipif(
    not (shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")), reason="no GNU Go"
)
def test_a_game_against_gnu_go():
    talk = Talk("go:9", playouts=100)
    with GtpOpponent(talk.engine.game, GNUGO) as gnugo:
        gnugo.new_game(talk.position, 1)
        while not talk.position.over and len(talk.position.moves) < 160:
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
        (("--playouts", 0), "playouts must be at least 1, not 0"),
        (("--resign", 101), "--resign must be a percentage from 0 to 100, not 101"),
        (("--game", "deceptive"), "deceptive.* is not played over GTP"),
        (("--agent", "gnu"), "unknown agent 'gnu'"),
    ):
        code, out, err = uctlab("gtp", *arguments)
        assert (code, out) == (2, "") and re.search(message, err)
    with pytest.raises(UsageError, match="not played over GTP"):
        Talk("deceptive")
