"""Decides when a match can stop: the sequential probability ratio test (SPRT) on pairs of games.

It is the generalised test of Michel Van den Bergh (Normalized Elo in Practice, 2021), as used by
Fishtest: a pair has five outcomes, the hypotheses are given in normalized Elo, and the likelihood
is maximised under each hypothesis.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from uctlab.errors import UsageError

NELO = 800 / math.log(10)
"""Normalized Elo of a mean score that is one standard deviation of a game above 1/2."""

RARE = 1e-3
"""Replaces a count of 0, as on Fishtest: an outcome that has not occurred is not impossible."""

_EDGE = (-0.5, -0.25, 0.0, 0.25, 0.5)
"""Mean score of a pair, minus 1/2."""


@dataclass(frozen=True)
class Sprt:
    """Tests whether A is better than B by elo0 or by elo1, in normalized Elo.

    Examples:
        >>> test = uctlab.Sprt(0, 20)
        >>> uctlab.match("hex:4", "uct", "mc", games=4, playouts=50, sprt=test, workers=1).verdict
        ''
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    """Probability of the verdict "elo1" when elo0 is true."""
    beta: float = 0.05
    """Probability of the verdict "elo0" when elo1 is true."""

    def __post_init__(self) -> None:
        if not -math.inf < self.elo0 < self.elo1 < math.inf:
            raise UsageError(
                f"sprt {self.elo0:g},{self.elo1:g}: the first bound must be less than the second, "
                "and both finite"
            )
        if not (self.alpha > 0 and self.beta > 0 and self.alpha + self.beta < 1):
            raise UsageError(
                f"sprt: alpha={self.alpha:g} and beta={self.beta:g} must be above 0 and their sum "
                "below 1"
            )

    @classmethod
    def read(cls, text: str) -> Sprt:
        """Parse bounds such as 0,5."""
        try:
            elo0, elo1 = (float(part) for part in text.split(","))
        except ValueError:
            raise UsageError(
                f"'{text}' is not an SPRT; write two bounds in normalized Elo, such as 0,5"
            ) from None
        return cls(elo0, elo1)

    @property
    def bounds(self) -> tuple[float, float]:
        """The test ends when the log-likelihood ratio leaves this interval."""
        return (
            math.log(self.beta / (1 - self.alpha)),
            math.log((1 - self.beta) / self.alpha),
        )

    def llr(self, pairs: Sequence[int]) -> float:
        """Log-likelihood ratio of elo1 to elo0; 0 without pairs."""
        if not any(pairs):
            return 0.0
        counts = [count or RARE for count in pairs]
        total = sum(counts)
        shares = [count / total for count in counts]
        # The standard deviation of a game is sqrt(2) times that of a pair's mean score.
        ratio0, ratio1 = (elo / NELO * math.sqrt(2) for elo in (self.elo0, self.elo1))
        return total * (_likelihood(shares, ratio1) - _likelihood(shares, ratio0))

    def verdict(self, llr: float) -> str:
        """ "elo1": that hypothesis is accepted, A passes; "elo0": A fails; empty: play on."""
        low, high = self.bounds
        if llr >= high:
            return "elo1"
        return "elo0" if llr <= low else ""


def _likelihood(shares: Sequence[float], ratio: float) -> float:
    """Largest mean log-likelihood of any distribution with mean = ratio * standard deviation.

    With x the score of a pair above an even one, the condition is mean(x) = slope * rms(x). There
    can be two maxima, as x is 1/4 or 1/2 in size where it is not 0; hence two starts.
    """
    slope = ratio / math.sqrt(1 + ratio * ratio)
    starts = (0.25, 0.5) if slope else (0.5,)
    return max(_climb(shares, slope, start) for start in starts)


def _climb(shares: Sequence[float], slope: float, spread: float) -> float:
    """The maximum that the iteration reaches from this rms(x).

    rms(x) is the least value of (mean(x^2)/s + s)/2 over s, reached at s = rms(x). So the condition
    is linear in the distribution once s is known: solve, set s to the rms of the solution, repeat.
    The pulls have either sign at both starts, and then at every later s.
    """
    force = 0.0
    for _ in range(100):
        pulls = [x - slope / 2 * (x * x / spread + spread) for x in _EDGE]
        force = _balance(shares, pulls, force)
        fitted = [p / (1 + force * pull) for p, pull in zip(shares, pulls, strict=True)]
        before = spread
        spread = math.sqrt(sum(p * x * x for p, x in zip(fitted, _EDGE, strict=True)))
        if abs(spread - before) < 1e-6:  # the likelihood is flat here: its error is quadratic
            break
    return sum(p * math.log(q) for p, q in zip(shares, fitted, strict=True))


def _balance(shares: Sequence[float], pulls: Sequence[float], guess: float) -> float:
    """The Lagrange multiplier f with sum of shares * pulls / (1 + f * pulls) = 0.

    The sum falls from one pole to the next, and f lies where no share becomes more than 1. Newton's
    method; where it leaves the bracket, the end of the bracket is tried, then the middle.
    """
    low = max((p - 1) / pull for p, pull in zip(shares, pulls, strict=True) if pull > 0)
    high = min((p - 1) / pull for p, pull in zip(shares, pulls, strict=True) if pull < 0)
    force = min(max(guess, low), high)
    ends = {low, high}
    for _ in range(200):
        total = slope = 0.0
        for p, pull in zip(shares, pulls, strict=True):
            scaled = pull / (1 + force * pull)
            total += p * scaled
            slope += p * scaled * scaled
        ends.discard(force)
        if total > 0:
            low = force
        else:
            high = force
        following = force + total / slope
        if not low <= following <= high:
            end = high if total > 0 else low
            following = end if end in ends else (low + high) / 2
        if abs(following - force) <= 1e-12 * abs(force) + 1e-15:
            break
        force = following
    return force
