"""Lines of the form y = a + slope * b, eight at once."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from uctlab.kernels.vectors import LANES

_FLOAT, _INT, _WORD = ir.FloatType(), ir.IntType(32), ir.IntType(64)
_FLOATS, _INTS = ir.VectorType(_FLOAT, LANES), ir.VectorType(_INT, LANES)
_PAIRS = ir.VectorType(_FLOAT, 2 * LANES)
_FAST = ("nnan", "nsz", "contract", "reassoc")


def _all_lanes(builder: Any, number: Any) -> Any:
    """A vector of that number."""
    empty = ir.Constant(ir.VectorType(number.type, LANES), ir.Undefined)
    one = builder.insert_element(empty, number, ir.Constant(_INT, 0))
    return builder.shuffle_vector(one, empty, ir.Constant(_INTS, [0] * LANES))


def _values(context: Any, builder: Any, kind: Any, lines: Any, index: Any, slopes: Any) -> Any:
    """y of LANES lines from `index` on."""
    start = builder.ptrtoint(make_array(kind)(context, builder, lines).data, _WORD)
    start = builder.add(start, builder.mul(index, ir.Constant(_WORD, 8)))  # bytes of a line
    pointer = builder.inttoptr(start, _PAIRS.as_pointer())
    pairs = builder.load(pointer, align=4)

    def every_second(first: int) -> Any:
        lanes = ir.Constant(_INTS, list(range(first, 2 * LANES, 2)))
        return builder.shuffle_vector(pairs, ir.Constant(_PAIRS, ir.Undefined), lanes)

    return builder.fadd(
        every_second(0), builder.fmul(slopes, every_second(1), flags=_FAST), flags=_FAST
    )


@intrinsic
def highest_line(typing_context: Any, lines: Any, first: Any, count: Any, slope: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        lines, first, count, slope = args
        kind, slopes = signature.args[0], _all_lanes(builder, slope)

        def values(index: Any) -> Any:
            return _values(context, builder, kind, lines, index, slopes)

        def higher(x: Any, y: Any) -> Any:
            return builder.select(builder.fcmp_ordered(">", x, y, flags=_FAST), x, y, flags=_FAST)

        # The last LANES lines first; the loop takes the others, and perhaps some of these again.
        rest = builder.sub(count, ir.Constant(_WORD, LANES))
        best = cgutils.alloca_once_value(builder, values(builder.add(first, rest)))
        with cgutils.for_range_slice(
            builder, ir.Constant(_WORD, 0), rest, ir.Constant(_WORD, LANES), inc=True
        ) as (done, _):
            y = values(builder.add(first, done))
            builder.store(higher(y, builder.load(best)), best)
        reduce = cgutils.get_or_insert_function(
            builder.module,
            ir.FunctionType(_FLOAT, [_FLOATS]),
            f"llvm.vector.reduce.fmax.v{LANES}f32",
        )
        return builder.call(reduce, [builder.load(best)], fastmath=_FAST)

    return types.float32(lines, types.int64, types.int64, types.float32), build


@intrinsic
def lines_from(
    typing_context: Any, lines: Any, first: Any, count: Any, slope: Any, limit: Any
) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        lines, first, count, slope, limit = args
        kind, slopes = signature.args[0], _all_lanes(builder, slope)
        limits = _all_lanes(builder, limit)
        found = cgutils.alloca_once_value(builder, ir.Constant(_WORD, 0))
        with cgutils.for_range_slice(
            builder, ir.Constant(_WORD, 0), count, ir.Constant(_WORD, LANES), inc=True
        ) as (done, _):
            y = _values(context, builder, kind, lines, builder.add(first, done), slopes)
            reached = builder.fcmp_ordered(">=", y, limits, flags=_FAST)
            bits = builder.zext(builder.bitcast(reached, ir.IntType(LANES)), _WORD)
            builder.store(builder.or_(builder.load(found), builder.shl(bits, done)), found)
        # Only `count` bits, of which there are at least one and at most 64.
        unused = builder.sub(ir.Constant(_WORD, 64), count)
        own = builder.lshr(ir.Constant(_WORD, 2**64 - 1), unused)
        return builder.and_(builder.load(found), own)

    kinds = (lines, types.int64, types.int64, types.float32, types.float32)
    return types.uint64(*kinds), build
