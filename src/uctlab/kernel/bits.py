"""Bits of a 64-bit word: Python twins, and the machine instructions that replace them."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from uctlab.kernel.jit import kernel, primitive


@intrinsic
def _popcount(typing_context: Any, word: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), build


@intrinsic
def _low_bit(typing_context: Any, word: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), build


@intrinsic
def _leading_zeros(typing_context: Any, word: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), build


@primitive(_popcount)
def popcount(word: Any) -> int:
    """How many bits are set."""
    return int(word).bit_count()


@primitive(_low_bit)
def low_bit(word: Any) -> int:
    """Index of the lowest set bit; 64 for zero."""
    word = int(word)
    return (word & -word).bit_length() - 1 if word else 64


@primitive(_leading_zeros)
def leading_zeros(word: Any) -> Any:
    """How many bits are zero above the highest set one; 64 for zero."""
    return np.uint64(64 - int(word).bit_length())


# Bound to True where a thread of a GPU runs the kernel: threads wait for the longest of their
# loops, and a look at a table costs as much as many operations.
ON_GPU = False


@kernel
def nth_bit(word, n):
    """Index of the set bit that has n set bits below it."""
    if ON_GPU:
        index = np.uint64(0)
        word, n, index = _halve(word, n, index, np.uint64(32), np.uint64(0xFFFFFFFF))
        word, n, index = _halve(word, n, index, np.uint64(16), np.uint64(0xFFFF))
        word, n, index = _halve(word, n, index, np.uint64(8), np.uint64(0xFF))
        word, n, index = _halve(word, n, index, np.uint64(4), np.uint64(0xF))
        word, n, index = _halve(word, n, index, np.uint64(2), np.uint64(0x3))
        word, n, index = _halve(word, n, index, np.uint64(1), np.uint64(0x1))
        return np.int64(index)
    for _ in range(n):
        word &= word - np.uint64(1)
    return low_bit(word)


@kernel
def _halve(word, n, index, width, low):
    """Go on in the lower or in the upper half of the word, where the bit is."""
    below = popcount(word & low)
    if n < below:
        return word, n, index
    return word >> width, n - below, index + width
