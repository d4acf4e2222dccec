"""Hands jobs to whatever performs them, and repeats those whose worker has died.

A job is a task, or a batch of games for a GPU, whose outcomes come in parts. What performs jobs is
a `Pool`: this process, worker processes, or the cores or GPUs of a Ray cluster.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple

from uctlab.arena.game import dismiss_players
from uctlab.arena.tasks import Batch, Finished
from uctlab.errors import LabError

Kind = Literal["part", "last", "end", "lost", "failed"]


class News(NamedTuple):
    """What has become of a job: a part of its outcomes, the last one, its end, the loss of its
    worker, or a failure."""

    job: Any
    kind: Kind
    value: Any
    """The outcome; how the worker ended, in words; the exception to raise."""


class Tasks:
    """A source of jobs, told of their outcomes: tasks, drawn when there is room for them."""

    def __init__(self, tasks: Iterator[Any]) -> None:
        self._tasks = tasks
        self._lost: list[Any] = []

    def next(self) -> Any | None:
        """The next job to begin, if there is one."""
        return self._lost.pop() if self._lost else next(self._tasks, None)

    def note(self, job: Any, part: Any) -> Batch[Any]:
        """News of a job, as a report."""
        return Batch([(job, part)])

    def keep(self, job: Any, part: Any) -> None:
        """The outcomes of that part are in the store."""

    def end(self, job: Any) -> None:
        """The job is over."""

    def lose(self, job: Any) -> Any | None:
        """Put back what is left of a job whose worker is gone, and return it."""
        self._lost.append(job)
        return job


class Pool(ABC):
    """What performs jobs."""

    deaths = 3
    """So many workers may die of one job."""
    blame = "{job} has killed {times} workers ({how})"

    @abstractmethod
    def has_room(self) -> bool:
        """Whether another job may begin."""

    @abstractmethod
    def begin(self, job: Any) -> None: ...


class Schedule:
    """The jobs of a source on a pool."""

    def __init__(self, jobs: Tasks, pool: Pool) -> None:
        self._jobs = jobs
        self._pool = pool
        self._lost: dict[Any, int] = {}

    def begin(self) -> None:
        """Begin jobs while there is room and there are any."""
        while self._pool.has_room() and (job := self._jobs.next()) is not None:
            self._pool.begin(job)

    def take(self, news: Iterable[News], *, eager: bool = False) -> Finished[Any]:
        """Report all that has come, together: a store then needs one transaction for it.

        Failures are raised after that. With `eager` the next jobs begin before the report.
        """
        parts: list[tuple[Any, Any]] = []
        over: list[Any] = []
        trouble: Exception | None = None
        for job, kind, value in news:
            if kind == "failed":
                trouble = trouble or value
            elif kind == "lost":
                trouble = self._lose(job, value) or trouble
            else:
                parts += [(job, value)] if kind != "end" else []
                over += [job] if kind != "part" else []
        reports = [self._jobs.note(job, part) for job, part in parts]
        if eager and trouble is None:
            self.begin()
        if reports:
            outcomes = [outcome for report in reports for outcome in report.outcomes]
            yield Batch(outcomes, reports[-1].begun, reports[-1].status)
        for job, part in parts:
            self._jobs.keep(job, part)
        for job in over:
            self._jobs.end(job)
        if trouble is not None:
            raise trouble

    def _lose(self, job: Any, how: str) -> LabError | None:
        """Put the rest of the job back, unless too many workers have died of it."""
        times = self._lost.pop(job, 0) + 1
        if times == self._pool.deaths:
            return LabError(self._pool.blame.format(job=job, times=times, how=how))
        if (rest := self._jobs.lose(job)) is not None:
            self._lost[rest] = times
        return None


def performed(job: Any) -> Iterator[tuple[Kind, Any]]:
    """Perform a job in this process; a batch has `parts`."""
    if not hasattr(job, "parts"):
        yield "last", job.perform()
        return
    for part in job.parts():
        yield "part", part
    yield "end", None


def perform_here(jobs: Tasks) -> Finished[Any]:
    """Perform all jobs in this process, where errors need no messenger."""
    try:
        while (job := jobs.next()) is not None:
            for kind, value in performed(job):
                if kind != "end":
                    yield jobs.note(job, value)
                    jobs.keep(job, value)
            jobs.end(job)
    finally:
        dismiss_players()
