"""A process that does tasks: they come in on its standard input, outcomes go out, both pickled.

It is started as a program of its own (python -m uctlab.devices.worker) and not by multiprocessing,
which would run the user's main script again. It lives no longer than the program that started it:
the end of its input is its own.
"""

from __future__ import annotations

import os
import pickle
import signal
import struct
import sys
import threading
import traceback
from queue import SimpleQueue
from typing import Any

from uctlab.errors import UsageError
from uctlab.protocol.gtp_client import kill_engines

LENGTH = struct.Struct("<Q")  # of the pickle that follows
SEARCH_PATH = "UCTLAB_SEARCH_PATH"  # where the program that started it finds modules


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the program that started it decides
    # Not by PYTHONPATH, which external programs would inherit.
    paths = os.environ.pop(SEARCH_PATH, "").split(os.pathsep)
    sys.path += [path for path in paths if path and path not in sys.path]
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a game of the user's own prints is no reply
    tasks: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(tasks,), daemon=True).start()
    while True:
        replies.write(packed(_answer(tasks.get())))
        replies.flush()


def packed(value: Any) -> bytes:
    """A message: its length, then the pickle."""
    data = pickle.dumps(value)
    return LENGTH.pack(len(data)) + data


def _listen(tasks: SimpleQueue[bytes]) -> None:
    try:
        while head := sys.stdin.buffer.read(LENGTH.size):
            tasks.put(sys.stdin.buffer.read(LENGTH.unpack(head)[0]))
    finally:
        kill_engines()
        os._exit(0)


def _answer(task: bytes) -> tuple[str, Any]:
    try:
        return "done", pickle.loads(task).perform()
    except UsageError as mistake:
        return "mistake", str(mistake)
    except BaseException:
        return "failure", traceback.format_exc()


if __name__ == "__main__":
    main()
