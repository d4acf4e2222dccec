"""The lab's websocket, without a browser: searches, the queue, bad messages, the load."""

import asyncio
import json
import os
import random
import signal
import socket
import sys
import time
from contextlib import contextmanager

import pytest
from websockets.exceptions import ConnectionClosed

from tests.lab_server import HEX, NO_LIMIT, fetch, start_lab
from tests.patience import PATIENCE, wait_until
from tests.processes import processes
from tests.test_lab_messages import malformed
from uctlab.lab import limits
from uctlab.lab.child import Child
from uctlab.lab.outbox import Outbox
from uctlab.lab.pool import Pool
from uctlab.lab.position_services import PositionServices
from uctlab.lab.visitor import Visitor
from uctlab.lab.warmer import Warmer

LONG = 2_000_000


@pytest.fixture(scope="module")
def lab():
    with start_lab(searches=1, rate=NO_LIMIT) as running:
        yield running


@pytest.fixture
def visitor(lab):
    with lab.visitor() as talk:
        yield talk


def test_positions(visitor):
    found = visitor.ask("position", position={**HEX, "moves": ["c3"]})
    assert found["stones"] == {"c3": "first"} and found["type"] == "position"
    placed = visitor.ask("setup", game="hex:5", stones={"a1": "second"}, turn=0)
    assert placed["stones"] == {"a1": "second"}
    again = visitor.ask("position", position=placed["position"])
    assert again["stones"] == placed["stones"]
    nodes = [[-1, "", {}], [0, "c3", {"C": ["middle"]}]]
    text = visitor.ask("sgf_save", game="hex:5", start=None, nodes=nodes)
    assert text["type"] == "sgf"
    opened = visitor.ask("open", text=text["text"], game="othello")
    assert opened["position"]["moves"] == ["c3"] and opened["nodes"] == nodes
    assert visitor.ask("warm", game="hex:5", agents=["uct"])["type"] == "ok"
    for kind, fields in (
        ("position", {"position": {**HEX, "moves": ["c3", "c3"]}}),
        ("position", {"position": {**HEX, "game": "hex:99"}}),
        ("setup", {"game": "hex:5", "stones": {"z9": "first"}, "turn": 0}),
        ("open", {"text": "(;GM[1" * 1000, "game": "go:9"}),
        ("open", {"text": "nothing", "game": "go:9"}),
        ("open", {"text": "(;GM[11]C[\ud800])", "game": "go:9"}),
    ):
        answer = visitor.ask(kind, **fields)
        assert answer["type"] == "error" and answer["message"], kind
        assert "server" not in answer["message"]


def test_a_search_from_its_start_to_its_end(visitor):
    number = visitor.search(playouts=20_000, seed=3)
    states, made = [], []
    while not states or states[-1] != "done":
        report = visitor.read()
        assert (report["type"], report["id"]) in (("search", number), ("queued", number))
        states.append(report.get("state", "queued"))
        made += [side["playouts"] for side in report.get("sides", ())]
    assert [s for i, s in enumerate(states) if s not in states[:i] and s != "queued"] == [
        *("compiling", "running", "done")
    ]
    (side,) = report["sides"]
    assert report["reason"] == "playouts" and side["playouts"] == 20_000
    assert made == sorted(made) and made[0] < 20_000  # it was watched while it grew
    tree = visitor.ask("tree", side=0, path=[side["choice"]])
    assert tree["node"]["move"] == side["choice"] and len(tree["children"]) == 24
    assert visitor.ask("tree", side=1, path=[])["type"] == "error"
    assert visitor.ask("tree", side=0, path=["z9"])["type"] == "error"
    assert visitor.ask("stop")["type"] == "ok"
    assert visitor.ask("tree", side=0, path=[])["message"] == "there is no search"


def test_pause_step_continue(visitor):
    visitor.search(playouts=LONG, paused=True)
    assert visitor.until("paused")["sides"][0]["playouts"] == 0
    made = 0
    for step in (1, 10, 1000):
        assert visitor.ask("step", playouts=step)["type"] == "ok"
        made += step
        report = visitor.until("paused")
        assert report["sides"][0]["playouts"] == made
    visitor.send("continue")
    while visitor.until("running")["sides"][0]["playouts"] == made:
        pass
    visitor.send("pause")
    report = visitor.until("paused")
    assert made < report["sides"][0]["playouts"] < LONG
    visitor.send("stop")
    ended = visitor.until("ended")
    assert ended["reason"] == "stopped" and ended["sides"] == report["sides"]


