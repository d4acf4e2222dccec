"""Finds and kills what tests have started and left behind, on Linux.

Every process of a run has a mark in its environment, which its children inherit: Ray's daemons,
browsers, workers of workers, whatever session or process group they make for themselves. A pytest
process adds its own id to the mark that it got, so that it can tell its own children from others'.

As a program, with a mark as its argument, this file waits until its input ends, as it does when
pytest ends in any way, also by SIGKILL, and then kills everything that has the mark.
"""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

VARIABLE = "UCTLAB_TEST_RUN"
PROC = Path("/proc")
PATIENCE = 180.0  # seconds until what ends by itself must have ended, on a busy machine
# It belongs to a Python process and ends with it.
HARMLESS = "multiprocessing.resource_tracker"


def add_mark():
    """Mark the children of this process from now on; the mark, and whether it is the first."""
    outer = os.environ.get(VARIABLE)
    own = f"{os.getpid()}-{time.time_ns()}"
    mark = own if outer is None else f"{outer}/{own}"
    os.environ[VARIABLE] = mark
    return mark, outer is None


def start_watchdog(mark):
    """Starts a process that outlives this one and cleans up after it; the input that keeps it."""
    environment = {key: value for key, value in os.environ.items() if key != VARIABLE}
    watchdog = subprocess.Popen(
        [sys.executable, "-I", "-S", __file__, mark],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        env=environment,
        start_new_session=True,  # Ctrl-C is for pytest
    )
    watchdog.wait()  # it goes on as nobody's child: tests count ours
    return watchdog.stdin


def leftovers(mark, *, ours=True):
    """{process: command} of all that have the mark and their descendants; `ours`: of ours too."""
    table = _processes()
    roots = {pid for pid in table if _has_mark(pid, mark)}
    if ours:
        roots.add(os.getpid())
    grown = True
    while grown:  # a process may have lost its mark, or may not let it be read
        more = {pid for pid, parent in table.items() if parent in roots and pid != os.getpid()}
        grown = not more <= roots
        roots |= more
    commands = {pid: _command(pid) for pid in roots - {os.getpid()}}
    return {pid: text for pid, text in commands.items() if text and HARMLESS not in text}


def wait_for_leftovers(mark, *, patience=PATIENCE):
    """What is still there when all should have ended; it is killed."""
    deadline = time.monotonic() + patience
    while (left := leftovers(mark)) and time.monotonic() < deadline:
        time.sleep(0.05)
    if left:
        kill_leftovers(mark)
    return left


def kill_leftovers(mark, *, ours=True):
    """Kill until nothing is left: a process may start another one while we look."""
    for _ in range(100):
        left = leftovers(mark, ours=ours)
        if not left:
            break
        for pid in left:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.05)


def run_and_clean_up(command, *, timeout, env, **options):
    """subprocess.run, after which nothing is left of the program and of what it has started."""
    inner = f"{env.get(VARIABLE, '')}/{os.getpid()}-{time.time_ns()}"
    try:
        return subprocess.run(
            command, timeout=timeout, env={**env, VARIABLE: inner}, check=False, **options
        )
    finally:
        if PROC.is_dir():
            kill_leftovers(inner, ours=False)


def _processes():
    """{process: parent}, without zombies."""
    found = {}
    for folder in PROC.iterdir():
        if folder.name.isdigit():
            with suppress(OSError):
                state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
                if state not in "ZX":
                    found[int(folder.name)] = int(parent)
    return found


def _has_mark(pid, mark):
    try:
        environment = b"\0" + (PROC / str(pid) / "environ").read_bytes() + b"\0"
    except OSError:  # it has ended, or it is somebody else's
        return False
    start = f"\0{VARIABLE}={mark}".encode()
    return start + b"\0" in environment or start + b"/" in environment


def _command(pid):
    """Empty if it has ended."""
    try:
        words = (PROC / str(pid) / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return ""
    return b" ".join(words).decode("utf-8", "replace").strip()[:200]


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if os.fork():
        os._exit(0)
    sys.stdin.buffer.read()
    kill_leftovers(sys.argv[1])
