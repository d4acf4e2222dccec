"""A limit on the time of code of the user's: of a file while it is loaded, of a kernel per call.

Plain Python that takes longer gets an exception. Machine code cannot be interrupted, so a program
that is stuck in it ends, with one line; a Python that is not ours to end, such as a notebook's, is
only told. A thread looks once per second, so that the calls themselves cost next to nothing.
"""

from __future__ import annotations

import ctypes
import math
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from uctlab.environment import seconds_of
from uctlab.errors import UsageError

VARIABLE = "UCTLAB_CODE_SECONDS"
SECONDS = 60.0
GRACE = 5.0  # seconds in which plain Python can come to its end
LOOK = 1.0  # seconds between two looks
COMPILER = f"{os.sep}numba{os.sep}"  # in the paths of its files

_running: dict[int, Limited] = {}
"""What each thread is doing, by its number."""
_lock = threading.Lock()
_watch: threading.Thread | None = None
_enders: list[Callable[[str], None]] = []


class _Overtime(BaseException):
    """Raised in the thread that takes too long; an `except Exception` does not catch it."""


class Limited:
    """Around code of the user's: UsageError if it takes longer than the limit.

    The time of the compiler does not count. Inside another such block nothing is done.

    Args:
        what: What must end, for the message: "my_game.py: make".
        hint: What else the message says.
    """

    def __init__(self, what: str, hint: str = "") -> None:
        self._what = what
        self._hint = hint
        self._passed = 0.0
        self._thread = 0
        self._overdue = False

    def __enter__(self) -> None:
        thread = threading.get_ident()
        if thread not in _running:
            if _watch is None or not _watch.is_alive():
                _start()
            self._thread = thread
            _running[thread] = self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._thread == 0:
            return
        with _lock:
            del _running[self._thread]
        if self._overdue and (kind is None or not issubclass(kind, _Overtime)):
            _await_overtime()
        if self._overdue and (kind is None or issubclass(kind, _Overtime)):
            raise UsageError(self._message()) from None

    def count(self, seconds: float) -> None:
        """That much time has passed; called by the watch."""
        if _compiles(self._thread):
            return
        self._passed += seconds
        limit = seconds_of(VARIABLE, SECONDS)
        end = limit + min(limit, GRACE)
        if limit <= self._passed < end:
            self._overdue = True
            _raise_in(self._thread, _Overtime)
        elif self._passed >= end:
            self._passed = -math.inf  # where the process goes on, it is told once
            (_enders[-1] if _enders else _tell)(self._message())

    def _message(self) -> str:
        limit = seconds_of(VARIABLE, SECONDS)
        return f"{self._what} has not ended within {limit:g} s; {VARIABLE} allows more{self._hint}"


@contextmanager
def ended_by(end: Callable[[str], None]) -> Iterator[None]:
    """While this lasts, that function ends the process if it must; it gets the message."""
    _enders.append(end)
    try:
        yield
    finally:
        _enders.remove(end)


def end_with_line(message: str) -> None:
    """End the program as a mistake of the user's does."""
    print(f"uctlab: {message}", file=sys.stderr, flush=True)
    os._exit(2)


def _tell(message: str) -> None:
    print(f"uctlab: {message}; it runs until this process ends", file=sys.stderr, flush=True)


def _start() -> None:
    global _watch  # noqa: PLW0603
    seconds_of(VARIABLE, SECONDS)  # a mistake is told here
    _watch = threading.Thread(target=_look, name="limits", daemon=True)
    _watch.start()


def _look() -> None:
    while True:
        time.sleep(LOOK)  # counted, not measured: a process that was stopped has not looked
        with _lock:
            for limited in list(_running.values()):
                limited.count(LOOK)


def _compiles(thread: int) -> bool:
    frame = sys._current_frames().get(thread)
    while frame is not None:
        if COMPILER in frame.f_code.co_filename:
            return True
        frame = frame.f_back
    return False


def _raise_in(thread: int, error: type[BaseException]) -> None:
    """Raise it in that thread as soon as it runs Python."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))


def _await_overtime() -> None:
    """Let an exception come that is still on its way to this thread.

    To take it back would leave the interpreter looking for it at every step for ever, and a program
    that traces its lines would hang.
    """
    try:
        for _ in range(1000):  # Python looks for it whenever a loop begins again
            pass
    except _Overtime:
        pass


def _forget() -> None:
    """A fork has none of the threads."""
    global _lock  # noqa: PLW0603
    _lock = threading.Lock()
    _running.clear()


os.register_at_fork(after_in_child=_forget)
