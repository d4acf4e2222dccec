"""The lines that real programs send to our GTP engine, as their sources write them."""

import re
import sys
from collections import Counter
from pathlib import Path
from threading import Event, Thread

import numpy as np
import pytest

from tests.gtp_talk import Talk, strict_verdict
from tests.patience import PATIENCE, SearchClock
from uctlab.games import make_game
from uctlab.protocol import gtp_ready
from uctlab.protocol.gtp_loop import serve


def interpreted(spec, **options):
    return Talk(make_game(spec).interpreted(), **{"playouts": 1, **options})


def test_hexgui_swaps_by_itself():
    """The human clicks the first stone: HexGui clears the board and places a mirrored stone."""
    talk = interpreted("hex:4,swap=on")
    for line in ("boardsize 4 4", "play black c1", "clear_board", "play white a3"):
        talk.ask(line)
    assert talk.ask("genmove black") in talk.engine.game.move_names
    assert np.bincount(talk.position.stones).tolist() == [14, 1, 1]
    assert talk.ask("printsgf").count(";W[a3];B[") == 1


@pytest.mark.parametrize("spec", ["hex:3", "havannah:3"])
def test_a_set_up_of_two_stones_of_one_colour(spec):
    """HexGui sends a set-up as moves; gogui-twogtp lets Black begin in any game."""
    talk = Talk(spec)
    for line in ("play black b2", "play black c3", "genmove black", "play white a3", "undo"):
        talk.ask(line)
    black = 1 + talk.engine.names.player("b")
    assert np.flatnonzero(talk.position.stones).size == 3
    assert (talk.position.stones != 3 - black).all()
    talk.ask("genmove white")
    assert np.flatnonzero(talk.position.stones == 3 - black).size == 1
    talk.ask("gg-undo 4")
    assert talk.engine.board.fresh


def test_gogui_keeps_the_game_that_it_has_loaded():
    """It asks a program that has rules for its board; Go's 9x9 replaced a loaded 13x13."""
    listed = interpreted("go:4").ask("list_commands").split()
    assert not [name for name in listed if name.startswith("gogui-rules")]
    assert {"gogui-analyze_commands", "gogui-play_sequence"} <= {*listed}
    listed = interpreted("hex:4").ask("list_commands").split()
    assert sum(name.startswith("gogui-rules") for name in listed) == 6


def test_gogui_draws_hexagons():
    """Rows shift to the right from the top down, where GoGui has its highest row."""
    talk = interpreted("havannah:3")
    talk.ask("play w a3")
    talk.ask("play b c1")
    assert talk.ask("gogui-rules_board_size") == "5 hex"
    rows = talk.ask("gogui-rules_board").splitlines()
    assert rows == ["? ? X . .", "? . . . .", "O . . . .", ". . . . ?", ". . . ? ?"]
    legal = talk.ask("gogui-rules_legal_moves").split()
    assert len(legal) == 17 and {"D5", "E5", "A2", "C1"} <= {*legal} and "C5" not in legal
    talk.ask("boardsize 5")
    assert talk.ask("play w D5") == "" and talk.position.moves == (3,)  # d1
    talk = interpreted("hex:11", client="gogui")  # for gogui-twogtp, which asks for no rules
    talk.ask("play b J10")
    assert talk.position.moves == (talk.engine.game.parse_move("i2"),)
    assert talk.engine.names.vertex("i2") == "J10"


def test_gogui_twogtp_waits_for_two_passes():
    """It asks for moves until two programs have passed, and then for the score."""
    talk = interpreted("hex:3")
    talk.ask("gogui-play_sequence b b1 w a1 b b2 w a2 b b3")
    assert talk.ask("genmove w") == "resign"
    for line in ("play w pass", "play b pass"):
        talk.ask(line)
    assert talk.ask("genmove b") == "pass" and talk.ask("reg_genmove w") == "pass"
    assert talk.ask("final_score") == "B+"
    talk.ask("gg-undo 4")
    assert talk.refused("play w pass").startswith("invalid vertex 'pass'")
    talk = interpreted("othello")
    while not talk.position.is_over:
        talk.ask(f"play {'bw'[talk.position.turn]} {talk.position.legal_moves[0]}")
    assert talk.ask("genmove b") == talk.ask("genmove w") == "pass"
    talk.ask("play b pass")


