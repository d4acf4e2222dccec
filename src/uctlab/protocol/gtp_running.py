"""The external programs that this process runs; apart from their client, which loads Numba."""

from __future__ import annotations

import os
import signal
from contextlib import suppress

RUNNING: set[int] = set()
"""Process groups of the engines."""


def kill_engines() -> None:
    """Kill all engines, for a process that is about to exit at once."""
    for group in list(RUNNING):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)
