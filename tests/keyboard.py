"""Ctrl-C, as a test presses it; tests/conftest.py sees to it that it is heard."""

import os
import signal
import threading
from contextlib import contextmanager


@contextmanager
def ctrl_c(after):
    """SIGINT to this process in so many seconds."""
    timer = threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