def test_the_games_of_a_match_are_not_all_the_same():
    """gogui-twogtp begins each with these lines, and counts the same game only once."""
    begin = ("boardsize 5", "clear_board", "time_settings 0 1 0")

    def games(talk):
        found = []
        for _ in range(4):
            for line in begin:
                talk.ask(line)
            found.append([talk.ask(f"genmove {colour}") for colour in "bwbwbw"])
        return found

    first = games(Talk("hex:5", client="gogui", early=False))
    assert len({*map(tuple, first)}) > 1
    again = Talk("hex:5", client="gogui", early=False)
    assert games(again) == first  # the seed makes a match repeatable
    again.ask("clear_board")
    again.ask("set_random_seed 0")
    assert games(again) == first
    other = Talk("hex:5", client="gogui", early=False, seed=1)
    assert games(other) != first


def test_quarry_asks_which_game_it_is():
    """A program that does not tell plays Go, as far as Quarry is concerned."""
    talk = interpreted("othello")
    assert {"list_games", "set_game"} <= {*talk.ask("list_commands").split()}
    assert talk.ask("list_games") == "Othello"
    for line in ("set_game Othello", "boardsize 8", "clear_board", "play black F5"):
        talk.ask(line)
    assert talk.refused("set_game Amazons").startswith("unsupported game")
    assert talk.ask("genmove white").lower() in ("d6", "f4", "f6")


def moves_of(answer):
    return re.findall(r"info move (\S+)", answer.splitlines()[-1])


def test_lizzie():
    talk = Talk("go:4", client="lizzie", playouts=200)
    assert talk.ask("name") == "uctlab uct"
    version = talk.ask("version").split()[0].split(".")
    assert int(version[1]) >= 15  # Lizzie reads the second number
    for line in ("boardsize 4", "komi 7.5", "time_settings 0 5 1", "play B B2"):
        talk.ask(line)
    assert len(moves_of(talk.ask("lz-analyze 10"))) == 16
    both = "avoid b B3,C3,pass 30 avoid w B3,C3,pass 30"
    assert {*moves_of(talk.ask(f"lz-analyze 10 {both}"))}.isdisjoint({"B3", "C3", "pass"})
    assert {*moves_of(talk.ask("lz-analyze 10 allow W B3,C3 1"))} == {"B3", "C3"}
    assert len(moves_of(talk.ask("lz-analyze 10 avoid b B3 1"))) == 16  # White is to move
    assert talk.ask("kata-genmove_analyze w 10 allow w B3 1").endswith("\nplay B3")
    answer = talk.send("lz-genmove_analyze b maxmoves 0")
    assert re.fullmatch(r"=\nplay \S+\n\n", answer)  # no empty line before the end
    assert talk.send("lz-analyze maxmoves 0") == "= \n\n"


def test_a_lower_bound_is_low_where_playouts_are_few():
    """Lizzie can order moves by it: a move that won its one playout is not the best one."""
    talk = Talk("hex:4", playouts=12)
    answer = talk.ask("lz-genmove_analyze b 1")
    found = re.findall(r"visits (\d+) winrate (\d+) prior 0 lcb (\d+)", answer)
    assert ("1", "10000", "2065") in found and ("1", "0", "0") in found


