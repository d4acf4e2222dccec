"""Limits on connections: how long a request may take to arrive, and how many are open at once.

uvicorn waits for the rest of a request for ever. Where there are too many connections, the oldest
one that waits for a request gives way to a new one, so that half-open ones lock nobody out.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Iterable

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from uctlab.lab import limits

log = logging.getLogger("uctlab.lab")


class Connection(H11Protocol):
    """An HTTP connection; one that becomes a websocket is only counted from then on."""

    _timer: asyncio.TimerHandle | None = None
    _upgraded = False
    opened = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.opened = self.loop.time()
        self._watch()
        self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_timer()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._upgraded = True
        super().handle_websocket_upgrade(event)

    @property
    def waits(self) -> bool:
        """Whether no request is here, or only a part of one."""
        return not self._upgraded and self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    def _watch(self) -> None:
        """The time runs until the whole request is here, however often a few bytes come."""
        if not self.waits or self.transport.is_closing():
            self._stop_timer()
        elif self._timer is None:
            self._timer = self.loop.call_later(limits.REQUEST_SECONDS, self.drop)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def drop(self) -> None:
        """Close it at once, whatever is still to be sent."""
        self.connections.discard(self)
        self.transport.abort()

    def _make_room(self) -> None:
        address = _address(self)
        same = [one for one in self.connections if _address(one) == address]
        if len(same) > limits.CONNECTIONS_PER_ADDRESS:
            log.warning("too many connections from %s: the oldest idle one is closed", address)
            self._oldest(same).drop()
        elif len(self.connections) > most_connections():
            log.warning("too many connections: the oldest idle one is closed")
            self._oldest(self.connections).drop()

    def _oldest(self, connections: Iterable[object]) -> Connection:
        """Of those that wait for a request; this one, the newest, if all others are busy."""
        idle = [one for one in connections if isinstance(one, Connection) and one.waits]
        return min(idle, key=lambda one: one.opened, default=self)


def _address(connection: object) -> str:
    """Where a connection of any protocol comes from; empty if it is not known."""
    client: tuple[str, int] | None = getattr(connection, "client", None)
    return client[0] if client else ""


def most_connections() -> int:
    """Half of the descriptors that this process may have; the rest is for files and pipes."""
    if sys.platform == "win32":
        return limits.CONNECTIONS
    import resource  # noqa: PLC0415 (not on Windows)

    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return limits.CONNECTIONS if allowed < 0 else min(limits.CONNECTIONS, allowed // 2)
