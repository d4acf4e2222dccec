"""Reads the processor's cycle counter, to profile kernels from inside."""

from __future__ import annotations

import time

from uctlab.kernels.jit import primitive


@primitive("clock")
def ticks() -> int:
    """A counter that grows steadily with time, in a unit that depends on the machine."""
    return time.perf_counter_ns()
