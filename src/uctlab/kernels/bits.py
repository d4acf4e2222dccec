"""Bit operations on 64-bit words: machine instructions and their Python twins."""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.kernels.holes import hole
from uctlab.kernels.jit import kernel, primitive


@primitive("bits")
def popcount(word: Any) -> int:
    """Number of set bits.

    Examples:
        >>> uctlab.popcount(0b1011)
        3
    """
    return int(word).bit_count()


@primitive("bits")
def low_bit(word: Any) -> int:
    """Index of the lowest set bit; 64 for zero.

    Examples:
        >>> uctlab.low_bit(0b1000)
        3
    """
    word = int(word)
    return (word & -word).bit_length() - 1 if word else 64


@primitive("bits")
def leading_zeros(word: Any) -> Any:
    """Number of zero bits above the highest set bit; 64 for zero.

    Examples:
        >>> int(uctlab.leading_zeros(1))
        63
    """
    return np.uint64(64 - int(word).bit_length())


# True if the kernel runs on a GPU, where the threads of a warp wait for the longest of their loops
# and a table lookup costs as much as many operations.
ON_GPU: bool = hole("device.ON_GPU", False)


@kernel
def nth_bit(word, n):
    """Index of the set bit that has exactly n set bits below it.

    Examples:
        >>> int(uctlab.nth_bit(np.uint64(0b1011), 2))
        3
    """
    if ON_GPU:
        n, index = np.uint64(n), np.uint64(0)
        word, n, index = _quarter(word, n, index, np.uint64(16))
        word, n, index = _quarter(word, n, index, np.uint64(4))
        word, n, index = _quarter(word, n, index, np.uint64(1))
        return np.int64(index)
    for _ in range(n):
        word &= word - np.uint64(1)
    return low_bit(word)


@kernel
def _quarter(word, n, index, width):
    """One step of the search: move to the quarter, `width` bits wide, that contains the bit."""
    one = np.uint64(1)
    two, three = width + width, width + width + width
    below_one = np.uint64(popcount(word & ((one << width) - one)))
    below_two = np.uint64(popcount(word & ((one << two) - one)))
    below_three = np.uint64(popcount(word & ((one << three) - one)))
    passed, skipped = np.uint64(0), np.uint64(0)
    if n >= below_two:
        passed, skipped = below_two, two
        below_one = below_three
    if n >= below_one:
        passed = below_one
        skipped += width
    # The mask changes nothing but tells the compiler that 32 bits are enough.
    return word >> skipped, (n - passed) & np.uint64(63), index + skipped
