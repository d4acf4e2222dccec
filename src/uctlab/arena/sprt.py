"""When a match may stop: the sequential probability ratio test on pairs of games.

The generalised test of Michel Van den Bergh (Normalized Elo in Practice, 2021), as on Fishtest:
five outcomes of a pair, bounds in normalized Elo, likelihoods maximised under either hypothesis.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from uctlab.errors import UsageError

NELO = 800 / math.log(10)
"""Normalized Elo: so many for one standard deviation, of a single game, above an even score."""

RARE = 1e-3
"""Stands for a count of 0, as on Fishtest: what did not happen yet is not impossible."""

_EDGE = (-0.5, -0.25, 0.0, 0.25, 0.5)
"""Mean score of a pair above an even one."""


@dataclass(frozen=True)
class Sprt:
    """Tests whether A is elo0 or elo1 better than B, both in normalized Elo."""

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
        """Read bounds such as 0,5."""
        try:
            elo0, elo1 = (float(part) for part in text.split(","))
        except ValueError:
            raise UsageError(
                f"'{text}' is not a test; write two bounds in normalized Elo, as in 0,5"
            ) from None
        return cls(elo0, elo1)

    @property
    def bounds(self) -> tuple[float, float]:
        """The test ends when the log-likelihood ratio leaves these."""
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
        """ "elo1": A passes, taken to be elo1 better rather than elo0; "elo0": A fails, the other
        way round; empty: play on."""
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
    """The maximum that steps from this rms(x) lead to.

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
        if abs(spread - before) < 1e-6:  # the likelihood is flat here: its error is a square
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
