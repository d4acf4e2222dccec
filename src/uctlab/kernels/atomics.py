"""Atomic operations on memory that threads share: machine instructions and their Python twins.

A place is an element of an array (`..._at`) or a field of a record array (`..._field`, with the
field's name as a literal). An operation returns the previous value. Loads acquire, stores release,
all others do both: a thread that sees a value also sees what was written before it.
"""

from __future__ import annotations

import time
from threading import Lock
from typing import Any

import numpy as np

from uctlab.kernels.jit import primitive

# One lock serves all Python twins: interpreted code is slow anyway.
_one_at_a_time = Lock()


def _plus(before: Any, amount: Any) -> Any:
    """The sum in the type of the place, wrapping like a machine word."""
    if isinstance(before, np.floating):
        return before + amount
    bits = 8 * before.dtype.itemsize
    words = np.array([(int(before) + int(amount)) % 2**bits], f"u{before.dtype.itemsize}")
    return words.view(before.dtype)[0]


@primitive("atomics")
def add_at(array: Any, index: int, amount: Any) -> Any:
    with _one_at_a_time:
        before = array[index]
        array[index] = _plus(before, amount)
        return before


@primitive("atomics")
def load_at(array: Any, index: int) -> Any:
    return array[index]


@primitive("atomics")
def store_at(array: Any, index: int, value: Any) -> None:
    with _one_at_a_time:
        array[index] = value


@primitive("atomics")
def swap_at(array: Any, index: int, expected: Any, wanted: Any) -> bool:
    """Compare and swap: store `wanted` if `expected` is there; returns whether it was."""
    with _one_at_a_time:
        found = bool(array[index] == expected)
        if found:
            array[index] = wanted
        return found


@primitive("atomics")
def add_field(records: Any, index: int, field: str, amount: Any) -> Any:
    return add_at(records[field], index, amount)


@primitive("atomics")
def set_bits_field(records: Any, index: int, field: str, bits: Any) -> Any:
    with _one_at_a_time:
        before = records[field][index]
        records[field][index] = before | bits
        return before


@primitive("atomics")
def load_field(records: Any, index: int, field: str) -> Any:
    return records[field][index]


@primitive("atomics")
def store_field(records: Any, index: int, field: str, value: Any) -> None:
    store_at(records[field], index, value)


@primitive("atomics")
def swap_field(records: Any, index: int, field: str, expected: Any, wanted: Any) -> bool:
    return swap_at(records[field], index, expected, wanted)


@primitive("atomics")
def add_pair(records: Any, index: int, low: str, high: str, to_low: int, to_high: int) -> None:
    """Add to two adjacent fields in one operation; the lower one must not overflow."""
    with _one_at_a_time:
        records[low][index] = _plus(records[low][index], to_low)
        records[high][index] = _plus(records[high][index], to_high)


@primitive("atomics")
def fence() -> None:
    """Other threads see what was written before it, sooner than anything is read after it."""


@primitive("atomics")
def pause() -> None:
    """Tell the processor that this thread is spinning."""


@primitive("atomics")
def yield_processor() -> None:
    """Let other threads run first."""
    time.sleep(0)
