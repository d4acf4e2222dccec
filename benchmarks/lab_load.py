"""Load test of `uctlab lab`: many visitors at once, who start and abandon searches.

    python benchmarks/lab_load.py --visitors 50 --seconds 60

Starts its own server, connects the visitors, requests the catalog now and then, and prints how many
answers of each kind came, how long they took, and which resources the server holds before and
after. Times are measured by the visitors, who share the machine with the server and its searches.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

SEARCHES = (("hex:5", "uct"), ("hex:5", "uct"), ("othello", "uct"), ("deceptive:2", "uct"))
# Normal refusals: a search may have ended before the visitor's next message.
EXPECTED = ("there is no search", "the search is waiting for its turn")
PATIENCE = 60.0  # seconds without an answer that count as an error


@dataclass
class Tally:
    counts: Counter[str] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)
    times: dict[str, list[float]] = field(default_factory=dict)

    def note(self, what: str, seconds: float) -> None:
        self.times.setdefault(what, []).append(seconds)


class Visit:
    """One connection, which sorts its messages into answers and reports."""

    def __init__(self, socket: ClientConnection, tally: Tally) -> None:
        self._socket = socket
        self._tally = tally
        self._number = 0
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}

    async def listen(self) -> None:
        async for text in self._socket:
            message = json.loads(text)
            self._tally.counts[message.get("state", message["type"])] += 1
            waiting = self._answers.get(message["id"])
            if waiting is not None and not waiting.done():
                waiting.set_result(message)
            if message["type"] == "error" and message["message"] not in EXPECTED:
                self._tally.errors.append(message["message"])

    async def send(self, kind: str, **fields: Any) -> int:
        self._number += 1
        await self._socket.send(json.dumps({"type": kind, "id": self._number, **fields}))
        return self._number

    async def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._answers[self._number + 1] = answer
        number = await self.send(kind, **fields)
        begin = time.perf_counter()
        async with asyncio.timeout(PATIENCE):
            found = await answer
        self._tally.note(kind, time.perf_counter() - begin)
        del self._answers[number]
        return found


async def visit(host: str, tally: Tally, draw: random.Random) -> None:
    """Connect, look at a position, start a search or two and leave, often during a search."""
    game, agent = draw.choice(SEARCHES)
    position = {"game": game, "start": None, "moves": []}
    async with connect(f"ws://{host}/ws", origin=f"http://{host}", open_timeout=PATIENCE) as socket:
        person = Visit(socket, tally)
        listener = asyncio.create_task(person.listen())
        try:
            for _ in range(draw.randrange(1, 3)):
                shown = await person.ask("position", position=position)
                assert shown["type"] == "position", shown
                agents = [agent] * draw.choice((1, 1, 2))
                playouts = draw.choice((1000, 20_000, 2_000_000))
                await person.send("search", position=position, agents=agents, playouts=playouts)
                tally.counts["searches"] += 1
                await asyncio.sleep(draw.uniform(0.05, 1.5))
                if draw.random() < 0.4:
                    await person.ask("pause")
                    await person.ask("step", playouts=10)
                if draw.random() < 0.3:
                    await person.ask("stop")
        finally:
            listener.cancel()
    tally.counts["visits"] += 1


async def come_and_go(host: str, tally: Tally, end: float, seed: int) -> None:
    draw = random.Random(seed)
    await asyncio.sleep(draw.uniform(0, 1))
    while time.monotonic() < end:
        try:
            await visit(host, tally, draw)
        except (OSError, TimeoutError, AssertionError, ConnectionClosed) as error:
            tally.errors.append(f"{type(error).__name__}: {error}")
        await asyncio.sleep(draw.uniform(0, 0.3))


def fetch(url: str) -> float:
    begin = time.perf_counter()
    with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
        answer.read()
    return time.perf_counter() - begin


async def probe(host: str, tally: Tally, end: float) -> None:
    while time.monotonic() < end:
        try:
            seconds = await asyncio.to_thread(fetch, f"http://{host}/api/catalog")
            tally.note("catalog", seconds)
        except OSError as error:
            tally.errors.append(f"catalog: {error}")
        await asyncio.sleep(0.2)


async def feel_lag(tally: Tally, end: float) -> None:
    """Measure how late the visitors themselves run, which is part of every time they report."""
    while time.monotonic() < end:
        begin = time.perf_counter()
        await asyncio.sleep(0.02)
        tally.note("own lag", time.perf_counter() - begin - 0.02)


async def load(host: str, visitors: int, seconds: float, seed: int = 0) -> Tally:
    tally = Tally()
    end = time.monotonic() + seconds
    people = [come_and_go(host, tally, end, seed + i) for i in range(visitors)]
    await asyncio.gather(probe(host, tally, end), feel_lag(tally, end), *people)
    return tally


def children_of(pid: int) -> list[int]:
    """Live child processes of a process."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = path.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == pid and state != "Z":
            found.append(int(path.parent.name))
    return found


