"""Runs tasks on the cores of this machine: its worker processes, and the program that each runs."""

from __future__ import annotations

import os
import pickle
import selectors
import subprocess
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NoReturn

from uctlab.arena.tasks import Finished, T
from uctlab.child_process import (
    LENGTH,
    Say,
    child_command,
    child_options,
    connect_to_parent,
    packed,
)
from uctlab.code_limits import ended_by
from uctlab.devices.scheduler import Kind, News, Pool, Schedule, Tasks, perform_here, performed
from uctlab.errors import LabError, UsageError

MAX_WORKERS = 1024
PATIENCE = 2.0  # seconds that a worker gets to exit


class Cpu:
    """Tasks on worker processes; with one worker, in this process."""

    def __init__(self, workers: int | None = None) -> None:
        if workers is not None and not 1 <= workers <= MAX_WORKERS:
            raise UsageError(f"there must be 1 to {MAX_WORKERS} workers, not {workers}")
        self.workers = workers or cores()
        self.compiles = self.workers > 1
        """Whether its workers compile for this process too: they share its cache."""

    def run(self, tasks: Iterator[T]) -> Finished[T]:
        jobs = Tasks(tasks)
        return perform_here(jobs) if self.workers == 1 else perform_on([{}] * self.workers, jobs)


def cores() -> int:
    """Number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# Worker processes, as their parent sees them


class Worker:
    """One process and its current job."""

    job: Any = None

    def __init__(self, environment: Mapping[str, str]) -> None:
        """`environment` has variables for this process alone."""
        self.environment = environment
        options = child_options()
        options["env"] |= environment
        self._process = subprocess.Popen(child_command("uctlab.devices.cpu"), **options)
        assert self._process.stdin and self._process.stdout
        self._input = self._process.stdin
        self.output = self._process.stdout
        self._heard = bytearray()

    def begin(self, job: Any) -> None:
        self.job = job
        with suppress(OSError):  # if it is dead, reading its output will show that
            self._input.write(packed(job))
            self._input.flush()

    def read(self) -> list[tuple[Kind, Any]]:
        """The replies that are complete; EOFError if the worker is dead."""
        heard = os.read(self.output.fileno(), 1 << 16)
        if not heard:
            raise EOFError
        self._heard += heard
        replies: list[tuple[Kind, Any]] = []
        while len(self._heard) >= (begin := LENGTH.size):
            end = begin + LENGTH.unpack_from(self._heard)[0]
            if len(self._heard) < end:
                break
            replies.append(pickle.loads(self._heard[begin:end]))
            del self._heard[:end]
        return replies

    def end(self) -> str:
        """Close its input, upon which it exits at once and stops its external programs; returns
        how it ended, in words."""
        with suppress(OSError):
            self._input.close()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self.output.close()
        code = self._process.returncode
        return f"signal {-code}" if code < 0 else f"exit code {code}"


class WorkerPool(Pool):
    """A worker for each environment, started with its first job; a context manager that leaves
    none behind."""

    def __init__(self, environments: Sequence[Mapping[str, str]]) -> None:
        self.workers: list[Worker] = []
        self._free = list(reversed(environments))
        self._ready = selectors.DefaultSelector()

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in list(self.workers):
            self.stop(worker)
        self._ready.close()

    def has_room(self) -> bool:
        return bool(self._free) or any(worker.job is None for worker in self.workers)

    def begin(self, job: Any) -> None:
        idle = next((worker for worker in self.workers if worker.job is None), None)
        (idle or self.start(self._free.pop())).begin(job)

    def start(self, environment: Mapping[str, str]) -> Worker:
        try:
            worker = Worker(environment)
        except OSError as error:
            which = len(self.workers) + 1
            raise LabError(f"worker {which} cannot be started: {error.strerror}") from None
        self.workers.append(worker)
        self._ready.register(worker.output, selectors.EVENT_READ, worker)
        return worker

    def stop(self, worker: Worker) -> str:
        self._ready.unregister(worker.output)
        self.workers.remove(worker)
        self._free.append(worker.environment)
        return worker.end()

    def rest(self) -> bool:
        """Stop workers without a job; whether a job is under way."""
        for worker in [worker for worker in self.workers if worker.job is None]:
            self.stop(worker)
        return bool(self.workers)

    def ready(self) -> list[Worker]:
        """Wait for a reply, or part of one, or a death."""
        return [key.data for key, _ in self._ready.select()]

    def wait(self) -> Iterator[News]:
        """News, as soon as there are any."""
        for worker in self.ready():
            job = worker.job
            try:
                replies = worker.read()
            except EOFError:
                yield News(job, "lost", self.stop(worker))
                continue
            for kind, value in replies:
                if kind != "part":
                    worker.job = None
                yield News(job, kind, value)


def perform_on(environments: Sequence[Mapping[str, str]], jobs: Tasks) -> Finished[Any]:
    """Perform all jobs on a worker for each environment."""
    with WorkerPool(environments) as pool:
        schedule = Schedule(jobs, pool)
        schedule.begin()
        while pool.rest():
            yield from schedule.take(pool.wait(), eager=True)
            schedule.begin()


# The program of a worker process, which performs jobs and replies with their outcomes


def main() -> None:
    # Jobs are unpickled one by one in `_perform`, so that one that fails there is reported.
    jobs, say = connect_to_parent(bytes)

    def end(message: str) -> NoReturn:
        say(("failed", UsageError(message)))
        os._exit(2)

    with ended_by(end):
        while True:
            _perform(jobs.get(), say)


def _perform(pickled: bytes, say: Say) -> None:
    try:
        for reply in performed(pickle.loads(pickled)):
            say(reply)
    except UsageError as mistake:
        say(("failed", UsageError(str(mistake))))
    except BaseException:
        say(("failed", LabError(f"a worker failed:\n{traceback.format_exc()}")))


if __name__ == "__main__":
    main()
