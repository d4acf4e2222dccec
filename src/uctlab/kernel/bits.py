"""Bits of a 64-bit word: Python twins, and the machine instructions that replace them."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from uctlab.kernel.jit import primitive


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


@primitive(_popcount)
def popcount(word: Any) -> int:
    """How many bits are set."""
    return int(word).bit_count()


@primitive(_low_bit)
def low_bit(word: Any) -> int:
    """Index of the lowest set bit; 64 for zero."""
    word = int(word)
    return (word & -word).bit_length() - 1 if word else 64
