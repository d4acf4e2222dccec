"""Bradley-Terry ratings, against a published table and closed forms."""

import math

import numpy as np
import pytest

from uctlab.arena.ratings import bradley_terry
from uctlab.arena.statistics import elo
from uctlab.errors import UsageError

UNIT = 400 / math.log(10)

# Agresti, Categorical Data Analysis: American League East 1987, wins of the row team; strengths
# against Baltimore. Their standard errors: R's BradleyTerry2 on the same table.
TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
WINS = (
    (0, 7, 9, 7, 7, 9, 11),
    (6, 0, 7, 5, 11, 9, 9),
    (4, 6, 0, 7, 7, 8, 12),
    (6, 8, 6, 0, 6, 7, 10),
    (6, 2, 6, 7, 0, 7, 12),
    (4, 4, 5, 6, 6, 0, 6),
    (2, 4, 1, 3, 1, 7, 0),
)
STRENGTHS = (1.581, 1.436, 1.294, 1.248, 1.108, 0.684, 0.0)
ERRORS = (0.3433, 0.3396, 0.3367, 0.3359, 0.3339, 0.3319)


def test_baseball():
    ratings = bradley_terry(TEAMS, WINS, prior=0)
    assert tuple(rating.name for rating in ratings) == TEAMS
    assert sum(rating.elo for rating in ratings) == pytest.approx(0, abs=1e-9)
    against_baltimore = [(rating.elo - ratings[-1].elo) / UNIT for rating in ratings]
    assert against_baltimore == pytest.approx(STRENGTHS, abs=6e-4)
    assert ratings[0].games == 78
    assert ratings[0].score == pytest.approx(50 / 78)


def test_baseball_intervals():
    """Covariance against Baltimore by differences of the likelihood, then moved to mean 0."""
    ratings = bradley_terry(TEAMS, WINS, prior=0)
    best = np.array([(rating.elo - ratings[-1].elo) / UNIT for rating in ratings[:-1]])

    def log_likelihood(free):
        strength = [*free, 0.0]
        return sum(
            -wins * math.log1p(math.exp(strength[j] - strength[i]))
            for i, row in enumerate(WINS)
            for j, wins in enumerate(row)
        )

    step, axes = 1e-3, np.eye(6)
    second = np.array(
        [
            [
                sum(
                    a * b * log_likelihood(best + step * (a * axes[i] + b * axes[j]))
                    for a in (-1, 1)
                    for b in (-1, 1)
                )
                / (4 * step * step)
                for j in range(6)
            ]
            for i in range(6)
        ]
    )
    covariance = np.linalg.inv(-second)
    assert np.sqrt(np.diag(covariance)) == pytest.approx(ERRORS, abs=1e-4)

    centre = np.vstack([axes, np.zeros(6)]) - 1 / 7
    errors = np.sqrt(np.diag(centre @ covariance @ centre.T))
    for rating, error in zip(ratings, errors, strict=True):
        assert (rating.high - rating.elo) / UNIT == pytest.approx(1.959964 * error, rel=1e-4)
        assert rating.elo - rating.low == pytest.approx(rating.high - rating.elo)


def test_two_players():
    """The difference is the Elo of the score; its variance 1/(n p q) halves twice for either."""
    first, second = bradley_terry(("a", "b"), ((0, 75), (25, 0)), prior=0)
    assert first.elo - second.elo == pytest.approx(elo(0.75))
    expected = 1.959964 * UNIT / 2 / math.sqrt(100 * 0.75 * 0.25)
    assert first.high - first.elo == pytest.approx(expected, rel=1e-6)


def test_prior_is_virtual_draws():
    """One virtual draw between two players: 75.5 points to 25.5; games and score stay real."""
    first, second = bradley_terry(("a", "b"), ((0, 75), (25, 0)))
    assert first.elo - second.elo == pytest.approx(elo(75.5 / 101))
    assert (first.games, first.score) == (100, 0.75)


@pytest.mark.parametrize(
    "points",
    [
        ((0, 10, 10), (0, 0, 5), (0, 5, 0)),  # one won everything
        ((0, 0, 6), (0, 0, 0), (4, 0, 0)),  # one played nobody
        ((0, 10000, 0), (0, 0, 10000), (0, 0, 0)),  # a chain of lost matches
    ],
)
def test_no_maximum(points):
    names = ("a", "b", "c")
    ratings = bradley_terry(names, points)
    for rating in ratings:
        assert math.isfinite(rating.elo)
        assert -math.inf < rating.low < rating.elo < rating.high < math.inf
    assert ratings[0].elo == max(rating.elo for rating in ratings)
    with pytest.raises(UsageError, match="prior above 0"):
        bradley_terry(names, points, prior=0)


def test_a_player_without_games():
    idle = bradley_terry(("a", "b", "c"), ((0, 0, 6), (0, 0, 0), (4, 0, 0)))[1]
    assert (idle.games, idle.score) == (0, None)
    assert idle.elo == pytest.approx(0, abs=1e-6)


def test_a_circle_is_even():
    for rating in bradley_terry(("a", "b", "c"), ((0, 9, 0), (0, 0, 9), (9, 0, 0)), prior=0):
        assert rating.elo == pytest.approx(0, abs=1e-9)


def test_mistakes():
    with pytest.raises(UsageError, match="two players"):
        bradley_terry(("a",), ((0,),))
    with pytest.raises(UsageError, match="prior"):
        bradley_terry(("a", "b"), ((0, 1), (1, 0)), prior=-1)
