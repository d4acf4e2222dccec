"""Pieces of work that a device does anywhere and in any order, and whose outcomes are kept."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from typing import Any, Protocol, TypeVar

from uctlab.arena.store import Store


class Task(Protocol):
    """A frozen dataclass that can be pickled; equal tasks have equal outcomes."""

    def perform(self) -> Any:
        """Do it. Python's cache of players and trees may help the next one."""


T = TypeVar("T", bound=Task)
Finished = Generator[tuple[T, Any], None, None]
Progress = Callable[[int, int], None]
"""Called with what is finished, and on disk if there is a store, and with how much there is."""


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
        outcomes = {task: kept[repr(task)] for task in tasks if repr(task) in kept}
    missing = [task for task in tasks if task not in outcomes]
    if not missing:
        return outcomes
    try:
        with closing(device.run(iter(missing))) as finished:
            for task, outcome in finished:
                if store is not None:
                    store.keep(repr(task), outcome)
                outcomes[task] = outcome
                if progress is not None:
                    progress(len(outcomes), len(tasks))
    except KeyboardInterrupt:
        pass
    return outcomes
