"""A GPU as a device. What needs one runs in a process of its own (on_gpu/), because the simulator
must be chosen before Numba is imported: on the GPU of this machine or, where there is none, on
numba-cuda's simulator with tiny budgets. The rest needs neither: what is said where something is
missing, memory, and which thread has which game.
"""

import importlib.util
import os
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import numba
import numpy as np
import pytest

from tests.leftovers import run_and_clean_up
from uctlab.devices import cuda, cuda_driver, cuda_search, cuda_trees
from uctlab.devices.cuda_trees import KernelGroup
from uctlab.errors import UsageError

ROOT = Path(__file__).parents[1]
ON_GPU = sorted(Path(__file__).parent.glob("on_gpu/gpu_*.py"))


def run_python(*arguments, **variables):
    """Python with those arguments, without what the environment says about Numba."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("NUMBA_", "PYTEST_"))
    }
    return run_and_clean_up(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=inherited | variables,
        capture_output=True,
        text=True,
        timeout=7200,
    )


def gpu_is_there():
    """Asked in another process: a GPU that is asked here is held until the tests end."""
    asked = "from uctlab.devices.cuda_driver import require_gpu; require_gpu()"
    return run_python("-c", asked).returncode == 0


# On a GPU or on the simulator


@pytest.mark.skipif(
    importlib.util.find_spec("numba_cuda") is None,
    reason="numba-cuda is not installed: pip install 'uctlab[cuda]'",
)
def test_on_a_gpu():
    # The simulator is plain Python, and nothing is worth compiling for so few playouts.
    simulator = {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--tb=short"]
    done = run_python(
        *("-m", "pytest", *options, *map(str, ON_GPU)), **({} if gpu_is_there() else simulator)
    )
    assert done.returncode == 0, f"\n{done.stdout}\n{done.stderr}"


# What is said where something is missing

MATCH = ["match", "hex:3", "uct", "uct(c=2)", "--games", "2", "--playouts", "5"]
MATCH += ["--device", "cuda"]
PROGRAM = f"""
import sys
{{before}}
from uctlab.cli.main import main
sys.argv = {["uctlab", *MATCH]}
main()
"""
NEEDS_PACKAGE = "uctlab: --device cuda needs numba-cuda: pip install 'uctlab[cuda]'\n"
NEEDS_GPU = "uctlab: --device cuda needs an NVIDIA GPU with its driver; none was found that works: "
# As where there is a driver that is too old for what is compiled.
SEEMS_THERE = (
    "from uctlab.devices.cuda_driver import load_cuda; load_cuda().is_available = lambda: True"
)


@pytest.mark.parametrize(
    "found",
    [
        None,
        SimpleNamespace(__file__="numba/cuda/__init__.py"),
        SimpleNamespace(__file__=None),
    ],
    ids=["none", "that of Numba itself", "an empty folder"],
)
def test_without_numba_cuda(found, monkeypatch, uctlab):
    monkeypatch.setitem(sys.modules, "numba.cuda", found)
    monkeypatch.delattr(numba, "cuda", raising=False)
    monkeypatch.setattr(cuda_driver, "load_cuda", cuda_driver.load_cuda.__wrapped__)
    monkeypatch.setattr(cuda, "require_gpu", cuda_driver.require_gpu.__wrapped__)
    assert uctlab(*MATCH) == (2, "", NEEDS_PACKAGE)


@pytest.mark.skipif(importlib.util.find_spec("numba_cuda") is None, reason="needs numba-cuda")
@pytest.mark.parametrize("before", ["", SEEMS_THERE], ids=["none", "one that runs nothing"])
def test_without_a_gpu(before):
    done = run_python("-c", PROGRAM.format(before=before), CUDA_VISIBLE_DEVICES="-1")
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(rf"{NEEDS_GPU}\S.*\n", done.stderr), done.stderr


class Driver:
    """A GPU whose memory is held, until it is asked for, by a block that nobody uses."""

    def __init__(self):
        self.free = 2**20
        self.memory_manager = self.deallocations = self

    def clear(self):
        self.free = 2**30

    def current_context(self):
        return self

    def get_memory_info(self):
        return self

    def device_array(self, size, kind):
        return size


def test_memory_that_nobody_uses_is_free(monkeypatch):
    monkeypatch.setattr(cuda_driver, "load_cuda", Driver)
    monkeypatch.setattr(cuda_driver, "simulated", lambda: False)
    assert cuda_driver.TreeMemory().size > 0.8 * 2**30


@pytest.mark.parametrize(
    ("games", "together", "warps"),
    [(1, 1, 1), (65, 65, 65), (14_000, 14_000, 519), (7_000, 14_000, 260), (20_000, 20_000, 625)],
)
def test_games_that_run_beside_others(games, together, warps, monkeypatch):
    """Every scheduler of an H200 has one warp at most, until warps are full."""
    monkeypatch.setattr(cuda_driver, "schedulers", lambda: 528)
    assert cuda_driver.warps_for(games, together) == warps
    assert_every_game_has_a_thread(games, warps, monkeypatch)


@pytest.mark.parametrize(
    ("games", "together", "warps"),
    [
        (1, 1, 1),
        (65, 65, 65),
        (600, 600, 512),
        (14_000, 14_000, 512),
        (300, 400, 300),
        (200, 1_000, 102),
        (20_000, 20_000, 625),
    ],
)
def test_games_of_a_large_kernel(games, together, warps, monkeypatch):
    """On 128 of the 132 multiprocessors of an H200."""
    monkeypatch.setattr(cuda_driver, "schedulers", lambda: 528)
    assert cuda_driver.warps_for_large(games, together) == warps
    assert_every_game_has_a_thread(games, warps, monkeypatch)


@pytest.mark.parametrize("schedulers", [4, 28, 112])
def test_a_large_kernel_on_a_small_gpu(schedulers, monkeypatch):
    """Which has not so many multiprocessors that some could stay idle."""
    monkeypatch.setattr(cuda_driver, "schedulers", lambda: schedulers)
    assert cuda_driver.warps_for_large(112, 112) == schedulers


class Kernel:
    def __init__(self, large):
        self.large = large


def test_which_kernels_take_turns(monkeypatch):
    """Large ones with many games; the same kernel with other numbers of playouts runs at once."""
    monkeypatch.setattr(cuda_trees, "schedulers", lambda: 5)
    many, few = np.arange(5), np.arange(4)
    large, other, small = (Kernel(large) for large in (True, True, False))
    # Groups are told apart by what `need` is here.
    kinds = enumerate([(large, many), (small, many), (other, many), (large, many), (other, few)])
    waiting = [(KernelGroup(search, number), games) for number, (search, games) in kinds]
    turns = [[kind.need for kind, _ in together] for together in cuda_trees.turns_of(waiting)]
    assert turns == [[0, 3], [2], [1, 4]]


def assert_every_game_has_a_thread(games, warps, monkeypatch):
    threads = -(-warps // cuda_search.WARPS_PER_BLOCK) * cuda_search.BLOCK
    numbers = iter(range(threads))
    monkeypatch.setattr(cuda_search, "cuda", SimpleNamespace(grid=lambda _: next(numbers)))
    found = [cuda_search.game_of_thread(warps, games) for _ in range(threads)]
    assert [g for g in found if g >= 0] == list(range(games))
    sizes = [sum(g >= 0 for g in found[i : i + 32]) for i in range(0, 32 * warps, 32)]
    assert max(sizes) - min(sizes) <= 1, "all warps have the same work"


def test_gpus_that_a_cluster_of_this_machine_may_use(monkeypatch):
    """All that are visible; none if there is nothing to use them with."""

    def missing():
        raise UsageError("no numba-cuda")

    monkeypatch.setattr(cuda_driver, "simulated", lambda: False)
    monkeypatch.setattr(cuda_driver, "require_gpu", missing)
    assert cuda_driver.working_gpus() == 0
    monkeypatch.setattr(cuda_driver, "require_gpu", lambda: None)
    monkeypatch.setattr(cuda_driver, "load_cuda", lambda: SimpleNamespace(gpus=range(3)))
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    assert cuda_driver.working_gpus() == 3 and cuda_driver.visible_gpus() == ["0", "1", "2"]
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "5, GPU-7,2,-1,3")
    assert cuda_driver.visible_gpus() == ["5", "GPU-7", "2"]
    monkeypatch.setattr(cuda_driver, "simulated", lambda: True)
    assert cuda_driver.working_gpus() == 0
