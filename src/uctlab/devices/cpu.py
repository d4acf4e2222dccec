"""Runs tasks on the cores of this machine: one worker process per core, replaced if it dies."""

from __future__ import annotations

import os
import pickle
import selectors
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from uctlab.arena.game import dismiss_players
from uctlab.arena.tasks import Batch, Finished, T
from uctlab.child_process import LENGTH, child_command, child_options, packed
from uctlab.errors import LabError, UsageError

MAX_DEATHS = 3  # workers that one task may kill
MAX_WORKERS = 1024
PATIENCE = 2.0  # seconds that a worker gets to exit


class Cpu:
    """Tasks on worker processes; with one worker, in this process."""

    def __init__(self, workers: int | None = None) -> None:
        if workers is not None and not 1 <= workers <= MAX_WORKERS:
            raise UsageError(f"there must be 1 to {MAX_WORKERS} workers, not {workers}")
        self.workers = workers or cores()
        self.compiles = self.workers > 1
        """Whether its workers compile for this process too: they share its cache."""

    def run(self, tasks: Iterator[T]) -> Finished[T]:
        return _run_here(tasks) if self.workers == 1 else _run_on(self.workers, tasks)


def cores() -> int:
    """Number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _run_here(tasks: Iterator[T]) -> Finished[T]:
    try:
        for task in tasks:
            yield Batch([(task, task.perform())])
    finally:
        dismiss_players()


def _run_on(number: int, tasks: Iterator[T]) -> Finished[T]:
    deaths: dict[T, int] = {}
    with _Crew() as crew:
        while len(crew.workers) < number and (task := next(tasks, None)) is not None:
            crew.hire(task)
        while crew.workers:
            for worker in crew.heard():
                task = worker.task
                try:
                    reply = worker.read()
                except EOFError:
                    crew.dismiss(worker)
                    deaths[task] = deaths.get(task, 0) + 1
                    if deaths[task] == MAX_DEATHS:
                        raise LabError(
                            f"{task} has killed {MAX_DEATHS} workers ({worker.fate()})"
                        ) from None
                    crew.hire(task)
                    continue
                if reply is None:
                    continue
                if (following := next(tasks, None)) is not None:
                    worker.begin(following)
                else:
                    crew.dismiss(worker)
                yield Batch([(task, _outcome(*reply))])


class _Worker:
    """One process and its current task."""

    task: Any

    def __init__(self) -> None:
        self._process = subprocess.Popen(child_command("uctlab.devices.worker"), **child_options())
        assert self._process.stdin and self._process.stdout
        self._input = self._process.stdin
        self.output = self._process.stdout
        self._heard = b""

    def begin(self, task: Any) -> None:
        self.task = task
        with suppress(OSError):  # if it is dead, reading its output will show that
            self._input.write(packed(task))
            self._input.flush()

    def read(self) -> tuple[str, Any] | None:
        """A complete reply, or None so far; EOFError if the worker is dead."""
        heard = os.read(self.output.fileno(), 1 << 16)
        if not heard:
            raise EOFError
        self._heard += heard
        size = LENGTH.size
        if len(self._heard) < size or len(self._heard) < size + LENGTH.unpack_from(self._heard)[0]:
            return None
        data, self._heard = self._heard[size:], b""  # a worker replies once per task
        reply: tuple[str, Any] = pickle.loads(data)
        return reply

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


class _Crew:
    """The live workers; a context manager that leaves none behind."""

    def __init__(self) -> None:
        self.workers: list[_Worker] = []
        self._waiting = selectors.DefaultSelector()

    def __enter__(self) -> _Crew:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in list(self.workers):
            self.dismiss(worker)
        self._waiting.close()

    def hire(self, task: Any) -> None:
        try:
            worker = _Worker()
        except OSError as error:
            which = len(self.workers) + 1
            raise LabError(f"worker {which} cannot be started: {error.strerror}") from None
        self.workers.append(worker)
        self._waiting.register(worker.output, selectors.EVENT_READ, worker)
        worker.begin(task)

    def dismiss(self, worker: _Worker) -> None:
        self._waiting.unregister(worker.output)
        self.workers.remove(worker)
        worker.end()

    def heard(self) -> list[_Worker]:
        """Wait for a reply, or part of one, or a death."""
        return [key.data for key, _ in self._waiting.select()]


def _outcome(kind: str, value: Any) -> Any:
    if kind == "mistake":
        raise UsageError(value)
    if kind == "failure":
        raise LabError(f"a worker failed:\n{value}")
    return value
