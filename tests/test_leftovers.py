"""What tests leave behind is found, told and killed."""

import os
import signal
import subprocess
import sys

import pytest

from tests import leftovers
from tests.patience import PATIENCE, wait_until
from tests.processes import processes

pytestmark = pytest.mark.skipif(not leftovers.PROC.is_dir(), reason="there is no /proc")

# A process that has left its session, as Ray's daemons do, and whose parent ends at once.
PLANTED = """
import subprocess, sys
subprocess.Popen([sys.executable, "-I", "-S", "-c", "import time; time.sleep(3600)"],
                 start_new_session=True, stdout=subprocess.DEVNULL)
"""
TESTS = f"""
import os, pathlib, signal, subprocess, sys
def test_that_leaves_something():
    subprocess.run([sys.executable, "-c", '''{PLANTED}'''], check=True)
    pathlib.Path("ready").touch()
    if os.environ.get("DIE") == pathlib.Path(__file__).name:
        os.kill(os.getpid(), signal.SIGKILL)
"""
# With a stand-in for what would load Numba.
CONFTEST = """
import sys, types
sys.modules["uctlab.arena.player"] = types.SimpleNamespace(START_VARIABLE="NOTHING")
import tests.leftovers
tests.leftovers.PATIENCE = tests.leftovers.wait_for_leftovers.__kwdefaults__["patience"] = 0.5
from tests.conftest import *
from tests.conftest import pytest_runtest_teardown, pytest_sessionfinish
"""


def alive(mark):
    return leftovers.leftovers(mark, ours=False)


def plant(mark):
    environment = {**os.environ, leftovers.VARIABLE: mark}
    subprocess.run([sys.executable, "-c", PLANTED], check=True, env=environment)
    (pid,) = alive(mark)
    return pid


def test_a_planted_process_is_found_and_killed():
    mark = f"{os.environ[leftovers.VARIABLE]}/planted-{os.getpid()}"
    pid = plant(mark)
    assert "sleep(3600)" in alive(mark)[pid]
    assert alive(mark.rpartition("/")[0]).keys() >= {pid}  # it is the outer run's too
    assert not alive(mark[:-1])  # a mark that only begins like it
    leftovers.kill_leftovers(mark, ours=False)
    assert not alive(mark) and processes().get(pid, ("Z",))[0] == "Z"


def test_what_a_program_has_started_ends_with_it():
    for script, error in ((PLANTED, None), (PLANTED + "import time; time.sleep(3600)", True)):
        before = set(alive(os.environ[leftovers.VARIABLE]))
        try:
            leftovers.run_and_clean_up(
                [sys.executable, "-c", script], timeout=3 if error else PATIENCE, env=os.environ
            )
        except subprocess.TimeoutExpired:
            assert error
        assert set(alive(os.environ[leftovers.VARIABLE])) <= before


@pytest.mark.parametrize("how", ["leaves", "dies", "xdist"])
def test_a_run_that_leaves_something_fails(tmp_path, how):
    """And nothing is left, also if pytest is killed; with xdist after one file a worker is."""
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_it.py").write_text(TESTS)
    if how == "xdist":
        (tmp_path / "test_it_again.py").write_text(TESTS)
    mark = f"{os.environ[leftovers.VARIABLE]}/inner-{os.getpid()}"
    environment = {key: value for key, value in os.environ.items() if "PYTEST" not in key}
    del environment[leftovers.VARIABLE]  # a run of its own, with its own watchdog
    environment |= {"TEST_OF_LEFTOVERS": mark, "PYTHONPATH": os.pathsep.join(sys.path)}
    environment |= {"DIE": "test_it.py"} if how == "dies" else {}
    environment |= {"DIE": "test_it_again.py"} if how == "xdist" else {}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    command += ["-n", "1", "--max-worker-restart", "0"] if how == "xdist" else []
    done = subprocess.run(
        [*command, "--rootdir", tmp_path, tmp_path],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    told = done.stdout + done.stderr
    assert (tmp_path / "ready").exists(), told
    assert done.returncode == (-signal.SIGKILL if how == "dies" else 1)
    if how != "dies":
        assert "the tests of test_it.py have left these processes behind" in told
    if how == "xdist":
        assert "crashed while running" in told
    needle = f"TEST_OF_LEFTOVERS={mark}".encode()
    wait_until(lambda: not [pid for pid in processes() if needle in environ(pid)])


def environ(pid):
    try:
        return (leftovers.PROC / str(pid) / "environ").read_bytes()
    except OSError:
        return b""
