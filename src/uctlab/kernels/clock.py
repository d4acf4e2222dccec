"""Reads the processor's cycle counter, to profile kernels from inside."""

from __future__ import annotations

import time
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from uctlab.kernels.jit import primitive


@intrinsic
def _ticks(typing_context: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        counter = builder.module.declare_intrinsic(
            "llvm.readcyclecounter", fnty=ir.FunctionType(ir.IntType(64), [])
        )
        return builder.call(counter, [])

    return types.int64(), build


@primitive(_ticks)
def ticks() -> int:
    """A counter that grows steadily with time, in a unit that depends on the machine."""
    return time.perf_counter_ns()
