"""Work for a GPU: batches of games or searches, each performed by one GPU and told in parts.

A batch is performed in this process, in a process of its own or on a node of a cluster. A `Ledger`
is kept where the work comes from: what of each batch is done, and how far its games have got. So
it knows the rest of a batch that is lost.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from uctlab.agents import Agent
from uctlab.agents.refusals import refuse_on_gpu
from uctlab.arena.game import GameTask
from uctlab.arena.plan import MatchPlan
from uctlab.arena.player import own_sides
from uctlab.arena.search_task import SearchTask
from uctlab.arena.tasks import Batch
from uctlab.devices import checkpoint
from uctlab.devices.checkpoint import Checkpoint, SavedGames, keys_of
from uctlab.devices.scheduler import Tasks
from uctlab.errors import UsageError
from uctlab.games import Game
from uctlab.mcts.binding import bind_for_gpu
from uctlab.mcts.searcher import DEFAULT_MEMORY

GpuTask = GameTask | SearchTask
MAX_PLAYOUTS = 2**30  # final=both may double them, and half points are counted in 32 bits
MOST_TASKS = 65_536  # of a batch: more trees hardly fit into a GPU at once


class BatchNews(NamedTuple):
    """News of a batch."""

    outcomes: list[tuple[int, Any]]
    """Newly finished tasks, by their numbers in the batch."""
    begun: float = 0.0
    """Work done on unfinished tasks, as a number of tasks."""
    simulations: int = 0
    """Of the whole batch so far."""
    status: str = ""
    """What is being done if it is not searching."""
    saved: SavedGames | None = None
    """The unfinished games, now and then."""
    urgent: bool = False
    """Whether they must be written at once, since this is the last part."""


@dataclass(frozen=True, eq=False)
class GpuBatch:
    """Games or searches of one kind of game."""

    tasks: tuple[GpuTask, ...]
    saved: SavedGames | None = None
    """How far they have got."""
    pause: float = checkpoint.SECONDS
    """Seconds between two parts that have the unfinished games."""

    def __str__(self) -> str:
        return f"a batch of {len(self.tasks):,} that begins with {self.tasks[0]}"

    def parts(self) -> Iterator[BatchNews]:
        """Perform the batch on the GPU of this process."""
        from uctlab.devices.cuda_driver import require_gpu  # noqa: PLC0415 (numba-cuda is slow)
        from uctlab.devices.cuda_games import play_games  # noqa: PLC0415 (likewise)
        from uctlab.devices.cuda_search_tasks import choose_moves  # noqa: PLC0415 (likewise)

        require_gpu()
        games = [task for task in self.tasks if isinstance(task, GameTask)]
        if games:
            return play_games(games, self.saved, self.pause)
        return choose_moves([task for task in self.tasks if isinstance(task, SearchTask)])


def split(tasks: Sequence[GpuTask], gpus: int, saved: SavedGames | None) -> list[GpuBatch]:
    """An equal share of each kind of game for each GPU, or smaller ones if those are too large."""
    kinds: dict[Any, list[GpuTask]] = {}
    for task in tasks:
        kinds.setdefault(_kind(task), []).append(task)
    batches = []
    for alike in kinds.values():
        number = max(min(gpus, len(alike)), -(-len(alike) // MOST_TASKS))
        for share in _shares(alike, number):
            batches.append(GpuBatch(tuple(share), _of(share, saved), checkpoint.SECONDS))
    return batches


def _shares(tasks: list[GpuTask], number: int) -> list[list[GpuTask]]:
    """Shares that take equally long.

    Games are ranges of the list, in which all matches take turns. Lists of searches often have the
    long ones at the end: a share takes them in turn.
    """
    if isinstance(tasks[0], SearchTask):
        return [tasks[i::number] for i in range(number)]
    cuts = [i * len(tasks) // number for i in range(number + 1)]
    return [tasks[a:b] for a, b in pairwise(cuts)]


def _kind(task: GpuTask) -> Any:
    if isinstance(task, GameTask):
        return GameTask, task.plan.game, task.plan.own_game
    return SearchTask, task.game


def _of(tasks: Sequence[GpuTask], saved: SavedGames | None) -> SavedGames | None:
    games = [task for task in tasks if isinstance(task, GameTask)]
    return saved.only(keys_of(games)) if saved is not None and games else None


class _Standing:
    """How far a batch has got."""

    def __init__(self, batch: GpuBatch) -> None:
        self.left = set(range(len(batch.tasks)))
        self.begun = 0.0
        self.saved = batch.saved


class Ledger(Tasks):
    """What is known of the batches that are waiting and under way."""

    def __init__(self, batches: Sequence[GpuBatch], kept: Checkpoint | None) -> None:
        super().__init__(iter(()))
        self.waiting = deque(batches)
        self._checkpoint = kept
        self._running: dict[GpuBatch, _Standing] = {}
        self._simulations: dict[GpuBatch, int] = {}
        self._begin: float | None = None
        self._written = -math.inf
        """When the file was, on the clock of time.monotonic."""

    def next(self) -> GpuBatch | None:
        """The next batch to begin, if there is one."""
        if not self.waiting:
            return None
        batch = self.waiting.popleft()
        self._running[batch] = _Standing(batch)
        return batch

    def note(self, batch: GpuBatch, part: BatchNews) -> Batch[Any]:
        """News of a batch, as a report on all of them."""
        now = time.perf_counter()
        standing = self._running[batch]
        standing.left -= {number for number, _ in part.outcomes}
        standing.begun = part.begun
        self._simulations[batch] = part.simulations
        if not part.status and self._begin is None:
            self._begin = now
        if not any(one.left for one in self._running.values()) and not self.waiting:
            self._remove()  # now: the caller may not ask again after the last tasks
        speed = sum(self._simulations.values()) / max(now - (self._begin or now), 1e-9)
        return Batch(
            [(batch.tasks[number], outcome) for number, outcome in part.outcomes],
            sum(one.begun for one in self._running.values()),
            part.status or f"{speed:.2e} simulations per second",
        )

    def keep(self, batch: GpuBatch, part: BatchNews) -> None:
        """Save the unfinished games if the part has them, once its outcomes are in the store.

        The file has the games of all batches, so it is written once for all that come together.
        """
        if part.saved is None:
            return
        self._running[batch].saved = part.saved
        if self._checkpoint is None:
            return
        if time.monotonic() - self._written < batch.pause and not part.urgent:
            return
        saved = [one.saved for one in self._running.values() if one.saved and one.left]
        saved += [one.saved for one in self.waiting if one.saved]
        if saved:
            self._checkpoint.save(saved)
            self._written = time.monotonic()

    def end(self, batch: GpuBatch) -> None:
        """It is over."""
        del self._running[batch]

    def lose(self, batch: GpuBatch) -> GpuBatch | None:
        """What is left of a batch whose process or node is gone; it goes on from its last news."""
        standing = self._running.pop(batch)
        if not standing.left:
            return None
        tasks = tuple(batch.tasks[number] for number in sorted(standing.left))
        rest = GpuBatch(tasks, _of(tasks, standing.saved), batch.pause)
        self.waiting.appendleft(rest)
        return rest

    def _remove(self) -> None:
        if self._checkpoint is not None:
            self._checkpoint.remove()


# What a GPU can play


def check_plan(plan: MatchPlan) -> None:
    """Raise a UsageError for what a GPU cannot do."""
    game = plan.load_game()
    agents = [plan.load_agent(side, game) for side in own_sides(plan)]
    refused = {
        "a budget in seconds: give --playouts": plan.seconds is not None,
        f"{MAX_PLAYOUTS:,} playouts or more": (plan.playouts or 0) >= MAX_PLAYOUTS,
        "trees that are kept from move to move": plan.reuse,
        "a limit on the memory of a tree": plan.memory != DEFAULT_MEMORY,
        "external programs": len(agents) < 2,
    }
    for what, given in refused.items():
        if given:
            raise UsageError(f"--device cuda does not support {what}")
    for agent in agents:
        refuse_on_gpu(agent)


def suits_gpu(game: Game, agent: Agent) -> bool:
    """Whether a GPU has kernels for the agent in that game."""
    try:
        bind_for_gpu(game, agent)
    except UsageError:
        return False
    return True


def plan_suits_gpu(plan: MatchPlan) -> bool:
    """Whether a GPU can play the games of that match."""
    try:
        check_plan(plan)
    except UsageError:
        return False
    game = plan.load_game()
    return all(suits_gpu(game, plan.load_agent(side, game)) for side in "ab")
