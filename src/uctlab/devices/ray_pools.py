"""What performs jobs on a Ray cluster, its cores and an actor for each GPU; what runs on its nodes.

Ray itself repeats no task (max_retries=0, max_restarts=0): what was lost with its node is begun
again by the `Schedule`, which counts losses. An actor is asked for its next parts, so it is never
far ahead of the store.
"""

from __future__ import annotations

import os
import re
import socket
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from uctlab.arena.tasks import Task
from uctlab.bench.machine import program_version
from uctlab.devices.gpu_batches import BatchNews, GpuBatch
from uctlab.devices.scheduler import Kind, News, Pool
from uctlab.errors import LabError, UsageError

MAX_FAILURES = 10  # how often one game or batch may be lost with its worker or node
PARTS_AHEAD = 2  # of a batch that are asked for, so that no GPU waits for the question


# What runs on the nodes


class Origin(NamedTuple):
    """The main program."""

    folder: str
    """To which the user's paths are relative."""
    version: str

    def enter(self) -> None:
        """Work as the main program would.

        Outcomes are stored as those of the main program's version, so no other may make them.
        """
        if self.version != program_version():
            raise UsageError(
                f"the node {socket.gethostname()} has uctlab {program_version()}, but this "
                f"program is {self.version}; install the same version on all nodes"
            )
        with suppress(OSError):
            os.chdir(self.folder)


def perform_on_node(task: Task, origin: Origin) -> Any:
    origin.enter()
    return task.perform()


class GpuPlayer:
    """An actor with a GPU of its own, which performs one batch."""

    def __init__(self, batch: GpuBatch, origin: Origin) -> None:
        self._batch = batch
        self._origin = origin
        self._parts: Iterator[BatchNews] | None = None

    def next_part(self) -> BatchNews | None:
        """The next part of the batch, None after the last.

        The first call begins: Ray tells what goes wrong in a method, and not in a constructor.
        """
        if self._parts is None:
            self._origin.enter()
            try:
                self._parts = self._batch.parts()
            except UsageError as trouble:
                raise UsageError(
                    f"the node {socket.gethostname()} has a GPU for Ray, but none for uctlab: "
                    f"{trouble}. Start Ray there with --num-gpus 0 to use its cores alone"
                ) from None
        return next(self._parts, None)


def failure_of(ray: Any, error: Exception) -> LabError | UsageError | None:
    """What a task has failed with; None if its worker or node is gone."""
    known = ray.exceptions
    if not isinstance(error, known.RayTaskError):
        return None
    if isinstance(error.cause, known.TaskCancelledError):  # Ctrl-C has reached the worker
        return None
    if isinstance(error.cause, UsageError):
        return UsageError(str(error.cause))
    plain = re.sub(r"\x1b\[\d*m", "", str(error))  # Ray colours its tracebacks
    return LabError(f"a worker failed:\n{plain}")


# What performs jobs there


class RayCores(Pool):
    """Tasks on the cores of a cluster."""

    blame = "{job} was lost {times} times, most recently: {how}"

    def __init__(self, ray: Any, origin: Origin, room: Callable[[], int]) -> None:
        """`room` tells how many jobs may be under way, since nodes come and go."""
        self.deaths = MAX_FAILURES
        self._ray = ray
        self._origin = origin
        self._room = room
        self.heads: dict[Any, Any] = {}
        """The jobs under way, by the references to what comes of them next."""
        self._hand_over = ray.remote(num_cpus=1, max_retries=0)(perform_on_node).remote

    def has_room(self) -> bool:
        return len(self.heads) < self._room()

    def begin(self, job: Any) -> None:
        self.heads[self._hand_over(job, self._origin)] = job

    def hear(self, done: list[Any]) -> Iterator[News]:
        """What has come of jobs; `done` are references that have a value."""
        for reference in [one for one in done if one in self.heads]:
            job = self.heads.pop(reference)
            try:
                yield News(job, *self._next(job, self._ray.get(reference)))
            except self._ray.exceptions.RayError as error:
                self._end(job)
                failure = failure_of(self._ray, error)
                yield News(job, *(("failed", failure) if failure else ("lost", str(error))))

    def close(self) -> None:
        """End what is under way."""
        for reference in self.heads:
            self._ray.cancel(reference, force=True)

    def _next(self, job: Any, value: Any) -> tuple[Kind, Any]:
        """What a value is to a job."""
        return "last", value

    def _end(self, job: Any) -> None:
        """Free what the job has taken."""


class RayGpus(RayCores):
    """Batches on the GPUs of a cluster."""

    def __init__(self, ray: Any, origin: Origin, room: Callable[[], int]) -> None:
        super().__init__(ray, origin, room)
        # Without a core, which the games of cores would not leave it.
        self._actor = ray.remote(num_gpus=1, num_cpus=0, max_restarts=0)(GpuPlayer)
        self._actors: dict[GpuBatch, Any] = {}
        self._asked: dict[GpuBatch, deque[Any]] = {}
        """The parts that were asked for, in their order; the first is the head."""

    def begin(self, job: GpuBatch) -> None:
        self._actors[job] = self._actor.remote(job, self._origin)
        self._asked[job] = deque()
        for _ in range(PARTS_AHEAD):
            self._ask(job)

    def _ask(self, job: GpuBatch) -> None:
        self._asked[job].append(self._actors[job].next_part.remote())
        self.heads[self._asked[job][0]] = job

    def close(self) -> None:
        for job in list(self._actors):
            self._end(job)

    def _next(self, job: GpuBatch, value: Any) -> tuple[Kind, Any]:
        if value is None:
            self._end(job)
            return "end", None
        self._asked[job].popleft()
        self._ask(job)
        return "part", value

    def _end(self, job: GpuBatch) -> None:
        del self._asked[job]
        self._ray.kill(self._actors.pop(job))
