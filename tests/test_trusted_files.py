"""Data runs no code: Python files that a saved tree or a store names, and files that have changed.

In processes of their own where a file is edited, as a module is loaded once.
"""

import json
import resource
import signal
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.forked import run_forked
from tests.searches import CONNECT_FOUR
from tests.stored_matches import PLAN, RECORD
from uctlab.arena.store import Store
from uctlab.errors import UsageError
from uctlab.mcts.storage import load_tree

EXAMPLES = Path(__file__).parents[1] / "examples"
EVIL = """from pathlib import Path
Path(__file__).with_name("ran").touch()
def make():
    return None
"""


@pytest.fixture
def evil(tmp_path):
    path = tmp_path / "evil_file.py"
    path.write_text(EVIL)
    yield path
    sys.modules.pop("evil_file", None)


def run(*arguments, **options):
    return run_forked(*arguments, folder=".", plain=True, **options)


def change_facts(path, **changes):
    with np.load(path) as data:
        parts = dict(data)
    facts = json.loads(str(parts["facts"])) | changes
    parts["facts"] = np.array(json.dumps({k: v for k, v in facts.items() if v is not None}))
    with path.open("wb") as file:
        np.savez(file, **parts)


def test_a_tree_runs_no_file_unasked(uctlab, tmp_path, evil):
    saved = tmp_path / "tree"
    uctlab("analyze", "hex:3", "--playouts", 20, "--save", saved)
    change_facts(saved, agent=f"uct(select={evil})")
    code, out, err = uctlab("analyze", "hex:3", "--load", saved, "--playouts", 9)
    assert (code, out, err.count("\n")) == (2, "", 1) and str(evil) in err and "--trust" in err
    assert not (tmp_path / "ran").exists()
    code, _, err = uctlab("analyze", "hex:3", "--load", saved, "--playouts", 9, "--trust")
    assert code == 2 and "not a selection rule" in err and (tmp_path / "ran").exists()


def test_a_tree_with_rules_of_ones_own_goes_on_with_trust(uctlab, tmp_path):
    saved = tmp_path / "tree"
    agent = f"uct(select={EXAMPLES / 'ucb_sqrt.py'})"
    uctlab("analyze", "hex:3", "--agent", agent, "--playouts", 20, "--save", saved)
    assert uctlab("analyze", "hex:3", "--load", saved, "--playouts", 9)[0] == 2
    code, out, _ = uctlab("analyze", "hex:3", "--load", saved, "--playouts", 9, "--trust", "--json")
    assert code == 0 and json.loads(out)["reused"] == 20


def test_files_of_the_first_version(uctlab, tmp_path):
    """They do not tell which rules they were made with."""
    saved = tmp_path / "tree"
    uctlab("analyze", "hex:3", "--playouts", 20, "--save", saved)
    change_facts(saved, rules=None)
    assert load_tree(saved, "hex:3").visits == 20
    uctlab("analyze", CONNECT_FOUR, "--playouts", 20, "--save", saved)
    assert load_tree(saved, CONNECT_FOUR).visits == 20  # a file of the user's own command line
    change_facts(saved, rules=None)
    with pytest.raises(UsageError, match="does not tell which version of your Python files"):
        load_tree(saved, CONNECT_FOUR)
    assert load_tree(saved, CONNECT_FOUR, trust=True).visits == 20


def test_a_game_that_was_edited(tmp_path):
    game, saved = tmp_path / "edited_game.py", tmp_path / "tree"
    text = Path(CONNECT_FOUR).read_text()
    game.write_text(text)
    assert run("analyze", game, "--playouts", 20, "--save", saved).returncode == 0
    game.write_text(f"# Only a comment.\n{text}")
    again = run("analyze", game, "--load", saved, "--playouts", 20, "--json")
    assert json.loads(again.stdout)["reused"] == 20
    changed = text.replace("return 0.5", "return 1.0")
    assert changed != text
    game.write_text(changed)
    done = run("analyze", game, "--load", saved, "--playouts", 20)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "was saved under other rules" in done.stderr


def test_a_store_runs_no_file_unasked(uctlab, tmp_path, evil):
    path = tmp_path / "store"
    with Store(path) as store:
        store.add([(store.match_id(replace(PLAN, game=str(evil))), RECORD)])
    assert uctlab("games", "stored", path)[0] == 0
    code, out, err = uctlab("games", "export", path, "--out", tmp_path / "out")
    assert (code, out, err.count("\n")) == (2, "", 1) and "--trust" in err
    assert not (tmp_path / "ran").exists() and not (tmp_path / "out").exists()
    code, _, err = uctlab("games", "export", path, "--out", tmp_path / "out", "--trust")
    assert code == 2 and "returns a NoneType" in err and (tmp_path / "ran").exists()


def small_files():
    """As on a full disk: no file may be larger than 4 KiB."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


@pytest.mark.parametrize(("option", "depth"), [("--save", 1), ("--export", 9)])
def test_a_full_disk_leaves_the_old_file_and_the_report(tmp_path, option, depth):
    path = tmp_path / "old"
    path.write_text("precious")
    command = ["analyze", "hex:4", "--playouts", "200", "--depth", depth, option, path]
    done = run(*command, before=small_files)
    assert done.returncode == 1 and "best" in done.stdout, done.stderr
    assert done.stderr.count("\n") == 1 and str(path) in done.stderr
    assert path.read_text() == "precious" and list(tmp_path.iterdir()) == [path]
