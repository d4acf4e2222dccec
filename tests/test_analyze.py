"""`uctlab analyze`."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import SearchClock
from uctlab.games import Position, make_game
from uctlab.mcts.storage import load_tree

EXAMPLES = Path(__file__).parents[1] / "examples"
CONNECT_FOUR = str(EXAMPLES / "connect_four.py")


def test_analyze_json(uctlab):
    arguments = ("--moves", "f5 d6", "--agent", "auct(k=3)", "--playouts", 500, "--seed", 1)
    code, out, err = uctlab("analyze", "othello", *arguments, "--json")
    report = json.loads(out)
    assert (code, err) == (0, "")
    assert {"best", "playouts", "moves", "pv", "nodes", "seconds"} <= set(report)
    position = Position.start(make_game("othello")).play_all("f5 d6")
    assert {move["move"] for move in report["moves"]} == set(position.legal_moves)
    assert all({"move", "visits", "value", "velocity"} <= set(move) for move in report["moves"])
    assert sum(move["visits"] for move in report["moves"]) == report["playouts"] == 500
    assert report["pv"][0] == report["best"] and report["seed"] == 1
    again = json.loads(uctlab("analyze", "othello", *arguments, "--json")[1])
    assert again["moves"] == report["moves"]
    code, out, err = uctlab("analyze", "othello", *arguments)
    assert (code, err) == (0, "") and f"best {report['best']}" in out and str(position) in out


def test_analyze_by_the_clock_and_from_a_file(uctlab, tmp_path, monkeypatch):
    SearchClock(monkeypatch)
    board = tmp_path / "board.txt"
    board.write_text("X . .\n . O .\n  . . .\nX to play\n")
    arguments = ("--position", board, "--moves", "b1", "--seconds", 0.05, "--json")
    report = json.loads(uctlab("analyze", "hex:3", *arguments)[1])
    assert len(report["moves"]) == 6 and report["playouts"] >= 500
    assert 0.05 <= report["seconds"] < 0.06


def test_analyze_memory(uctlab):
    arguments = ("--playouts", 20_000, "--memory", 1, "--json")
    report = json.loads(uctlab("analyze", "hex:5", *arguments)[1])
    assert report["full"] and report["playouts"] == 20_000 and report["memory"] <= 2**20


def test_analyze_exports(uctlab, tmp_path):
    exported = tmp_path / "tree.json"
    arguments = ("--agent", "auct(k=3)", "--moves", "d d", "--playouts", 300)
    for depth in (0, 1, 3):
        code, out, _ = uctlab(
            "analyze", CONNECT_FOUR, *arguments, "--export", exported, "--depth", depth, "--json"
        )
        report = json.loads(out)
        facts = json.loads(exported.read_text())
        assert code == 0 and facts["visits"] == 300 and levels(facts) == depth
        if depth > 0:
            visits = {child["move"]: child["visits"] for child in facts["children"]}
            assert visits == {move["move"]: move["visits"] for move in report["moves"]}
            assert all("velocity" in child for child in facts["children"])
    uctlab("analyze", CONNECT_FOUR, "--playouts", 300, "--export", exported)
    assert levels(json.loads(exported.read_text())) == 3  # the default


def test_analyze_saves(uctlab, tmp_path):
    saved = tmp_path / "tree"
    arguments = ("--agent", "auct(k=3)", "--moves", "d d", "--playouts", 300, "--save", saved)
    report = json.loads(uctlab("analyze", CONNECT_FOUR, *arguments, "--json")[1])
    loaded = load_tree(saved, CONNECT_FOUR)
    assert loaded.agent.name == "auct(k=3)"
    assert [loaded.game.move_name(move) for move in loaded.position.moves] == ["d", "d"]
    assert loaded.visits == 300 and loaded.tree.view().export(1)["visits"] == report["playouts"]
    code, out, err = uctlab("analyze", "othello", "--load", saved, "--playouts", 9)
    assert (code, out) == (2, "") and "is a tree of connect_four, not of othello" in err


def levels(facts):
    return max((1 + levels(child) for child in facts.get("children", [])), default=0)


ANALYZE_MISTAKES = [
    (("othello",), "a search needs a budget: give --playouts N, --seconds S or both"),
    (("othello", "--playouts", 0), "--playouts takes a whole number from 1 to"),
    (("othello", "--playouts", "many"), "--playouts takes a whole number"),
    (("othello", "--seconds", -1), "seconds must be more than 0, not -1.0"),
    (("chess", "--playouts", 9), "unknown game 'chess'"),
    (("othello", "--playouts", 9, "--agent", "uctt"), "unknown agent 'uctt'"),
    (("othello", "--playouts", 9, "--agent", "auct"), "auct needs one of k= and lam="),
    (("othello", "--playouts", 9, "--agent", "uct(playout=x)"), "no playout policy 'x'"),
    (("othello", "--playouts", 9, "--moves", "a1"), "move 1, a1, is illegal"),
    (("go:4", "--playouts", 9, "--moves", "pass pass"), "the game is over"),
    (("othello", "--playouts", 9, "--load", "none.tree"), "cannot read the tree none.tree"),
    (("othello", "--playouts", 9, "--load", __file__), "is not a tree saved by uctlab"),
    (("othello", "--playouts", 9, "--memory", 0), "--memory takes a whole number"),
    (("othello", "--playouts", 9, "--depth", -1), "--depth takes a whole number"),
    (("othello", "--playouts", 9, "--seed", -1), "--seed takes a whole number"),
]


@pytest.mark.parametrize(("arguments", "says"), ANALYZE_MISTAKES)
def test_analyze_mistakes_are_one_line_and_code_two(uctlab, arguments, says):
    code, out, err = uctlab("analyze", *arguments)
    assert code == 2 and out == ""
    assert err.startswith("uctlab: ") and err.count("\n") == 1 and says in err


def test_analyze_goes_on_with_a_saved_tree(tmp_path):
    """In processes of their own: what one search compiled must not hide what another needs."""
    program = Path(sys.executable).parent / "uctlab"
    saved = tmp_path / "tree"
    first = ["--agent", "auct(k=3)", "--moves", "d d", "--playouts", "300", "--save", saved]
    again = ["--load", saved, "--playouts", "200", "--json"]
    subprocess.run([program, "analyze", CONNECT_FOUR, *first], check=True, capture_output=True)
    done = subprocess.run(
        [program, "analyze", CONNECT_FOUR, *again], check=True, capture_output=True, text=True
    )
    report = json.loads(done.stdout)
    assert report["agent"] == "auct(k=3)"
    assert (report["reused"], report["playouts"]) == (300, 200)


@pytest.mark.parametrize("option", ["--save", "--export"])
def test_a_path_that_cannot_be_written_is_told_before_the_search(uctlab, tmp_path, option):
    path = tmp_path / "none" / "x"
    code, out, err = uctlab("analyze", CONNECT_FOUR, "--playouts", 10, option, path)
    assert code == 2 and out == "" and err.startswith(f"uctlab: cannot write {path}")


def test_a_tree_is_not_saved_to_a_device(uctlab):
    """The writer of such files goes back in them. JSON can be written to any place."""
    arguments = ("analyze", CONNECT_FOUR, "--playouts", 10)
    code, out, err = uctlab(*arguments, "--save", os.devnull)
    assert (code, out, err) == (2, "", "uctlab: cannot write /dev/null: it is not a file\n")
    assert uctlab(*arguments, "--export", os.devnull)[0] == 0


def test_the_memory_limit_is_that_of_the_one_who_loads(uctlab, tmp_path):
    saved = tmp_path / "tree"
    arguments = ("analyze", CONNECT_FOUR, "--playouts")
    assert uctlab(*arguments, 100_000, "--save", saved)[0] == 0
    code, out, err = uctlab(*arguments, 10, "--load", saved, "--memory", 1)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "more than the memory limit of 1.0 MiB; --memory sets another" in err
