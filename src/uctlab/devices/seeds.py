"""Seeds many random generators at once, since a GPU would have to wait for single calls.

14,000 calls of seed_rng take 0.2 s, at every move. This is NumPy's SeedSequence([seed, stream]),
which NumPy promises never to change, computed for all of them together.
"""

from __future__ import annotations

import numpy as np

WORDS = 4  # of 32 bits: SeedSequence's pool
FIRST_MIX, MIX_GROWTH = 0x43B0D7E5, 0x931E8875
FIRST_DRAW, DRAW_GROWTH = 0x8B51F9DD, 0x58F38DED
LEFT, RIGHT = np.uint32(0xCA01F9DD), np.uint32(0x4973F715)
HALF = np.uint32(16)


def seed_states(seeds: np.ndarray) -> np.ndarray:
    """seed_rng(seed)[0] for each of those seeds, which are from 0 to 2**64 - 1."""
    return _states([seeds & 0xFFFFFFFF, seeds >> 32])


def _states(entropy: list[np.ndarray]) -> np.ndarray:
    """Of SeedSequences, from their words of 32 bits, the lowest first."""
    words = [word.astype(np.uint32) for word in entropy]
    words += [np.zeros_like(words[0])] * (WORDS - len(words))
    mix = _Hash(FIRST_MIX, MIX_GROWTH)
    pool = [mix(word) for word in words[:WORDS]]
    for source in range(len(words)):
        for target in range(WORDS):
            if source != target:
                word = pool[source] if source < WORDS else words[source]
                mixed: np.ndarray = LEFT * pool[target] - RIGHT * mix(word)
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
