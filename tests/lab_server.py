"""A lab that runs in a thread of the test, and a visitor who says one thing after the other."""

from __future__ import annotations

import asyncio
import json
import threading
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from websockets.sync.client import connect

from tests.patience import PATIENCE
from uctlab.lab import limits
from uctlab.lab.app import Settings, make_app
from uctlab.lab.limits import Rate
from uctlab.lab.serve import make_server, open_port

HEX = {"game": "hex:5", "start": None, "moves": []}
# A busy machine may take longer than a visitor would wait.
limits.ANSWER_SECONDS = limits.COMPILE_SECONDS = limits.SEND_SECONDS = PATIENCE
NO_LIMIT = Rate(per_second=1e9, burst=1e9, penalty=0.0)


class LiveLab:
    def __init__(self, settings: Settings, port: int = 0) -> None:
        self.app = make_app(settings)
        self.server = self.app.app.state.server
        self._socket = open_port("127.0.0.1", port)
        self.host = f"127.0.0.1:{self._socket.getsockname()[1]}"
        self.url = f"http://{self.host}"
        self._ready = threading.Event()
        self._server: uvicorn.Server = make_server(self.app, self._ready.set)
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        asyncio.run(self._server.serve(sockets=[self._socket]))

    def __enter__(self) -> LiveLab:
        self._thread.start()
        assert self._ready.wait(PATIENCE), "the server has not started"
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(PATIENCE)
        self._socket.close()
        assert not self._thread.is_alive()

    def connect(self, **options):
        options = {"origin": self.url, "open_timeout": PATIENCE, "max_size": None} | options
        return connect(f"ws://{self.host}/ws", **options)

    @contextmanager
    def visitor(self):
        with self.connect() as socket:
            yield Talk(socket)


def start_lab(searches: int = 1, results: Path = Path("results"), port: int = 0, **more) -> LiveLab:
    return LiveLab(Settings(searches=searches, results=results, **more), port)


class Talk:
    """A visitor: requests with numbers, and the answers to them."""

    def __init__(self, socket) -> None:
        self.socket = socket
        self.number = 0

    def send(self, kind: str, **fields) -> int:
        self.number += 1
        self.socket.send(json.dumps({"type": kind, "id": self.number, **fields}))
        return self.number

    def send_at_once(self, messages: list[str | bytes]) -> None:
        """In one piece, which takes a fraction of the time."""
        wire = self.socket
        with wire.protocol_mutex:
            for message in messages:
                if isinstance(message, bytes):
                    wire.protocol.send_binary(message)
                else:
                    wire.protocol.send_text(message.encode())
            wire.socket.sendall(b"".join(wire.protocol.data_to_send()))

    def read(self, timeout: float = PATIENCE) -> dict:
        return json.loads(self.socket.recv(timeout))

    def ask(self, kind: str, **fields) -> dict:
        """The answer to a request; reports of a search that come before it are passed over."""
        number = self.send(kind, **fields)
        while (answer := self.read())["id"] != number:
            pass
        return answer

    def search(self, agents=("uct",), position=HEX, **fields) -> int:
        fields.setdefault("playouts", 200)
        return self.send("search", position=position, agents=list(agents), **fields)

    def until(self, *states: str, timeout: float = PATIENCE) -> dict:
        """The first report of the search in one of these states, or an error."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            message = self.read(timeout)
            if message["type"] == "error" or message.get("state", message["type"]) in states:
                return message
        raise TimeoutError(f"none of {states}")


def fetch(url, **headers):
    """(status, headers, body)"""
    try:
        request = urllib.request.Request(url, headers=headers)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()