@contextmanager
def stopped(child):
    """A process that hears and says nothing for a while."""
    os.kill(child.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(child.pid, signal.SIGCONT)


def test_every_question_about_the_tree_is_answered(lab, visitor):
    """Too many at once, and those that the end of the search leaves open, by an error."""
    visitor.search(playouts=LONG, paused=True)
    visitor.until("paused")
    (lease,) = lab.server.pool._leases
    with stopped(lease.child):
        asked = [visitor.send("tree", side=0, path=[]) for _ in range(limits.REQUESTS + 1)]
        assert "too many requests" in visitor.read()["message"]
        stop = visitor.send("stop")
        answers = []
        while not answers or answers[-1]["id"] != stop:
            answers.append(visitor.read())
    open_ones = [answer for answer in answers if answer["type"] == "error"]
    assert [answer["id"] for answer in open_ones] == asked[:-1]
    assert {answer["message"] for answer in open_ones} == {"the search has ended"}


def test_two_answers_in_a_row_do_not_wait_for_each_other(lab, visitor):
    """Nagle's algorithm and a late acknowledgement would make it 40 ms."""
    visitor.ask("position", position=HEX)
    connections = lab._server.server_state.connections
    sockets = [one.transport.get_extra_info("socket") for one in connections]
    assert sockets
    assert all(one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for one in sockets)


def test_who_leaves_is_not_kept_by_a_question(lab):
    with lab.visitor() as first:
        first.ask("position", position=HEX)
        with stopped(lab.server.position_services._quick._child):
            first.send("position", position=HEX)
            first.socket.close()
            wait_until(lambda: not lab.server.visitors)
    with lab.visitor() as second:  # whose answer is not that of the first
        found = second.ask("position", position={**HEX, "moves": ["c3"]})
        assert found["stones"] == {"c3": "first"}


def test_a_search_that_is_not_possible_is_an_error(visitor):
    over = {"game": "hex:3", "start": None, "moves": ["b1", "a1", "b2", "a2", "b3"]}
    for agents, position in (
        (("nobody",), HEX),
        (("auct",), HEX),
        (("uct(c=x)",), HEX),
        (("uct(playout=heavy)",), HEX),
        (("uct(select=examples/ucb_sqrt.py)",), HEX),
        (("uct",), over),
    ):
        number = visitor.search(agents, position)
        answer = visitor.until("done")
        assert (answer["type"], answer["id"]) == ("error", number), agents
    visitor.search(playouts=100)
    assert visitor.until("done")["state"] == "done"


def test_a_new_search_ends_the_old_one(visitor):
    visitor.search(playouts=LONG)
    visitor.until("running")
    second = visitor.search(playouts=100)
    report = visitor.until("done")
    assert report["id"] == second and report["sides"][0]["playouts"] == 100


def test_the_queue_tells_the_place_and_moves_on(lab):
    with lab.visitor() as first, lab.visitor() as second, lab.visitor() as third:
        first.search(playouts=LONG)
        first.until("running")
        second.search(playouts=100)
        assert second.until("queued")["place"] == 1
        third.search(playouts=100)
        assert third.until("queued")["place"] == 2
        assert second.ask("step", playouts=1)["message"] == "the search is waiting for its turn"
        second.ask("stop")  # gives up its place
        assert third.until("queued")["place"] == 1
        first.ask("stop")
        assert third.until("done")["sides"][0]["playouts"] == 100


def test_a_search_at_rest_makes_way(lab):
    with lab.visitor() as first, lab.visitor() as second:
        first.search(playouts=100)
        first.until("done")
        second.search(playouts=100)
        assert second.until("done")
        ended = first.until("ended")
        assert "waiting" in ended["reason"] and ended["sides"][0]["playouts"] == 100


def test_leaving_cancels_at_once(lab):
    with lab.visitor() as first:
        first.search(playouts=LONG)
        first.until("running")
        assert len(lab.server.pool._leases) == 1
    wait_until(lambda: not lab.server.pool._leases and not lab.server.pool._stopping)
    with lab.visitor() as second:  # the same process is ready for the next one
        second.search(playouts=100)
        second.until("done")


def test_an_idle_search_ends(lab, monkeypatch):
    monkeypatch.setattr(limits, "IDLE_SECONDS", 0.5)
    with lab.visitor() as first:
        first.search(playouts=100, paused=True)
        first.until("paused")
        assert "no request" in first.until("ended")["reason"]


def test_a_process_that_dies_is_replaced(lab):
    with lab.visitor() as first:
        first.search(playouts=LONG)
        first.until("running")
        (lease,) = lab.server.pool._leases
        lease.child._process.kill()
        assert "failed" in first.until("ended")["message"]
        first.search(playouts=100)
        assert first.until("done")["sides"][0]["playouts"] == 100
        quick = lab.server.position_services._quick._child
        quick._process.kill()
        assert first.ask("position", position=HEX)["type"] == "position"


SEARCHER = """
import pickle, struct, sys
from pathlib import Path

def say(*message):
    data = pickle.dumps(message)
    sys.stdout.buffer.write(struct.pack("<Q", len(data)) + data)
    sys.stdout.buffer.flush()

say("free")
while head := sys.stdin.buffer.read(8):
    # Not unpickled: of modules that it has not.
    if b"stop" in sys.stdin.buffer.read(*struct.unpack("<Q", head)):
        say("free")
        continue
    say("search", {"state": "compiling", "sides": []})
    deaths = Path(sys.argv[1])
    if left := deaths.read_text():
        deaths.write_text(left[1:])
        sys.exit()
    say("search", {"state": "done", "reason": "", "sides": [{"playouts": 7}]})
"""


@pytest.fixture
def deaths(tmp_path, monkeypatch):
    """Processes that search at once, or die: as often as this file has letters."""
    file = tmp_path / "deaths"
    file.write_text("")
    (tmp_path / "searcher.py").write_text(SEARCHER)
    command = [sys.executable, "-I", "-S", str(tmp_path / "searcher.py"), str(file)]
    pipe = asyncio.subprocess.PIPE

    async def start(role):
        return Child(await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe))

    monkeypatch.setattr(Child, "start", start)
    return file


