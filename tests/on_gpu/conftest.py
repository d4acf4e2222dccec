"""What only a device that is a GPU, or its simulator, can show. The files here are run by
test_cuda.py; on a machine with a GPU also by hand:  pytest tests/on_gpu/gpu_*.py
One worker only: each takes most of the GPU's memory.
"""

import pytest

from uctlab.devices import cuda_driver, cuda_games, cuda_search, cuda_trees
from uctlab.devices.cuda_search import CudaSearch

if cuda_driver.simulated():
    from numba.cuda.simulator.kernel import BlockThread

    # Each thread of a block is one of Python's, and most have no game.
    cuda_driver.WARP = cuda_search.WARP = 2
    cuda_search.BLOCK = cuda_search.WARPS_PER_BLOCK * cuda_search.WARP

    def is_alive(thread, ask=BlockThread.is_alive):
        """The simulator asks all the time until a thread ends; half of all time would go there."""
        thread.join(timeout=0.01)
        return ask(thread)

    BlockThread.is_alive = is_alive

    cuda = cuda_driver.load_cuda()

    def to_device(array, copy=cuda.to_device):
        """The simulator takes every array; a GPU only those of which NumPy makes a buffer."""
        memoryview(array)
        return copy(array)

    cuda.to_device = to_device


@pytest.fixture
def launches(monkeypatch):
    """(room of a tree, number of games) of every launch."""
    made = []
    prepare = CudaSearch.prepare

    def counted(self, memory, room, together, inputs):
        made.append((room, len(inputs.playouts)))
        return prepare(self, memory, room, together, inputs)

    monkeypatch.setattr(CudaSearch, "prepare", counted)
    return made


@pytest.fixture
def memory_of(monkeypatch):
    """Make the GPU's memory so many bytes."""

    def shrink(size):
        class Small(cuda_driver.TreeMemory):
            def __init__(self):
                super().__init__()
                self.size = size

            def take(self, count, kind):
                part = super().take(count, kind)
                assert self._given <= size + 64 * cuda_driver.ALIGN, "more than there is"
                return part

        monkeypatch.setattr(cuda_trees, "TreeMemory", Small)

    return shrink


@pytest.fixture
def first_guess(monkeypatch):
    """Make all trees seem to need so many nodes."""

    def guess(nodes):
        class Guessed(cuda_games._Players):
            def __init__(self, game, tasks):
                super().__init__(game, tasks)
                for kind in self.kinds:
                    kind.need = nodes

        monkeypatch.setattr(cuda_games, "_Players", Guessed)

    return guess
