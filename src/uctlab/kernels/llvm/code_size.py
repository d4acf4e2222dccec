"""What a kernel tells LLVM about its own size, and where the threads of a GPU meet."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

WHOLE_WARP = 0xFFFFFFFF  # threads that have ended do not count
ONE_BARRIER = 0  # its number; a block has several


@intrinsic
def keep_apart(typing_context: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if "nvptx" in builder.module.triple:
            builder.function.attributes.add("noinline")
        return context.get_dummy_value()

    return types.void(), build


@intrinsic
def inlined(typing_context: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if "nvptx" not in builder.module.triple:
            builder.function.attributes.add("alwaysinline")
        return context.get_dummy_value()

    return types.void(), build


@intrinsic
def opaque(typing_context: Any, number: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if "nvptx" not in builder.module.triple:
            return args[0]
        kind = ir.FunctionType(ir.IntType(64), [ir.IntType(64)])
        return builder.asm(kind, "mov.u64 $0, $1;", "=l,l", args, side_effect=False)

    return types.int64(types.int64), build


@intrinsic
def meet(typing_context: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if "nvptx" in builder.module.triple:
            kind = ir.FunctionType(ir.VoidType(), [ir.IntType(32)])
            # The warp first: a barrier of the block alone does not bring its threads together.
            for name, who in (("bar.warp.sync", WHOLE_WARP), ("barrier.sync", ONE_BARRIER)):
                wait = cgutils.get_or_insert_function(builder.module, kind, f"llvm.nvvm.{name}")
                builder.call(wait, [ir.IntType(32)(who)])
        return context.get_dummy_value()

    return types.void(), build
