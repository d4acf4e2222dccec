"""Atomic instructions on memory that threads share."""

from __future__ import annotations

import platform
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

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
def add_at(typing_context: Any, array: Any, index: Any, amount: Any) -> Any:
    place = _Place(array)
    return place.kind(array, types.intp, place.kind), _add(place)


@intrinsic
def load_at(typing_context: Any, array: Any, index: Any) -> Any:
    place = _Place(array)
    return place.kind(array, types.intp), _load(place)


@intrinsic
def store_at(typing_context: Any, array: Any, index: Any, value: Any) -> Any:
    place = _Place(array)
    return types.void(array, types.intp, place.kind), _store(place)


@intrinsic
def swap_at(typing_context: Any, array: Any, index: Any, expected: Any, wanted: Any) -> Any:
    place = _Place(array)
    return types.boolean(array, types.intp, place.kind, place.kind), _swap(place)


@intrinsic(prefer_literal=True)
def add_field(typing_context: Any, records: Any, index: Any, field: Any, amount: Any) -> Any:
    place = _Place(records, field)
    return place.kind(records, types.intp, field, place.kind), _add(place)


@intrinsic(prefer_literal=True)
def set_bits_field(typing_context: Any, records: Any, index: Any, field: Any, bits: Any) -> Any:
    place = _Place(records, field)
    return place.kind(records, types.intp, field, place.kind), _or(place)


@intrinsic(prefer_literal=True)
def load_field(typing_context: Any, records: Any, index: Any, field: Any) -> Any:
    place = _Place(records, field)
    return place.kind(records, types.intp, field), _load(place)


@intrinsic(prefer_literal=True)
def store_field(typing_context: Any, records: Any, index: Any, field: Any, value: Any) -> Any:
    place = _Place(records, field)
    return types.void(records, types.intp, field, place.kind), _store(place)


@intrinsic(prefer_literal=True)
def swap_field(
    typing_context: Any, records: Any, index: Any, field: Any, expected: Any, wanted: Any
) -> Any:
    place = _Place(records, field)
    return types.boolean(records, types.intp, field, place.kind, place.kind), _swap(place)


@intrinsic(prefer_literal=True)
def add_pair(
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
def fence(typing_context: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.fence("seq_cst")
        return context.get_dummy_value()

    return types.void(), build


@intrinsic
def pause(typing_context: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if _X86:  # other processors spin on the load
            kind = ir.FunctionType(ir.VoidType(), [])
            builder.call(
                cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.sse2.pause"), []
            )
        return context.get_dummy_value()

    return types.void(), build


@intrinsic
def yield_processor(typing_context: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(32), [])
        builder.call(cgutils.get_or_insert_function(builder.module, kind, "sched_yield"), [])
        return context.get_dummy_value()

    return types.void(), build
