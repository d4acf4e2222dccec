"""Delays Ctrl-C until a block of code that must not be interrupted has finished."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

from uctlab.stop_signals import taken_by


@contextmanager
def defer_sigint() -> Iterator[None]:
    """Hold back Ctrl-C, and what else raises KeyboardInterrupt, until the block ends."""
    pressed: list[int] = []
    with taken_by(pressed.append):
        yield
    if pressed:
        handler = signal.getsignal(pressed[0])
        assert callable(handler)
        handler(pressed[0], None)  # not by another signal, which would count as a second one
