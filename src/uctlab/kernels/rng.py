"""Random numbers: SplitMix64, with one 64-bit word of state per stream, passed in as `rng`.

Streams with mixed seeds start far apart on the single cycle of length 2**64: the probability that
two of them overlap is about (numbers drawn) / 2**64.
"""

from __future__ import annotations

import numpy as np

from uctlab.kernels.jit import kernel

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S27 = np.uint64(27)
_S30 = np.uint64(30)
_S31 = np.uint64(31)
_S32 = np.uint64(32)


@kernel
def next_u64(rng):
    """The next 64 random bits, for playouts.

    Args:
        rng (numpy.ndarray): The state that a playout gets; the same state gives the same bits.

    Examples:
        >>> @uctlab.kernel
        ... def coin(rng):
        ...     return uctlab.next_u64(rng) & np.uint64(1)
    """
    state = rng[0] + _GAMMA
    rng[0] = state
    return _mixed(state)


@kernel
def _mixed(state):
    state = (state ^ (state >> _S30)) * _MIX_1
    state = (state ^ (state >> _S27)) * _MIX_2
    return state ^ (state >> _S31)


@kernel
def below(rng, n):
    """A random integer from 0 to n - 1, for playouts.

    Args:
        rng (numpy.ndarray): The state that a playout gets.
        n (int): Less than `2**32`; the bias is less than `n / 2**32`.

    Examples:
        >>> @uctlab.kernel
        ... def any_move(rng, out, count):
        ...     return out[uctlab.below(rng, count)]
    """
    return scaled(next_u64(rng), n)


@kernel
def scaled(bits, n):
    """The integer from 0 to n - 1 that `below` makes of 64 random bits.

    Examples:
        >>> int(uctlab.scaled(np.uint64(2**63), 10))
        5
    """
    return np.int64(((bits >> _S32) * np.uint64(n)) >> _S32)


@kernel
def draw_places(rng, places, count):
    """For a shuffle: places[i] = i + below(rng, count - i), for all i below count.

    No number waits for the one before, so that the processor draws several at once.
    """
    state = rng[0]
    for i in range(count):
        bits = _mixed(state + np.uint64(i + 1) * _GAMMA)
        places[i] = i + scaled(bits, count - i)
    rng[0] = state + np.uint64(count) * _GAMMA


def seed_rng(seed: int, stream: int = 0) -> np.ndarray:
    """The state array of one stream; distinct (seed, stream) pairs give unrelated streams."""
    words = np.random.SeedSequence([seed, stream]).generate_state(1, np.uint64)
    return words.astype(np.uint64)
