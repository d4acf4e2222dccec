"""Numbers with their 95 % intervals, as reports show them, and what sentences say of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from uctlab.arena.statistics import Score


@dataclass(frozen=True)
class Measured:
    """A value, with its 95 % interval if it has one."""

    value: float
    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        if (self.low is None) != (self.high is None):
            raise ValueError(f"an interval has two ends, not {self.low} and {self.high}")

    @property
    def ends(self) -> tuple[float, float]:
        """Of the interval; without one, the value itself."""
        if self.low is None or self.high is None:
            return self.value, self.value
        return self.low, self.high

    @property
    def reach(self) -> tuple[float, float]:
        """How far the interval reaches below and above the value."""
        low, high = self.ends
        return max(0.0, self.value - low), max(0.0, high - self.value)


@dataclass(frozen=True)
class Elo(Measured):
    """A difference in Elo."""

    def __str__(self) -> str:
        below, above = self.reach
        return f"{self.value:+z.0f}" + ("" if self.low is None else f" ± {(below + above) / 2:.0f}")


@dataclass(frozen=True)
class Percent(Measured):
    """A value from 0 to 100."""

    @classmethod
    def within(cls, value: float, margin: float) -> Percent:
        """As papers write it: value +- margin."""
        return cls(value, max(0.0, value - margin), min(100.0, value + margin))

    @classmethod
    def of(cls, score: Score) -> Percent | None:
        """A score with Wilson's interval, which is meaningful even at 0 and 100 %."""
        if score.percent is None or score.wilson is None:
            return None
        return cls(score.percent, *score.wilson)

    def overlaps(self, other: Percent) -> bool:
        """Whether the two intervals have a point in common; no interval counts as a point."""
        (low, high), (other_low, other_high) = self.ends, other.ends
        return low <= other_high and other_low <= high

    def __str__(self) -> str:
        if self.low is None:
            return f"{self.value:.1f} %"
        low, high = self.ends
        below, above = self.value - low, high - self.value
        if abs(above - below) < 0.2:  # each end is then correct to a tenth
            return f"{self.value:.1f} ± {(above + below) / 2:.1f} %"
        return f"{self.value:.1f} % ({low:.1f} to {high:.1f})"


def quantile(ordered: Sequence[float], part: float) -> float:
    """The smallest value that a share `part` of all values do not exceed; infinity is allowed."""
    return ordered[max(0, math.ceil(part * len(ordered)) - 1)]


def listed(names: Sequence[str]) -> str:
    """As in a sentence: a, b and c."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


@dataclass(frozen=True)
class Difference:
    """The 95 % interval of the difference of two shares, in points."""

    low: float
    high: float

    @classmethod
    def of(cls, share: Percent, other: Percent) -> Difference:
        """Newcombe's interval, from the Wilson intervals of independent shares."""
        (below, above), (other_below, other_above) = share.reach, other.reach
        middle = share.value - other.value
        return cls(middle - math.hypot(below, other_above), middle + math.hypot(above, other_below))

    @property
    def sign(self) -> int:
        """1 if the first share is larger, -1 if it is smaller, 0 if that cannot be told."""
        return (self.low > 0) - (self.high < 0)
