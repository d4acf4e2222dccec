"""Copies records within an array, fast."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import get_itemsize, make_array

SCRATCH = "scratch"  # prefix of the names of fields that are not part of the position
WORD = 4  # bytes; a GPU interleaves the local memory of its threads word by word
INLINE = 128  # bytes up to which LLVM's own copy is fast


@intrinsic
def copy_record(typing_context: Any, records: Any, to: Any, source: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = signature.args[0]
        array = make_array(kind)(context, builder, args[0])
        target, origin = (
            cgutils.get_item_pointer(context, builder, kind, array, [index], wraparound=False)
            for index in args[1:]
        )
        size = get_itemsize(context, kind)
        cgutils.raw_memcpy(builder, target, origin, context.get_constant(types.intp, size), 1)
        return context.get_dummy_value()

    return types.void(records, types.intp, types.intp), build


def _position_bytes(kind: Any) -> int:
    """Size in bytes without the scratch fields, if these come last."""
    kept, left_out = 0, int(kind.size)
    for name, offset in ((name, kind.offset(name)) for name in kind.fields):
        if name.startswith(SCRATCH):
            left_out = min(left_out, offset)
        else:
            kept = max(kept, offset)
    return left_out if kept < left_out else int(kind.size)


@intrinsic
def copy_words(typing_context: Any, target: Any, source: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = signature.args[0]
        if kind.size <= INLINE or kind.size % WORD != 0:
            size = context.get_constant(types.intp, kind.size)
            cgutils.raw_memcpy(builder, args[0], args[1], size, 1)
            return context.get_dummy_value()
        word = ir.IntType(8 * WORD)
        words = context.get_constant(types.intp, -(-_position_bytes(kind) // WORD))
        to, origin = (builder.bitcast(pointer, word.as_pointer()) for pointer in args)
        with cgutils.for_range(builder, words) as loop:
            value = builder.load(builder.gep(origin, [loop.index]), align=WORD)
            builder.store(value, builder.gep(to, [loop.index]), align=WORD)
        return context.get_dummy_value()

    return types.void(target, source), build
