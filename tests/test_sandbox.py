"""Processes that may crash or hang: what is told of them, and that none is left."""

import ctypes
import os
import signal
import subprocess
import sys
import threading

import pytest

from tests.patience import PATIENCE, jump_while, wait_until
from uctlab.sandbox import SandboxError, run_apart


def test_the_value_and_the_process_of_a_function():
    assert run_apart(lambda note: os.getpid(), PATIENCE) != os.getpid()
    assert len(run_apart(lambda note: bytes(10**6), PATIENCE)) == 10**6


def test_an_error_is_raised_here():
    def fails(note):
        raise KeyError("lost")

    with pytest.raises(KeyError, match="lost"):
        run_apart(fails, PATIENCE)


def test_an_error_that_cannot_be_pickled_is_told_by_its_text():
    class StrangeError(Exception):
        def __init__(self, one, two):
            super().__init__(f"{one} and {two}")

    def fails(note):
        raise StrangeError(1, 2)

    with pytest.raises(RuntimeError, match="StrangeError: 1 and 2"):
        run_apart(fails, PATIENCE)


def test_a_crash_says_what_was_going_on():
    def crashes(note):
        note.write("reading address zero")
        ctypes.string_at(0)

    with pytest.raises(SandboxError, match="killed by SIGSEGV while reading address zero"):
        run_apart(crashes, PATIENCE)
    with pytest.raises(SandboxError, match="ended with code 3 while starting"):
        run_apart(lambda note: os._exit(3), PATIENCE)


def test_a_hang_ends_with_the_limit(monkeypatch):
    def hangs(note):
        note.write("counting sheep")
        threading.Event().wait()

    jump_while(monkeypatch, "counting sheep")
    with pytest.raises(SandboxError, match="not done after 900 s, while counting sheep"):
        run_apart(hangs, 900)


PARENT = """
from uctlab.sandbox import run_apart

def work(note):
    import os, time
    print(os.getpid(), flush=True)
    time.sleep(3600)

run_apart(work, 3600)
"""


def _alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_it_ends_with_its_parent(end):
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE)
    with parent:
        child = int(parent.stdout.readline())
        assert _alive(child)
        parent.send_signal(end)
        wait_until(lambda: not _alive(child), "the process outlives its parent")
