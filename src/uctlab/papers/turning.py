"""From how many playouts on a player chooses the winning move, and how surely that is known."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from uctlab.papers.drawing import quantile

RESAMPLED = 1000

Tallies = Mapping[int, tuple[int, int]]
"""By playouts: how many searches chose the winning move, and how many there were."""


@dataclass(frozen=True)
class Turn:
    """The playouts from which on half of the searches choose the winning move, or more."""

    playouts: float
    low: float
    high: float
    """The 95 % interval, by bootstrap; infinite if the largest budget may be too small."""

    def __str__(self) -> str:
        end = f" to {_rounded(self.high)}" if self.high < math.inf else " or more"
        return f"{_rounded(self.playouts)} ({_rounded(self.low)}{end})"


def _rounded(playouts: float) -> str:
    """Three digits: more would be noise."""
    return f"{float(f'{playouts:.3g}'):,.0f}"


def turning_point(percent: Mapping[int, float]) -> float | None:
    """Playouts from which the winning move is chosen in at least half of the searches, or None.

    Interpolated linearly between two budgets, over the logarithm of playouts.
    """
    known = list(percent.items())
    below = [i for i, (_, value) in enumerate(known) if value < 50]
    if not known or (below and below[-1] == len(known) - 1):
        return None
    if not below:
        return float(known[0][0])
    (left, low), (right, high) = known[below[-1]], known[below[-1] + 1]
    return float(left * (right / left) ** ((50 - low) / (high - low)))


def turn_of(tallies: Tallies) -> Turn | None:
    playouts = turning_point(_percent(tallies))
    if playouts is None:
        return None
    drawn = sorted(turn or math.inf for turn in _drawn(tallies, np.random.default_rng(0)))
    return Turn(playouts, quantile(drawn, 0.025), quantile(drawn, 0.975))


def quotient_interval(slower: Tallies, sooner: Tallies) -> tuple[float, float] | None:
    """95 % interval of how many times sooner a player turns than a slower one, by bootstrap.

    A slower one that never turns counts as infinitely slow; None if nothing can be said.
    """
    numbers = np.random.default_rng(0)
    drawn = [_drawn(tallies, numbers) for tallies in (slower, sooner)]
    known = sorted((a or math.inf) / b if b else 0.0 for a, b in zip(*drawn, strict=True) if a or b)
    if len(known) < RESAMPLED / 2:
        return None
    return quantile(known, 0.025), quantile(known, 0.975)


def _drawn(tallies: Tallies, numbers: np.random.Generator) -> list[float | None]:
    """Turning points of choices that are drawn again, as many as were made, by the shares seen."""
    found, searches = np.array(list(tallies.values())).T
    draws = numbers.binomial(searches, found / np.maximum(1, searches), (RESAMPLED, len(found)))
    again = (zip(row, searches.tolist(), strict=True) for row in draws.tolist())
    return [turning_point(_percent(dict(zip(tallies, row, strict=True)))) for row in again]


def _percent(tallies: Tallies) -> dict[int, float]:
    """Without the budgets at which nothing was searched."""
    return {
        playouts: 100 * found / searches
        for playouts, (found, searches) in tallies.items()
        if searches
    }
