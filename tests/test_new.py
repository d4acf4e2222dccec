"""`uctlab new`: files to start from. What they do where little is allowed is in test_wheel.py."""

import json
import shlex
import sys
from pathlib import Path

import pytest

from uctlab.cli.new import EXAMPLES, Kind
from uctlab.mcts import rule_check
from uctlab.user_modules import loaded_files

FOLDER = Path(__file__).parents[1] / "examples"


@pytest.fixture(autouse=True)
def forgotten_modules(tmp_path, monkeypatch):
    """Files are loaded under their own names, which tests use again."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])  # `reproduce` adds the folders of experiments
    yield
    for path in loaded_files():
        if path.is_relative_to(tmp_path):
            del sys.modules[path.stem]


@pytest.mark.parametrize("kind", Kind)
def test_a_copy_under_a_new_name(uctlab, kind):
    example = EXAMPLES[kind]
    code, out, err = uctlab("new", kind, "my_own")
    assert code == 0 and not err
    text = Path("my_own.py").read_text()
    changed = text.replace("my_own.py", f"examples/{example}.py").replace("my_own", example)
    assert changed == (FOLDER / f"{example}.py").read_text()
    first, *commands = out.splitlines()
    assert first == "my_own.py is written and works as it stands. Try:"
    assert commands and all(command in text for command in commands)
    assert all("my_own.py" in command or command == "    uctlab lab" for command in commands)


@pytest.mark.parametrize("kind", ["game", "rule", "backup"])
def test_the_first_command_is_a_check_which_they_pass(uctlab, kind, monkeypatch):
    monkeypatch.setattr(rule_check, "PLAYOUTS", 40)
    Path("folder").mkdir()
    _, out, _ = uctlab("new", kind, "folder/mine.py")
    program, *command = shlex.split(out.splitlines()[1])
    assert program == "uctlab" and command[:2] == ["check", "folder/mine.py"]
    code, out, _ = uctlab(*command)
    assert code == 0 and "keeps the contract" in out


def test_the_experiment_is_quick(uctlab, blank_pictures):
    uctlab("new", "experiment", "mine")
    code, out, _ = uctlab("reproduce", "mine.py", "--quick", "--workers", 1, "--json")
    (found,) = json.loads(out)["experiments"]
    assert code == 0 and found["complete"] and len(found["tables"]["table"]) == 4
    assert Path("results/mine-quick/report.md").is_file()


def test_the_game_is_tic_tac_toe(uctlab):
    game = FOLDER / "tic_tac_toe.py"
    # All games that can be played, a figure that many have published.
    assert json.loads(uctlab("perft", game, 9, "--json")[1])["nodes"] == 255_168
    assert "size is 2 to 9" in uctlab("show", f"{game}:3,row=4")[2]
    code, out, _ = uctlab("show", f"{game}:4", "--moves", "a1 a2 b1 b2 c1")
    assert code == 0 and "(X) has won" in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("game", "taken"), "taken.py is there already; choose another name"),
        (("game", "taken.py"), "taken.py is there already; choose another name"),
        (("rule", "nowhere/mine"), "nowhere/mine.py cannot be written: No such file or directory"),
        (("game", "my-game"), "the name 'my-game' is not accepted; accepted: letters, digits and"),
        (("game", ".py"), "is not accepted; accepted: letters, digits and _"),
        (("game", "random"), "Python has a module random already; choose another name"),
        (("game", "numpy.py"), "Python has a module numpy already; choose another name"),
        (("game", "/dev/null"), "/dev/null is a device or a pipe; give the name of a new file"),
        (("agent", "mine"), "KIND takes game, rule, backup or experiment"),
    ],
)
def test_mistakes(uctlab, arguments, says):
    Path("taken.py").write_text("mine")
    code, out, err = uctlab("new", *arguments)
    assert code == 2 and not out and err.count("\n") == 1 and says in err
    assert [path.name for path in Path().iterdir()] == ["taken.py"]
    assert Path("taken.py").read_text() == "mine"
