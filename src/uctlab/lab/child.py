"""The server's side of one of the lab's processes."""

from __future__ import annotations

import asyncio
import os
import pickle
from contextlib import suppress
from typing import Any

from uctlab.child_process import LENGTH, child_command, child_options, packed
from uctlab.lab.own_games import offered_specs

PATIENCE = 2.0  # seconds that a process has to exit
DEAD = ("dead",)


class Child:
    """Its messages are put into `inbox`, and ("dead",) when it has exited."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin and process.stdout
        self._process = process
        self._input = process.stdin
        self._output = process.stdout
        self.inbox: asyncio.Queue[tuple[Any, ...]] = asyncio.Queue()
        self._connected = True
        self._reader = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, role: str) -> Child:
        command = child_command("uctlab.lab.process", role, *offered_specs())
        process = await asyncio.create_subprocess_exec(*command, **child_options())
        return cls(process)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it can be asked; the system is asked too, since the end of its output, which the
        reader waits for, may not have been read yet."""
        return self._connected and self._process.returncode is None and not _is_dead(self.pid)

    def send(self, message: Any) -> None:
        if self._connected:  # if it has just died, the inbox says so
            with suppress(OSError, RuntimeError):
                self._input.write(packed(message))

    async def _read(self) -> None:
        try:
            while True:
                head = await self._output.readexactly(LENGTH.size)
                data = await self._output.readexactly(LENGTH.unpack(head)[0])
                self.inbox.put_nowait(pickle.loads(data))
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            self._connected = False
            self.inbox.put_nowait(DEAD)

    async def end(self) -> None:
        """Close its input, on which it exits; kill it if it does not."""
        self._connected = False
        with suppress(OSError, RuntimeError):
            self._input.close()
        try:
            await asyncio.wait_for(self._process.wait(), PATIENCE)
        except TimeoutError:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
        self._reader.cancel()
        with suppress(asyncio.CancelledError):
            await self._reader


def _is_dead(pid: int) -> bool:
    """Whether a child of ours has ended; who waits for it still gets its exit code."""
    if not hasattr(os, "waitid"):
        return False
    try:
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True
