"""A Ray cluster: the games of a match spread over its nodes.

Ray plays a game again when its node dies; what is left to do here is to keep all nodes busy and to
hand over again what Ray has given up. Every node needs uctlab, and the user's own files under the
same paths.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Iterator
from typing import Any

from uctlab.arena.tasks import Finished, T, Task
from uctlab.errors import LabError, UsageError

AHEAD = 2  # games handed over for every core, so that none waits for the next
WAIT_SECONDS = 1.0  # after which the size of the cluster is looked at again
MOST_FAILURES = 20  # of one game, beyond Ray's own attempts


class RayCluster:
    """Games on the cluster at an address, or on one that is started on this machine."""

    def __init__(self, address: str = "", workers: int | None = None) -> None:
        self._ray = _import_ray()
        self._address = address
        self._workers = workers

    def run(self, tasks: Iterator[T]) -> Finished[T]:
        ray = self._ray
        started = not ray.is_initialized()
        if started:
            self._connect()
        remote = ray.remote(num_cpus=1, max_retries=-1)(_perform)
        flying: dict[Any, T] = {}
        failures: dict[T, int] = {}
        try:
            while True:
                room = AHEAD * self._cores() - len(flying)
                for _ in range(room):
                    if (task := next(tasks, None)) is None:
                        break
                    flying[remote.remote(task)] = task
                if not flying:
                    return
                done, _ = ray.wait(list(flying), timeout=WAIT_SECONDS)
                for reference in done:
                    task = flying.pop(reference)
                    try:
                        record = ray.get(reference)
                    except ray.exceptions.RayTaskError:  # the game itself failed, not the node
                        raise
                    except ray.exceptions.RayError as error:
                        failures[task] = failures.get(task, 0) + 1
                        if failures[task] > MOST_FAILURES:
                            raise LabError(f"Ray cannot do {task}: {error}") from None
                        flying[remote.remote(task)] = task
                        continue
                    yield task, record
        except ray.exceptions.RayTaskError as error:
            raise LabError(f"a worker failed: {error}") from None
        finally:
            for reference in flying:
                ray.cancel(reference, force=True)
            if started:
                ray.shutdown()

    def _connect(self) -> None:
        where = {"address": self._address} if self._address else {"num_cpus": self._workers}
        try:
            self._ray.init(**where, log_to_driver=False, logging_level=logging.ERROR)
        except (ConnectionError, RuntimeError, ValueError) as error:
            place = self._address or "this machine"
            raise UsageError(f"there is no Ray cluster at {place}: {error}") from None

    def _cores(self) -> int:
        """Of the nodes that are alive now."""
        here = int(self._ray.cluster_resources().get("CPU", 1))
        return max(1, min(here, self._workers or here))


def _perform(task: Task) -> Any:
    return task.perform()


def _import_ray() -> Any:
    try:
        return importlib.import_module("ray")
    except ImportError:
        raise UsageError(
            "--device ray needs Ray, which is not installed: pip install 'uctlab[ray]'"
        ) from None
