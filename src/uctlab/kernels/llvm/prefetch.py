"""Prefetches memory into a GPU's cache."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


@intrinsic
def prefetch(typing_context: Any, record: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if "nvptx" in builder.module.triple:  # does nothing if a test compiles for a CPU
            address = builder.ptrtoint(args[0], ir.IntType(64))
            kind = ir.FunctionType(ir.VoidType(), [address.type])
            builder.asm(kind, "prefetch.global.L1 [$0];", "l", [address], side_effect=True)
        return context.get_dummy_value()

    return types.void(record), build
