"""Opens a port, prints the address, opens the browser, and serves until Ctrl-C."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from uctlab.errors import UsageError
from uctlab.lab import limits
from uctlab.lab.app import Settings, make_app
from uctlab.lab.calm_log import keep_calm
from uctlab.lab.connections import Connection
from uctlab.stop_signals import note, taken_by

FIRST_PORT = 8000
PORTS_TRIED = 50
DEAF_MILLISECONDS = 60_000


def open_port(host: str, port: int | None) -> socket.socket:
    """That port, or the first free one from 8000 on if none was given."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    tried = range(FIRST_PORT, FIRST_PORT + PORTS_TRIED) if port is None else (port,)
    for number in tried:
        # Declared as TCP, or asyncio would not set TCP_NODELAY and answers could wait for 40 ms.
        opened = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # for visitors who no longer receive anything
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, DEAF_MILLISECONDS)
        try:
            opened.bind((host, number))
            opened.listen()
        except OSError as error:
            opened.close()
            if error.errno == errno.EADDRINUSE and port is None:
                continue
            if error.errno == errno.EADDRINUSE:
                raise UsageError(
                    f"port {number} is in use by another program; give another --port, or none"
                ) from None
            raise UsageError(f"{host}:{number} cannot be opened: {error.strerror}") from None
        return opened
    last = FIRST_PORT + PORTS_TRIED - 1
    raise UsageError(f"ports {FIRST_PORT} to {last} are all in use; give another --port")


def address(host: str, opened: socket.socket, token: str, game: str = "") -> str:
    """Where the page is, with that game on it if one is given."""
    shown = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(host, host)
    shown = f"[{shown}]" if ":" in shown else shown
    query = f"/?token={token}" if token else "/"
    fragment = f"#lab?game={game}" if game else ""
    return f"http://{shown}:{opened.getsockname()[1]}{query}{fragment}"


def serve(settings: Settings, opened: socket.socket, ready: Callable[[], None]) -> None:
    """Serve until Ctrl-C; `ready` is called when the page can be requested."""
    asyncio.run(make_server(make_app(settings), ready).serve(sockets=[opened]))


def make_server(app: ASGIApp, ready: Callable[[], None]) -> uvicorn.Server:
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        http=Connection,
        backlog=limits.ACCEPTED_AT_ONCE,
        ws="websockets-sansio",
        ws_max_size=limits.FRAME_BYTES,
        ws_per_message_deflate=False,  # usually on the same machine
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=2,
    )
    return _Server(config, ready)


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """All signals that end the program close the server, and raise nothing afterwards."""

        def close(number: int) -> None:
            note(number)
            self.handle_exit(number, None)

        with taken_by(close):
            yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        keep_calm(asyncio.get_running_loop())
        await super().startup(sockets)
        for opened in sockets or []:  # asyncio has one number for both
            opened.listen(limits.WAITING_CONNECTIONS)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Tasks that are cancelled from here on should not print tracebacks.
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        await super().shutdown(sockets)


def show_page(url: str) -> None:
    """Open the page in a graphical browser, never in a terminal one."""
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("BROWSER")
    ):
        return
    webbrowser.open(url)