def held(pid: int) -> dict[str, float]:
    """What the server uses: memory in MiB, open files, child processes, CPU seconds so far."""

    def memory(process: int) -> float:
        try:
            text = Path(f"/proc/{process}/status").read_text()
        except OSError:
            return 0.0
        line = next((line for line in text.splitlines() if line.startswith("VmRSS")), "VmRSS: 0")
        return int(line.split()[1]) / 1024

    children = children_of(pid)
    ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return {
        "memory": round(memory(pid), 1),
        "files": len(list(Path(f"/proc/{pid}/fd").iterdir())),
        "processes": len(children),
        "their memory": round(sum(map(memory, children)), 1),
        "CPU": round(sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK"), 1),
    }


def start_server(searches: int) -> tuple[subprocess.Popen[str], str]:
    code = "from uctlab.cli.main import main; main()"
    arguments = ["lab", "--no-browser", "--port", "0", "--searches", str(searches)]
    server = subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout
    return server, server.stdout.readline().split("http://")[1].strip(" /\n")


def summary(tally: Tally) -> list[str]:
    lines = [f"{tally.counts['visits']} visits, {tally.counts['searches']} searches"]
    for what, times in sorted(tally.times.items()):
        ordered = sorted(times)
        high = ordered[int(0.99 * (len(ordered) - 1))]
        lines.append(
            f"{what:10} {len(ordered):6} answers, median {1000 * ordered[len(ordered) // 2]:.0f}, "
            f"99 % {1000 * high:.0f}, worst {1000 * ordered[-1]:.0f} ms"
        )
    lines.append(f"messages: {dict(tally.counts)}")
    lines.append(f"errors: {len(tally.errors)} {Counter(tally.errors).most_common(5)}")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--visitors", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--searches", type=int, default=2, help="number of searches at once")
    parser.add_argument(
        "--wait", type=float, default=70.0, help="seconds to wait for idle processes to end"
    )
    options = parser.parse_args()
    server, host = start_server(options.searches)
    try:
        asyncio.run(load(host, 4, 5.0, seed=1000))  # so that kernels are compiled
        time.sleep(2)
        before = held(server.pid)
        tally = asyncio.run(load(host, options.visitors, options.seconds))
        time.sleep(3)
        after = held(server.pid)
        print("\n".join(summary(tally)))
        print(f"load average of the last minute: {os.getloadavg()[0]:.1f}")
        print(f"before: {before}\nafter:  {after}", flush=True)
        if options.wait:
            time.sleep(options.wait)
            print(f"later:  {held(server.pid)}")
        print(f"the catalog then took {1000 * fetch(f'http://{host}/api/catalog'):.0f} ms")
        children = children_of(server.pid)
    finally:
        server.send_signal(signal.SIGINT)
        code = server.wait(20)
    time.sleep(1)
    left = [pid for pid in children if Path(f"/proc/{pid}").exists()]
    print(f"exit code {code}, processes left behind: {len(left)}")


if __name__ == "__main__":
    main()
