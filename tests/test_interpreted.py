"""Every kernel under NUMBA_DISABLE_JIT=1, in a process of its own: the same to the last field."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.transcript import transcript

ROOT = Path(__file__).parents[1]
SPECS = ["othello", "hex:4", "hex:3,swap=on", "havannah:3", "go:4", "examples/connect_four.py"]


@pytest.mark.parametrize("spec", SPECS)
def test_plain_python_computes_the_same(spec, monkeypatch):
    monkeypatch.chdir(ROOT)
    done = subprocess.run(
        [sys.executable, "-m", "tests.transcript", spec],
        capture_output=True,
        text=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""  # no overflow warning either
    assert done.stdout.strip() == transcript(spec)
