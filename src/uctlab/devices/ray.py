"""Runs tasks on a Ray cluster, spread over its nodes.

Ray itself repeats no task (max_retries=0): a game that was lost with its node is submitted again
here, where retries can be counted. Every node needs uctlab, and the user's files under the same
paths.
"""

from __future__ import annotations

import importlib
import logging
import os
import re
import socket
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from uctlab.arena.tasks import Batch, Finished, T, Task
from uctlab.bench.machine import program_version
from uctlab.devices.cpu import MAX_WORKERS, cores
from uctlab.errors import LabError, UsageError
from uctlab.sigint import defer_sigint

AHEAD = 2  # games submitted per core, so that no core waits for its next game
WAIT_SECONDS = 1.0  # after which the size of the cluster is checked again
MAX_FAILURES = 10  # how often one game may be lost with its worker or node
CONNECT_SECONDS = 5.0
HTTP2_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"  # RFC 9113, section 3.4
HTTP2_SETTINGS = b"\x04"  # the type of the frame with which a gRPC server, such as Ray's, answers


class RayCluster:
    """Runs tasks on the cluster at an address, or on one started on this machine."""

    def __init__(self, address: str = "", workers: int | None = None) -> None:
        if workers is not None and not 1 <= workers <= MAX_WORKERS:
            raise UsageError(f"there must be 1 to {MAX_WORKERS} workers, not {workers}")
        self._ray = _import_ray()
        self._address = address
        self._workers = workers

    def run(self, tasks: Iterator[T]) -> Finished[T]:
        ray = self._ray
        ours = not ray.is_initialized()
        version = program_version()
        flying: dict[Any, T] = {}
        failures: dict[T, int] = {}
        try:
            if ours:
                self._connect()
            hand_over = ray.remote(num_cpus=1, max_retries=0)(_perform).remote
            while True:
                while len(flying) < self._room() and (task := next(tasks, None)) is not None:
                    flying[hand_over(task, os.getcwd(), version)] = task
                if not flying:
                    return
                done, _ = ray.wait(list(flying), timeout=WAIT_SECONDS)
                for reference in done:
                    task = flying.pop(reference)
                    try:
                        outcome = ray.get(reference)
                    except ray.exceptions.RayError as error:
                        self._raise_if_task_failed(error)
                        failures[task] = failures.get(task, 0) + 1
                        if failures[task] == MAX_FAILURES:
                            raise LabError(
                                f"{task} was lost {MAX_FAILURES} times, most recently: {error}"
                            ) from None
                        flying[hand_over(task, os.getcwd(), version)] = task
                        continue
                    yield Batch([(task, outcome)])
        finally:
            if ours:
                with defer_sigint():  # an interrupted shutdown leaves processes behind
                    ray.shutdown()  # ends our games; a cluster that we did not start keeps running
            else:
                for reference in flying:
                    ray.cancel(reference, force=True)

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
                        address="local", num_cpus=number, include_dashboard=False, **quiet
                    )
        except UsageError:
            raise
        except (OSError, OverflowError, RuntimeError, ValueError, known.RayError) as error:
            if self._address:
                raise UsageError(f"no Ray cluster answers at {self._address}: {error}") from None
            raise LabError(f"Ray does not start on this machine: {error}") from None

    def _room(self) -> int:
        """How many games may be submitted now; nodes come and go."""
        alive = int(self._ray.cluster_resources().get("CPU", 0))
        room = AHEAD * max(1, alive)
        return min(room, self._workers) if self._workers else room

    def _raise_if_task_failed(self, error: Exception) -> None:
        """Distinguish a task that failed by itself from one whose worker or node is gone."""
        known = self._ray.exceptions
        if not isinstance(error, known.RayTaskError):
            return
        if isinstance(error.cause, known.TaskCancelledError):  # Ctrl-C has reached the worker
            return
        if isinstance(error.cause, UsageError):
            raise UsageError(str(error.cause)) from None
        plain = re.sub(r"\x1b\[\d*m", "", str(error))  # Ray colours its tracebacks
        raise LabError(f"a worker failed:\n{plain}") from None


def _perform(task: Task, folder: str, version: str) -> Any:
    """Runs on a node: paths given by the user are relative to the main program's folder.

    Outcomes are stored as those of the main program's version, so no other may make them.
    """
    if version != program_version():
        raise UsageError(
            f"the node {socket.gethostname()} has uctlab {program_version()}, but this program is "
            f"{version}; install the same version on all nodes"
        )
    with suppress(OSError):
        os.chdir(folder)
    return task.perform()


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
