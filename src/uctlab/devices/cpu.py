"""Runs tasks on the cores of this machine: one worker process per core, replaced if it dies."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from uctlab.arena.game import dismiss_players
from uctlab.arena.tasks import Batch, Finished, T
from uctlab.devices.crew import MAX_DEATHS, Crew, outcome_of
from uctlab.errors import LabError, UsageError

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
    with Crew() as crew:
        while len(crew.workers) < number and (task := next(tasks, None)) is not None:
            crew.hire(task)
        while crew.workers:
            outcomes: list[tuple[T, Any]] = []
            trouble: LabError | UsageError | None = None
            for worker in crew.heard():
                task = worker.task
                try:
                    replies = worker.read()
                except EOFError:
                    crew.dismiss(worker)
                    deaths[task] = deaths.get(task, 0) + 1
                    if deaths[task] == MAX_DEATHS:
                        trouble = LabError(
                            f"{task} has killed {MAX_DEATHS} workers ({worker.fate()})"
                        )
                    else:
                        crew.hire(task)
                    continue
                if not replies:
                    continue
                try:
                    outcomes.append((task, outcome_of(*replies[0])))
                except (LabError, UsageError) as failure:
                    trouble = failure
                    continue
                if (following := next(tasks, None)) is not None:
                    worker.begin(following)
                else:
                    crew.dismiss(worker)
            # Together: a store then needs one transaction for all that ended during its last one.
            if outcomes:
                yield Batch(outcomes)
            if trouble is not None:
                raise trouble
