"""Tree parallelism: the threads that grow one tree, and their memory.

Python threads call compiled code that releases the GIL. The thread that asks for playouts makes
some itself; its helpers come from a pool that all searches share.

Where they would often wait for each other's cache lines, each has copies of nodes
(parts/local_copies.py).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cache
from typing import Any

import numpy as np

from uctlab.agents import MAX_THREADS
from uctlab.games.guard import Guarded
from uctlab.kernels import seed_rng
from uctlab.mcts.binding import Binding
from uctlab.mcts.overruns import NO_FAULT, Overruns
from uctlab.mcts.parallel_loop import search_shared
from uctlab.mcts.workspace import Tree, arrays_of, new_work, reset_arrays
from uctlab.parts.layout import CLAIMED, DEEPEST, FAULT, LAST_DEPTH, LAST_OUTCOME, ROOT, USED
from uctlab.parts.local_copies import (
    COPIES,
    COPIES_END,
    COPIES_USED,
    CROWD,
    UNSEEN,
    end,
)
from uctlab.parts.shared_sketches import draw_moves
from uctlab.parts.threads import (
    BLOCK,
    BLOCK_AT,
    BLOCK_END,
    LEFT_BEHIND,
    MUTEX,
    OWN_LENGTH,
    RESERVED,
    SHARED_LENGTH,
    TICKETS,
)
from uctlab.sigint import defer_sigint

MAX_AT_ONCE = 16  # tickets; fewer when there is less to do
SHARES = 8  # at least this many per thread, so that none waits long at the end
NO_MORE = 2**62  # beyond the last ticket
SPACE = 8  # nodes, of 16 bytes at least: that far apart
COPY_ROOM = 16384  # nodes for a thread's copies: 0.4 MB, so that they stay in its core's cache
COPY_SHARE = 8  # an eighth of all nodes at most is for copies


class Team:
    """The threads of one search."""

    def __init__(self, binding: Binding) -> None:
        agent = binding.agent
        self._params = binding.params
        self._kernel = binding.bind(search_shared)
        self._draw_moves = binding.bind(draw_moves) if binding.has("shared_sketches") else None
        self._shared = np.zeros(SHARED_LENGTH, np.int64)
        self._threads = [_Thread(binding) for _ in range(int(agent.option("threads")))]
        arrays = arrays_of(binding.parts)
        self._common = [array.name for array in arrays if array.common or array.per_node]
        self._seeded = False
        self._sums = binding.node_sums
        self._copy_room = COPY_ROOM if self._sums else 0
        self._end = binding.bind(end, seldom=True)

    def room_for(self, nodes: int) -> int:
        """Includes the rest of every thread's block, and what was left unused in earlier blocks."""
        threads = len(self._threads)
        return nodes + nodes // 4 + threads * BLOCK + min(threads * self._copy_room, nodes // 4)

    def forget(self) -> None:
        self._seeded = False
        self.compacted()

    def compacted(self) -> None:
        """Threads give up their blocks."""
        for thread in self._threads:
            thread.own[:] = 0

    def begin(self, seed: int) -> None:
        """Every thread has its own random stream, which continues while the tree is reused."""
        if not self._seeded:
            self._seeded = True
            for stream, thread in enumerate(self._threads, 1):
                thread.work.rng[:] = seed_rng(seed, stream)
                reset_arrays(thread.work, "tree")
        for thread in self._threads:
            reset_arrays(thread.work, "search")

    def last_work(self, work: Any) -> Any:
        """The memory of the first thread."""
        return self._threads[0].work

    def grow(self, tree: Tree, work: Any, playouts: int) -> None:
        """Make that many playouts from work.states[0], all threads together."""
        nodes, counters = tree
        if self._draw_moves is not None and work.sketch[0, 1] == 0.0:
            self._draw_moves(nodes, 0, int(counters[USED]), work.sketch)
        self._shared[TICKETS] = 0
        workers = self._threads[: max(1, min(len(self._threads), playouts))]
        grab = max(1, min(MAX_AT_ONCE, playouts // (SHARES * len(workers))))
        for thread in workers:
            thread.work.states[0] = work.states[0]
        self._room_for_copies(tree, workers)
        words, places = self._sums_in(nodes)
        common = work._asdict() | {"shared": self._shared, "words": words, "places": places}
        common = {name: common[name] for name in self._common}
        jobs = [
            (tree, thread.work._replace(**common), self._params, playouts, grab)
            for thread in workers
        ]
        try:
            work_together(self._work, jobs)
        except Exception:
            _clear_pending(nodes[: int(counters[USED])])
            if self._sums:
                for job in jobs:
                    self._end(*job[:3])
            raise
        if any(thread.own[FAULT] for thread in workers):
            _clear_pending(nodes[: int(counters[USED])])
        deepest = max(int(thread.own[DEEPEST]) for thread in workers)
        counters[DEEPEST] = max(int(counters[DEEPEST]), deepest)
        last = slice(LAST_DEPTH, LAST_OUTCOME + 1)
        counters[last] = workers[0].own[last]

    def _room_for_copies(self, tree: Tree, workers: list[_Thread]) -> None:
        """The end of the array, in equal parts, unless the tree already reaches there."""
        nodes, counters = tree
        each = min(self._copy_room, len(nodes) // (COPY_SHARE * len(workers)))
        if len(workers) == 1 or len(nodes) - each * len(workers) < counters[USED]:
            each = 0
        for number, thread in enumerate(workers, 1):
            own = thread.own
            own[RESERVED] = each * len(workers)
            own[COPIES] = own[COPIES_END] = len(nodes) - own[RESERVED] + each * number
            own[CROWD] = UNSEEN * len(workers)
            if each > SPACE:
                own[COPIES] -= each - SPACE
            own[COPIES_USED] = own[COPIES] + 1
            own[ROOT] = 0

    def _sums_in(self, nodes: Any) -> tuple[np.ndarray, np.ndarray]:
        """The nodes as words, and where in a node's words its sums are, after their number."""
        kind = nodes.dtype
        words = np.asarray(nodes).view(np.float64) if self._sums else np.zeros(1)
        places = [kind.fields[name][1] // 8 for name in self._sums] or [0]
        return words, np.array([kind.itemsize // 8, *places], np.int64)

    def _work(self, *job: Any) -> None:
        """Runs in each thread. If a user's rule raises, or a game breaks its limits, the other
        threads stop without waiting."""
        own, done = job[1].own, False
        try:
            self._kernel(*job)
            done = own[FAULT] == NO_FAULT
        finally:
            if not done:
                self._shared[TICKETS], self._shared[MUTEX] = NO_MORE, 0

    @property
    def overruns(self) -> list[Overruns]:
        """What checks the guarded arrays of the threads."""
        return [thread.overruns for thread in self._threads]

    @property
    def unused(self) -> int:
        """Number of unused nodes in the threads' blocks."""
        return sum(
            int(t.own[BLOCK_END] - t.own[BLOCK_AT] + t.own[LEFT_BEHIND]) for t in self._threads
        )


def _clear_pending(nodes: Any) -> None:
    """Remove the virtual losses and claims of playouts that were not completed."""
    nodes["pending"] = 0
    nodes["count"][nodes["count"] == CLAIMED] = 0


class _Thread:
    """The memory of one thread, which shares no cache line with the others."""

    def __init__(self, binding: Binding) -> None:
        self.own = Guarded(OWN_LENGTH, np.int64).array
        work, guards = new_work(binding.setting, binding.parts)
        self.work = work._replace(own=self.own)
        self.overruns = Overruns(binding.game, guards, self.own, self.work)


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(MAX_THREADS, "uctlab")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # a forked child has none of the threads


def work_together(work: Callable[..., Any], jobs: Sequence[tuple[Any, ...]]) -> None:
    """Do all jobs, the first in this thread, and return when no thread is working any more.

    Ctrl-C is deferred until then: an interrupted thread might hold a lock that others wait for.
    """
    # Not the pool's futures: if it cannot start a thread, an existing one may take the job later.
    helpers: list[Future[None]] = [Future() for _ in jobs[1:]]
    with defer_sigint():
        try:
            for helper, job in zip(helpers, jobs[1:], strict=True):
                _pool().submit(_help, helper, work, job)
            work(*jobs[0])
        except BaseException:
            wait([helper for helper in helpers if not helper.cancel()])
            raise
        wait(helpers)
    for helper in helpers:
        helper.result()


def _help(helper: Future[None], work: Callable[..., Any], job: tuple[Any, ...]) -> None:
    if helper.set_running_or_notify_cancel():
        try:
            work(*job)
        except BaseException as failure:
            helper.set_exception(failure)
        else:
            helper.set_result(None)
