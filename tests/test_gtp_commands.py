"""The commands of the GTP engine: every one, with every kind of mistake."""

import random
import re
from dataclasses import replace

import numpy as np
import pytest

from tests.gtp_talk import Talk, check_form, no_verdict, odd_line, strict_verdict, would_compile
from uctlab.games import make_game
from uctlab.protocol.gtp_commands import COMMANDS
from uctlab.protocol.gtp_line import MAX_LINE
from uctlab.protocol.gtp_loop import serve

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
    ("", "known_command gogui-rules_board", "false"),
    ("", "list_commands", r"boardsize\nclear_board\n(.+\n)+version"),
    ("", "quit", ""),
    ("", "list_games", "Go"),
    ("", "set_game Go", ""),
    ("", "boardsize 4", ""),
    ("play b A1", "clear_board", ""),
    ("", "komi 7.5", ""),
    ("", "play B c3", ""),
    ("play b C3", "play white PASS", ""),
    ("", "gogui-play_sequence b A1 w B2 b C3", ""),
    ("", "gogui-play_sequence", ""),
    ("", "genmove black", VERTEX),
    ("", "kgs-genmove_cleanup w", VERTEX),
    ("", "gogui-interrupt", ""),
    ("", "hexgui-analyze_commands", r"(\w+/[^/]+/[\w-]+\n?)+"),
    ("", "uctlab-cell_values", r"([A-D][1-4] \d+ ?)+"),
    ("", "uctlab-cell_visits", r"([A-D][1-4] \d+ ?)+"),
    ("", "uctlab-cell_line", r"([A-D][1-4] ?)+"),
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
    ("", "uctlab-report", r"(.*\n)+20 playouts in .*"),
]
# In hex:3, since Go's rules are known to everybody.
RULES = [
    ("", "gogui-rules_game_id", "Hex"),
    ("play b a1|play w c3", "gogui-rules_board", r"X \. \.\n\. \. \.\n\. \. O"),
    ("", "gogui-rules_board_size", "3 hex"),
    ("play b a1", "gogui-rules_legal_moves", r"B3 C3 A2 .* C1"),
    ("play b a1", "gogui-rules_side_to_move", "white"),
    ("play b b1|play b b2|play b b3", "gogui-rules_final_result", r"B\+"),
    ("", "known_command gogui-rules_board", "true"),
    ("", "gogui-analyze_commands", r"(.*\n)+plist/Legal moves/gogui-rules_legal_moves"),
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
    ("", "set_game Othello", "unsupported game 'Othello'; accepted: Go"),
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
    ("", "loadsgf /dev/zero", "cannot load file '/dev/zero'"),
    ("", "lz-analyze b 10 avoid b A1", "syntax error: avoid needs a color, vertices"),
    ("", "lz-analyze b 10 ponder b", "syntax error: 'ponder'; accepted: interval"),
    ("", "lz-genmove_analyze b allow b A1 1 avoid b A1 1", "every legal move is left out"),
    ("", "lz-analyze interval", "syntax error: interval needs a value"),
    ("", "gogui-rules_board", "unknown command 'gogui-rules_board'"),
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


@pytest.mark.parametrize(
    ("spec", "before", "request_line", "form"),
    [*(("go:4", *row) for row in FORMS), *(("hex:3", *row) for row in RULES)],
)
def test_answers(talks, spec, before, request_line, form):
    talk = talks(spec)
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
    asked = {line.split()[0] for _, line, _ in [*FORMS, *RULES, *REFUSALS]}
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
    while not talk.position.is_over:
        vertex = talk.ask(f"genmove {'bw'[talk.position.turn]}")
        assert vertex.lower() == talk.engine.game.move_name(talk.position.last_move)
    assert re.fullmatch(r"[BW]\+\d+|0", talk.ask("final_score"))
    assert talk.ask("gogui-rules_final_result") == talk.ask("final_score")
    assert talk.ask("gogui-rules_legal_moves") == ""
    assert talk.refused("lz-analyze") == "the game is over"
    assert talk.refused("final_status_list dead") == "othello has no dead stones"


def test_hex():
    talk = Talk(make_game("hex:3,swap=on").interpreted())
    assert talk.ask("boardsize 3 3") == ""
    talk.ask("play b a2")
    talk.ask("play white swap-pieces")
    assert talk.ask("gogui-rules_board") == ". O .\n. . .\n. . ."
    talk.engine.names.gogui = False
    assert talk.refused("final_score") == "cannot score: the game is not over"
    talk.ask("undo")
    talk.ask("gogui-play_sequence w c3 b a1 w c2 b a3")  # Black joins top and bottom
    assert talk.ask("final_score") == "B+"
    assert talk.refused("fixed_handicap 2") == "hex:3,swap=on has no handicap"


def test_havannah_has_white_first(talks):
    talk = talks("havannah:3")
    assert talk.ask("gogui-rules_side_to_move") == "white"
    talk.ask("play w a3")
    assert talk.ask("gogui-rules_game_id") == "Havannah"


def test_gogui_sees_a_hexagon_as_a_part_of_a_grid():
    talk = Talk(make_game("havannah:3").interpreted(), playouts=1, hexagons=False)
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
    talk = Talk(make_game("hex:11").interpreted(), playouts=1, hexagons=False)
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
    assert not talk.position.is_over and talk.position.turn == 0
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
    talk = Talk(make_game("go:9").interpreted(), playouts=1)
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


def test_files(tmp_path):
    talk = Talk(make_game("go:4").interpreted(), judge=strict_verdict, playouts=1)
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
    path.write_text("(;GM[1]SZ[4]AB[aa])")  # without moves
    for number in range(3):
        talk.ask(f"loadsgf {path} {number}")
        assert np.flatnonzero(talk.position.stones).tolist() == [0]
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


@pytest.mark.parametrize("spec", ["go:4", "hex:3"])
def test_fuzz(spec):
    """4,000 lines a game, as they should be and otherwise."""
    rng = random.Random(2024)
    talk = Talk(spec, judge=no_verdict, playouts=3, memory=2**20)
    for number in range(4_000):
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
    assert "are too few for a hex:5 tree" in talk.refused("boardsize 5")
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
