"""Ctrl-C, as a test presses it."""

import os
import signal
import threading
from contextlib import contextmanager


@contextmanager
def ctrl_c(after):
    """SIGINT to this process, so many seconds after the function that this gives is called.

    A search calls it as its progress: on a busy machine nobody knows when it will have begun.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    begun, over = threading.Event(), threading.Event()

    def press():
        begun.wait()
        if not over.wait(after):
            os.kill(os.getpid(), signal.SIGINT)

    presser = threading.Thread(target=press)
    presser.start()
    try:
        yield lambda *_: begun.set()
    finally:
        over.set()
        begun.set()
        presser.join()
        signal.signal(signal.SIGINT, before)
