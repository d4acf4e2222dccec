"""Imports numba-cuda, if it is installed, and manages the memory of the GPU."""

from __future__ import annotations

import os
import re
import warnings
from functools import cache
from typing import Any

import numpy as np

from uctlab.errors import UsageError

SHARE = 0.85  # of free memory given to trees; threads need some of their own
SIMULATED_BYTES = 2**24
SIMULATED_SCHEDULERS = 8
ALIGN = 256
WARP = 32  # threads that run one instruction together
WARPS_PER_BLOCK = 4  # one per scheduler; measured: benchmarks/README.md
BLOCK = WARPS_PER_BLOCK * WARP
CLUSTERS = 8  # of multiprocessors, in GPUs such as the H200
MANY = 15  # multiprocessors in a cluster, so that it matters little if some have one more


@cache
def load_cuda() -> Any:
    """numba-cuda, or None where it is not installed."""
    if not hasattr(np, "row_stack"):  # numba-cuda 0.30 needs it; NumPy 2.5 has removed it
        setattr(np, "row_stack", np.vstack)  # noqa: B010
    # The last games of a match are few; numba-cuda would warn that the GPU is underused.
    warnings.filterwarnings("ignore", message=r"(?s).*Grid size")
    try:
        from numba import cuda  # noqa: PLC0415 (not always installed)
    except ImportError:
        return None
    return cuda


def simulated() -> bool:
    """Whether numba-cuda's simulator, in plain Python, stands in for a GPU."""
    return os.environ.get("NUMBA_ENABLE_CUDASIM", "0") not in ("", "0")


@cache
def require_gpu() -> None:
    """UsageError that says what is missing. Runs a kernel, which an old driver may refuse."""
    cuda = load_cuda()
    if cuda is None or "numba_cuda" not in (cuda.__file__ or ""):
        raise UsageError("--device cuda needs numba-cuda: pip install 'uctlab[cuda]'")
    if simulated():
        return
    try:
        cuda.jit(_nothing)[1, 1]()
        cuda.synchronize()
    except Exception as trouble:  # of many kinds: no driver, no compiler, one too new for the other
        why = " ".join(str(cuda.cuda_error() or trouble).split())
        raise UsageError(
            f"--device cuda needs an NVIDIA GPU with its driver; none was found that works: {why}"
        ) from None


def _nothing() -> None:
    pass


def visible_gpus() -> list[str]:
    """The GPUs that this process may use, by the names that CUDA_VISIBLE_DEVICES has for them."""
    number = len(load_cuda().gpus)
    named = os.environ.get("CUDA_VISIBLE_DEVICES")
    return re.split(r"\s*,\s*", named.strip())[:number] if named else list(map(str, range(number)))


def working_gpus() -> int:
    """How many GPUs of this machine can be used; 0 without numba-cuda or with the simulator."""
    if simulated():
        return 0
    try:
        require_gpu()
    except UsageError:
        return 0
    return len(visible_gpus())


def gpu_name() -> str:
    """The name of the GPU, or of the first and how many there are; empty without one or with the
    simulator."""
    cuda = load_cuda()
    if cuda is None or simulated() or not cuda.is_available():
        return ""
    name = cuda.get_current_device().name
    text = name.decode() if isinstance(name, bytes) else str(name)
    number = len(cuda.gpus)
    return text if number == 1 else f"{number} x {text}"


def schedulers() -> int:
    """How many warps the GPU can advance at a time."""
    if simulated():
        return SIMULATED_SCHEDULERS
    return 4 * int(load_cuda().get_current_device().MULTIPROCESSOR_COUNT)


def warps_for(games: int, together: int) -> int:
    """How many warps search the games of a launch, if `together` games run at once in all launches.

    As few games per warp as possible while no scheduler has two warps: threads of a warp wait for
    each other.
    """
    return -(-games // min(WARP, -(-together // schedulers())))


def warps_for_large(games: int, together: int) -> int:
    """The same for kernels with much code, with as many warps in every cluster.

    A cluster of multiprocessors seems to fetch code together: if those that some clusters have
    more than others stay idle, all are faster. Measured on an H200, see benchmarks/README.md.
    """
    equal = CLUSTERS * WARPS_PER_BLOCK
    whole = schedulers() // equal
    warps = whole * equal if whole >= MANY else schedulers()
    return min(games, max(-(-games // WARP), warps * games // together))


def local_type(state: np.dtype) -> Any:
    """The type of positions in a thread's local memory."""
    if simulated():
        return np.dtype((np.record, state))
    from numba.np.numpy_support import from_dtype  # noqa: PLC0415 (slow, and only for a GPU)

    return from_dtype(state)


class TreeMemory:
    """One block of memory for all trees, allocated once and divided again in every round."""

    def __init__(self, limit: int | None = None) -> None:
        """`limit` is on its size, in bytes."""
        free = SIMULATED_BYTES
        if not simulated():
            context = load_cuda().current_context()
            # The block of an earlier run is no longer in use, but numba-cuda may not have freed it.
            context.memory_manager.deallocations.clear()
            free = int(SHARE * context.get_memory_info().free)
        free = free if limit is None else min(free, limit)
        self._bytes = load_cuda().device_array(free, np.uint8)
        self._given = 0
        self.size = free - 4096 * ALIGN  # the gaps between the parts may take some

    @property
    def left(self) -> int:
        return self.size - self._given

    def take_back(self) -> None:
        """All of it, once nothing runs there: an interrupted program leaves its kernels behind."""
        load_cuda().synchronize()
        self._given = 0

    def take(self, count: int, kind: np.dtype) -> Any:
        """Room for that many records, not initialised."""
        size = count * kind.itemsize
        part = self._bytes[self._given : self._given + size]
        self._given += -(-size // ALIGN) * ALIGN
        return as_records(part, kind)


def as_records(part: Any, kind: np.dtype) -> Any:
    """Bytes of the GPU's memory, seen as records of that kind."""
    seen = part.view(kind)
    return seen.view(np.recarray) if simulated() else seen
