"""Connections that never send a whole request, too many of them, and what is logged about it."""

import asyncio
import errno
import logging
import socket
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from tests.lab_server import HEX, fetch, start_lab
from tests.patience import PATIENCE, wait_until
from uctlab.lab import calm_log, connections, limits
from uctlab.lab.calm_log import Repeats, keep_calm

HALF = b"GET / HTTP/1.1\r\nHost: 127"
BODY = b"POST /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n\r\n"


@pytest.fixture(scope="module")
def lab():
    with start_lab() as running:
        yield running


@pytest.fixture
def half_open(lab):
    """Connections with the beginning of a request, which is all that ever comes."""
    opened = []

    def connect(data=HALF):
        host, port = lab.host.split(":")
        opened.append(socket.create_connection((host, int(port)), PATIENCE))
        with suppress(ConnectionError):  # it may be closed already
            opened[-1].sendall(data)
        return opened[-1]

    yield connect
    for one in opened:
        one.close()
    wait_until(lambda: not lab._server.server_state.connections)


def closed(one):
    """Whether the server closes it; waits for that."""
    with suppress(ConnectionError):
        while one.recv(2**16):
            pass
    return True


@pytest.mark.parametrize("begin", [b"", HALF, BODY], ids=["nothing", "headers", "body"])
def test_the_rest_of_a_request_has_to_come_in_time(half_open, monkeypatch, begin):
    monkeypatch.setattr(limits, "REQUEST_SECONDS", 0.1)
    assert closed(half_open(begin))


def test_a_few_bytes_from_time_to_time_buy_no_time(half_open, monkeypatch):
    monkeypatch.setattr(limits, "REQUEST_SECONDS", 0.2)
    slow = half_open(BODY)
    end = time.monotonic() + PATIENCE
    with pytest.raises(ConnectionError):
        while time.monotonic() < end:
            slow.sendall(b"x")
            time.sleep(0.02)


def test_a_websocket_may_be_silent(lab, half_open, monkeypatch):
    with lab.visitor() as talk:
        monkeypatch.setattr(limits, "REQUEST_SECONDS", 0.1)
        assert closed(half_open())  # later than the websocket
        assert talk.ask("position", position=HEX)["type"] == "position"


@pytest.mark.parametrize("limit", ["CONNECTIONS", "CONNECTIONS_PER_ADDRESS"])
def test_half_open_connections_lock_nobody_out(lab, half_open, monkeypatch, limit):
    monkeypatch.setattr(limits, "REQUEST_SECONDS", PATIENCE)
    monkeypatch.setattr(limits, limit, 3)
    with lab.visitor() as talk:
        held = [half_open() for _ in range(8)]
        assert fetch(lab.url)[0] == 200
        assert all(closed(one) for one in held[:6])  # the oldest ones
        assert talk.ask("position", position=HEX)["type"] == "position"
    assert fetch(lab.url)[0] == 200


def test_where_all_are_busy_a_new_one_is_refused(lab, half_open, monkeypatch):
    monkeypatch.setattr(limits, "CONNECTIONS_PER_ADDRESS", 1)
    with lab.visitor() as talk:
        assert closed(half_open())
        assert talk.ask("position", position=HEX)["type"] == "position"


def test_connections_take_half_of_the_descriptors(monkeypatch):
    resource = pytest.importorskip("resource")
    for allowed, most in ((200, 100), (10**6, limits.CONNECTIONS), (-1, limits.CONNECTIONS)):
        monkeypatch.setattr(resource, "getrlimit", lambda _, allowed=allowed: (allowed, allowed))
        assert connections.most_connections() == most


def test_more_connections_than_descriptors():
    """A program with 60 descriptors answers beside 100 half-open connections, and logs a line."""
    pytest.importorskip("resource")
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (60, 60)); "
        "from uctlab.cli.main import main; main()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, "lab", "--no-browser", "--port", "0", "--searches", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as program:
        try:
            url = program.stdout.readline().split()[-1]
            place = ("127.0.0.1", int(url.split(":")[2].strip("/")))
            held = [socket.create_connection(place, PATIENCE) for _ in range(100)]
            for one in held[-20:]:
                one.sendall(HALF)
            assert fetch(url)[0] == 200
        finally:
            program.terminate()
            log = program.communicate(timeout=PATIENCE)[1]
        for one in held:
            one.close()
    lines = log.splitlines()
    assert lines[0] == "too many connections: the oldest idle one is closed"
    assert all("too many connections" in line for line in lines)  # one per minute


@pytest.fixture
def heard(monkeypatch):
    """What passes the filter: a logger, a list of lines, and the clock."""
    now = [1000.0]
    monkeypatch.setattr(calm_log, "clock", lambda: now[0])
    lines = []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(record.getMessage())
    logger = logging.Logger("somebody")
    logger.addHandler(handler)
    logger.addFilter(Repeats())
    return logger, lines, now


def test_a_repeated_error_is_one_line_per_minute(heard):
    logger, lines, now = heard
    for _ in range(1000):
        logger.error("%s is wrong", "this")
    logger.error("%s is wrong", "that")
    assert lines == ["this is wrong", "that is wrong"]
    now[0] += 59
    logger.error("this is wrong")
    now[0] += 2
    logger.error("this is wrong")
    assert lines[2:] == ["this is wrong (1,000 more since last time)"]


def test_errors_of_many_kinds_are_limited_too(heard):
    logger, lines, now = heard
    for number in range(1000):
        logger.error("wrong: %d", number)
    assert len(lines) == calm_log.MAX_KINDS
    now[0] += 60
    logger.error("wrong: again")
    assert lines[-1] == "wrong: again"


def test_what_asyncio_logs_is_recognised(monkeypatch, caplog):
    """Its lines differ in the time and in addresses; without descriptors there is no traceback."""
    loop = asyncio.new_event_loop()
    full = OSError(errno.EMFILE, "Too many open files")
    try:
        keep_calm(loop)
        for number in range(5):
            loop.call_exception_handler({"message": "accept", "exception": full})
            error = ValueError("no")
            loop.call_exception_handler({"message": "oh", "exception": error, "when": number})
    finally:
        loop.close()
    first, second = caplog.records
    assert first.getMessage() == "a connection cannot be accepted: Too many open files"
    assert not first.exc_info and second.getMessage().startswith("oh\nwhen: 0")
