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
    if "DIE" in os.environ:
        os.kill(os.getpid(), signal.SIGKILL)
"""
CONFTEST = """
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


@pytest.mark.parametrize("options", [[], ["-n", "2"]], ids=["alone", "xdist"])
@pytest.mark.parametrize("dies", [False, True])
def test_a_run_that_leaves_something_fails(tmp_path, options, dies):
    """And nothing is left, also if pytest is killed."""
    if dies and options:
        options = [*options, "--max-worker-restart", "0"]
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_it.py").write_text(TESTS)
    mark = f"{os.environ[leftovers.VARIABLE]}/inner-{os.getpid()}"
    environment = {key: value for key, value in os.environ.items() if "PYTEST" not in key}
    del environment[leftovers.VARIABLE]  # a run of its own, with its own watchdog
    environment |= {"TEST_OF_LEFTOVERS": mark, "PYTHONPATH": os.pathsep.join(sys.path)}
    environment |= {"DIE": "1"} if dies else {}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    done = subprocess.run(
        [*command, "--rootdir", tmp_path, tmp_path / "test_it.py"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert (tmp_path / "ready").exists(), done.stdout + done.stderr
    assert done.returncode == (-signal.SIGKILL if dies and not options else 1)
    if not dies:
        assert "left these processes behind" in done.stdout + done.stderr
    needle = f"TEST_OF_LEFTOVERS={mark}".encode()
    wait_until(lambda: not [pid for pid in processes() if needle in environ(pid)])


def environ(pid):
    try:
        return (leftovers.PROC / str(pid) / "environ").read_bytes()
    except OSError:
        return b""
