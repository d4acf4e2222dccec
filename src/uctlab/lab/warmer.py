"""Compiles agents in the background before somebody has to wait for them.

One process, with the lowest priority, works through a queue: the games on visitors' boards first,
then the gallery. What it has compiled is in the disk cache, where the search processes find it. It
ends when nothing is left.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from typing import Any

from anyio import to_thread

from uctlab.lab import limits
from uctlab.lab.child import Child
from uctlab.lab.requests import WarmRequest

log = logging.getLogger("uctlab.lab")
Work = tuple[str, str]  # game and agent


def _gallery() -> list[Work]:
    from uctlab.lab.gallery import GALLERY  # noqa: PLC0415 (Numba is slow to load)

    return [(case["position"]["game"], agent) for case in GALLERY for agent in case["agents"]]


def _opponent(game: str) -> str:
    from uctlab.lab.own_games import lab_game  # noqa: PLC0415 (Numba is slow to load)

    return lab_game(game).agent


class Warmer:
    def __init__(self, game: str | None) -> None:
        self._game = game
        """The game that the page opens with; None: nothing is compiled in the background."""
        self._wanted: deque[Work] = deque()
        self._known: set[Work] = set()
        self._now: Work | None = None
        self._since = 0.0
        self._task: asyncio.Task[None] | None = None

    @property
    def on(self) -> bool:
        return self._game is not None

    def open(self) -> None:
        if self.on:
            self._task = asyncio.create_task(self._begin())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def add(self, game: str, agents: tuple[str, ...]) -> None:
        """Compile these next, before what is in the queue."""
        for agent in reversed(agents):
            work = (game, agent)
            if self.on and work not in self._known and len(self._known) < limits.WARMED:
                self._known.add(work)
                self._wanted.appendleft(work)

    def state(self) -> dict[str, Any]:
        """What is being compiled, since when, and how much is left."""
        if self._now is None:
            return {"now": None, "left": len(self._wanted)}
        game, agent = self._now
        now = {"game": game, "agent": agent, "seconds": time.monotonic() - self._since}
        return {"now": now, "left": len(self._wanted)}

    async def _begin(self) -> None:
        """After the page is there, which has priority."""
        await asyncio.sleep(limits.WARM_DELAY)
        for work in await to_thread.run_sync(_gallery):
            if work not in self._known:
                self._known.add(work)
                self._wanted.append(work)
        if self._game:
            self.add(self._game, (await to_thread.run_sync(_opponent, self._game),))
        while True:
            if self._wanted:
                await self._work()
            await asyncio.sleep(limits.HOUSE_SECONDS)

    async def _work(self) -> None:
        child = await Child.start("warmer")
        try:
            while self._wanted and child.alive:
                self._now = self._wanted.popleft()
                self._since = time.monotonic()
                game, agent = self._now
                child.send(WarmRequest(0, game, (agent,)))
                answer = await child.inbox.get()
                if answer[0] == "failure":
                    log.error("%s for %s could not be compiled: %s", agent, game, answer[-1])
        finally:
            self._now = None
            await child.end()
