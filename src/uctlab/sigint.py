"""Delays Ctrl-C until a block of code that must not be interrupted has finished."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def defer_sigint() -> Iterator[None]:
    """Hold back Ctrl-C while the block runs, and raise it when the block ends."""
    main_thread = threading.current_thread() is threading.main_thread()
    # None: the handler was not installed by Python, so it could not be restored.
    if not main_thread or signal.getsignal(signal.SIGINT) is None:
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
