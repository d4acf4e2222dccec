"""Seeds many random generators at once, since a GPU would have to wait for single calls.

14,000 calls of seed_rng take 0.2 s, at every move. This is NumPy's SeedSequence([seed, 0]), which
NumPy promises never to change, computed for all seeds together.
"""

from __future__ import annotations

import numpy as np

WORDS = 4  # of 32 bits: SeedSequence's pool
FIRST_MIX, MIX_GROWTH = 0x43B0D7E5, 0x931E8875
FIRST_DRAW, DRAW_GROWTH = 0x8B51F9DD, 0x58F38DED
LEFT, RIGHT = np.uint32(0xCA01F9DD), np.uint32(0x4973F715)
HALF = np.uint32(16)


def seed_states(seeds: np.ndarray) -> np.ndarray:
    """seed_rng(seed)[0] for each of those seeds, which are from 0 to 2**63 - 1."""
    low, high = (seeds & 0xFFFFFFFF).astype(np.uint32), (seeds >> 32).astype(np.uint32)
    mix = _Hash(FIRST_MIX, MIX_GROWTH)
    pool = [mix(word) for word in (low, high, np.zeros_like(low), np.zeros_like(low))]
    for source in range(WORDS):
        for target in range(WORDS):
            if source != target:
                mixed: np.ndarray = LEFT * pool[target] - RIGHT * mix(pool[source])
                pool[target] = mixed ^ (mixed >> HALF)
    draw = _Hash(FIRST_DRAW, DRAW_GROWTH)
    first, second = (draw(word).astype(np.uint64) for word in pool[:2])
    return first | second << np.uint64(32)


class _Hash:
    """A hash whose constant changes from call to call."""

    def __init__(self, first: int, growth: int) -> None:
        self._constant, self._growth = first, growth

    def __call__(self, words: np.ndarray) -> np.ndarray:
        words = words ^ np.uint32(self._constant)
        self._constant = self._constant * self._growth % 2**32
        words = words * np.uint32(self._constant)
        return words ^ (words >> HALF)
