"""What a match says about the difference in strength if its length depended on its results.

A match that an SPRT has ended early looks more decided than it is, and an interval made as if its
length had been fixed covers the truth too seldom. Here the possible courses of the match are put in
an order: first those in which A passed, the sooner the higher; then those without a verdict, by
points; last those in which A failed, the sooner the lower (stage-wise ordering: Siegmund,
Biometrika 65, 1978). The estimate is median-unbiased: if it were true, the course that happened
would be in the middle. At the ends of the interval it has 2.5 % on one side.

The strengths that are tried differ in one parameter: pairs have the observed distribution, tilted
exponentially, so that draws and the dependence between the games of a pair are as observed. The
probability of a course is computed exactly, pair by pair, on the lattice of points, with the
verdicts that the test gives for typical pairs of those points.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from uctlab.arena.sprt import Sprt
from uctlab.arena.statistics import Pairs, elo, finite, student95

METHOD = "median-unbiased, stage-wise ordering"
MAX_PAIRS = 20_000  # more would take longer than several seconds
PSEUDO_PAIRS = 1.0  # of independent games without draws, so that no result is impossible
MANY = 1e6
_POINTS = np.arange(5)  # of a pair, in half points


@dataclass(frozen=True)
class Estimate:
    """Differences in Elo."""

    elo: float
    low: float
    high: float

    def as_json(self) -> dict[str, Any]:
        return {
            "elo": finite(self.elo),
            "elo_interval": [finite(self.low), finite(self.high)],
            "method": METHOD,
        }


@lru_cache(maxsize=64)
def adjusted_estimate(pairs: Pairs, sprt: Sprt) -> Estimate | None:
    """The median-unbiased estimate and its 95 % interval; None without pairs or with too many.

    `pairs` are those that the test has seen.
    """
    if not 0 < sum(pairs) <= MAX_PAIRS:
        return None
    course = Course(pairs, sprt)
    logits = course.candidates()
    means = 1 / (1 + np.exp(-logits))
    higher, as_high = course.above(means)
    low = _crossing(logits, as_high, course.tail)
    middle = _crossing(logits, (higher + as_high) / 2, 0.5)
    high = _crossing(logits, higher, 1 - course.tail)
    return Estimate(*(elo(1 / (1 + math.exp(-x))) for x in (middle, low, high)))


def _crossing(logits: np.ndarray, shares: np.ndarray, wanted: float) -> float:
    """Where shares, which rise with the logits, come to that value; infinite if they do not."""
    if shares[0] >= wanted:
        return -math.inf
    if shares[-1] < wanted:
        return math.inf
    with np.errstate(divide="ignore"):  # nearly a straight line in these terms
        odds = np.clip(np.log(shares) - np.log1p(-np.minimum(shares, 1.0)), -40.0, 40.0)
    after = int(np.argmax(shares >= wanted))
    part = (math.log(wanted / (1 - wanted)) - odds[after - 1]) / (odds[after] - odds[after - 1])
    return float(logits[after - 1] + part * (logits[after] - logits[after - 1]))


class Course:
    """The course of a match up to its last pair, and how likely those above it are."""

    MEANS = 1 / (1 + np.exp(-np.linspace(-6.0, 6.0, 49)))

    def __init__(self, pairs: Sequence[int], sprt: Sprt, ratios: np.ndarray | None = None) -> None:
        """`ratios` are log-likelihood ratios per pair at MEANS, if they are known."""
        self.number = sum(pairs)
        self.points = int(np.dot(pairs, _POINTS))
        self.tail = math.erfc(student95(self.number - 1) / math.sqrt(2)) / 2
        """2.5 %, or less if there are so few pairs that their variance is uncertain."""
        self._mean = mean = (self.points + 1) / (4 * self.number + 2)
        typical = np.array([(1 - mean) ** 2, 0.0, 2 * mean * (1 - mean), 0.0, mean**2])
        self._base = np.asarray(pairs) + PSEUDO_PAIRS * typical
        if ratios is None:
            ratios = np.array([sprt.llr(list(row)) for row in self.many()]) / MANY
        self._low, self._high = self._bounds(sprt, ratios)

    def candidates(self) -> np.ndarray:
        """Logits of mean scores, close together where the answers will be."""
        shares = self._base / self._base.sum()
        variance = shares @ (_POINTS / 4 - shares @ _POINTS / 4) ** 2
        middle = math.log(self._mean / (1 - self._mean))
        error = math.sqrt(variance / self.number) / (self._mean * (1 - self._mean))
        near = middle + error * np.linspace(-6.0, 6.0, 31)
        return np.unique(np.concatenate([near[np.abs(near) < 9], np.linspace(-9.0, 9.0, 13)]))

    def above(self, means: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """For each mean score of A, the probability of a higher course, and of one as high."""
        steps = self._tilted(means)
        passed = np.zeros(len(means))
        alive = np.ones((len(means), 1))
        first = 0  # points of the first column
        for pair in range(self.number):
            following = np.zeros((len(means), alive.shape[1] + 4))
            for points in range(5):
                following[:, points : points + alive.shape[1]] += steps[:, points, None] * alive
            if pair == self.number - 1:
                break
            start = max(0, int(self._low[pair]) + 1 - first)
            end = max(start, int(min(self._high[pair] - first, following.shape[1])))
            passed += following[:, end:].sum(axis=1)
            alive = following[:, start:end]
            first += start
        at = self.points - first
        higher = passed + following[:, max(0, at + 1) :].sum(axis=1)
        return higher, higher + (following[:, at] if 0 <= at < following.shape[1] else 0.0)

    def _tilted(self, means: np.ndarray) -> np.ndarray:
        """The distributions of a pair with these mean scores, 0 to 1; one row each."""
        below, above = np.full(len(means), -80.0), np.full(len(means), 80.0)
        for _ in range(60):
            force = (below + above) / 2
            shares = self._base * np.exp(force[:, None] * (_POINTS - 2) / 2)
            shares /= shares.sum(axis=1, keepdims=True)
            small = shares @ _POINTS / 4 < means
            below, above = np.where(small, force, below), np.where(small, above, force)
        return np.asarray(shares)

    def many(self) -> np.ndarray:
        """Counts of many typical pairs with each of MEANS: the test's own stand-ins for what has
        not occurred vanish in them."""
        return MANY * self._tilted(self.MEANS)

    def _bounds(self, sprt: Sprt, ratios: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Points after each pair with which the test ends: at most so many, at least so many."""
        number = np.arange(1, self.number + 1)
        rising = np.maximum.accumulate(ratios)
        below, above = sprt.bounds
        low = np.interp(below / number, rising, self.MEANS, left=-1.0) * 4 * number
        high = np.interp(above / number, rising, self.MEANS, right=2.0) * 4 * number
        return np.floor(low), np.ceil(high)