def test_a_dead_process_is_not_lent(deaths):
    """Not even if the server has not noticed: here it does nothing between death and request."""

    async def lend_and_kill():
        pool = Pool(1)
        lease = await pool.lease(lambda place: None)
        first = lease.child
        pool.give_back(lease)
        while not pool._free:
            await asyncio.sleep(0.01)
        os.kill(first.pid, signal.SIGKILL)
        wait_until(lambda: processes().get(first.pid, "Z")[0] == "Z")
        lease = await pool.lease(lambda place: None)
        assert lease.child is not first and lease.child.alive
        await pool.close()

    asyncio.run(lend_and_kill())


def test_a_search_whose_process_dies_at_once_is_done_by_another(deaths):
    with start_lab() as lab, lab.visitor() as talk:
        deaths.write_text("x")
        talk.search()
        assert talk.until("done")["sides"] == [{"playouts": 7}]
        assert deaths.read_text() == ""
        deaths.write_text("xxx")
        talk.search()
        assert "failed" in talk.until("done")["message"]
        assert deaths.read_text() == "x"


def test_processes_that_cannot_be_started(lab, monkeypatch):
    async def start(role):
        pipe = asyncio.subprocess.PIPE
        return Child(
            await asyncio.create_subprocess_exec(
                sys.executable, "-c", "pass", stdin=pipe, stdout=pipe
            )
        )

    with lab.visitor() as first:
        first.search(playouts=LONG)
        first.until("running")
        (lease,) = lab.server.pool._leases
        monkeypatch.setattr(Child, "start", start)
        lease.child._process.kill()
        assert "failed" in first.until("ended")["message"]
        first.search(playouts=100)
        assert "cannot start a search" in first.until("done")["message"]
        monkeypatch.undo()
        first.search(playouts=100)
        assert first.until("done")["sides"][0]["playouts"] == 100


def test_too_many_visitors_are_sent_away(lab, monkeypatch):
    wait_until(lambda: not lab.server.visitors)
    monkeypatch.setattr(limits, "VISITORS", 1)
    with lab.visitor() as first, lab.visitor() as second:
        with pytest.raises(ConnectionClosed) as sent_away:
            second.read()
        assert sent_away.value.rcvd.code == 1013
        assert first.ask("position", position=HEX)["type"] == "position"


def test_visitors_have_a_rate(monkeypatch):
    now = [1000.0]
    monkeypatch.setattr("uctlab.lab.visitor.clock", lambda: now[0])
    slow = limits.Rate(per_second=1.0, burst=5.0, penalty=0.0)
    with start_lab(rate=slow) as lab, lab.visitor() as talk:
        answers = [talk.ask("pause") for _ in range(5)]
        assert {answer["message"] for answer in answers} == {"there is no search"}
        talk.send("pause")
        assert talk.read() == {
            **{"type": "error", "id": None},
            "message": "too many messages; wait a moment",
        }
        now[0] += 1.2
        assert talk.ask("pause")["message"] == "there is no search"


