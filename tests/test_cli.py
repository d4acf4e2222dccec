"""The command line as its users meet it."""

import json
import os
import re
import shlex
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from uctlab.arena.store import Store
from uctlab.bench.playouts import measure_playouts
from uctlab.bench.search import measure_rounds
from uctlab.errors import LabError
from uctlab.games import FAMILIES

ROOT = Path(__file__).parents[1]
EXAMPLE = str(ROOT / "examples" / "connect_four.py")
RULE = str(ROOT / "examples" / "ucb_sqrt.py")
PROGRAM = Path(sys.executable).parent / "uctlab"
DIAGRAM = "X . .\n . O .\n  . . .\nX to play\n"


def test_perft_json(uctlab):
    code, out, err = uctlab("perft", "othello", 6, "--json")
    assert (code, err) == (0, "")
    assert json.loads(out) == {"game": "othello", "depth": 6, "nodes": 8200}


def test_perft_shows_its_progress(uctlab):
    code, out, _ = uctlab("perft", "hex:3", 3)
    assert code == 0
    assert [line.split()[1] for line in out.splitlines()] == ["9", "72", "504"]


def test_perft_from_a_position(uctlab, tmp_path):
    path = tmp_path / "board.txt"
    path.write_text(DIAGRAM)
    code, out, _ = uctlab("perft", "hex:3", 2, "--position", path, "--moves", "b1", "--json")
    assert code == 0 and json.loads(out)["nodes"] == 6 * 5
    assert json.loads(uctlab("perft", EXAMPLE, 7, "--json")[1])["nodes"] == 7**7 - 7


def test_depth_zero_and_below(uctlab):
    assert json.loads(uctlab("perft", "go:4", 0, "--json")[1])["nodes"] == 1
    code, out, err = uctlab("perft", "go:4", -1)
    assert code == 2 and out == "" and "-1" in err


def test_games_lists_every_game(uctlab):
    names = [game["name"] for game in json.loads(uctlab("games", "--json")[1])["games"]]
    assert names[:4] == ["othello", "hex:11,swap=off", "havannah:8,swap=off", "go:9,komi=7.5"]
    assert names[4:] == ["kalah:6,seeds=4", "deceptive:2,depth=1"]
    assert all(name in uctlab("games")[1] for name in names)


def test_show_writes_what_it_reads(uctlab, tmp_path):
    code, text, _ = uctlab("show", "go:9", "--moves", "E5 C3 pass")
    assert code == 0 and "O to play" in text and "legal: A9" in text
    sgf = tmp_path / "game.sgf"
    sgf.write_text(uctlab("show", "go:9", "--moves", "E5 C3 pass", "--sgf")[1])
    assert uctlab("show", "go:9", "--position", sgf)[1] == text
    diagram = tmp_path / "board.txt"
    diagram.write_text(text)
    assert uctlab("show", "go:9", "--position", diagram)[1] == text


def test_show_tells_the_outcome(uctlab):
    code, out, _ = uctlab("show", "go:4", "--moves", "C3 pass pass", "--json")
    facts = json.loads(out)
    assert code == 0 and facts["over"] and facts["result"] == 1.0 and facts["legal"] == []
    assert "Black (X) has won" in uctlab("show", "go:4", "--moves", "C3 pass pass")[1]


def test_check_passes_the_example(uctlab):
    code, out, _ = uctlab("check", EXAMPLE, "--games", 3)
    assert code == 0 and out.startswith("connect_four keeps the contract")


def test_bench_prints_one_json_object(uctlab):
    runs = [
        uctlab("bench", "playouts", "hex:3", EXAMPLE, "--seconds", 0.05, "--json") for _ in "ab"
    ]
    for code, out, err in runs:
        rows = json.loads(out)["playouts"]
        assert (code, err) == (0, "") and [row["game"] for row in rows] == ["hex:3", "connect_four"]
        assert all(row["per_second"] > 0 for row in rows)
        assert "target" not in rows[1]
    signatures = [[row["signature"] for row in json.loads(out)["playouts"]] for _, out, _ in runs]
    assert signatures[0] == signatures[1]  # the same playouts, however fast


@pytest.fixture
def short_rounds(monkeypatch):
    quick = partial(measure_rounds, round_seconds=1e-3)
    monkeypatch.setattr("uctlab.bench.search.measure_rounds", quick)


def test_bench_search_prints_speeds_ratios_steps_and_a_signature(uctlab, short_rounds):
    command = ("bench", "search", "hex:4", "--playouts", 300, "--json")
    runs = [
        json.loads(uctlab(*command, "--against", "openspiel")[1]),
        json.loads(uctlab(*command)[1]),
    ]
    for facts in runs:
        for row in facts["search"]:
            assert set(row["per_second"]) == {"uct", "auct(k=3)", "duct(k=3)", "dfuct"}
            assert row["ratio"]["uct"] == 1.0
            assert abs(sum(row["steps"].values()) - 1) < 1e-9
    assert runs[0]["against"]["openspiel"] == {"hex:4": None}
    first, second = ([row["signature"] for row in facts["search"]] for facts in runs)
    assert first == second


