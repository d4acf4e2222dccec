"""The signals that end the program: Ctrl-C, SIGTERM and SIGHUP, all as a KeyboardInterrupt.

Python raises it when the main thread is back in Python code. A loop in machine code never is, so
a guard, a thread of its own, ends the program if a signal is not heard, or comes again. The guard
can run because kernels do not hold the interpreter's lock. Whatever has to outlive or to end with
the program holds by itself: stores commit every batch, workers and external programs wait for the
end of a pipe.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
NOTICE = 1.0  # seconds without effect, after which the user is told how to end the program at once
PATIENCE = 30.0  # seconds without effect, after which it is ended
AGAIN = 5.0  # seconds in which a second signal ends it at once, even if the first had an effect
BOUNCE = 0.3  # seconds in which several are one: `timeout` sends its signal twice
LEAVE = 0  # what is written to the pipe instead of a signal's number when the program ends

_received: list[int] = []
"""Numbers of the signals that have raised KeyboardInterrupt, or were taken instead."""
_guarded = False


@contextmanager
def stop_signals() -> Iterator[None]:
    """Around a program: each of the signals raises KeyboardInterrupt in it, and a guard watches.

    A signal that is ignored stays so, as nohup and a shell's background want it. In other threads,
    and inside another such block, nothing is done.
    """
    global _guarded  # noqa: PLW0603
    if _guarded or threading.current_thread() is not threading.main_thread():
        yield
        return
    _received.clear()
    heard, bell = os.pipe()
    os.set_blocking(bell, False)
    usual = {
        number: signal.signal(number, raise_interrupt)
        for number in STOPPING
        if signal.getsignal(number) not in (signal.SIG_IGN, None)
    }
    usual_bell = signal.set_wakeup_fd(bell, warn_on_full_buffer=False)
    guard = threading.Thread(target=_watch, args=(heard,), name="signals", daemon=True)
    guard.start()
    _guarded = True
    try:
        yield
    finally:
        _guarded = False
        signal.set_wakeup_fd(usual_bell)
        for number, handler in usual.items():
            signal.signal(number, handler)
        os.set_blocking(bell, True)
        os.write(bell, bytes([LEAVE]))
        guard.join()
        os.close(bell)
        os.close(heard)


def raise_interrupt(number: int, _: FrameType | None = None) -> NoReturn:
    """The handler of the signals."""
    note(number)
    raise KeyboardInterrupt


def note(number: int) -> None:
    """Tell the guard that a signal is heard, where a function takes it instead."""
    _received.append(number)


@contextmanager
def taken_by(take: Callable[[int], None]) -> Iterator[None]:
    """While this lasts, those of the signals that would raise an exception call that function.

    It has no effect in other threads than the main one.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    usual = {
        number: signal.signal(number, lambda number, _: take(number))
        for number in STOPPING
        if callable(signal.getsignal(number))
    }
    try:
        yield
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)


def ignore_all() -> None:
    """Ignore the signals in a process whose parent ends it."""
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN)


def end_at_once() -> None:
    """From now on a signal ends this process at once; for work that has nothing to save."""
    for number in STOPPING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


def exit_code(code: int) -> int:
    """The exit code of the program: a supervisor's signal is told, whatever the command has made
    of it; after Ctrl-C many commands end as usual, with what is known."""
    asked = next((number for number in _received if number != signal.SIGINT), None)
    return code if asked is None else 128 + asked


def interrupted_code() -> int:
    """The exit code of a program that KeyboardInterrupt has ended."""
    return 128 + (_received[0] if _received else signal.SIGINT)


def _watch(heard: int) -> None:
    """The guard. From the pipe it reads the number of every signal, until it reads LEAVE."""
    known = 0  # signals that are dealt with
    while (first := _next(heard, None)) != LEAVE:
        begin = time.monotonic()
        told = False
        while (passed := time.monotonic() - begin) < PATIENCE:
            effective = len(_received) > known
            if effective and passed >= AGAIN:
                break
            if not effective and not told and passed >= NOTICE:
                told = True
                _say("stopping; Ctrl-C once more ends the program at once")
            second = _next(heard, 0.1)
            if second == LEAVE:
                return
            if second is not None and time.monotonic() - begin >= BOUNCE:
                os._exit(128 + second)
        if len(_received) == known:
            _say(f"ended, since the code that was running has not returned within {PATIENCE:g} s")
            os._exit(128 + (first or 0))
        known = len(_received)


def _next(heard: int, seconds: float | None) -> int | None:
    """The number of the next of the signals, or LEAVE; None when the time is up."""
    while select.select([heard], [], [], seconds)[0]:
        number = os.read(heard, 1)[0]
        if number == LEAVE or number in STOPPING:
            return number
    return None


def _say(text: str) -> None:
    print(f"uctlab: {text}", file=sys.stderr, flush=True)
