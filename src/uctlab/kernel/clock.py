"""The processor's clock, for profiles inside kernels."""

from __future__ import annotations

import time
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from uctlab.kernel.jit import primitive


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
    """A count that grows evenly with time; the unit is the machine's own."""
    return time.perf_counter_ns()