def test_bench_without_a_subcommand_measures_all(uctlab, monkeypatch, short_rounds):
    def briefly(name, *, seconds, seed):
        return measure_playouts(name, seconds=seconds / 40, seed=seed)

    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("uctlab.cli.bench.measure_playouts", briefly)
    monkeypatch.setattr("uctlab.bench.playouts.GAMES", ("hex:3",))
    monkeypatch.setattr("uctlab.bench.search.GAMES", ("hex:4",))
    monkeypatch.setattr("uctlab.bench.search.AGENTS", ("uct",))
    code, out, _ = uctlab("bench")
    assert code == 0
    assert all(word in out for word in ("hex:3", "connect_four", "hex:4", "Numba"))


def test_warm(uctlab):
    code, out, _ = uctlab("warm", "hex:3")
    assert code == 0 and out.startswith("hex:3: ready")


MISTAKES = [
    (("perft", "chess", 3), "unknown game 'chess'; known: othello, hex, havannah, go"),
    (("perft", "hex:99", 3), "hex: size 99 is out of range; accepted: 2 to 19"),
    (("show", "othello", "--moves", "f5 a1"), "move 2, a1, is illegal; legal: f4 d6 f6"),
    (("show", "othello", "--moves", "f5 q7"), "othello has no move 'q7'; moves are named"),
    (("show", "hex:3", "--position", "{bad}"), "row 2 of the diagram has 2 cells, not 3"),
    (("show", "hex:4", "--position", "{good}"), "the diagram has 3 rows; accepted: 4 rows"),
    (("show", "hex:3", "--position", "none.txt"), "cannot read the position none.txt"),
    (("show", "go:9", "--position", "{binary}"), "byte 1 is not UTF-8; SGF files end in .sgf"),
    (("bench", "playouts", "hex:3", "--seconds", 0), "--seconds must be more than 0"),
    (("bench", "playouts", "hexx"), "unknown game 'hexx'; did you mean hex? Known: othello, "),
    (("warm", "go:1"), "go: size 1 is out of range"),
    (("show", EXAMPLE, "--sgf"), "connect_four has no SGF files"),
    (("show", "hex:3", "--sgf", "--json"), "cannot be used together"),
    (("perft", "othello", 10**12), "DEPTH takes a whole number from 0 to 100, not '1000000000000'"),
    (("perft", "othello", "deep"), "DEPTH takes a whole number from 0 to 100, not 'deep'"),
    (("perft", "othello"), "DEPTH is missing: write uctlab perft GAME DEPTH"),
    (("perft", "othello", -12), "DEPTH takes a whole number from 0 to 100, not '-12'"),
    (("perft", "othello", 2, "--jsn"), "perft has no option --jsn; did you mean --json?"),
    (("perft", "othello", 2, 3), "'3' is too much: write uctlab perft GAME DEPTH"),
    (("perft", "othello", 2, "--moves"), "--moves takes a value"),
    (("perft", "othello", 2, "--json=1"), "--json takes no value"),
    (("new", "gam", "x"), "KIND takes game, rule, backup or experiment, not 'gam'"),
    (("bench", "foo"), "bench has no command 'foo'; known: playouts, search, threads, cuda"),
    (("match", "hex:5", "uct"), "B is missing: write uctlab match GAME A B"),
    (("match", "hex:5", "uct", "mc", "--seconds", "x"), "--seconds takes a number, not 'x'"),
    (("tune", "hex:3", "uct"), "tune needs --option NAME=VALUES"),
    (("bench", "playouts", "hex:3", "--seconds", 1e300), "at most 3600"),
    (
        ("bench", "playouts", "hex:3", "--seed", -1),
        "--seed takes a whole number, at least 0, not '-1'",
    ),
    (
        ("bench", "search", "hex:3", "--against", "pachi"),
        "unknown program 'pachi'; known: openspiel",
    ),
    (("shwo",), "uctlab has no command 'shwo'; did you mean show?"),
    (
        ("play", "hex:3", "--playouts", -1),
        "--playouts takes a whole number from 1 to 4,294,967,294",
    ),
    (("play", "hex:3", "--seconds", 0), "seconds must be more than 0"),
    (
        ("perft", "{misspelt}", 2),
        "a kernel cannot be compiled: KeyError: 'ownn' (misspelt.py, line ",
    ),
    (
        ("analyze", "hex:3", "--playouts", 9, "--agent", "uct(select={no_param})"),
        "(no_param.py, line 29); uctlab check tests",
    ),
]