def test_sabaki():
    """It takes the first analysis command that it knows, and a value with a point for KataGo's."""
    talk = Talk("go:4", playouts=200)
    listed = talk.ask("list_commands").split()
    known = [name for name in ("analyze", "kata-analyze", "lz-analyze") if name in listed]
    assert known[0] == "kata-analyze" and "genmove_analyze" in listed
    for line in ("komi 7.5", "boardsize 4", "clear_board", "play B B2", "play W C3"):
        talk.ask(line)
    for line, form in (("kata-analyze B 50", r"[01]\.\d+"), ("genmove_analyze B 50", r"\d{1,5}")):
        *_, last = re.findall(r"^info .*", talk.ask(line), re.MULTILINE)
        for part in re.split(r"\s*info\s+", last)[1:]:
            assert re.fullmatch(
                rf"move \S+ visits \d+ .*winrate {form} .* pv( (pass|[A-D][1-4]))+", part
            )
    assert talk.engine.board.length == 3


def test_nobody_waits_for_the_compiler(monkeypatch):
    """GoGui calls a program dead that is silent for 15 s; a clock runs from when it can search."""
    clock, compiled = SearchClock(monkeypatch), Event()

    def compilation(game):
        assert compiled.wait(PATIENCE)
        clock.now += 1000.0

    monkeypatch.setattr(gtp_ready, "compile_rules", compilation)
    talk = Talk("hex:3", waits=False)
    for line in ("name", "version", "protocol_version", "list_commands", "showboard"):
        talk.ask(line)
    for line in ("boardsize 5", "play b e5", "boardsize 3", "clear_board", "time_settings 10 0 0"):
        talk.ask(line)
    for line in ("play b b2", "undo"):
        talk.ask(line)
    assert talk.refused("komi 6.5") and talk.ask("play b a3") == ""
    assert talk.engine.compiling and talk.position.game.interpret
    answers = []
    asking = Thread(target=lambda: answers.append(talk.ask("genmove w")), daemon=True)
    asking.start()
    compiled.set()
    asking.join(PATIENCE)
    assert answers and answers[0] in talk.engine.game.move_names
    assert not talk.position.game.interpret and talk.position.moves[0] == 6
    assert talk.engine.clock.budget(1, 10) > 0.8


def test_a_failed_compilation_is_told_to_whoever_wants_to_search(monkeypatch):
    monkeypatch.setattr(gtp_ready, "compile_rules", lambda game: 1 / 0)
    talk = Talk("hex:3", waits=False)
    talk.ask("play b b2")
    assert talk.refused("genmove w") == "internal error: division by zero"
    assert "X" in talk.ask("showboard")


def test_reports_name_cells_as_the_client_does():
    """And tell how many playouts the search has made."""
    talk = Talk("hex:4", client="gogui", playouts=64)
    talk.ask("genmove b")
    shown = talk.ask("uctlab-search")
    assert shown.endswith("64 playouts")
    report = talk.ask("uctlab-report")
    assert "64 playouts in" in report and re.search(r"best [A-D][1-4]", report)
    best = re.search(r"best (\S+)", report)[1]
    assert f"TEXT {best}, " in shown and f"principal variation: {best} " in report


def test_hexgui_shows_texts_on_cells():
    talk = Talk("hex:4", playouts=64)
    kinds = [line.split("/")[0] for line in talk.ask("hexgui-analyze_commands").splitlines()]
    assert {*kinds} <= {"pspairs", "var", "string", "plist"}  # what HexGui draws
    words = talk.ask("uctlab-cell_visits").split()
    assert dict(zip(words[::2], words[1::2], strict=True)).keys() <= {*talk.engine.game.move_names}
    assert sum(map(int, words[1::2])) == 64
    best = talk.ask("uctlab-report").split("best ")[1].split()[0]
    assert talk.ask("uctlab-cell_line").split()[0] == best


def test_the_swap_of_the_documentation():
    """The line for HexGui swaps at its budget, after an opening in the middle of the board."""
    page = (Path(__file__).parents[1] / "docs" / "clients" / "hexgui.md").read_text()
    spec, playouts = re.search(r"uctlab gtp --game (\S+) --playouts (\d+)", page).groups()
    talk = Talk(spec, playouts=int(playouts))
    for line in ("boardsize 11 11", "clear_board", "play black f6"):
        talk.ask(line)
    assert talk.ask("genmove white") == "swap-pieces"
    assert talk.ask("showboard").splitlines()[6].split()[6] == "O"  # f6


