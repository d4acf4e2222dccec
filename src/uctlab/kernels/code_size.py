"""Which kernels stay functions of their own, and where the threads of a GPU's warp meet again.

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

from uctlab.kernels.holes import hole
from uctlab.kernels.jit import kernel, primitive

WHOLE_WARP = 0xFFFFFFFF  # threads that have ended do not count
LOCAL_MEMORY = 5  # NVVM's number of that address space
LOCAL_STATES: bool = hole("device.LOCAL_STATES", False)  # positions are in a GPU's local memory


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
def _at_run_time(typing_context: Any, number: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if "nvptx" not in builder.module.triple:
            return args[0]
        # The assembler sees through a plain move; a grid here has no third dimension.
        kind = ir.FunctionType(ir.IntType(32), [])
        zero = builder.asm(kind, "mov.u32 $0, %ctaid.z;", "=r", [], False)
        return builder.add(args[0], builder.zext(zero, ir.IntType(64)))

    return types.int64(types.int64), build


@primitive(_at_run_time)
def at_run_time(number: int) -> int:
    """The number itself; a loop to it is not unrolled by the assembler for GPUs either."""
    return number


@intrinsic
def _as_local(typing_context: Any, record: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if "nvptx" not in builder.module.triple:
            return args[0]
        word = ir.IntType(64)
        # Casts to local memory and back would be left out; this one LLVM does not understand.
        kind = ir.FunctionType(word, [word])
        address = builder.ptrtoint(args[0], word)
        place = builder.asm(kind, "cvta.to.local.u64 $0, $1;", "=l,l", [address], False)
        local = builder.inttoptr(place, ir.PointerType(args[0].type.pointee, LOCAL_MEMORY))
        return builder.addrspacecast(local, args[0].type)

    return record(record), build


@primitive(_as_local)
def _known_local(record: Any) -> Any:
    return record


@kernel
def in_local(record: Any) -> Any:
    """The record itself, for kernels that stay apart: a GPU's local memory has short addresses."""
    return _known_local(record) if LOCAL_STATES else record


@intrinsic
def _narrow(typing_context: Any, number: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if "nvptx" not in builder.module.triple:
            return args[0]
        return builder.zext(builder.trunc(args[0], ir.IntType(32)), args[0].type)

    if number not in (types.int64, types.uint64):
        return None
    return number(number), build


@primitive(_narrow)
def narrow(number: Any) -> Any:
    """The number itself, an integer from 0 to 2**32 - 1.

    A GPU computes with 32 bits; the compiler then knows that no others are needed.
    """
    return number


@intrinsic
def _same(typing_context: Any, a: Any, b: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        width = 32 if "nvptx" in builder.module.triple else 64
        return builder.icmp_unsigned("==", *(_resized(builder, value, width) for value in args))

    if not all(isinstance(number, types.Integer) for number in (a, b)):
        return None
    return types.boolean(a, b), build


def _resized(builder: Any, value: Any, width: int) -> Any:
    """A number that is not negative, as one of that many bits."""
    resize = builder.trunc if value.type.width > width else builder.zext
    return value if value.type.width == width else resize(value, ir.IntType(width))


@primitive(_same)
def same(a: Any, b: Any) -> Any:
    """Whether two integers from 0 to 2**32 - 1 are equal, which a GPU tells with half the work."""
    return a == b


@intrinsic
def _meet(typing_context: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if "nvptx" in builder.module.triple:
            kind = ir.FunctionType(ir.VoidType(), [ir.IntType(32)])
            name = "llvm.nvvm.bar.warp.sync"
            wait = cgutils.get_or_insert_function(builder.module, kind, name)
            builder.call(wait, [ir.IntType(32)(WHOLE_WARP)])
        return context.get_dummy_value()

    return types.void(), build


@primitive(_meet)
def meet() -> None:
    """Wait for the other threads of the warp: until each has called this, anywhere, or has ended.

    So it cannot block for ever, however often each thread calls it.
    """
