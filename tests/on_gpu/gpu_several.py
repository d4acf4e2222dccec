"""Several GPUs of one machine, each with a process and a share of the games."""

import os
import signal
from contextlib import closing

import pytest

from tests.on_gpu.gpu_searches import SEARCHES
from tests.on_gpu.tasks import HEX, TABLE, on_cpu, plan, records, tasks_of, timeless
from tests.patience import wait_until
from tests.processes import workers_of
from uctlab.arena.tasks import run_tasks
from uctlab.devices import checkpoint, cuda
from uctlab.devices.cpu import WorkerPool
from uctlab.devices.cuda import Cuda
from uctlab.devices.cuda_driver import simulated, visible_gpus
from uctlab.errors import LabError, UsageError

pytestmark = pytest.mark.skipif(
    not simulated(), reason="two processes would take the memory of one GPU from each other"
)


@pytest.fixture
def started(monkeypatch):
    """Two GPUs; the workers, as they are started, with their GPUs."""
    made = []
    start = WorkerPool.start

    def noted(pool, environment):
        worker = start(pool, environment)
        made.append((worker, environment.get("CUDA_VISIBLE_DEVICES")))
        return worker

    monkeypatch.setattr(WorkerPool, "start", noted)
    monkeypatch.setattr(cuda, "visible_gpus", lambda: ["2", "GPU-5"])
    return made


def test_names_of_gpus(monkeypatch):
    assert visible_gpus() == ["0"]
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "GPU-5,3")
    assert visible_gpus() == ["GPU-5"], "the driver says how many there are"


def test_the_same_games_and_searches(started):
    """Of two kinds of game, more and fewer than GPUs, and other tasks beside them."""
    tasks = [*tasks_of([HEX, plan("hex:3", "mc", "uct")], 3), *tasks_of([plan("hex:2")], 1)]
    assert records(Cuda(1), tasks) == on_cpu(tasks)
    assert [gpu for _, gpu in started] == ["2", "GPU-5"]
    some = SEARCHES[:5]
    assert run_tasks(some, Cuda(1)) == {task: task.perform() for task in some}
    assert not workers_of(os.getpid())


def test_a_process_that_dies_loses_no_game(started, monkeypatch):
    monkeypatch.setattr(checkpoint, "SECONDS", 0.0)
    tasks = tasks_of(TABLE, 2)
    found = []
    with closing(Cuda(1).run(iter(tasks))) as finished:
        found += next(finished).outcomes
        os.kill(started[1][0]._process.pid, signal.SIGKILL)
        for batch in finished:
            found += batch.outcomes
    assert {task: timeless(record) for task, record in found} == on_cpu(tasks)
    assert len(found) == len(tasks)
    assert [gpu for _, gpu in started] == ["2", "GPU-5", "GPU-5"]


def test_a_process_that_always_dies(started, monkeypatch):
    def killed(pool, environment, start=WorkerPool.start):
        worker = start(pool, environment)
        worker._process.kill()
        return worker

    monkeypatch.setattr(WorkerPool, "start", killed)
    with pytest.raises(LabError, match=r"a batch of 1 that begins with game .* killed 3 workers"):
        records(Cuda(1), tasks_of([HEX], 2))
    assert not workers_of(os.getpid())


def test_a_stopped_run_goes_on_with_another_number_of_gpus(started, monkeypatch, tmp_path):
    monkeypatch.setattr(checkpoint, "SECONDS", 0.0)
    tasks, path = tasks_of(TABLE, 2), tmp_path / "kept"
    done = {}
    with closing(Cuda(1, path).run(iter(tasks))) as finished:

        def some_are_under_way():
            done.update(next(finished).outcomes)
            saved = checkpoint.Checkpoint(path).load()
            return saved is not None and saved.length.max(initial=0) > 3

        wait_until(some_are_under_way)
    assert not workers_of(os.getpid())
    monkeypatch.setattr(cuda, "visible_gpus", lambda: ["0"])
    left = [task for task in tasks if task not in done]
    found = {task: timeless(record) for task, record in done.items()}
    assert found | records(Cuda(1, path), left) == on_cpu(tasks)
    assert list(tmp_path.iterdir()) == []


def test_mistakes_arrive_as_such(started):
    with pytest.raises(UsageError, match=r"playouts on a GPU do not learn"):
        records(Cuda(1), tasks_of([plan("hex:3", "uct(playout=mast)", "uct")], 2))
    assert not workers_of(os.getpid())