def steps_of(function):
    """How many lines of Python it runs, at any depth."""
    seen = Counter()

    def trace(frame, event, argument):
        seen[event] += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function()
    finally:
        sys.settrace(before)
    return seen["line"]


def test_a_whole_game_in_one_line_takes_linear_time():
    """GoGui sends one whenever somebody goes to another move of a long game."""
    # Nobody wins: Black stays above the middle, and White leaves a column free.
    cells = [(column, row) for row in range(1, 6) for column in "abcdefghij"]
    moves = [f"b {column}{row} w {column}{row + 6}" for column, row in cells]
    steps = []
    for turns in (len(moves) // 2, len(moves)):
        talk = Talk(make_game("hex:11").interpreted(), waits=False)
        line = f"gogui-play_sequence {' '.join(moves[:turns])}"
        steps.append(steps_of(lambda talk=talk, line=line: talk.ask(line)))
        assert len(talk.position.moves) == 2 * turns
    assert steps[1] < 2.2 * steps[0]


def test_a_search_ends_on_an_interrupt(tmp_path):
    """The line is a comment, which GoGui sends while it waits; the next search is not meant."""
    talk = Talk("hex:3", seconds=3600.0, playouts=None, early=False)
    path = tmp_path / "lines"
    path.write_bytes(
        b"1 genmove b\n# interrupt\n2 time_settings 0 1 1\n3 reg_genmove w\n"
        b"4 lz-analyze\n#interrupt\n"
    )
    written = []
    with path.open("rb") as lines:
        serve(talk.engine, lines.fileno(), written.append)
    answers = "".join(written).split("\n\n")
    assert re.fullmatch(r"=1 [abc][123]", answers[0]) and talk.engine.board.length == 1
    assert re.fullmatch(r"=3 [abc][123]", answers[2])


def test_dead_stones_are_captured_before_a_pass():
    """KGS asks for this after a dispute; a board that wins as it stands would be passed on."""
    talk = Talk("go:4,komi=0.5", judge=strict_verdict, playouts=100)
    stones = "b A2 b B2 b C2 w C4 b D2 w pass"
    talk.ask(f"gogui-play_sequence {stones}")
    assert talk.ask("reg_genmove b") == "pass"
    assert talk.ask("kgs-genmove_cleanup b") in ("B4", "D4", "C3")


class HexGui:
    """Reads answers as HexGui 0.9 and 0.10 do: lines up to an empty one, and at the front exactly
    an equals sign and a space."""

    def __init__(self, talk):
        self._talk = talk

    def send(self, command):
        lines = self._talk.send(command).split("\n")
        text = "".join(line + "\n" for line in lines[: lines.index("") + 1])[:-1]
        assert len(text) >= 2 and text[:2] == "= ", text
        return text[2:].strip()


class Stripping(HexGui):
    """A client that strips every line before it looks at it."""

    def send(self, command):
        lines = [line.strip() for line in self._talk.send(command).split("\n")]
        head, *more = lines[: lines.index("")]
        assert head[:1] == "=", head
        return "\n".join([head[1:].strip(), *more]).strip()


@pytest.mark.parametrize("client", [HexGui, Stripping])
def test_hexgui_takes_every_answer(client):
    """Empty ones too, and those that begin with a line feed, as boards do."""
    hexgui = client(interpreted("hex:4,swap=on", playouts=20))
    assert hexgui.send("name") == "uctlab uct"
    for line in ("boardsize 4 4", "clear_board", "play black b2", "play white swap-pieces"):
        assert hexgui.send(line) == ""
    # It leaves the stone where it is, and White moves again.
    assert hexgui.send("play white c3") == ""
    rows = [line.split()[1:-1] for line in hexgui.send("showboard").splitlines()[1:5]]
    assert rows[1][1:2] == ["X"] and rows[2][2:3] == ["O"]
    assert hexgui.send("genmove black") in make_game("hex:4").move_names
    assert hexgui.send("uctlab-cell_visits") and hexgui.send("undo") == ""
