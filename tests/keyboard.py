"""Ctrl-C, as a test presses it."""

import os
import signal
import threading
from contextlib import contextmanager


@contextmanager
def ctrl_c(after):
    """SIGINT to this process in so many seconds, where a command before may have changed it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        signal.signal(signal.SIGINT, before)
