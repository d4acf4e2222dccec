"""Statistics of a match: scores with confidence intervals, Elo differences, results of pairs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

Z95 = 1.959963984540054
"""A normal variable is within this many standard deviations of its mean in 95 % of cases."""

FEW = 30
"""Of fewer results the variance is so uncertain that Student's distribution makes a difference."""

_STUDENT95 = (
    *(12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281),
    *(2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860),
)

Pairs = tuple[int, int, int, int, int]
"""Pairs of games (same opening, colours swapped) in which A got 0, 1/2, 1, 3/2, 2 points."""


@dataclass(frozen=True)
class Score:
    """Results of player A. Properties that are undefined without games are None.

    Examples:
        >>> score = uctlab.Score(wins=60, draws=0, losses=40)
        >>> score.percent, [round(bound, 1) for bound in score.wilson]
        (60.0, [50.2, 69.1])
    """

    wins: int
    draws: int
    losses: int

    @classmethod
    def of(cls, scores: Iterable[float]) -> Score:
        """The results of games in which A got 1, 1/2 or 0 points."""
        counts = Counter(scores)
        return cls(counts[1.0], counts[0.5], counts[0.0])

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def percent(self) -> float | None:
        return 100 * self.points / self.games if self.games else None

    @property
    def interval(self) -> float | None:
        """Half width of the 95 % interval in percentage points, as in the papers."""
        p = self.percent
        return None if p is None else 2 * math.sqrt(p * (100 - p) / self.games)

    @property
    def wilson(self) -> tuple[float, float] | None:
        """Wilson's 95 % interval of the score in percent. It stays within 0..100 and is meaningful
        even if all games had the same result."""
        if not self.games:
            return None
        low, high = _wilson(self.points, self.games)
        return 100 * low, 100 * high

    @property
    def percent_text(self) -> str:
        """As 56.0 %; empty without games."""
        return "" if self.percent is None else f"{self.percent:.1f} %"

    @property
    def wilson_text(self) -> str:
        """As 50.1 to 62.0; empty without games."""
        return "" if self.wilson is None else "{:.1f} to {:.1f}".format(*self.wilson)

    @property
    def superiority(self) -> float:
        """Likelihood that A is the stronger player; draws do not count."""
        decisive = self.wins + self.losses
        if not decisive:
            return 0.5
        return 0.5 * (1 + math.erf((self.wins - self.losses) / math.sqrt(2 * decisive)))

    def as_json(self) -> dict[str, int]:
        return asdict(self)


def total(scores: Iterable[Score]) -> Score:
    """All those games together."""
    several = list(scores)
    return Score(
        sum(score.wins for score in several),
        sum(score.draws for score in several),
        sum(score.losses for score in several),
    )


def elo(score: float) -> float:
    """Elo difference at which a player expects this score, 0 to 1."""
    if score <= 0:
        return -math.inf
    return math.inf if score >= 1 else 400 * math.log10(score / (1 - score))


def finite(number: float | None) -> float | None:
    """For JSON, which has no infinity."""
    return number if number is not None and math.isfinite(number) else None


def student95(freedom: int) -> float:
    """As Z95, for a variance that was estimated with that many degrees of freedom, at least 1."""
    if freedom <= len(_STUDENT95):
        return _STUDENT95[max(freedom, 1) - 1]
    z = Z95  # Cornish and Fisher's expansion
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


def elo_interval(score: Score, pairs: Pairs = (0, 0, 0, 0, 0)) -> tuple[float, float]:
    """95 % interval of the Elo difference, from the standard error of the mean score.

    If there are pairs, the error is computed from them, since two games with one opening are not
    independent. With few of them it is Student's interval. If all results are equal the error would
    be 0; the interval is then Wilson's or, where A won or lost every game, the exact one.
    """
    if not score.games:
        return -math.inf, math.inf
    mean = score.points / score.games
    results = pairs if any(pairs) else (score.losses, score.draws, score.wins)
    number, error = sum(results), _standard_error(results)
    if mean in (0, 1):
        end = 0.025 ** (1 / score.games)
        low, high = (end, 1.0) if mean else (0.0, 1 - end)
    elif error == 0:
        low, high = _wilson(score.points, score.games)
    else:
        if number < FEW:
            error *= student95(number - 1) / Z95 * math.sqrt(number / (number - 1))
        low, high = mean - Z95 * error, mean + Z95 * error
    return elo(low), elo(high)


def pair_counts(scores: Mapping[int, float]) -> Pairs:
    """Count complete pairs by A's points, given A's score (0, 0.5 or 1) by game number.

    Games 2i and 2i + 1 are a pair.
    """
    counts = [0, 0, 0, 0, 0]
    for game, score in scores.items():
        if game % 2 == 0 and game + 1 in scores:
            counts[round(2 * (score + scores[game + 1]))] += 1
    return counts[0], counts[1], counts[2], counts[3], counts[4]


def _standard_error(counts: tuple[int, ...]) -> float:
    """Standard error of the mean of results spaced evenly over 0..1, given their counts."""
    total, last = sum(counts), len(counts) - 1
    mean = sum(n * i for i, n in enumerate(counts)) / (last * total)
    variance = sum(n * (i / last - mean) ** 2 for i, n in enumerate(counts)) / total
    return math.sqrt(variance / total)


def _wilson(points: float, games: int) -> tuple[float, float]:
    p, shrink = points / games, Z95**2 / games
    middle = p + shrink / 2
    half = math.sqrt(shrink * (p * (1 - p) + shrink / 4))
    # Exactly 0 and 1 at the ends, without rounding errors.
    low = 0.0 if points == 0 else (middle - half) / (1 + shrink)
    high = 1.0 if points == games else (middle + half) / (1 + shrink)
    return low, high
