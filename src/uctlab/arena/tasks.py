"""The interface between work and devices: tasks, and how their outcomes are made and stored."""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from uctlab.arena.store import Store
from uctlab.arena.versions import Share, refuse_mixture
from uctlab.user_modules import digest_of_files


class Task(Protocol):
    """A frozen dataclass that can be pickled; equal tasks have equal outcomes.

    If it has a property `kernels`, the digest of what it computes (mcts/rules_digest.py), a store
    can go on after an update of uctlab that leaves the kernels alone.
    """

    def perform(self) -> Any:
        """Do the work and return its outcome; players and trees may be cached for the next task."""


T = TypeVar("T", bound=Task)


@dataclass(frozen=True)
class Batch(Generic[T]):
    """A progress report of a device."""

    outcomes: list[tuple[T, Any]]
    """Newly finished tasks with their outcomes."""
    begun: float = 0.0
    """Work done on unfinished tasks, as a number of tasks, if the device knows it."""
    status: str = ""
    """The speed in words, if the device reports one."""


Finished = Generator[Batch[T], None, None]
Progress = Callable[[int, int, float, str], None]
"""Called with the number of finished tasks (already on disk if there is a store), the number of all
tasks, and the `begun` and `status` of a batch."""


class Device(Protocol):
    """A place where tasks are performed: cores, a cluster, a GPU.

    If it has an attribute `searches_on_cpu` that is false, kernels of our own searches are not
    compiled for a CPU before games begin.
    """

    def run(self, tasks: Iterator[T]) -> Finished[T]:
        """Perform every task once, in any order; closing the generator stops the work."""


def run_tasks(
    tasks: Sequence[T],
    device: Device,
    store: Store | None = None,
    progress: Progress | None = None,
    *,
    mix_versions: bool = False,
) -> dict[T, Any]:
    """Perform the tasks that the store lacks and return all outcomes, which must fit into JSON.

    Ctrl-C stops early with the outcomes so far. UsageError if outcomes in the store are of a
    version with other kernels, unless `mix_versions` allows that.
    """
    outcomes: dict[T, Any] = {}
    if store is not None:
        kept = store.outcomes()
        outcomes = {task: kept[_key(task)] for task in tasks if _key(task) in kept}
    missing = [task for task in tasks if task not in outcomes]
    if not missing:
        return outcomes

    def tell(begun: float = 0.0, status: str = "") -> None:
        if progress is not None:
            progress(len(outcomes), len(tasks), begun, status)

    try:
        if store is not None and not mix_versions:
            _refuse_mixture(store, outcomes, tell)
        tell()
        with closing(device.run(iter(missing))) as finished:
            for batch in finished:
                if store is not None and batch.outcomes:
                    store.keep(
                        {_key(task): outcome for task, outcome in batch.outcomes},
                        {_key(task): _kernels(task) for task, _ in batch.outcomes},
                    )
                outcomes.update(batch.outcomes)
                tell(batch.begun, batch.status)
    except KeyboardInterrupt:
        pass
    return outcomes


def _refuse_mixture(
    store: Store, outcomes: Mapping[T, Any], tell: Callable[[float, str], None]
) -> None:
    """UsageError if these outcomes are of versions with other kernels.

    A task is performed again where digests cannot tell, and the store notes what came out.
    """
    origins = store.origins()
    found: dict[tuple[str, str, str], list[T]] = {}
    for task in outcomes:
        origin = origins[_key(task)]
        found.setdefault((origin.version, origin.kernels, _kernels(task)), []).append(task)
    for (version, then, now), group in found.items():

        def compare(share: Share, group: Sequence[T] = group, now: str = now) -> str:
            tell(0.0, f"performing a task by uctlab {share.version} again")
            if json.loads(json.dumps(group[0].perform())) != outcomes[group[0]]:
                return "different"
            store.renew(now, tasks=map(_key, group))
            return ""

        shares = [Share(version, then, len(group))]
        refuse_mixture(str(store.path), shares, now, compare, "outcomes")


def _kernels(task: Task) -> str:
    return str(getattr(task, "kernels", ""))


def _key(task: Task) -> str:
    """The key of an outcome in a store: the task as text, and a digest of the user's files."""
    kind = type(task).__name__
    text = getattr(task, "STORED_AS", kind) + repr(task).removeprefix(kind)
    own = digest_of_files(text)
    if not type(task).__module__.startswith("uctlab."):
        own += digest_of_files(inspect.getsourcefile(type(task)) or "")
    return f"{text} {hashlib.sha256(own.encode()).hexdigest()[:16]}" if own else text