def test_agents_are_compiled_in_the_background(monkeypatch):
    """And the page is told what is being done; a game or an agent is compiled once."""
    monkeypatch.setattr(limits, "WARM_DELAY", 0.0)
    monkeypatch.setattr("uctlab.lab.warmer._gallery", lambda: [("hex:4", "mc")])
    with start_lab(warm="") as lab, lab.visitor() as talk:
        for _ in range(2):
            assert talk.ask("warm", game="hex:4", agents=["uct", "mc"])["type"] == "ok"
        seen = []
        while not seen or seen[-1]["now"] or seen[-1]["left"]:
            seen.append(json.loads(fetch(lab.url + "/api/warming")[2]))
            time.sleep(0.02)
        now = [state["now"] for state in seen if state["now"]]
        assert {one["agent"] for one in now} <= {"uct", "mc"} and now
        assert all(one["game"] == "hex:4" and one["seconds"] >= 0 for one in now)


def test_who_takes_nothing_is_let_go(monkeypatch):
    heard = [{"type": "websocket.receive", "text": "nonsense"}]

    class Deaf:
        async def receive(self):
            return heard.pop() if heard else await asyncio.Event().wait()

        async def send_text(self, text):
            await asyncio.Event().wait()

    async def visit():
        visitor = Visitor(Deaf(), Pool(1), PositionServices(), NO_LIMIT, Warmer(None))
        await asyncio.wait_for(visitor.serve(), PATIENCE)

    monkeypatch.setattr(limits, "SEND_SECONDS", 0.05)
    asyncio.run(visit())


def test_the_latest_report_to_a_slow_visitor_is_the_last():
    async def send_and_take():
        outbox = Outbox()
        outbox.put({"state": "running", "playouts": 1}, key="search")
        outbox.put({"state": "running", "playouts": 2})
        outbox.put({"state": "done"}, key="search")
        assert outbox.size == len('{"state": "running", "playouts": 2}{"state": "done"}')
        return [await outbox.take(), await outbox.take(), outbox.size]

    assert asyncio.run(send_and_take()) == [
        '{"state": "running", "playouts": 2}',
        '{"state": "done"}',
        0,
    ]


def test_frames_that_are_too_large_or_binary(lab):
    with lab.visitor() as talk:
        talk.socket.send(b"\x00\x01")
        assert "bytes" in talk.read()["message"]
        talk.socket.send("x" * (limits.MESSAGE_BYTES + 1))
        assert talk.read()["type"] == "error"
        with pytest.raises(ConnectionClosed):
            talk.socket.send("x" * (limits.FRAME_BYTES + 1))
            talk.read()
    with lab.visitor() as talk:
        assert talk.ask("position", position=HEX)["type"] == "position"


def test_5000_malformed_messages_and_the_server_is_alive(lab):
    draw = random.Random(2)
    before = lab.server.position_services._quick._child.pid
    for _ in range(5):
        with lab.visitor() as talk:
            for _ in range(10):
                talk.send_at_once([malformed(draw) for _ in range(100)])
                talk.number = 10**9 + draw.randrange(10**6)
                assert talk.ask("position", position=HEX)["stones"] == {}
    assert lab.server.position_services._quick._child.pid == before
    assert fetch(lab.url + "/api/catalog")[0] == 200
    wait_until(lambda: not lab.server.visitors and not lab.server.pool._leases)
    with lab.visitor() as talk:
        talk.search(playouts=100)
        assert talk.until("done")["sides"][0]["playouts"] == 100


class Hurried(random.Random):
    """Who always waits for the shortest time."""

    def uniform(self, shortest, longest):
        return shortest


def test_twenty_visitors_at_once(lab, monkeypatch):
    """One visit of each; many visits in a minute are benchmarks/lab_load.py."""
    bench = pytest.importorskip("benchmarks.lab_load")
    monkeypatch.setattr(bench, "PATIENCE", PATIENCE)
    with lab.visitor() as talk:  # kernels first
        for game, agent in set(bench.SEARCHES):
            talk.search((agent,), {"game": game, "start": None, "moves": []}, playouts=10)
            talk.until("done")
    tally = bench.Tally()

    async def visit_together():
        probe = asyncio.to_thread(bench.fetch, f"http://{lab.host}/api/catalog")
        visits = [bench.visit(lab.host, tally, Hurried(number)) for number in range(20)]
        await asyncio.gather(probe, *visits)

    asyncio.run(visit_together())
    assert tally.errors == []
    assert tally.counts["visits"] == 20 <= tally.counts["searches"]
    wait_until(lambda: not lab.server.visitors and not lab.server.pool._leases)
    assert len(lab.server.pool.pids) <= 1 and not lab.server.pool._queue
