"""Runs tasks on the cores of this machine: one worker process per core, replaced if it dies."""

from __future__ import annotations

import os
from collections.abc import Iterator

from uctlab.arena.tasks import Finished, T
from uctlab.devices.scheduler import Tasks, ThisProcess, perform_all
from uctlab.devices.workers import WorkerPool
from uctlab.errors import UsageError

MAX_WORKERS = 1024


class Cpu:
    """Tasks on worker processes; with one worker, in this process."""

    def __init__(self, workers: int | None = None) -> None:
        if workers is not None and not 1 <= workers <= MAX_WORKERS:
            raise UsageError(f"there must be 1 to {MAX_WORKERS} workers, not {workers}")
        self.workers = workers or cores()
        self.compiles = self.workers > 1
        """Whether its workers compile for this process too: they share its cache."""

    def run(self, tasks: Iterator[T]) -> Finished[T]:
        if self.workers == 1:
            return perform_all(Tasks(tasks), ThisProcess())
        return perform_all(Tasks(tasks), WorkerPool([{}] * self.workers), eager=True)


def cores() -> int:
    """Number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
