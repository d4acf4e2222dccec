"""Atomic operations on memory that threads share: machine instructions and their Python twins.

A place is an element of an array (`..._at`) or a field of a record array (`..._field`, with the
field's name as a literal). An operation returns the previous value. Loads acquire, stores release,
all others do both: a thread that sees a value also sees what was written before it.
"""

from __future__ import annotations

import platform
import time
from threading import Lock
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from uctlab.kernels.jit import primitive

_X86 = platform.machine().lower() in ("x86_64", "amd64", "i686")


class _Place:
    """What an operation acts on: its type, and how compiled code computes its address."""

    def __init__(self, array: Any, field: Any = None) -> None:
        self.array = array
        self.kind = array.dtype
        self.offset = 0
        self.in_record = field is not None
        if field is not None:
            name = field.literal_value
            self.kind, self.offset = array.dtype.typeof(name), array.dtype.offset(name)

    def address(self, context: Any, builder: Any, args: Any) -> Any:
        array = make_array(self.array)(context, builder, args[0])
        place = cgutils.get_item_pointer(
            context, builder, self.array, array, [args[1]], wraparound=False
        )
        if not self.in_record:
            return place
        kind = context.get_data_type(self.kind)
        return cgutils.get_record_member(builder, place, self.offset, kind)

    @property
    def size(self) -> int:
        return int(self.kind.bitwidth) // 8


def _add(place: _Place) -> Any:
    name = "fadd" if isinstance(place.kind, types.Float) else "add"

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address = place.address(context, builder, args)
        return builder.atomic_rmw(name, address, args[-1], "acq_rel")

    return build


def _or(place: _Place) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address = place.address(context, builder, args)
        return builder.atomic_rmw("or", address, args[-1], "acq_rel")

    return build


def _load(place: _Place) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address = place.address(context, builder, args)
        kind = context.get_data_type(place.kind)
        return builder.load_atomic(address, "acquire", place.size, typ=kind)

    return build


def _store(place: _Place) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store_atomic(args[-1], place.address(context, builder, args), "release", place.size)
        return context.get_dummy_value()

    return build


def _swap(place: _Place) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address = place.address(context, builder, args)
        both = builder.cmpxchg(address, args[-2], args[-1], "acq_rel", "acquire")
        return builder.extract_value(both, 1)

    return build


@intrinsic
def _add_at(typing_context: Any, array: Any, index: Any, amount: Any) -> Any:
    place = _Place(array)
    return place.kind(array, types.intp, place.kind), _add(place)


@intrinsic
def _load_at(typing_context: Any, array: Any, index: Any) -> Any:
    place = _Place(array)
    return place.kind(array, types.intp), _load(place)


@intrinsic
def _store_at(typing_context: Any, array: Any, index: Any, value: Any) -> Any:
    place = _Place(array)
    return types.void(array, types.intp, place.kind), _store(place)


@intrinsic
def _swap_at(typing_context: Any, array: Any, index: Any, expected: Any, wanted: Any) -> Any:
    place = _Place(array)
    return types.boolean(array, types.intp, place.kind, place.kind), _swap(place)


@intrinsic(prefer_literal=True)
def _add_field(typing_context: Any, records: Any, index: Any, field: Any, amount: Any) -> Any:
    place = _Place(records, field)
    return place.kind(records, types.intp, field, place.kind), _add(place)


@intrinsic(prefer_literal=True)
def _set_bits_field(typing_context: Any, records: Any, index: Any, field: Any, bits: Any) -> Any:
    place = _Place(records, field)
    return place.kind(records, types.intp, field, place.kind), _or(place)


@intrinsic(prefer_literal=True)
def _load_field(typing_context: Any, records: Any, index: Any, field: Any) -> Any:
    place = _Place(records, field)
    return place.kind(records, types.intp, field), _load(place)


@intrinsic(prefer_literal=True)
def _store_field(typing_context: Any, records: Any, index: Any, field: Any, value: Any) -> Any:
    place = _Place(records, field)
    return types.void(records, types.intp, field, place.kind), _store(place)


@intrinsic(prefer_literal=True)
def _swap_field(
    typing_context: Any, records: Any, index: Any, field: Any, expected: Any, wanted: Any
) -> Any:
    place = _Place(records, field)
    return types.boolean(records, types.intp, field, place.kind, place.kind), _swap(place)


