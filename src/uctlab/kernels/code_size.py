"""Which kernels stay functions of their own, and where the threads of a GPU meet again.

NVIDIA's compiler inlines every function, and code that is larger than the instruction cache is
fetched again and again. Threads that went different ways meet again where the compiler can prove
that they may, which in a long loop is sometimes nowhere. On a CPU none of this does anything but
`inlined`: there LLVM decides by size, unless a kernel has one caller only.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from uctlab.kernels.jit import primitive

WHOLE_WARP = 0xFFFFFFFF  # threads that have ended do not count
ONE_BARRIER = 0  # its number; a block has several


@intrinsic
def _keep_apart(typing_context: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if "nvptx" in builder.module.triple:
            builder.function.attributes.add("noinline")
        return context.get_dummy_value()

    return types.void(), build


@primitive(_keep_apart)
def keep_apart() -> None:
    """Called in a kernel: on a GPU that stays a function of its own, out of its callers."""


@intrinsic
def _inlined(typing_context: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if "nvptx" not in builder.module.triple:
            builder.function.attributes.add("alwaysinline")
        return context.get_dummy_value()

    return types.void(), build


@primitive(_inlined)
def inlined() -> None:
    """Called in a kernel: on a CPU that becomes a part of its callers, however many there are."""


@intrinsic
def _opaque(typing_context: Any, number: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if "nvptx" not in builder.module.triple:
            return args[0]
        kind = ir.FunctionType(ir.IntType(64), [ir.IntType(64)])
        return builder.asm(kind, "mov.u64 $0, $1;", "=l,l", args, side_effect=False)

    return types.int64(types.int64), build


@primitive(_opaque)
def opaque(number: int) -> int:
    """The number itself, about which the compiler for a GPU knows nothing.

    Code that depends on it is then not copied for each of its values.
    """
    return number


@intrinsic
def _meet(typing_context: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if "nvptx" in builder.module.triple:
            kind = ir.FunctionType(ir.VoidType(), [ir.IntType(32)])
            # The warp first: a barrier of the block alone does not bring its threads together.
            for name, who in (("bar.warp.sync", WHOLE_WARP), ("barrier.sync", ONE_BARRIER)):
                wait = cgutils.get_or_insert_function(builder.module, kind, f"llvm.nvvm.{name}")
                builder.call(wait, [ir.IntType(32)(who)])
        return context.get_dummy_value()

    return types.void(), build


@primitive(_meet)
def meet() -> None:
    """Wait for the other threads of the block: until each has called this, anywhere, or has ended.

    So it cannot block for ever, however often each thread calls it. The warps of a block, which
    share an instruction cache, are then at the same part of the code.
    """
