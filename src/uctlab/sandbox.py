"""Runs a function in a process of its own, which may crash or hang without harm to this one.

The process is a fork, so the function may work on anything that this process has. It never outlives
its parent: a thread in it waits for the end of a pipe that only the parent holds.
"""

from __future__ import annotations

import faulthandler
import mmap
import os
import pickle
import resource
import select
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from uctlab.kernels.cache_folder import share_cache_folder
from uctlab.stop_signals import ignore_all

T = TypeVar("T")
NOTE_SIZE = 1 << 12  # bytes
MAX_WAIT = 0.1  # seconds until the clock is read again

clock = time.monotonic
"""What the limit is measured with; tests put another one here."""


class SandboxError(Exception):
    """The process did not come to an end of its own; the message says how, and in the middle of
    what."""


class Note:
    """What the process is doing, which can be read even after it has been killed."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, NOTE_SIZE)  # shared with the fork

    def write(self, text: str) -> None:
        self._memory[:] = text.encode()[:NOTE_SIZE].ljust(NOTE_SIZE, b"\0")

    def read(self) -> str:
        return self._memory[:].rstrip(b"\0").decode(errors="replace") or "starting"


def run_apart(function: Callable[[Note], T], seconds: float) -> T:
    """What the function returns or raises; SandboxError if it crashes or takes too long."""
    share_cache_folder()
    note = Note()
    answer, answer_end = os.pipe()
    lifeline, lifeline_end = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        os.close(answer)
        os.close(lifeline_end)
        _serve(function, note, answer_end, lifeline)
    os.close(answer_end)
    os.close(lifeline)
    status = None
    try:
        data = _read(answer, clock() + seconds)
        if data is None:
            raise SandboxError(f"not done after {seconds:g} s, while {note.read()}")
        _, status = os.waitpid(child, 0)
    finally:
        if status is None:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
        os.close(answer)
        os.close(lifeline_end)
    code = os.waitstatus_to_exitcode(status)
    if code != 0:
        fate = f"killed by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"
        raise SandboxError(f"{fate} while {note.read()}")
    raised, value = pickle.loads(data)
    if raised:
        raise value
    result: T = value
    return result


def _read(answer: int, deadline: float) -> bytes | None:
    """All that the process writes until it closes its end; None if that takes too long."""
    parts: list[bytes] = []
    while clock() < deadline:
        if select.select([answer], [], [], MAX_WAIT)[0]:
            part = os.read(answer, 1 << 16)
            if not part:
                return b"".join(parts)
            parts.append(part)
    return None


def _serve(function: Callable[[Note], Any], note: Note, answer_end: int, lifeline: int) -> NoReturn:
    code = 1
    try:
        ignore_all()  # the parent decides
        faulthandler.disable()  # a crash is told in one line
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        threading.Thread(target=_leave_with_parent, args=(lifeline,), daemon=True).start()
        try:
            said = pickle.dumps((False, function(note)))
        except Exception as error:
            said = pickle.dumps((True, _without_cause(error)))
        with os.fdopen(answer_end, "wb") as pipe:
            pipe.write(said)
        sys.stdout.flush()
        sys.stderr.flush()
        code = 0
    finally:
        os._exit(code)


def _leave_with_parent(lifeline: int) -> None:
    os.read(lifeline, 1)
    os._exit(1)


def _without_cause(error: Exception) -> Exception:
    """The error as it can be pickled; one with arguments of its own is told by its text."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
