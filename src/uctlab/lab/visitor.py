"""Serves one visitor over a websocket: at most one search, and answers in any order."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from uctlab.errors import LabError, UsageError
from uctlab.lab import limits
from uctlab.lab.messages import id_of, parse, read_request
from uctlab.lab.outbox import Outbox
from uctlab.lab.pool import Lease, Pool
from uctlab.lab.position_services import PositionServices
from uctlab.lab.requests import (
    ControlRequest,
    PlayoutRequest,
    Request,
    SearchRequest,
    StepRequest,
    TreeRequest,
    WarmRequest,
)
from uctlab.lab.warmer import Warmer

log = logging.getLogger("uctlab.lab")
NO_SEARCH = "there is no search"
SEARCH_ENDED = "the search has ended"
TOO_MANY = "too many requests at once; wait for the answers"
FAILED = "the search failed; it is not your fault"
OUR_FAULT = "internal error of the server; it is not your fault"

clock = time.monotonic
"""What a visitor's rate is measured with; tests put another one here."""


class Visitor:
    def __init__(
        self,
        socket: WebSocket,
        pool: Pool,
        position_services: PositionServices,
        rate: limits.Rate,
        warmer: Warmer,
    ) -> None:
        self._socket = socket
        self._pool = pool
        self._position_services = position_services
        self._rate = rate
        self._warmer = warmer
        self._allowance = rate.burst
        self._heard = clock()
        self._outbox = Outbox()
        self._questions: set[asyncio.Task[None]] = set()
        self._search: asyncio.Task[None] | None = None
        self._search_id = 0
        self._lease: Lease | None = None
        self._looks: list[int] = []
        """Numbers of the requests about its tree that the search has not answered yet."""
        self._last: dict[str, Any] = {}
        """The last report of the search, repeated when it is stopped."""
        self._unheard: list[Request] = []
        """What the search was told before its first report on a tree, from the request on."""

    async def serve(self) -> None:
        """Serve until the visitor leaves, then clean up."""
        sender = asyncio.create_task(self._send())
        listener = asyncio.create_task(self._listen())
        try:
            await asyncio.wait({sender, listener}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            tasks = [sender, listener, *self._questions]
            tasks += [self._search] if self._search else []
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _send(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError, OSError):
            while True:
                text = await self._outbox.take()
                async with asyncio.timeout(limits.SEND_SECONDS):  # raises an OSError
                    await self._socket.send_text(text)

    async def _listen(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            while self._outbox.size < limits.UNREAD:
                message = await self._socket.receive()
                if message["type"] == "websocket.disconnect":
                    return
                await self._hear(message.get("text"))

    async def _hear(self, text: str | None) -> None:
        number = None
        try:
            if not self._may_speak():
                self._complain(None, "too many messages; wait a moment")
                await asyncio.sleep(self._rate.penalty)
                return
            if text is None:
                raise UsageError("a message must be text, not bytes")
            message = parse(text)
            number = id_of(message)
            await self._answer(read_request(message))
        except UsageError as mistake:
            self._complain(number, str(mistake))
        except Exception:
            log.exception("a message failed")
            self._complain(number, OUR_FAULT)

    def _may_speak(self) -> bool:
        """A token bucket."""
        now = clock()
        filled = self._allowance + (now - self._heard) * self._rate.per_second
        self._allowance = min(self._rate.burst, filled)
        self._heard = now
        if self._allowance < 1:
            return False
        self._allowance -= 1
        return True

    def _complain(self, number: int | None, text: str) -> None:
        self._outbox.put({"type": "error", "id": number, "message": text})

    async def _answer(self, request: Request) -> None:
        if self._lease is not None:
            self._lease.heard = time.monotonic()
        match request:
            case SearchRequest():
                await self._end_search()
                self._search_id = request.id
                self._search = asyncio.create_task(self._follow(request))
            case ControlRequest(what="stop"):
                await self._end_search(tell="stopped")
                self._outbox.put({"type": "ok", "id": request.id})
            case ControlRequest() | StepRequest():
                self._tell(self._running(), request)
                self._outbox.put({"type": "ok", "id": request.id})
            case TreeRequest() | PlayoutRequest():
                lease = self._running()
                if len(self._looks) >= limits.REQUESTS:
                    raise UsageError(TOO_MANY)
                self._looks.append(request.id)
                self._tell(lease, request)
            case WarmRequest():
                self._warmer.add(request.game, request.agents)
                self._outbox.put({"type": "ok", "id": request.id})
            case _:
                if len(self._questions) >= limits.REQUESTS:
                    raise UsageError(TOO_MANY)
                self._ask(self._question(request))

    def _tell(self, lease: Lease, request: Request) -> None:
        if not self._last.get("sides"):
            self._unheard.append(request)
        lease.child.send(request)

    def _running(self) -> Lease:
        if self._lease is None:
            waiting = self._search is not None and not self._search.done()
            raise UsageError("the search is waiting for its turn" if waiting else NO_SEARCH)
        return self._lease

    def _ask(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._questions.add(task)
        task.add_done_callback(self._questions.discard)

    async def _question(self, request: Request) -> None:
        try:
            found = await self._position_services.ask(request)
            self._outbox.put({**found, "id": request.id})
        except (UsageError, LabError) as trouble:
            self._complain(request.id, str(trouble))
        except Exception:
            log.exception("a request failed")
            self._complain(request.id, OUR_FAULT)

    async def _end_search(self, tell: str = "") -> None:
        task, self._search = self._search, None
        if task is not None and not task.done():
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            if tell:
                self._report({**self._last, "state": "ended", "reason": tell})

    def _report(self, facts: dict[str, Any]) -> None:
        message = {"type": "search", "id": self._search_id, "sides": [], **facts}
        crowded = self._outbox.size > limits.UNSENT
        self._outbox.put(message, key=("search", self._search_id) if crowded else None)

    async def _follow(self, request: SearchRequest) -> None:
        try:
            await self._wait_and_follow(request)
        except LabError as trouble:
            self._complain(request.id, str(trouble))
        except Exception:
            log.exception("a search failed")
            self._complain(request.id, OUR_FAULT)

    async def _wait_and_follow(self, request: SearchRequest) -> None:
        """Do the search; again, if the process dies before it has reported on a tree."""
        self._last = {}
        self._unheard = [request]
        try:
            try:
                await self._follow_process(request)
            except EOFError:
                if self._last.get("sides"):
                    raise
                await self._follow_process(request)
        except EOFError:
            log.error("a search failed: its process has died")
            self._complain(request.id, FAILED)
        finally:
            looks, self._looks = self._looks, []
            for number in looks:  # every request is answered
                self._complain(number, SEARCH_ENDED)

    async def _follow_process(self, request: SearchRequest) -> None:
        """Wait for a process, start the search, and pass its reports on to the visitor; EOFError if
        the process dies."""

        def tell_place(place: int) -> None:
            facts = {"type": "queued", "id": request.id, "place": place}
            self._outbox.put(facts, key=("search", request.id))

        lease = await self._pool.lease(tell_place)
        self._lease = lease
        try:
            lease.heard = time.monotonic()
            for message in self._unheard:
                lease.child.send(message)
            while await self._pass_on(request, lease):
                pass
        finally:
            self._lease = None
            self._pool.give_back(lease)

    async def _pass_on(self, request: SearchRequest, lease: Lease) -> bool:
        """Pass on one message of the process; False after the last one."""
        match await lease.child.inbox.get():
            case ("search", facts):
                self._last = facts
                self._report(facts)
                self._pool.rests(lease, facts["state"] in ("paused", "done"))
            case ("answer", number, facts):
                self._looks.remove(number)
                self._outbox.put({**facts, "id": number})
            case ("refused", number, text):
                self._looks.remove(number)
                self._complain(number, text)
            case ("mistake", text):
                self._complain(request.id, text)
                return False
            case ("ended", why):
                self._report({**self._last, "state": "ended", "reason": why})
                return False
            case ("free",):
                pass
            case ("failure", text):
                log.error("a search failed: %s", text)
                self._complain(request.id, FAILED)
                return False
            case _:
                raise EOFError
        return True
