"""What performs jobs on a Ray cluster: its cores, and an actor for each GPU.

Ray itself repeats no task (max_retries=0, max_restarts=0): what was lost with its node is begun
again by the `Schedule`, which counts losses.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from uctlab.devices.gpu_batches import GpuBatch
from uctlab.devices.ray_node import GpuPlayer, Origin, failure_of, perform_on_node
from uctlab.devices.scheduler import Kind, News, Pool

MAX_FAILURES = 10  # how often one game or batch may be lost with its worker or node
PARTS_AHEAD = 2  # of a batch that are asked for, so that no GPU waits for the question


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