@pytest.mark.parametrize(("arguments", "says"), MISTAKES, ids=[says for _, says in MISTAKES])
def test_mistakes_are_one_line_and_code_two(uctlab, tmp_path, arguments, says):
    files = {"bad": "...\n..\n...", "good": DIAGRAM, "binary": b"\xff\xfe\x00"}
    files["misspelt.py"] = Path(EXAMPLE).read_text().replace("s.own |", "s.ownn |")
    files["no_param.py"] = Path(RULE).read_text().replace("params.c", "params.q")
    for name, content in files.items():
        data = content if isinstance(content, bytes) else content.encode()
        (tmp_path / name).write_bytes(data)
    paths = {name.removesuffix(".py"): tmp_path / name for name in files}
    code, out, err = uctlab(*[str(argument).format(**paths) for argument in arguments])
    assert code == 2 and out == ""
    assert err.startswith("uctlab: ") and err.count("\n") == 1 and says in err


@pytest.fixture
def perft_that_raises(uctlab, monkeypatch):
    def run(error):
        def broken(*_):
            raise error

        monkeypatch.setattr("uctlab.cli.show.position_of", broken)
        # Files of other tests are beside this one, where a mistake would be the user's.
        monkeypatch.setattr("uctlab.api.kernel_errors.loaded_files", lambda: [Path(EXAMPLE)])
        return uctlab("perft", EXAMPLE, 3)

    return run


def test_an_error_of_our_own_keeps_its_traceback(perft_that_raises):
    with pytest.raises(KeyError, match="ours"):
        perft_that_raises(KeyError("ours"))


def test_trouble_keeps_its_lines(perft_that_raises):
    trouble = LabError("a worker failed:\n  its\n  traceback")
    assert perft_that_raises(trouble) == (1, "", f"uctlab: {trouble}\n")


def test_the_installed_program_without_a_terminal():
    done = subprocess.run([PROGRAM, "show", "hex:0"], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    done = subprocess.run(
        [PROGRAM, "show", "hex:3", "--position", "-"],
        input=DIAGRAM,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0 and "X to play" in done.stdout
    done = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=False)
    assert done.stdout.startswith("uctlab ")


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("| true", ""),
        ("> /dev/full", "uctlab: [Errno 28] No space left on device\n"),
        (">&-", ""),
    ],
)
@pytest.mark.parametrize("what", ["--version", "agents --json"])  # fits into a buffer or not
def test_standard_output_that_takes_nothing(what, place, says):
    buffered = {**os.environ, "PYTHONUNBUFFERED": ""}
    command = f"{shlex.quote(str(PROGRAM))} {what} {place}"
    done = subprocess.run(
        ["bash", "-c", command], env=buffered, capture_output=True, text=True, check=False
    )
    assert done.stderr == says


def test_help_lists_every_command_and_default(uctlab):
    out = uctlab("--help")[1]
    assert out.index(" games ") < out.index(" agents ") < out.index(" bench ")
    assert "Default: uct." in " ".join(uctlab("analyze", "--help")[1].replace("│", "").split())
    assert "[OPTIONS] [GAME]..." in uctlab("warm", "--help")[1]


def test_help_shows_no_types_of_python(uctlab):
    for command in ([], ["bench"], ["games", "export"], ["match"], ["tournament"], ["gtp"]):
        out = uctlab(*command, "--help")[1]
        assert "--help" in out and "<" not in out.replace("<=x<=", "") and "{" not in out
    assert "[OPTIONS] GAME PLAYER..." in uctlab("tournament", "--help")[1]


@pytest.mark.parametrize("command", ["match", "analyze", "play", "gtp"])
def test_help_shows_the_same_range_of_playouts(uctlab, command):
    assert "N [1<=x<=4294967294]" in uctlab(command, "--help")[1]


def test_help_names_every_game(uctlab):
    for command in ("show", "check"):
        out = uctlab(command, "--help")[1]
        assert all(name in out for name in FAMILIES)


@pytest.mark.parametrize("command", ["match", "tournament", "tune", "analyze"])
def test_help_says_that_a_budget_is_needed(uctlab, command):
    out = " ".join(uctlab(command, "--help")[1].replace("│", "").split())
    assert re.search("needs? (this|--playouts), --seconds or both", out)


def test_narrow_terminals_cut_no_figure_off(uctlab, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    _, out, _ = uctlab("bench", "playouts", "hex:3", "--seconds", 0.01)
    assert "960f3b07" in out and "\N{HORIZONTAL ELLIPSIS}" not in out
    players = ["auct(k=3,expand=10,c=0.25,fpu=1.1)", "mc"]
    _, out, _ = uctlab(
        "tournament", "hex:4", *players, "--games", 2, "--playouts", 9, "--workers", 1
    )
    assert "fpu=1.1" in out and "\N{HORIZONTAL ELLIPSIS}" not in out


def test_a_store_without_a_match_says_so(uctlab, tmp_path):
    path = tmp_path / "new.sqlite"
    Store(path).close()
    assert "has no match yet" in uctlab("games", "stored", path)[1]
