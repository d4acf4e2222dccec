"""Epsilon-greedy: a random move with chance epsilon, otherwise the one that is worth most."""

from __future__ import annotations

from typing import Any

from uctlab.kernels import below, hole, kernel

worth: Any = hole("learned.worth")

PARTS = 1_000_000  # in which epsilon is measured


@kernel
def choose(table, before, out, count, rng, params):
    """The search for the best move begins at a random one, so that equal moves take turns."""
    at = below(rng, count)
    best = out[at]
    if below(rng, PARTS) < params.epsilon * PARTS:
        return best
    highest = worth(table, before, best)
    for _ in range(1, count):
        at = at + 1 if at + 1 < count else 0
        found = worth(table, before, out[at])
        if found > highest:
            highest = found
            best = out[at]
    return best


@kernel
def add(table, row, reward):
    table[row, 0] += reward
    table[row, 1] += 1.0


@kernel
def mean(table, row):
    """A move that has never been made is tried before all others."""
    return table[row, 0] / table[row, 1] if table[row, 1] > 0.0 else 1.0
