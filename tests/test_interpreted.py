"""What kernels compute under NUMBA_DISABLE_JIT=1, in a process of its own, to the last field."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.transcript import transcript

ROOT = Path(__file__).parents[1]
AGENTS = [
    "uct(expand=3)",
    "tuned(fpu=1.1)",
    "auct(k=1,rave=fuego)",
    "duct(k=2,rave=k,distance=on)",
    "dfuct",
    "dfuct(rivals=all)",
    "mc",
    "bast(c=0.2)",
    "muct(c=0.2)",
    "ucbv",
    "klucb(c=1)",
    "thompson",
    "dtuned(k=2)",
]
# Every agent plays hex:4; other games have agents of several kinds, those that other tests have.
SPECS = {
    "othello": ["uct(expand=3)", "auct(k=1)", "dfuct", "mc"],
    "hex:4": AGENTS,
    "hex:4,swap=on": AGENTS[:1],  # the swap changes the game, and nothing in an agent
    "havannah:3": ["uct(expand=3)", "uct(rave=fuego)"],
    "go:4": ["uct(expand=3)", "tuned(fpu=1.1)", "uct(rave=k)", "dfuct(rivals=all)"],
    "examples/connect_four.py": ["uct(expand=3)", "uct(rave=fuego)"],
}


@pytest.fixture(scope="module")
def plain():
    """The transcript of each game, from one process without the compiler."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.transcript", json.dumps(SPECS)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""  # no overflow warning either
    return json.loads(done.stdout)


@pytest.mark.parametrize("spec", SPECS)
def test_plain_python_computes_the_same(spec, plain, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert plain[spec] == transcript(spec, SPECS[spec])
