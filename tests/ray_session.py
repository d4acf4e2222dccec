"""Matches on Ray clusters: a node that dies, one that joins, Ctrl-C, and who cleans up."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path

import pytest

from uctlab.arena.match import play_matches
from uctlab.arena.objects import given_game
from uctlab.arena.plan import MatchPlan
from uctlab.arena.store import Store
from uctlab.devices import ray as device
from uctlab.devices import ray_pools
from uctlab.devices.cpu import Cpu
from uctlab.devices.ray import RayCluster
from uctlab.errors import LabError, UsageError
from uctlab.games import make_game

os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")  # no talk between the tests
ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'uctlab[ray]'")
cluster_utils = pytest.importorskip("ray.cluster_utils")

GAMES = 24  # of a match in which a node dies
PATIENCE = 600.0  # seconds, on a machine that has other things to do
PROGRAM = "from uctlab.cli.main import main; main()"
BY_THE_CLOCK = ("seconds_a", "seconds_b", "finished")
# A dead node refuses to answer, and is known to be dead after five questions: by default these take
# 15 seconds. One that is only slow has minutes for each answer.
QUICK_TO_NOTICE = {
    "health_check_period_ms": 200,
    "health_check_failure_threshold": 5,
    "health_check_timeout_ms": 300_000,
}


def start_cluster(**head):
    """A head node; tests add others."""
    options = {"include_dashboard": False, "_system_config": QUICK_TO_NOTICE, **head}
    return cluster_utils.Cluster(initialize_head=True, head_node_args=options)


@pytest.fixture(scope="module")
def cluster():
    """A head node with one core; tests add a second."""
    with pytest.MonkeyPatch.context() as environment:
        # Nodes need our tasks, and the uctlab that is tested.
        environment.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=os.pathsep)
        cluster = start_cluster(num_cpus=1)
        yield cluster
        cluster.shutdown()


@pytest.fixture
def disconnected():
    yield
    ray.shutdown()


@contextmanager
def second_node(cluster):
    """That of the test before, or a new one; it is gone afterwards."""
    node = next(iter(cluster.worker_nodes), None) or cluster.add_node(num_cpus=1)
    try:
        yield node
    finally:
        if node in cluster.worker_nodes:
            cluster.remove_node(node, allow_graceful=False)


def processes():
    """(process, parent, group, command line) of all that live."""
    table = subprocess.check_output(["ps", "-A", "-o", "pid=,ppid=,pgid=,stat=,args="], text=True)
    rows = (line.split(None, 4) for line in table.splitlines())
    return [(int(r[0]), int(r[1]), int(r[2]), r[4]) for r in rows if r[3][0] != "Z"]


def raylet(node):
    return node.all_processes["raylet"][0].process.pid


def workers_at_play(node):
    """Ray gives a process the name of the function that it is in."""
    return [
        p
        for p, parent, _, name in processes()
        if parent == raylet(node) and "perform_on_node" in name
    ]


def eventually(condition):
    end = time.monotonic() + PATIENCE
    while not (truth := condition()) and time.monotonic() < end:
        time.sleep(0.05)
    return truth


@contextmanager
def frozen_at_play(node):
    """The workers of a node, stopped in the middle of a game."""

    def stop():
        for worker in (workers := workers_at_play(node)):
            os.kill(worker, signal.SIGSTOP)
        if set(workers) <= set(workers_at_play(node)):
            return workers
        send(signal.SIGCONT, workers)
        return []

    workers = eventually(stop)
    try:
        yield workers
    finally:
        send(signal.SIGCONT, workers)


def send(number, workers):
    for worker in workers:
        with suppress(ProcessLookupError):
            os.kill(worker, number)


@contextmanager
def program(*arguments):
    """The program `uctlab` in a group of processes of its own, which is empty afterwards."""
    running = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    group = running.pid
    try:
        yield running
        assert eventually(lambda: not [p for p in processes() if p[2] == group]), processes()
    finally:
        with closing(running.stdout), closing(running.stderr):
            if running.poll() is None:
                os.killpg(group, signal.SIGKILL)
                running.wait()


def games_kept(path):
    if not path.exists():
        return []
    with Store(path) as store:
        return [asdict(game) for match in store.matches() for game in store.records(match.id)]


def without_clock(games):
    return [{k: v for k, v in game.items() if k not in BY_THE_CLOCK} for game in games]


def only(batch):
    """The one task of a batch, and its outcome."""
    [finished] = batch.outcomes
    return finished


@dataclass(frozen=True)
class Where:
    """Which node and which process did it."""

    number: int
    seconds: float = 0.02

    def perform(self):
        time.sleep(self.seconds)
        return ray.get_runtime_context().get_node_id(), os.getpid()


@dataclass(frozen=True)
class Fails:
    how: str

    def perform(self):
        if self.how == "mistake":
            raise UsageError("there is no such game")
        if self.how == "death":
            os.kill(os.getpid(), signal.SIGKILL)
        raise ZeroDivisionError("the board has no cells")


def test_a_node_that_joins_gets_work_and_closing_leaves_the_cluster_running(cluster):
    found: dict[str, set[int]] = {}
    with closing(RayCluster(cluster.address).run(map(Where, count()))) as finished:

        def take(number):
            """Outcomes may come together."""
            while number > 0:
                outcomes = next(finished).outcomes
                number -= len(outcomes)
                for _, (node, process) in outcomes:
                    found.setdefault(node, set()).add(process)

        take(20)
        assert [len(players) for players in found.values()] == [1]  # one core, one process: kept
        cluster.add_node(num_cpus=1)  # for the next test too: a node takes seconds to start
        end = time.monotonic() + PATIENCE
        while len(found) < 2 and time.monotonic() < end:
            take(1)
        assert len(found) == 2
    assert not ray.is_initialized()
    assert eventually(lambda: not workers_at_play(cluster.head_node))
    assert cluster.remaining_processes_alive()
    again = RayCluster(cluster.address).run(iter([Where(7)]))
    assert [only(batch)[0].number for batch in again] == [7]


def test_a_node_dies_in_mid_match_and_no_game_is_lost_or_played_twice(cluster, tmp_path):
    # Enough that the second node is still at play when this process, on a busy machine, looks.
    match = ["hex:5", "uct", "uct(c=1)", "--games", GAMES, "--playouts", 3000, "--openings", 1]
    path = tmp_path / "ray.db"
    with second_node(cluster) as node:
        where = ["--device", f"ray:{cluster.address}", "--store", path, "--json"]
        with program("match", *match, *where) as running:
            with frozen_at_play(cluster.head_node) as on_the_head:
                assert on_the_head
                begin = len(games_kept(path))
                assert eventually(lambda: len(games_kept(path)) >= begin + 2)  # by the second node
                with frozen_at_play(node) as victims:
                    assert victims
                    cluster.remove_node(node, allow_graceful=False)
                    send(signal.SIGKILL, victims)
                assert eventually(lambda: not {p[0] for p in processes()} & set(victims))
                assert len(games_kept(path)) < GAMES
            out, err = running.communicate(timeout=PATIENCE)
    assert (running.returncode, err) == (0, "")
    result = json.loads(out)
    assert (result["games"], result["complete"]) == (GAMES, True)

    plan = MatchPlan("hex:5", "uct", "uct(c=1)", playouts=3000, openings=1)
    with Store(tmp_path / "cpu.db") as store:
        play_matches([plan], games=GAMES, device=Cpu(1), store=store)
    expected = games_kept(tmp_path / "cpu.db")
    assert [game["number"] for game in expected] == list(range(GAMES))
    assert without_clock(games_kept(path)) == without_clock(expected)


def test_an_object_travels_to_a_node(cluster):
    name, own = given_game(make_game("hex:3").interpreted())
    plan = MatchPlan(name, "uct", "mc", playouts=10, own_game=own)
    devices = Cpu(1), RayCluster(cluster.address)
    here, there = (play_matches([plan], games=2, device=where)[0] for where in devices)
    assert [game.moves for game in here.records] == [game.moves for game in there.records]


def test_no_more_games_at_once_than_workers(cluster):
    drawn = []

    def tasks():
        for number in range(6):
            drawn.append(number)
            yield Where(number)

    for number, batch in enumerate(RayCluster(cluster.address, workers=1).run(tasks())):
        assert only(batch)[0].number == number == drawn[-1]
    assert len(drawn) == 6


def test_a_connection_of_the_callers_own_is_kept_and_freed_of_our_games(cluster, disconnected):
    ray.init(address=cluster.address, log_to_driver=False)
    tasks = iter([Where(0), Where(1, seconds=PATIENCE), Where(2, seconds=PATIENCE)])
    with closing(RayCluster().run(tasks)) as finished:
        assert only(next(finished))[0] == Where(0)
        assert eventually(lambda: workers_at_play(cluster.head_node))
    assert ray.is_initialized()
    assert eventually(lambda: not workers_at_play(cluster.head_node))


def test_mistakes_and_failures_on_a_node_arrive_as_such(cluster, monkeypatch, disconnected):
    ray.init(address=cluster.address, log_to_driver=False)
    monkeypatch.setattr(ray_pools, "MAX_FAILURES", 2)
    with pytest.raises(UsageError, match=r"^there is no such game$"):
        list(RayCluster().run(iter([Fails("mistake")])))
    with pytest.raises(LabError, match="the board has no cells") as failure:
        list(RayCluster().run(iter([Fails("failure")])))
    assert "\x1b" not in str(failure.value)
    with pytest.raises(LabError, match=r"Fails\(how='death'\) was lost 2 times"):
        list(RayCluster().run(iter([Fails("death")])))


def test_a_cluster_on_this_machine_gives_the_counts_of_the_cpu(uctlab):
    match = ["match", "hex:4", "uct", "uct(c=1)", "--games", 8, "--playouts", 100, "--json"]
    with program(*match, "--device", "ray") as running:
        out, err = running.communicate(timeout=PATIENCE)
    assert (running.returncode, err) == (0, "")
    on_ray, on_cpu = json.loads(out), json.loads(uctlab(*match, "--workers", 1)[1])
    for result in (on_ray, on_cpu):
        del result["seconds"], result["playouts_per_second"]
    assert on_ray == on_cpu


def test_ctrl_c_gives_the_finished_games(tmp_path):
    match = ["match", "hex:5", "uct", "uct(c=1)", "--games", 100_000, "--playouts", 3000, "--json"]
    path = tmp_path / "games.db"
    with program(*match, "--device", "ray", "--workers", 2, "--store", path) as running:
        assert eventually(lambda: len(games_kept(path)) >= 3)
        os.killpg(running.pid, signal.SIGINT)  # as a terminal does
        out, err = running.communicate(timeout=PATIENCE)
    assert (running.returncode, err) == (0, "")
    result = json.loads(out)
    assert 3 <= result["games"] <= len(games_kept(path))  # one may be on disk and not yet counted
    assert not result["complete"]


@pytest.mark.parametrize("answer", [None, b"", b"HTTP/1.1 400 Bad Request\r\n\r\n"])
def test_no_cluster_at_an_address(uctlab, monkeypatch, answer):
    """Nobody listens; somebody does and says nothing; a web page."""
    monkeypatch.setattr(device, "CONNECT_SECONDS", 0.5)
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        if answer is None:
            server.close()
        elif answer:
            monkeypatch.setattr(socket.socket, "recv", lambda self, size: answer[:size])
        run = uctlab(
            "match", "hex:3", "uct", "uct(c=1)", "--playouts", 10, "--device", f"ray:{address}"
        )
    assert (run[0], run[1], run[2].count("\n")) == (2, "", 1)
    assert address in run[2]


@pytest.mark.parametrize("address", ["nowhere", "host:port", "http://host:8265", ":6379"])
def test_an_address_that_is_none(uctlab, address):
    code, _, err = uctlab(
        "match", "hex:3", "uct", "uct(c=1)", "--playouts", 10, "--device", f"ray:{address}"
    )
    assert (code, err.count("\n")) == (2, 1)
    assert "HOST:PORT" in err


@pytest.mark.parametrize("workers", [0, -1, 5000])
def test_workers_out_of_range(workers):
    with pytest.raises(UsageError, match="1 to 1024 workers"):
        RayCluster(workers=workers)


def test_without_ray_the_way_to_get_it_is_told(monkeypatch, uctlab):
    monkeypatch.setitem(sys.modules, "ray", None)
    code, out, err = uctlab(
        "match", "hex:3", "uct", "uct(c=1)", "--playouts", 10, "--device", "ray"
    )
    assert (code, out) == (2, "")
    assert (
        err == "uctlab: --device ray needs Ray, which is not installed: pip install 'uctlab[ray]'\n"
    )
