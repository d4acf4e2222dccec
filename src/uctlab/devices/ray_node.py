"""What runs on the nodes of a Ray cluster, and what their errors mean."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from uctlab.arena.tasks import Task
from uctlab.bench.machine import program_version
from uctlab.devices.gpu_batches import GpuBatch, Part
from uctlab.errors import LabError, UsageError


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
        self._parts: Iterator[Part] | None = None

    def next_part(self) -> Part | None:
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
