"""Process groups that end with this process, however it ends.

A guardian, a shell of a few lines, leads each group and waits for the end of a pipe that only this
process holds. When this process ends, even by SIGKILL, the guardian kills the group and with it
itself. A program joins the group before its first instruction, so there is no moment at which it
could be left behind; only one that moves to another group by itself is out of reach.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from uctlab.errors import UsageError

GAME_FOLDERS = "/usr/games:/usr/local/games"  # where Debian puts games; often not on root's PATH

# What is sent to the whole group is meant for the programs in it; SIGKILL ends the guardian too.
GUARDIAN = "trap '' HUP INT TERM; read -r end; kill -s KILL 0"


class Lifeline:
    """One such group."""

    def __init__(self) -> None:
        self._guardian = subprocess.Popen(
            ["/bin/sh", "-c", GUARDIAN],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            process_group=0,
        )

    def start(self, command: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:
        """Start a program in the group, with options of `subprocess.Popen`."""
        try:
            return subprocess.Popen(command, process_group=self._guardian.pid, **options)
        except BaseException:
            self.cut()
            raise

    def cut(self) -> None:
        """Kill all that is in the group. A second call does nothing."""
        if self._guardian.returncode is None:
            # The guardian has not been waited for, so the number is still this group's.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._guardian.pid, signal.SIGKILL)
            self._guardian.wait()
            assert self._guardian.stdin is not None
            self._guardian.stdin.close()


def argv(command: str) -> list[str]:
    """The words of a command line, of which the first is the path of a program."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"'{command}' is not a command: {error}") from None
    if not words:
        raise UsageError("the command of a GTP engine is empty; write one as 'gnugo --mode gtp'")
    program = shutil.which(words[0]) or shutil.which(words[0], path=GAME_FOLDERS)
    if program is None:
        places = GAME_FOLDERS.replace(":", " and ")
        hint = "; Debian's package gnugo has it" if os.path.basename(words[0]) == "gnugo" else ""
        raise UsageError(f"no program '{words[0]}' on PATH, nor in {places}{hint}")
    return [program, *words[1:]]
