"""Ctrl-C that waits."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def defer_sigint() -> Iterator[None]:
    """Let Ctrl-C come at the end: what is done here must not be left half done."""
    heard_here = threading.current_thread() is threading.main_thread()
    if not heard_here or signal.getsignal(signal.SIGINT) is None:  # one that is not Python's
        yield
        return
    pressed: list[int] = []
    usual = signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
    if pressed:
        signal.raise_signal(signal.SIGINT)
