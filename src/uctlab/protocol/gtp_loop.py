"""The engine's side of GTP version 2: a thread reads lines while the engine thinks."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable
from queue import SimpleQueue

from uctlab.protocol.gtp_commands import COMMANDS
from uctlab.protocol.gtp_engine import Engine
from uctlab.protocol.gtp_line import MAX_LINE
from uctlab.protocol.gtp_session import Session

CHUNK = 2**16  # bytes
INTERRUPT = re.compile(rb"\s*#\s*interrupt\s*")  # a comment to programs that know nothing of it


class Lines:
    """Lines of a file descriptor, read as they come.

    The thread reads the descriptor itself: a thread that is stuck in `sys.stdin` would keep its
    lock when the program ends.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._read: SimpleQueue[bytes | None] = SimpleQueue()
        self._put = self._taken = 0
        self._last_interrupted = 0
        """How many lines had been read when the last interrupt came."""
        self.ended = False
        """Whether the controller has closed its end."""
        threading.Thread(target=self._listen, daemon=True).start()

    def next(self) -> bytes | None:
        """Waits for the next line; None after the last one."""
        line = self._read.get()
        self._taken += 1
        return line

    def waiting(self) -> bool:
        """Whether `next` would return at once."""
        return not self._read.empty()

    def interrupted(self) -> bool:
        """Whether an interrupt has come behind the line that was taken last."""
        return self._last_interrupted >= self._taken

    def _listen(self) -> None:
        rest = b""
        while data := _read_some(self._descriptor):
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                if INTERRUPT.fullmatch(line):
                    self._last_interrupted = self._put
                else:
                    self._put += 1
                    self._read.put(line[: MAX_LINE + 1])
            rest = rest[: MAX_LINE + 1]  # enough to notice that it is too long
        self.ended = True
        if rest:
            self._read.put(rest)
        self._read.put(None)


def _read_some(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, CHUNK)
    except OSError:  # the terminal is gone
        return b""


def serve(
    engine: Engine,
    descriptor: int,
    write: Callable[[str], None],
    listened: Callable[[], bool] = lambda: True,
) -> None:
    """Answer until the controller says quit or closes its end; what was asked before is answered,
    unless nobody has `listened` any more."""
    lines = Lines(descriptor)
    engine.interrupted = lambda: lines.interrupted() or (lines.ended and not listened())
    session = Session(engine, COMMANDS, write, lines.waiting)
    while not session.ended and (line := lines.next()) is not None:
        if len(line) > MAX_LINE:
            session.refuse(f"line too long; accepted: {MAX_LINE:,} bytes")
        else:
            session.handle(line)
