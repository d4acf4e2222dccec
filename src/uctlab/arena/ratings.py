"""Ratings of many players from all their games, by the Bradley-Terry model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from uctlab.arena.statistics import Z95
from uctlab.errors import UsageError

_ELO = 400 / math.log(10)
"""Elo for one unit of strength, in which the odds between two players are exp(difference)."""


@dataclass(frozen=True)
class Rating:
    """Strength of one player; the mean of all players is 0."""

    name: str
    elo: float
    low: float
    """Lower end of the 95 % interval."""
    high: float
    games: int
    score: float | None
    """Points per game, 0 to 1; None without games."""


def bradley_terry(
    names: Sequence[str],
    points: Sequence[Sequence[float]],
    prior: float = 1.0,
    anchor: str | None = None,
) -> tuple[Rating, ...]:
    """The most likely ratings, in the order of `names`.

    `points[i][j]` are the points of i against j, draws half a point to each. `prior` is the number
    of virtual draws that every player gets, spread evenly over all others. They keep the ratings
    finite when a player won or lost every game or when two groups never met, and hardly change
    other ratings. With 0 the ratings are those of maximum likelihood.

    The mean of all ratings is 0. With an `anchor`, one of the names, that player has 0 instead, and
    intervals are those of the differences from it.
    """
    count = len(names)
    if count < 2:
        raise UsageError(f"ratings need at least two players, not {count}")
    if not 0 <= prior < math.inf:
        raise UsageError(
            f"prior={prior:g} is not accepted; it must be a number of draws, 0 or more"
        )
    real = np.array(points, dtype=np.float64)
    if real.shape != (count, count):
        raise ValueError(f"{count} players need {count} rows and columns of points")
    np.fill_diagonal(real, 0.0)
    if prior == 0:
        _check_connected(names, real)
    virtual = (1 - np.eye(count)) * prior / (2 * (count - 1))
    strength, covariance = _fit(real + virtual)
    if anchor is not None:
        at = list(names).index(anchor)
        strength = strength - strength[at]
        covariance = covariance - covariance[at]
        covariance = covariance - covariance[:, at, None]
    error = np.sqrt(np.maximum(0.0, np.diag(covariance)))
    games = (real + real.T).sum(axis=1)
    return tuple(
        Rating(
            name=names[i],
            elo=float(_ELO * strength[i]),
            low=float(_ELO * (strength[i] - Z95 * error[i])),
            high=float(_ELO * (strength[i] + Z95 * error[i])),
            games=round(games[i]),
            score=float(real[i].sum() / games[i]) if games[i] else None,
        )
        for i in range(count)
    )


def _fit(points: NDArray[np.float64]) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
    """Strengths of maximum likelihood with mean 0, and their covariance: Newton's method."""
    count = len(points)
    games = points + points.T
    strength = np.zeros(count)
    likelihood = _log_likelihood(points, strength)
    for _ in range(100):
        chance = _chance(strength)
        gradient = (points - games * chance).sum(axis=1)
        weight = games * chance * chance.T
        information = np.diag(weight.sum(axis=1)) - weight
        # Only differences count, so the information is singular along (1, ..., 1); adding that
        # direction and taking it away again inverts it where the mean stays 0.
        covariance = np.linalg.inv(information + 1 / count) - 1 / count
        step = covariance @ gradient
        if np.abs(step).max() < 1e-10:
            break
        while (better := _log_likelihood(points, strength + step)) < likelihood - 1e-9:
            step /= 2
        strength, likelihood = strength + step, better
        strength -= strength.mean()
    return strength, covariance


def _chance(strength: NDArray[np.float64]) -> NDArray[np.float64]:
    """Expected score of i against j."""
    return np.exp(-np.logaddexp(0.0, strength[None, :] - strength[:, None]))


def _log_likelihood(points: NDArray[np.float64], strength: NDArray[np.float64]) -> float:
    return -float((points * np.logaddexp(0.0, strength[None, :] - strength[:, None])).sum())


def _check_connected(names: Sequence[str], points: NDArray[np.float64]) -> None:
    """A maximum exists if points lead from every player to every other one (Ford 1957)."""
    reached = points > 0
    for middle in range(len(names)):
        reached |= reached[:, middle, None] & reached[None, middle, :]
    for i, j in np.argwhere(~reached):
        if i != j:
            raise UsageError(
                f"without a prior there are no finite ratings: {names[i]} took no points from "
                f"{names[j]}, directly or through others; use a prior above 0"
            )
