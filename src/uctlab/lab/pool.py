"""A limited pool of search processes, lent to visitors for one search each, with a queue."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from uctlab.errors import LabError
from uctlab.lab import limits
from uctlab.lab.child import Child
from uctlab.lab.requests import ControlRequest

log = logging.getLogger("uctlab.lab")
STOP = ControlRequest(0, "stop")
TAKEN = "another visitor is waiting for the processor"
IDLE = f"no request for {limits.IDLE_SECONDS:.0f} seconds"


@dataclass(eq=False)
class Lease:
    """A process while it is lent to one search."""

    child: Child
    resting: bool = False
    """Whether the search is paused or done; its process may then be taken away."""
    heard: float = field(default_factory=time.monotonic)
    """When the visitor last sent a message."""
    taken: bool = False

    def take_away(self, why: str) -> None:
        """Tell the visitor, who then gives the process back."""
        if not self.taken:
            self.taken = True
            self.child.inbox.put_nowait(("ended", why))


@dataclass(eq=False)
class Ticket:
    """A place in the queue."""

    lease: asyncio.Future[Lease]
    tell: Callable[[int], None]
    """Called with the place in the queue; 1 is next."""
    told: int = 0


class Pool:
    def __init__(self, most: int) -> None:
        self.most = most
        self._free: deque[tuple[Child, float]] = deque()  # each with the time when it became free
        self._leases: set[Lease] = set()
        self._queue: list[Ticket] = []
        self._starting = 0
        self._stopping = 0
        """Processes that were told to stop and have not yet reported that they are free."""
        self._uses: dict[Child, int] = {}
        """Number of searches that each process has run."""
        self._failures = 0
        """Consecutive processes that did not become free."""
        self._ending: set[Child] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Start one process before it is needed, but after the page is shown."""
        self._do(self._keep_house())

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.gather(*(child.end() for child in (*self._uses, *self._ending)))
        self._uses.clear()

    @property
    def pids(self) -> list[int]:
        return [child.pid for child in self._uses]

    async def lease(self, tell: Callable[[int], None]) -> Lease:
        """Wait for a free process."""
        ticket = Ticket(asyncio.get_running_loop().create_future(), tell)
        self._queue.append(ticket)
        self._serve()
        try:
            return await ticket.lease
        except asyncio.CancelledError:
            if ticket in self._queue:
                self._queue.remove(ticket)
            if ticket.lease.done() and not ticket.lease.cancelled():
                self.give_back(ticket.lease.result())
            self._serve()
            raise

    def give_back(self, lease: Lease) -> None:
        """Returns at once; the process is lent again as soon as it has stopped."""
        if lease in self._leases:
            self._leases.remove(lease)
            self._stopping += 1
            self._do(self._recover(lease.child))

    def _serve(self) -> None:
        """Lend free processes, start or reclaim others, and tell the rest their place."""
        while self._queue and self._free:
            child, _ = self._free.pop()
            ticket = self._queue.pop(0)
            if child.alive and not ticket.lease.done():
                lease = Lease(child)
                self._leases.add(lease)
                ticket.lease.set_result(lease)
            elif child.alive:
                self._free.append((child, time.monotonic()))
            else:
                self._queue.insert(0, ticket)
                self._dismiss(child)
        wanted = len(self._queue) - self._starting - self._stopping
        for _ in range(min(wanted, self.most - len(self._uses) - self._starting)):
            self._hire()
            wanted -= 1
        going = sum(lease.taken for lease in self._leases)
        resting = sorted(
            (x for x in self._leases if x.resting and not x.taken), key=lambda x: x.heard
        )
        for lease in resting[: max(0, wanted - going)]:
            lease.take_away(TAKEN)
        self._tell_places(new_ones=True)

    def _tell_places(self, new_ones: bool = False) -> None:
        """New visitors at once, the others from time to time."""
        for place, ticket in enumerate(self._queue, 1):
            if ticket.told != place and (ticket.told == 0 or not new_ones):
                ticket.told = place
                ticket.tell(place)

    def rests(self, lease: Lease, resting: bool) -> None:
        """Note whether a search is paused or done."""
        if lease.resting != resting:
            lease.resting = resting
            if resting and self._queue:
                self._serve()

    def _hire(self) -> None:
        self._starting += 1
        self._do(self._start())

    async def _start(self) -> None:
        child: Child | None = None
        try:
            child = await Child.start("searcher")
            self._uses[child] = 0
            self._stopping += 1
        except OSError as error:
            log.error("a process cannot be started: %s", error.strerror)
            await asyncio.sleep(1)
        finally:
            self._starting -= 1
        if child is not None:
            await self._until_free(child)
        else:
            self._serve()

    async def _recover(self, child: Child) -> None:
        child.send(STOP)
        self._uses[child] = self._uses.get(child, 0) + 1
        await self._until_free(child)

    async def _until_free(self, child: Child) -> None:
        """Wait until a process is free; one that does not become free, or is old, is replaced."""
        ready = False
        try:
            async with asyncio.timeout(limits.COMPILE_SECONDS):
                while not ready and (child.alive or not child.inbox.empty()):
                    ready = await child.inbox.get() == ("free",)
        except TimeoutError:
            log.error("a process did not stop and was killed")
        finally:
            self._stopping -= 1
        if ready and child.alive and self._uses.get(child, 0) < limits.SEARCHES_PER_PROCESS:
            self._free.append((child, time.monotonic()))
        else:
            self._dismiss(child)
        self._failures = 0 if ready else self._failures + 1
        if self._failures >= limits.PROCESS_FAILURES:
            self._give_up()
        self._serve()

    def _give_up(self) -> None:
        """Processes fail as soon as they start: tell the visitors who are waiting."""
        self._failures = 0
        waiting, self._queue = self._queue, []
        for ticket in waiting:
            if not ticket.lease.done():
                ticket.lease.set_exception(LabError("the server cannot start a search now"))

    def _dismiss(self, child: Child) -> None:
        self._uses.pop(child, None)
        self._ending.add(child)
        self._do(self._end(child))

    async def _end(self, child: Child) -> None:
        await child.end()
        self._ending.discard(child)

    async def _keep_house(self) -> None:
        """End idle searches, and processes that were not needed for a while, except one."""
        opened = time.monotonic()
        while True:
            await asyncio.sleep(limits.HOUSE_SECONDS)
            self._tell_places()
            now = time.monotonic()
            for lease in list(self._leases):
                if lease.resting and now - lease.heard > limits.IDLE_SECONDS:
                    lease.take_away(IDLE)
            spare = not self._uses and not self._starting and not self._failures
            if spare and now - opened > limits.SPARE_DELAY:
                self._hire()  # keep one for the next visitor
            while len(self._free) > 1 and now - self._free[0][1] > limits.SPARE_SECONDS:
                self._dismiss(self._free.popleft()[0])

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        with suppress(asyncio.CancelledError):
            if (error := task.exception()) is not None:
                log.error("the pool has failed", exc_info=error)
