"""SIGTERM and SIGHUP, which end the program as Ctrl-C does; and what ends with the program."""

import shlex
import signal
import subprocess
import sys

import pytest

from tests.patience import PATIENCE, wait_until
from tests.processes import processes
from uctlab.sigint import defer_sigint
from uctlab.stop_signals import STOPPING, raise_interrupt, taken_by

# It never answers genmove, and neither the end of its input nor a polite signal ends it.
SILENT = """
import os, signal, sys, time
from pathlib import Path
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
    signal.signal(number, signal.SIG_IGN)
while line := sys.stdin.readline():
    number, command, *words = line.split()
    if command == "genmove":
        Path(sys.argv[1], str(os.getpid())).touch()
        break
    print(f"={number}", end="\\n\\n", flush=True)
while True:
    time.sleep(3600)
"""

# A main thread that waits in C and not in Python, as one does that runs a kernel that loops. It is
# there once the first byte of glibc's mutex says that somebody waits for it.
STUCK = """
import ctypes, threading, time
from uctlab import stop_signals
stop_signals.{setting}
mutex = ctypes.create_string_buffer(256)
lock = ctypes.CDLL(None).pthread_mutex_lock
def tell():
    while mutex.raw[0] != 2:
        time.sleep(0.01)
    print("stuck", flush=True)
with stop_signals.stop_signals():
    lock(mutex)
    threading.Thread(target=tell).start()
    lock(mutex)
"""


def lives(pid):
    return processes().get(pid, ("Z", 0))[0] not in "ZX"


@pytest.mark.parametrize(
    ("number", "workers"), [(signal.SIGTERM, 1), (signal.SIGHUP, 2), (signal.SIGKILL, 1)]
)
def test_external_programs_end_with_a_match(tmp_path, number, workers):
    script, asked = tmp_path / "silent.py", tmp_path / "asked"
    script.write_text(SILENT)
    asked.mkdir()
    words = [sys.executable, "-I", "-S", str(script), str(asked)]
    a, b = (f'gtp:"{shlex.join([*words, side])}"' for side in "ab")
    command = [sys.executable, "-m", "uctlab", "match", "hex:2", a, b, "--games", "2"]
    options = ["--workers", str(workers), "--store", str(tmp_path / "games.sqlite")]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([*command, *options], **pipes) as match:
        wait_until(lambda: len(list(asked.iterdir())) == workers)
        programs = {int(path.name) for path in asked.iterdir()}
        assert all(lives(pid) for pid in programs)
        match.send_signal(number)
        out, err = match.communicate(timeout=PATIENCE)
    if number == signal.SIGKILL:
        assert match.returncode == -number
    else:  # a match ends with what is known, and a supervisor learns that its signal was heard
        assert match.returncode == 128 + number, err
        assert "no game was finished" in out and not err
    wait_until(lambda: not any(lives(pid) for pid in programs))
    wait_until(lambda: not any(parent == match.pid for _, parent in processes().values()))


def stuck(setting):
    return subprocess.Popen(
        [sys.executable, "-c", STUCK.format(setting=setting)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("number", STOPPING)
def test_a_second_signal_ends_what_does_not_hear_the_first(number):
    with stuck("NOTICE = 0.0; stop_signals.PATIENCE = 1e9") as program:
        assert program.stdout.readline() == "stuck\n"
        program.send_signal(number)
        assert "once more" in program.stderr.readline()

        def ended():  # one that comes too soon counts as the first
            program.send_signal(number)
            return program.poll() is not None

        wait_until(ended)
        assert program.returncode == 128 + number


def test_a_signal_that_is_not_heard_ends_the_program_after_a_while():
    with stuck("PATIENCE = 0.2") as program:
        assert program.stdout.readline() == "stuck\n"
        program.send_signal(signal.SIGTERM)
        _, err = program.communicate(timeout=PATIENCE)
    assert program.returncode == 128 + signal.SIGTERM
    assert "has not returned within 0.2 s" in err


@pytest.fixture
def handlers():
    """As in the program, without the guard."""
    usual = {number: signal.signal(number, raise_interrupt) for number in STOPPING}
    yield
    for number, handler in usual.items():
        assert signal.signal(number, handler) is raise_interrupt


@pytest.mark.parametrize("number", STOPPING)
def test_all_of_them_wait_until_work_is_done(handlers, number):
    held = False
    with pytest.raises(KeyboardInterrupt), defer_sigint():
        signal.raise_signal(number)
        held = True
    assert held


def test_one_that_does_nothing_else_is_not_taken():
    """In a program of somebody else SIGTERM ends the process as ever."""
    before = signal.getsignal(signal.SIGTERM)
    assert before == signal.SIG_DFL
    with taken_by(print):
        assert signal.getsignal(signal.SIGTERM) == before


def test_what_is_ignored_stays_ignored():
    """As nohup starts a program."""
    code = (
        "import os, signal\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "from uctlab.stop_signals import stop_signals\n"
        "with stop_signals():\n"
        "    os.kill(os.getpid(), signal.SIGHUP)\n"
        "    print('goes on')\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "goes on\n"
