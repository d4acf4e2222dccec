"""Where compiled code is kept, and the command `uctlab cache`."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import uctlab as package
from uctlab.kernels.cache_folder import cache_folder

NOWHERE = "/dev/null/nowhere"  # cannot be made, not even by root

# Compiles a kernel of the package and says where it went.
PROGRAM = """
import os
from uctlab.kernels import nth_bit, specialise
import numpy as np
assert specialise(nth_bit)(np.uint64(12), 1) == 3
from uctlab.kernels.cache_folder import cache_folder
print(cache_folder(), len(os.listdir(cache_folder())) > 0, os.environ.get("UCTLAB_CACHE"))
"""


@pytest.fixture
def places(monkeypatch, tmp_path):
    """No variable is set; the user's cache folder is in `tmp_path`."""
    for name in ("UCTLAB_CACHE", "NUMBA_CACHE_DIR", "UCTLAB_CACHE_LIMIT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "users"))
    return tmp_path


def test_the_order_of_places(places, monkeypatch, capsys):
    assert cache_folder() == places / "users" / "uctlab" / "kernels"
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(places / "numbas"))
    assert cache_folder() == places / "numbas" / "uctlab"
    monkeypatch.setenv("UCTLAB_CACHE", str(places / "ours"))
    assert cache_folder() == places / "ours"
    assert capsys.readouterr().err == ""
    monkeypatch.setenv("UCTLAB_CACHE", NOWHERE)
    assert cache_folder() == places / "numbas" / "uctlab"
    said = capsys.readouterr().err
    assert said == (
        f"uctlab: cannot write to {NOWHERE}; compiled code goes to {places / 'numbas' / 'uctlab'}\n"
    )


@pytest.fixture
def read_only_package(tmp_path):
    """A copy of the package in which no __pycache__ can be made, not even by root."""
    source = Path(package.__file__).parent
    copy = tmp_path / "installed" / "uctlab"
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__", "static"))
    for folder, _, _ in os.walk(copy):
        Path(folder, "__pycache__").touch()
    return copy.parent


def run_read_only(package_folder, temporary):
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("UCTLAB_CACHE", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "NUMBA_DISABLE_JIT")
    }
    others = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    environment |= {
        "HOME": NOWHERE,
        "TMPDIR": str(temporary),
        "PYTHONPATH": os.pathsep.join([str(package_folder), *others]),
    }
    return subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_read_only_and_without_a_home(read_only_package, tmp_path):
    done = run_read_only(read_only_package, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("\n") == 1 and "is kept for this run only" in done.stderr
    folder, filled, inherited = done.stdout.split()
    assert Path(folder).parent == tmp_path and filled == "True"
    assert inherited == folder  # worker processes use it too
    assert not Path(folder).exists()


def test_the_command_shows_and_clears(uctlab, places, monkeypatch):
    folder = places / "ours"
    monkeypatch.setenv("UCTLAB_CACHE", str(folder))
    monkeypatch.setenv("UCTLAB_CACHE_LIMIT", "7")
    assert uctlab("cache")[1] == f"{folder}\n0 compiled functions, 0.0 MiB of at most 7 MiB\n"
    (folder / "a.kernel").write_bytes(bytes(3 << 19))
    (folder / "notes.txt").touch()
    code, out, err = uctlab("cache", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out) == {
        "folder": str(folder),
        "entries": 1,
        "bytes": 3 << 19,
        "limit": 7 << 20,
    }
    out = uctlab("cache", "clear")[1]
    assert out == f"removed 1 compiled functions, 1.5 MiB, from {folder}\n"
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]
    assert "1024 by default" in " ".join(uctlab("cache", "--help")[1].split())
