"""The code and the commands of the tutorials do what the pages say."""

import doctest
import os
import shlex
import subprocess
import sys

import pytest

from tests.doc_blocks import DOCS, files, sessions
from tests.forked import run_forked

TUTORIALS = ("your-own-game.md", "your-own-rule.md", "your-own-experiment.md")
"""Each goes on in the folder of those before it."""
COMPILED = ("start.md", "matches.md")
"""What these search other tests search too, so that it is compiled already."""
PLAIN = {"NUMBA_DISABLE_JIT": "1"}  # seconds, where the compiler would take a minute
SESSIONS = [
    *((page, number, PLAIN) for page in TUTORIALS for number in range(len(sessions(page)))),
    *((page, number, {}) for page in COMPILED for number in range(len(sessions(page)))),
]


def run(command, folder, variables):
    program, *arguments = shlex.split(command)
    if program == "uctlab":
        return run_forked(*arguments, folder=folder, plain=bool(variables), COLUMNS="80")
    assert program == "python"
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "COLUMNS": "80", **variables},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(("page", "number", "variables"), SESSIONS)
def test_a_command_prints_what_the_page_shows(page, number, variables, tmp_path):
    for earlier in (*TUTORIALS, page):
        for name, text in files(earlier).items():
            (tmp_path / name).write_text(text)
    command, shown = sessions(page)[number]
    done = run(command, tmp_path, variables)
    assert done.returncode == 0, done.stderr
    options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    same = doctest.OutputChecker().check_output(shown, done.stdout, options)
    assert same, f"{command}\nprints\n{done.stdout}\nand {page} shows\n{shown}"


@pytest.mark.parametrize("page", TUTORIALS)
def test_a_tutorial_has_something_to_execute(page):
    assert files(page) and sessions(page)


def test_files_are_in_the_house_style():
    """As a reader would write them down: formatted, and without a fault that ruff finds."""
    ruff = pytest.importorskip("ruff", reason="ruff is not installed").__file__
    assert ruff
    for page in TUTORIALS:
        for name, text in files(page).items():
            for check in (["format", "--diff"], ["check"]):
                done = subprocess.run(
                    [sys.executable, "-m", "ruff", *check, "--stdin-filename", name, "-"],
                    cwd=DOCS.parent,
                    input=text,
                    capture_output=True,
                    text=True,
                    check=False,
                )
                assert done.returncode == 0, f"{name}\n{done.stdout}{done.stderr}"


def test_no_session_is_left_out():
    told = {path.name for path in DOCS.rglob("*.md") if "```console" in path.read_text()}
    assert told == {*TUTORIALS, *COMPILED}
