"""Questions about positions, answered by processes: one of them for games that must be compiled,
one for dead stones."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from uctlab.errors import LabError, UsageError
from uctlab.games.registry import family_of
from uctlab.lab import limits
from uctlab.lab.child import DEAD, Child
from uctlab.lab.own_games import is_own
from uctlab.lab.positions import game_of, needs_compiler
from uctlab.lab.requests import JudgeRequest, OpenRequest, Request

log = logging.getLogger("uctlab.lab")


class PositionProcess:
    """One process that answers one request at a time, in order of arrival."""

    def __init__(self, seconds: float | None = None) -> None:
        self._seconds = seconds
        """For an answer; None: the usual limit."""
        self._child: Child | None = None
        self._turn = asyncio.Lock()
        self._answering: asyncio.Task[tuple[str, Any]] | None = None
        self._closed = False

    async def start(self) -> Child:
        if self._child is None or not self._child.alive:
            self._child = await Child.start("positions")
        return self._child

    async def ask(self, request: Request) -> dict[str, Any]:
        await self._turn.acquire()
        # A separate task: if the visitor leaves, the answer must still be received, so that it is
        # not mistaken for the answer to the next request.
        self._answering = asyncio.create_task(self._answer(request))
        kind, found = await asyncio.shield(self._answering)
        if kind == "mistake":
            raise UsageError(found)
        if kind != "done":
            log.error("a position failed: %s", found)
            raise LabError("internal error of the server; it is not your fault")
        answer: dict[str, Any] = found
        return answer

    async def _answer(self, request: Request) -> tuple[str, Any]:
        """Ask the process, and let the next request in when it has answered."""
        answer: tuple[Any, ...] = DEAD
        try:
            for _ in range(2):  # once more, if it dies before it answers
                if answer != DEAD or self._closed:
                    break
                child = await self.start()
                if not self._closed:
                    child.send(request)
                    answer = await asyncio.wait_for(
                        child.inbox.get(), self._seconds or limits.ANSWER_SECONDS
                    )
        except TimeoutError:
            await child.end()
            return "mistake", "this took too long and was cancelled"
        except OSError as error:
            return "failure", f"the process cannot be started: {error.strerror}"
        finally:
            self._turn.release()
        return ("failure", "the process has died") if answer == DEAD else (answer[0], answer[1])

    async def end(self) -> None:
        """End the process, and with it what it was asked; no other one takes its place."""
        self._closed = True
        while self._child is not None:
            child, self._child = self._child, None
            await child.end()
            if self._answering is not None:  # it may just have started another one
                await asyncio.wait({self._answering})


class PositionServices:
    def __init__(self) -> None:
        self._quick = PositionProcess()
        self._compiling = PositionProcess()
        self._judging = PositionProcess(limits.JUDGE_SECONDS)  # it compiles for half a minute

    async def start(self) -> None:
        await self._quick.start()

    async def ask(self, request: Request) -> dict[str, Any]:
        if isinstance(request, JudgeRequest):
            return await self._judging.ask(request)
        return await (self._compiling if _compiles(request) else self._quick).ask(request)

    async def end(self) -> None:
        await asyncio.gather(self._quick.end(), self._compiling.end(), self._judging.end())


def _compiles(request: Request) -> bool:
    """A file may be of any game, so it goes to the process that compiles."""
    if isinstance(request, OpenRequest):
        return True
    position = getattr(request, "position", request)
    spec = getattr(position, "game", None)
    if spec is None:
        return True
    # A browser's options reach the code of a user's own game in another process only.
    return needs_compiler(game_of(family_of(spec) if is_own(spec) else spec))
