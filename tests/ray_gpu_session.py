"""Matches on a Ray cluster whose nodes claim a GPU each; numba-cuda's simulator stands in for them.

The games are those of a CPU, on both nodes, and also if one of them dies.
"""

import os
import signal
from contextlib import closing

import pytest

from tests.on_gpu.tasks import on_cpu, records, timeless
from tests.ray_session import Where, eventually, processes, ray, raylet, send, start_cluster
from uctlab.arena.game import GameTask
from uctlab.arena.plan import MatchPlan
from uctlab.devices import checkpoint, gpu_batches
from uctlab.devices import ray as device
from uctlab.devices.gpu_batches import Ledger
from uctlab.devices.ray import RayCluster
from uctlab.errors import LabError, UsageError

SIMULATOR = {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
HEX = MatchPlan("hex:3", "uct", "mc", playouts=5)
LONGER = MatchPlan("hex:3", "mc", "uct(rave=k)", playouts=5)
FOR_CORES = MatchPlan("hex:3", "uct", "mc", playouts=5, reuse=True)


@pytest.fixture(scope="module")
def cluster():
    """A head with a core, and two nodes with a GPU."""
    here = os.path.dirname(__file__)
    with pytest.MonkeyPatch.context() as environment:
        for folder in (here, os.path.dirname(here)):
            environment.setenv("PYTHONPATH", folder, prepend=os.pathsep)
        cluster = start_cluster(num_cpus=1, num_gpus=0)
        try:
            for name, value in SIMULATOR.items():
                environment.setenv(name, value)
            for _ in "ab":
                cluster.add_node(num_cpus=0, num_gpus=1)
            for name in SIMULATOR:
                environment.delenv(name)
            yield cluster
        finally:
            cluster.shutdown()


def players(node):
    """Processes of a node that have a GPU."""
    table = processes()
    return [p for p, parent, _, name in table if parent == raylet(node) and "GpuPlayer" in name]


def tasks_of(plans, games):
    return [GameTask(plan, number) for number in range(games) for plan in plans]


def test_each_gpu_gets_a_batch_and_cores_what_suits_no_gpu(cluster):
    tasks = [*tasks_of([HEX, LONGER, FOR_CORES], 3), Where(0)]
    games = [task for task in tasks if isinstance(task, GameTask)]
    on_gpus, found = set(), []
    with closing(RayCluster(cluster.address).run(iter(tasks))) as finished:
        for batch in finished:
            on_gpus |= {node for node in cluster.worker_nodes if players(node)}
            found += batch.outcomes
    assert len(on_gpus) == 2
    outcomes = dict(found)
    assert len(found) == len(outcomes) == len(tasks) and Where(0) in outcomes
    assert {task: timeless(outcomes[task]) for task in games} == on_cpu(games)
    assert not ray.is_initialized()
    assert eventually(lambda: not any(map(players, cluster.worker_nodes)))


def test_more_games_than_a_batch_may_have(cluster, monkeypatch):
    monkeypatch.setattr(gpu_batches, "MOST_TASKS", 1)
    tasks = tasks_of([HEX], 3)
    assert records(RayCluster(cluster.address), tasks) == on_cpu(tasks)


def test_mistakes_on_a_node_arrive_as_such(cluster, monkeypatch):
    monkeypatch.setattr(device, "plan_suits_gpu", lambda plan: True)
    tasks = tasks_of([MatchPlan("hex:3", "uct(playout=mast)", "uct", playouts=5)], 2)
    with pytest.raises(UsageError, match="playouts on a GPU do not learn"):
        records(RayCluster(cluster.address), tasks)


def test_a_stopped_run_goes_on(cluster, monkeypatch, tmp_path):
    monkeypatch.setattr(checkpoint, "SECONDS", 0.0)
    path, tasks = tmp_path / "kept", tasks_of([HEX], 2)
    found = []
    with closing(RayCluster(cluster.address, checkpoint=path).run(iter(tasks))) as finished:
        while not path.exists():
            found += next(finished).outcomes
    left = [task for task in tasks if task not in dict(found)]
    for batch in RayCluster(cluster.address, checkpoint=path).run(iter(left)):
        found += batch.outcomes
    assert len(found) == len(tasks)
    assert {task: timeless(record) for task, record in found} == on_cpu(tasks)
    assert list(tmp_path.iterdir()) == []


def test_a_node_dies_and_its_batch_goes_on_elsewhere(cluster, monkeypatch):
    """A GPU is only a few parts ahead of the main program, so none is done when the node dies."""
    monkeypatch.setattr(checkpoint, "SECONDS", 0.0)
    lost = []
    lose = Ledger.lose

    def noted(ledger, batch):
        lost.append(lose(ledger, batch))
        return lost[-1]

    monkeypatch.setattr(Ledger, "lose", noted)
    tasks = tasks_of([HEX, LONGER], 2)
    found = []
    with closing(RayCluster(cluster.address).run(iter(tasks))) as finished:
        found += next(finished).outcomes
        victim = next(node for node in list(cluster.worker_nodes) if players(node))
        dying = players(victim)
        send(signal.SIGKILL, dying)  # they might live a little longer than their node
        cluster.remove_node(victim, allow_graceful=False)
        for batch in finished:
            found += batch.outcomes
    assert lost
    assert len(found) == len(tasks)
    assert {task: timeless(record) for task, record in found} == on_cpu(tasks)


def test_a_cluster_without_its_gpus_is_not_waited_for_for_ever(cluster, monkeypatch):
    monkeypatch.setattr(device, "NO_GPU_SECONDS", 0.0)
    monkeypatch.setattr(checkpoint, "SECONDS", 0.0)
    said = []
    with closing(RayCluster(cluster.address).run(iter(tasks_of([LONGER], 4)))) as finished:
        next(finished)
        for node in list(cluster.worker_nodes):
            send(signal.SIGKILL, players(node))
            cluster.remove_node(node, allow_graceful=False)
        with pytest.raises(LabError, match="the cluster has had no GPU for 0 seconds"):
            for batch in finished:
                said.append(batch.status)
    assert said[-1] == "the cluster has lost its GPUs: waiting for one"


@pytest.mark.skipif(
    os.path.exists("/dev/nvidia0"), reason="Ray would give it the GPU that is there"
)
def test_a_node_whose_gpu_is_of_no_use(cluster):
    """It has no simulator, and what Ray was told to be a GPU is none."""
    for node in list(cluster.worker_nodes):
        cluster.remove_node(node, allow_graceful=False)
    cluster.add_node(num_cpus=0, num_gpus=1)
    with pytest.raises(UsageError, match=r"^the node .* has a GPU for Ray, but none for uctlab: "):
        records(RayCluster(cluster.address), tasks_of([HEX], 1))
