"""Performs batches on the GPUs of a Ray cluster, with an actor for each."""

from __future__ import annotations

from collections import deque
from typing import Any

from uctlab.arena.tasks import Batch, Finished
from uctlab.devices.gpu_batches import GpuBatch, Ledger, Part
from uctlab.devices.ray_node import GpuPlayer, Origin, failure_of
from uctlab.errors import LabError, UsageError

MAX_FAILURES = 10  # how often one game or batch may be lost with its worker or node
PARTS_AHEAD = 2  # that are asked for, so that no GPU waits for the question


class _Flight:
    """A batch under way."""

    def __init__(self, batch: GpuBatch, actor: Any) -> None:
        self.batch = batch
        self.actor = actor
        self.asked: deque[Any] = deque()
        """The parts that were asked for, in their order."""
        for _ in range(PARTS_AHEAD):
            self.ask()

    def ask(self) -> None:
        self.asked.append(self.actor.next_part.remote())


class RayGpus:
    """The batches of a ledger on the GPUs of a cluster."""

    def __init__(self, ray: Any, origin: Origin, ledger: Ledger) -> None:
        self._ray = ray
        self._origin = origin
        self._ledger = ledger
        # Without a core, which the games of cores would not leave it.
        self._actor = ray.remote(num_gpus=1, num_cpus=0, max_restarts=0)(GpuPlayer)
        self._flights: list[_Flight] = []
        self._failures: dict[GpuBatch, int] = {}

    @property
    def heads(self) -> list[Any]:
        """For each batch under way the reference to its next part."""
        return [flight.asked[0] for flight in self._flights]

    def begin(self, gpus: int) -> None:
        """Begin batches, one for each GPU."""
        while len(self._flights) < max(1, gpus) and (batch := self._ledger.next()) is not None:
            self._flights.append(_Flight(batch, self._actor.remote(batch, self._origin)))

    def hear(self, done: list[Any]) -> Finished[Any]:
        """Take the parts that have come, together: a store needs one transaction for them."""
        news: list[tuple[GpuBatch, Part]] = []
        trouble: LabError | UsageError | None = None
        for flight in [one for one in self._flights if one.asked[0] in done]:
            try:
                part = self._ray.get(flight.asked.popleft())
            except self._ray.exceptions.RayError as error:
                trouble = trouble or self._lose(flight, error)
                continue
            if part is None:
                self._end(flight)
                self._ledger.end(flight.batch)
                continue
            flight.ask()
            news.append((flight.batch, part))
        if news:
            reports = [self._ledger.note(batch, part) for batch, part in news]
            outcomes = [outcome for report in reports for outcome in report.outcomes]
            yield Batch(outcomes, reports[-1].begun, reports[-1].status)
            for batch, part in news:
                self._ledger.keep(batch, part)
        if trouble is not None:
            raise trouble

    def _lose(self, flight: _Flight, error: Exception) -> LabError | UsageError | None:
        """Put the rest of the batch back, unless it has failed by itself or too often."""
        self._end(flight)
        if (trouble := failure_of(self._ray, error)) is not None:
            return trouble
        failures = self._failures.pop(flight.batch, 0) + 1
        if failures == MAX_FAILURES:
            return LabError(f"{flight.batch} was lost {failures} times, most recently: {error}")
        if (rest := self._ledger.lose(flight.batch)) is not None:
            self._failures[rest] = failures
        return None

    def _end(self, flight: _Flight) -> None:
        self._flights.remove(flight)
        self._ray.kill(flight.actor)

    def close(self) -> None:
        """End what is under way."""
        for flight in list(self._flights):
            self._end(flight)
