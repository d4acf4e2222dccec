"""Runs tasks on a Ray cluster, spread over its nodes: games on its GPUs, if it has any, the rest on
its cores.

Every node needs uctlab, and the user's files under the same
paths.
"""

from __future__ import annotations

import importlib
import logging
import os
import re
import socket
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from uctlab.arena.game import GameTask
from uctlab.arena.tasks import Batch, Finished, T
from uctlab.bench.machine import program_version
from uctlab.devices.checkpoint import Checkpoint
from uctlab.devices.cpu import MAX_WORKERS, cores
from uctlab.devices.cuda_driver import working_gpus
from uctlab.devices.gpu_batches import GpuBatch, Ledger, plan_suits_gpu, split
from uctlab.devices.ray_pools import Origin, RayCores, RayGpus
from uctlab.devices.scheduler import Schedule, Tasks
from uctlab.errors import LabError, UsageError
from uctlab.sigint import defer_sigint

AHEAD = 2  # games submitted per core, so that no core waits for its next game
WAIT_SECONDS = 1.0  # after which the size of the cluster is checked again
CONNECT_SECONDS = 5.0
NO_GPU_SECONDS = 300.0  # how long a cluster that has lost its GPUs is waited for
HTTP2_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"  # RFC 9113, section 3.4
HTTP2_SETTINGS = b"\x04"  # the type of the frame with which a gRPC server, such as Ray's, answers


class RayCluster:
    """Runs tasks on the cluster at an address, or on one started on this machine."""

    def __init__(
        self, address: str = "", workers: int | None = None, checkpoint: Path | None = None
    ) -> None:
        """`checkpoint` is a file for the unfinished games of GPUs."""
        if workers is not None and not 1 <= workers <= MAX_WORKERS:
            raise UsageError(f"there must be 1 to {MAX_WORKERS} workers, not {workers}")
        self._ray = _import_ray()
        self._address = address
        self._workers = workers
        self._checkpoint = Checkpoint(checkpoint) if checkpoint else None

    def run(self, tasks: Iterator[T]) -> Finished[T]:
        ray = self._ray
        ours = not ray.is_initialized()
        pools: list[RayCores] = []
        try:
            if ours:
                self._connect()
            origin = Origin(os.getcwd(), program_version())
            size = _Size(ray)
            batches: list[GpuBatch] = []
            if size.gpus:
                tasks, batches = _for_gpus(tasks, size.gpus, self._checkpoint)
            cores = RayCores(ray, origin, lambda: self._room(size))
            gpus = RayGpus(ray, origin, lambda: max(1, size.gpus))
            pools = [cores, gpus]
            ledger = Ledger(batches, self._checkpoint)
            schedules = [Schedule(Tasks(tasks), cores), Schedule(ledger, gpus)]
            while True:
                for schedule in schedules:
                    schedule.begin()
                if not (waited := [*cores.heads, *gpus.heads]):
                    return
                ray.wait(waited, timeout=WAIT_SECONDS)
                # All that are done: a store then needs one transaction for them.
                done, _ = ray.wait(waited, num_returns=len(waited), timeout=0)
                for schedule, pool in zip(schedules, pools, strict=True):
                    yield from schedule.take(pool.hear(done))
                if gpus.heads and not size.gpus:
                    yield Batch([], status="the cluster has lost its GPUs: waiting for one")
                    if size.without_gpus > NO_GPU_SECONDS:
                        raise LabError(
                            f"the cluster has had no GPU for {NO_GPU_SECONDS:.0f} seconds; the "
                            "same command goes on once it has one, or with --device cpu"
                        )
        finally:
            if ours:
                with defer_sigint():  # an interrupted shutdown leaves processes behind
                    ray.shutdown()  # ends our games; a cluster that we did not start keeps running
            else:
                for pool in pools:
                    pool.close()

    def _room(self, size: _Size) -> int:
        """How many games may be under way on cores."""
        room = AHEAD * max(1, size.cores)
        return min(room, self._workers) if self._workers else room

    def _connect(self) -> None:
        known = self._ray.exceptions
        quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
        try:
            if self._address:
                _knock(self._address)
                self._ray.init(address=self._address, **quiet)
            else:
                number = self._workers or cores()
                with defer_sigint():  # so does an interrupted start
                    self._ray.init(
                        address="local",
                        num_cpus=number,
                        num_gpus=working_gpus(),
                        include_dashboard=False,
                        **quiet,
                    )
        except UsageError:
            raise
        except (OSError, OverflowError, RuntimeError, ValueError, known.RayError) as error:
            if self._address:
                raise UsageError(f"no Ray cluster answers at {self._address}: {error}") from None
            raise LabError(f"Ray does not start on this machine: {error}") from None


class _Size:
    """How many cores and GPUs the cluster has: nodes come and go."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._asked = -WAIT_SECONDS
        self._found: dict[str, float] = {}
        self._had_gpus = time.monotonic()

    @property
    def without_gpus(self) -> float:
        """Seconds since a GPU was last seen."""
        return 0.0 if self.gpus else time.monotonic() - self._had_gpus

    @property
    def cores(self) -> int:
        return int(self._now().get("CPU", 0))

    @property
    def gpus(self) -> int:
        return int(self._now().get("GPU", 0))

    def _now(self) -> dict[str, float]:
        """Asked once a second: the answer takes longer than to hand over a task."""
        if time.monotonic() - self._asked >= WAIT_SECONDS:
            self._found = self._ray.cluster_resources()
            self._asked = time.monotonic()
            if self._found.get("GPU", 0) >= 1:
                self._had_gpus = self._asked
        return self._found


def _for_gpus(
    tasks: Iterator[T], gpus: int, kept: Checkpoint | None
) -> tuple[Iterator[T], list[GpuBatch]]:
    """The tasks for cores, and batches of those that suit a GPU."""
    suits = cache(plan_suits_gpu)
    on_gpu: list[Any] = []
    others: list[T] = []
    for task in tasks:
        (on_gpu if isinstance(task, GameTask) and suits(task.plan) else others).append(task)
    return iter(others), split(on_gpu, gpus, kept.load() if kept else None)


def _knock(address: str) -> None:
    """OSError if nothing answers: Ray itself would keep trying for many minutes."""
    if address == "auto":
        return
    parts = re.fullmatch(r"(?:ray://)?\[?([^/]+?)\]?:(\d{1,5})", address)
    if parts is None:
        raise UsageError(
            f"the address of a Ray cluster is HOST:PORT, ray://HOST:PORT or auto, not '{address}'"
        )
    place = parts[1], int(parts[2])
    with socket.create_connection(place, timeout=CONNECT_SECONDS) as connection:
        if "RAY_USE_TLS" in os.environ:
            return
        connection.sendall(HTTP2_PREFACE)
        if connection.recv(9)[3:4] != HTTP2_SETTINGS:
            raise UsageError(
                f"what answers at {address} is not a Ray cluster (perhaps its dashboard)"
            )


def _import_ray() -> Any:
    # Otherwise Ray prints events of its nodes on standard output.
    os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")
    try:
        return importlib.import_module("ray")
    except ImportError:
        raise UsageError(
            "--device ray needs Ray, which is not installed: pip install 'uctlab[ray]'"
        ) from None
