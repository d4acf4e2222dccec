"""Pieces of work that a device does anywhere and in any order, and whose outcomes are kept."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from uctlab.arena.store import Store
from uctlab.user_modules import digest_of_files


class Task(Protocol):
    """A frozen dataclass that can be pickled; equal tasks have equal outcomes."""

    def perform(self) -> Any:
        """Do it. Python's cache of players and trees may help the next one."""


T = TypeVar("T", bound=Task)


@dataclass(frozen=True)
class Batch(Generic[T]):
    """News from a device."""

    outcomes: list[tuple[T, Any]]
    """Tasks that are finished now, each with what came of it."""
    begun: float = 0.0
    """How many tasks' worth of work has gone into unfinished ones, where the device knows."""
    status: str = ""
    """How fast it goes, where the device has something to say about it."""


Finished = Generator[Batch[T], None, None]
Progress = Callable[[int, int, float, str], None]
"""Called with what is finished, and on disk if there is a store, with how much there is, and with
`begun` and `status` of a batch."""


class Device(Protocol):
    """Where tasks are done."""

    def run(self, tasks: Iterator[T]) -> Finished[T]:
        """Every task once, in any order; closing the generator stops the work."""


def run_tasks(
    tasks: Sequence[T],
    device: Device,
    store: Store | None = None,
    progress: Progress | None = None,
) -> dict[T, Any]:
    """Outcomes that JSON can hold, by task, less what the store has; Ctrl-C ends it early."""
    outcomes: dict[T, Any] = {}
    if store is not None:
        kept = store.outcomes()
        outcomes = {task: kept[_key(task)] for task in tasks if _key(task) in kept}
    missing = [task for task in tasks if task not in outcomes]
    if not missing:
        return outcomes
    if progress is not None:
        progress(len(outcomes), len(tasks), 0.0, "")
    try:
        with closing(device.run(iter(missing))) as finished:
            for batch in finished:
                if store is not None:
                    store.keep({_key(task): outcome for task, outcome in batch.outcomes})
                outcomes.update(batch.outcomes)
                if progress is not None:
                    progress(len(outcomes), len(tasks), batch.begun, batch.status)
    except KeyboardInterrupt:
        pass
    return outcomes


def _key(task: Task) -> str:
    """Of the outcome in a store: the task in words, and what is in files of the user's own."""
    kind = type(task).__name__
    text = getattr(task, "STORED_AS", kind) + repr(task).removeprefix(kind)
    own = digest_of_files(text)
    if not type(task).__module__.startswith("uctlab."):
        own += digest_of_files(inspect.getsourcefile(type(task)) or "")
    return f"{text} {hashlib.sha256(own.encode()).hexdigest()[:16]}" if own else text