@intrinsic(prefer_literal=True)
def _add_pair(
    typing_context: Any, records: Any, index: Any, low: Any, high: Any, to_low: Any, to_high: Any
) -> Any:
    place, other = _Place(records, low), _Place(records, high)
    if (place.size, other.size) != (4, 4) or place.offset % 8 or other.offset != place.offset + 4:
        raise TypeError("the two fields must be the halves of an aligned 64-bit word")
    place.kind = types.int64

    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address = place.address(context, builder, args)
        upper = builder.shl(args[5], ir.Constant(ir.IntType(64), 32))
        builder.atomic_rmw("add", address, builder.add(upper, args[4]), "acq_rel")
        return context.get_dummy_value()

    return types.void(records, types.intp, low, high, types.int64, types.int64), build


@intrinsic
def _fence(typing_context: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.fence("seq_cst")
        return context.get_dummy_value()

    return types.void(), build


@intrinsic
def _pause(typing_context: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if _X86:  # other processors spin on the load
            kind = ir.FunctionType(ir.VoidType(), [])
            builder.call(
                cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.sse2.pause"), []
            )
        return context.get_dummy_value()

    return types.void(), build


@intrinsic
def _yield_processor(typing_context: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(32), [])
        builder.call(cgutils.get_or_insert_function(builder.module, kind, "sched_yield"), [])
        return context.get_dummy_value()

    return types.void(), build


# One lock serves all Python twins: interpreted code is slow anyway.
_one_at_a_time = Lock()


def _plus(before: Any, amount: Any) -> Any:
    """The sum in the type of the place, wrapping like a machine word."""
    if isinstance(before, np.floating):
        return before + amount
    bits = 8 * before.dtype.itemsize
    words = np.array([(int(before) + int(amount)) % 2**bits], f"u{before.dtype.itemsize}")
    return words.view(before.dtype)[0]


@primitive(_add_at)
def add_at(array: Any, index: int, amount: Any) -> Any:
    with _one_at_a_time:
        before = array[index]
        array[index] = _plus(before, amount)
        return before


@primitive(_load_at)
def load_at(array: Any, index: int) -> Any:
    return array[index]


@primitive(_store_at)
def store_at(array: Any, index: int, value: Any) -> None:
    with _one_at_a_time:
        array[index] = value


@primitive(_swap_at)
def swap_at(array: Any, index: int, expected: Any, wanted: Any) -> bool:
    """Compare and swap: store `wanted` if `expected` is there; returns whether it was."""
    with _one_at_a_time:
        found = bool(array[index] == expected)
        if found:
            array[index] = wanted
        return found


@primitive(_add_field)
def add_field(records: Any, index: int, field: str, amount: Any) -> Any:
    return add_at(records[field], index, amount)


@primitive(_set_bits_field)
def set_bits_field(records: Any, index: int, field: str, bits: Any) -> Any:
    with _one_at_a_time:
        before = records[field][index]
        records[field][index] = before | bits
        return before


@primitive(_load_field)
def load_field(records: Any, index: int, field: str) -> Any:
    return records[field][index]


@primitive(_store_field)
def store_field(records: Any, index: int, field: str, value: Any) -> None:
    store_at(records[field], index, value)


@primitive(_swap_field)
def swap_field(records: Any, index: int, field: str, expected: Any, wanted: Any) -> bool:
    return swap_at(records[field], index, expected, wanted)


@primitive(_add_pair)
def add_pair(records: Any, index: int, low: str, high: str, to_low: int, to_high: int) -> None:
    """Add to two adjacent fields in one operation; the lower one must not overflow."""
    with _one_at_a_time:
        records[low][index] = _plus(records[low][index], to_low)
        records[high][index] = _plus(records[high][index], to_high)


@primitive(_fence)
def fence() -> None:
    """Other threads see what was written before it, sooner than anything is read after it."""


@primitive(_pause)
def pause() -> None:
    """Tell the processor that this thread is spinning."""


@primitive(_yield_processor)
def yield_processor() -> None:
    """Let other threads run first."""
    time.sleep(0)
