"""Starts worker processes and exchanges messages with them.

A child is a separate program (python -m MODULE). It is not started by multiprocessing, which would
run the user's main script again. Messages are pickles on its standard input and output. It never
outlives its parent: it exits when its input ends. Each has pipes of its own, so one that dies holds
no lock that others wait for.
"""

from __future__ import annotations

import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any, TypeVar

from uctlab.kernels.cache_folder import share_cache_folder
from uctlab.kernels.notice import silence

LENGTH = struct.Struct("<Q")  # of the pickle that follows
SEARCH_PATH = "UCTLAB_SEARCH_PATH"  # where the parent finds modules

T = TypeVar("T")
Say = Callable[[Any], None]


def packed(value: Any) -> bytes:
    """A message: its length, then the pickle."""
    data = pickle.dumps(value)
    return LENGTH.pack(len(data)) + data


# The parent's side


def child_command(module: str, *arguments: str) -> list[str]:
    """With -P, so that the current folder cannot shadow our modules."""
    return [sys.executable, "-P", "-m", module, *arguments]


def child_options() -> dict[str, Any]:
    """Options for subprocess.Popen, and for its counterpart in asyncio."""
    share_cache_folder()
    return {
        "stdin": subprocess.PIPE,
        "stdout": subprocess.PIPE,
        # The child must be able to import what the parent can, such as a user's tasks.
        "env": {**os.environ, SEARCH_PATH: os.pathsep.join(p or os.getcwd() for p in sys.path)},
        "process_group": 0,  # Ctrl-C is for the parent, which then ends its children
    }


# The child's side


def connect_to_parent(decode: Callable[[bytes], T]) -> tuple[SimpleQueue[T], Say]:
    """Messages from the parent, decoded from their pickles, and a function that answers.

    When the input ends, the process exits.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    silence()
    # Not through PYTHONPATH, which external programs would inherit.
    paths = os.environ.pop(SEARCH_PATH, "").split(os.pathsep)
    sys.path += [path for path in paths if path and path not in sys.path]
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a user's game prints must not be taken for a reply
    inbox: SimpleQueue[T] = SimpleQueue()

    def listen() -> None:
        try:
            while head := sys.stdin.buffer.read(LENGTH.size):
                inbox.put(decode(sys.stdin.buffer.read(LENGTH.unpack(head)[0])))
        finally:
            os._exit(0)

    def say(message: Any) -> None:
        replies.write(packed(message))
        replies.flush()

    threading.Thread(target=listen, daemon=True).start()
    return inbox, say
