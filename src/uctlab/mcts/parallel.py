"""Tree parallelism: the threads that grow one tree, and their memory.

Python threads call compiled code that releases the GIL. The thread that asks for playouts makes
some itself; its helpers come from a pool that all searches share.

Every playout counts at the root and at one of its moves, so that threads would wait for their cache
lines. If all that a node keeps are sums over its playouts, each thread counts in copies of its own,
at the end of the array of nodes. The root's sums are added up when the threads have come to their
end; how many playouts have begun before its own, a thread knows from its ticket. Of the moves a
thread adds its share, and learns the others', whenever it takes new tickets.
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
from uctlab.kernels import seed_rng
from uctlab.mcts.binding import Binding
from uctlab.mcts.parallel_loop import (
    BEFORE,
    BLOCK,
    BLOCK_AT,
    BLOCK_END,
    LEFT_BEHIND,
    MADE,
    MUTEX,
    OWN_LENGTH,
    RESERVED,
    ROOT,
    SHARED_LENGTH,
    TICKETS,
    TOP,
    Sums,
    search_shared,
)
from uctlab.mcts.tree import CLAIMED, DEEPEST, LAST_DEPTH, LAST_OUTCOME, USED
from uctlab.mcts.workspace import Tree, Work, new_work
from uctlab.rules.select.shared_sketch import draw_moves
from uctlab.sigint import defer_sigint

MAX_AT_ONCE = 16  # tickets; fewer when there is less to do
SHARES = 8  # at least this many per thread, so that none waits long at the end
NO_MORE = 2**62  # beyond the last ticket
APART = 128  # bytes: processors fetch cache lines in pairs
SPACE = 8  # nodes, of 16 bytes at least: that far apart


class Team:
    """The threads of one search."""

    def __init__(self, binding: Binding) -> None:
        agent = binding.agent
        self._params = agent.params
        self._kernel = binding.bind(search_shared)
        self._draw_moves = binding.bind(draw_moves) if binding.sketches else None
        self._shared = np.zeros(SHARED_LENGTH, np.int64)
        self._threads = [_Thread(binding.game, agent) for _ in range(agent.threads)]
        self._seeded = False
        self._sums = binding.node_sums
        # For a thread's copies of the root and its moves, and of what the moves were.
        self._top_room = 2 * (SPACE + binding.game.max_moves) + 1 if self._sums else 0

    def room_for(self, nodes: int) -> int:
        """Includes the rest of every thread's block, and what was left unused in earlier blocks."""
        return nodes + nodes // 4 + len(self._threads) * (BLOCK + self._top_room)

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
                thread.work.rave_marks[1, -1] = 0
                thread.work.learned[:] = 0.0

    def last_work(self, work: Work) -> Work:
        """The memory of the first thread."""
        return self._threads[0].work

    def grow(self, tree: Tree, work: Work, playouts: int) -> None:
        """Make that many playouts from work.states[0], all threads together."""
        nodes, counters = tree
        if self._draw_moves is not None and work.sketch[0, 1] == 0.0:
            self._draw_moves(nodes, 0, int(counters[USED]), work.sketch)
        self._shared[TICKETS] = 0
        workers = self._threads[: max(1, min(len(self._threads), playouts))]
        grab = max(1, min(MAX_AT_ONCE, playouts // (SHARES * len(workers))))
        for thread in workers:
            thread.work.states[0] = work.states[0]
        self._copy_root(tree, workers)
        sums = self._places(nodes)
        jobs = [
            (
                tree,
                self._shared,
                thread.own,
                thread.work._replace(sketch=work.sketch),
                self._params,
                playouts,
                grab,
                sums,
            )
            for thread in workers
        ]
        try:
            work_together(self._work, jobs)
        except Exception:
            _clear_pending(nodes[: int(counters[USED])])
            raise
        finally:
            self._add_tops(nodes, workers, work)
        deepest = max(int(thread.own[DEEPEST]) for thread in workers)
        counters[DEEPEST] = max(int(counters[DEEPEST]), deepest)
        last = slice(LAST_DEPTH, LAST_OUTCOME + 1)
        counters[last] = workers[0].own[last]

    def _copy_root(self, tree: Tree, workers: list[_Thread]) -> None:
        """Give each thread a root of its own, if there is room for all of them."""
        nodes, counters = tree
        reserved = self._top_room * len(workers)
        if len(workers) == 1 or len(nodes) - reserved < counters[USED]:
            reserved = 0
        for number, thread in enumerate(workers):
            own = thread.own
            own[BEFORE], own[MADE], own[RESERVED] = nodes[0].visits, 0, reserved
            own[ROOT] = own[TOP] = 0
            if reserved:
                own[ROOT] = len(nodes) - reserved + self._top_room * number + SPACE
                copy = nodes[int(own[ROOT])]
                copy.first, copy.count = nodes[0].first, nodes[0].count
                copy.pending = 0
                for field in self._sums:
                    copy[field] = 0

    def _add_tops(self, nodes: Any, workers: list[_Thread], work: Work) -> None:
        """Add what the threads have counted in their copies to the tree."""
        first, count = int(nodes[0].first), int(nodes[0].count)
        for own in (thread.own for thread in workers if thread.own[ROOT]):
            nodes[0].visits += own[MADE]
            for field in self._sums:
                nodes[0][field] += nodes[int(own[ROOT])][field]
            if own[TOP]:
                now = slice(int(own[TOP]), int(own[TOP]) + count)
                before = slice(now.stop, now.stop + count)
                for field in ("visits", *self._sums):
                    column = nodes[field]
                    column[first : first + count] += column[now] - column[before]
        if self._draw_moves is not None:
            self._draw_moves(nodes, first, first + count, work.sketch)

    def _places(self, nodes: Any) -> Sums:
        """Where the sums are in the memory of these nodes."""
        kind = nodes.dtype
        words = np.asarray(nodes).view(np.float64) if self._sums else np.zeros(1)
        places = [kind.fields[name][1] // 8 for name in self._sums] or [0]
        return Sums(words, kind.itemsize // 8, np.array(places, np.int64))

    def _work(self, *job: Any) -> None:
        """Runs in each thread. If a user's rule raises, the other threads stop without waiting."""
        try:
            self._kernel(*job)
        except BaseException:
            self._shared[TICKETS], self._shared[MUTEX] = NO_MORE, 0
            raise

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

    def __init__(self, game: Game, agent: Agent) -> None:
        self.own = _apart(np.zeros(OWN_LENGTH, np.int64))
        self.work = Work(*(_apart(array) for array in new_work(game, agent)))


def _apart(array: np.ndarray) -> np.ndarray:
    """A copy of the array that shares no cache line with anything else."""
    block = np.zeros(array.nbytes + 2 * APART, np.uint8)
    inside = block[APART : APART + array.nbytes].view(array.dtype).reshape(array.shape)
    return inside.view(type(array))


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
