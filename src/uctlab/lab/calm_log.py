"""A log that an attack cannot fill: a repeated error is logged once per minute.

asyncio logs every connection that it cannot accept for want of descriptors, thousands per second.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import time
from typing import Any

log = logging.getLogger("uctlab.lab")
LOGGERS = ("asyncio", "uvicorn.error", "uctlab.lab")
PERIOD = 60.0  # seconds
MAX_KINDS = 200  # of errors in one period; more are not logged at all
OUT_OF_RESOURCES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)

clock = time.monotonic
"""What periods are measured with; tests put another one here."""


class Repeats(logging.Filter):
    """Lets the first of equal errors pass; the next one that passes says how many there were."""

    def __init__(self) -> None:
        super().__init__()
        self._since: dict[str, float] = {}
        self._held: dict[str, int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        now = clock()
        self._since = {kind: t for kind, t in self._since.items() if now - t < PERIOD}
        kind = _kind(record)
        if kind in self._since or len(self._since) >= MAX_KINDS:
            if kind in self._held or len(self._held) < MAX_KINDS:
                self._held[kind] = self._held.get(kind, 0) + 1
            return False
        self._since[kind] = now
        if held := self._held.pop(kind, 0):
            record.msg, record.args = f"{record.getMessage()} ({held:,} more since last time)", ()
        return True


def _kind(record: logging.LogRecord) -> str:
    """asyncio adds lines with the time and with addresses in memory to what has happened."""
    text = record.getMessage()
    if record.exc_info and record.exc_info[1] is not None:
        text = f"{text.partition(chr(10))[0]} {record.exc_info[1]!r}"
    return f"{record.name} {text}"


def keep_calm(loop: asyncio.AbstractEventLoop) -> None:
    """From now on this process logs repeated errors once per period."""
    for name in LOGGERS:
        logger = logging.getLogger(name)
        for old in [one for one in logger.filters if isinstance(one, Repeats)]:
            logger.removeFilter(old)
        logger.addFilter(Repeats())
    loop.set_exception_handler(_handle)


def _handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """One line instead of a traceback where no connection can be accepted."""
    error = context.get("exception")
    if isinstance(error, OSError) and error.errno in OUT_OF_RESOURCES:
        log.error("a connection cannot be accepted: %s", error.strerror)
    else:
        loop.default_exception_handler(context)
