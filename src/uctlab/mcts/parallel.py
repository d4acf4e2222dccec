"""Threads that grow one tree: their memory, and how they are set to work.

Python threads call compiled code that does not hold the interpreter's lock. The thread that asks
for playouts makes some itself; helpers come from a pool that all searches share.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cache
from typing import Any

import numpy as np

from uctlab.agents import MAX_THREADS, Agent
from uctlab.games import Game
from uctlab.kernel import seed_rng
from uctlab.mcts.binding import bind_shared, work_sizes
from uctlab.mcts.parallel_loop import (
    BLOCK,
    BLOCK_AT,
    BLOCK_END,
    LEFT_BEHIND,
    MUTEX,
    OWN_LENGTH,
    SHARED_LENGTH,
    TICKETS,
)
from uctlab.mcts.tree import CLAIMED, DEEPEST, LAST_DEPTH, LAST_OUTCOME, USED
from uctlab.sigint import defer_sigint

MAX_AT_ONCE = 16  # tickets, which are the fewer the less there is to do
SHARES = 8  # of each thread, at the least, so that none waits long for another at the end
NO_MORE = 2**62  # a ticket that is behind the last one
APART = 128  # bytes: cache lines come in pairs


class Team:
    """The threads of one search."""

    def __init__(self, game: Game, agent: Agent, *, inject_yields: bool = False) -> None:
        self._agent = agent
        self._kernel = bind_shared(game, agent, inject_yields=inject_yields)
        self._shared = np.zeros(SHARED_LENGTH, np.int64)
        self._threads = [_Thread(game, agent) for _ in range(agent.threads)]
        self.path, self.trace = self._threads[0].path, self._threads[0].trace
        """Of the last playout of the first thread."""
        self.seeded = False

    def forget(self) -> None:
        """Another tree: nothing of the last one is known, random numbers are to be others."""
        self.seeded = False
        self.leave_blocks()

    def leave_blocks(self) -> None:
        """The tree has moved, and left no holes."""
        for thread in self._threads:
            thread.own[:] = 0

    def seed(self, seed: int) -> None:
        self.seeded = True
        for stream, thread in enumerate(self._threads, 1):
            thread.rng[:] = seed_rng(seed, stream)

    def run(self, nodes: Any, counters: np.ndarray, root: Any, playouts: int) -> None:
        """That many playouts from the position `root`, by all threads together."""
        self._shared[TICKETS] = 0
        workers = self._threads[: max(1, min(len(self._threads), playouts))]
        grab = max(1, min(MAX_AT_ONCE, playouts // (SHARES * len(workers))))
        for thread in workers:
            thread.states[0] = root
        jobs = [
            (
                *(nodes, counters, self._shared, *thread.memory),
                *(self._agent.params, playouts, grab),
            )
            for thread in workers
        ]
        try:
            work_together(self._work, jobs)
        except Exception:
            _lay_to_rest(nodes[: int(counters[USED])])
            raise
        deepest = max(int(thread.own[DEEPEST]) for thread in workers)
        counters[DEEPEST] = max(int(counters[DEEPEST]), deepest)
        last = slice(LAST_DEPTH, LAST_OUTCOME + 1)
        counters[last] = workers[0].own[last]

    def _work(self, *job: Any) -> None:
        """In a thread. Rules of the user's own may raise; the others then end without waiting."""
        try:
            self._kernel(*job)
        except BaseException:
            self._shared[TICKETS], self._shared[MUTEX] = NO_MORE, 0
            raise

    @property
    def unused(self) -> int:
        """Nodes in blocks that hold nothing."""
        return sum(
            int(t.own[BLOCK_END] - t.own[BLOCK_AT] + t.own[LEFT_BEHIND]) for t in self._threads
        )


def room_for_blocks(needed: int, threads: int) -> int:
    """How large a tree of so many nodes may get when threads take blocks."""
    return needed + needed // 4 + threads * BLOCK


def _lay_to_rest(nodes: Any) -> None:
    """Take back what playouts that came to no end have left in the tree."""
    nodes["pending"] = 0
    nodes["count"][nodes["count"] == CLAIMED] = 0


class _Thread:
    """The memory of one thread, far from that of the others."""

    def __init__(self, game: Game, agent: Agent) -> None:
        sizes = work_sizes(game, agent)
        self.own = _apart(np.zeros(OWN_LENGTH, np.int64))
        self.states: Any = _apart(game.new_states(sizes.states))
        self.path = _apart(np.zeros(sizes.path, np.int64))
        self.trace = _apart(game.new_trace())
        self.rng = _apart(np.zeros(1, np.uint64))
        self.memory = (
            *(self.own, self.states, self.path, _apart(game.new_out())),
            *(self.trace, _apart(np.zeros((3, sizes.marks), np.int64)), self.rng),
        )


def _apart(array: np.ndarray) -> np.ndarray:
    """The same array in a piece of memory with nothing else in its cache lines."""
    block = np.zeros(array.nbytes + 2 * APART, np.uint8)
    inside = block[APART : APART + array.nbytes].view(array.dtype).reshape(array.shape)
    return inside.view(type(array))


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(MAX_THREADS, "uctlab")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # threads stay behind in the parent


def work_together(work: Callable[..., Any], jobs: Sequence[tuple[Any, ...]]) -> None:
    """Do all jobs, the first in this thread, and return when no thread is at work any more.

    Ctrl-C waits for that: a thread that it stops may hold what others wait for.
    """
    # Not the pool's own: when it cannot start a thread, one that it has may take the job later.
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
