"""Worker processes of this machine, and the pipes to them."""

from __future__ import annotations

import os
import pickle
import selectors
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from uctlab.child_process import LENGTH, child_command, child_options, packed
from uctlab.errors import LabError, UsageError

MAX_DEATHS = 3  # workers that one task may kill
PATIENCE = 2.0  # seconds that a worker gets to exit


class Worker:
    """One process and its current task."""

    task: Any

    def __init__(self, environment: Mapping[str, str]) -> None:
        """`environment` has variables for this process alone."""
        options = child_options()
        options["env"] |= environment
        self._process = subprocess.Popen(child_command("uctlab.devices.worker"), **options)
        assert self._process.stdin and self._process.stdout
        self._input = self._process.stdin
        self.output = self._process.stdout
        self._heard = bytearray()

    def begin(self, task: Any) -> None:
        self.task = task
        with suppress(OSError):  # if it is dead, reading its output will show that
            self._input.write(packed(task))
            self._input.flush()

    def read(self) -> list[tuple[str, Any]]:
        """The replies that are complete; EOFError if the worker is dead."""
        heard = os.read(self.output.fileno(), 1 << 16)
        if not heard:
            raise EOFError
        self._heard += heard
        replies: list[tuple[str, Any]] = []
        while len(self._heard) >= (begin := LENGTH.size):
            end = begin + LENGTH.unpack_from(self._heard)[0]
            if len(self._heard) < end:
                break
            replies.append(pickle.loads(self._heard[begin:end]))
            del self._heard[:end]
        return replies

    def end(self) -> None:
        """Close its input, upon which it exits at once and stops its external programs."""
        with suppress(OSError):
            self._input.close()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self.output.close()

    def fate(self) -> str:
        code = self._process.returncode
        return f"signal {-code}" if code < 0 else f"exit code {code}"


class Crew:
    """The live workers; a context manager that leaves none behind."""

    def __init__(self) -> None:
        self.workers: list[Worker] = []
        self._waiting = selectors.DefaultSelector()

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in list(self.workers):
            self.dismiss(worker)
        self._waiting.close()

    def hire(self, task: Any, environment: Mapping[str, str] | None = None) -> Worker:
        try:
            worker = Worker(environment or {})
        except OSError as error:
            which = len(self.workers) + 1
            raise LabError(f"worker {which} cannot be started: {error.strerror}") from None
        self.workers.append(worker)
        self._waiting.register(worker.output, selectors.EVENT_READ, worker)
        worker.begin(task)
        return worker

    def dismiss(self, worker: Worker) -> None:
        self._waiting.unregister(worker.output)
        self.workers.remove(worker)
        worker.end()

    def heard(self) -> list[Worker]:
        """Wait for a reply, or part of one, or a death."""
        return [key.data for key, _ in self._waiting.select()]


def outcome_of(kind: str, value: Any) -> Any:
    """What a reply brings; raises what has gone wrong there."""
    if kind == "mistake":
        raise UsageError(value)
    if kind == "failure":
        raise LabError(f"a worker failed:\n{value}")
    return value
