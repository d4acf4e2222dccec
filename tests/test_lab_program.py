"""The program `uctlab lab`: its port, its end."""

import json
import os
import re
import signal
import socket
import subprocess
import sys

import pytest
from websockets.sync.client import connect

from tests.lab_server import HEX, fetch
from tests.patience import PATIENCE, wait_until
from tests.processes import processes, workers_of
from uctlab.lab import serve


def run_lab(*arguments):
    code = "from uctlab.cli.main import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, "lab", "--no-browser", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 0), (signal.SIGHUP, 129)])
def test_signals_end_the_program_and_leave_nothing(number, code):
    with run_lab("--port", "0", "--searches", "1") as program:
        line = program.stdout.readline()
        url = line.split()[-1]
        assert line.startswith("uctlab lab: http://127.0.0.1:") and "token" not in line
        assert fetch(url + "api/catalog")[0] == 200
        host = url.split("/")[2]
        with connect(f"ws://{host}/ws", origin=f"http://{host}") as wire:
            wire.send(json.dumps({"type": "position", "id": 1, "position": HEX}))
            wire.recv()
            children = workers_of(program.pid)
            assert children
            for child in children:  # a question that is not answered any more
                os.kill(child, signal.SIGSTOP)
            wire.send(json.dumps({"type": "position", "id": 2, "position": HEX}))
            wire.ping().wait(PATIENCE)
            program.send_signal(number)
            out, err = program.communicate(timeout=PATIENCE)
        assert program.returncode == code and "closed" in out and not err
        wait_until(lambda: not set(children) & set(processes()))


def test_ports_and_hosts(uctlab):
    code, _, err = uctlab("lab", "--host", "0.0.0.0", "--no-browser")
    assert code == 2 and "--allow-remote" in err
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, _, err = uctlab("lab", "--port", port, "--no-browser")
        assert code == 2 and f"port {port} is in use" in err
    with run_lab("--host", "127.0.0.1", "--allow-remote", "--port", "0") as program:
        url = program.stdout.readline().split()[-1]
        assert re.search(r"/\?token=[\w-]{20,}$", url)
        page, query = url.split("?")
        assert fetch(page + "api/catalog")[0] == 403
        assert fetch(f"{page}api/catalog?{query}")[0] == 200
        program.send_signal(signal.SIGINT)
        program.communicate(timeout=PATIENCE)


def test_without_a_port_the_next_free_one_is_taken(monkeypatch):
    with serve.open_port("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr(serve, "FIRST_PORT", port)
        with serve.open_port("127.0.0.1", None) as other:
            assert port < other.getsockname()[1] < port + serve.PORTS_TRIED
