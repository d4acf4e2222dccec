"""Scores, intervals and pairs, against published figures."""

import math
from itertools import combinations_with_replacement, product

import pytest

from uctlab.arena.statistics import Score, elo, elo_interval, pair_counts, student95


def score_of(wins, games):
    return Score(wins, 0, games - wins)


# Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17
# (1998), table I, method 3.
@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson(wins, games, low, high):
    assert score_of(wins, games).wilson == pytest.approx((100 * low, 100 * high), abs=0.005)
    mirrored = score_of(games - wins, games).wilson
    assert mirrored == pytest.approx((100 - 100 * high, 100 - 100 * low), abs=0.005)


def test_wilson_ends():
    assert score_of(0, 7).wilson[0] == 0
    assert score_of(7, 7).wilson[1] == 100


# hashimoto2012, table 1: 1000 games each.
@pytest.mark.parametrize(
    ("wins", "percent", "interval"), [(392, 39.2, 3.1), (242, 24.2, 2.7), (8, 0.8, 0.6), (0, 0, 0)]
)
def test_interval_of_the_papers(wins, percent, interval):
    score = score_of(wins, 1000)
    assert score.percent == pytest.approx(percent)
    assert round(score.interval, 1) == interval


def test_points():
    score = Score(3, 4, 1)
    assert (score.games, score.points, score.percent) == (8, 5, 62.5)


def test_no_games():
    score = Score(0, 0, 0)
    assert score.percent is score.interval is score.wilson is None
    assert score.points == 0
    assert score.superiority == 0.5
    assert elo_interval(score, (0,) * 5) == (-math.inf, math.inf)


# From the thread "Calculating the LOS from results" on TalkChess (January 2014), which led to the
# formula of the Chess Programming Wiki: 17.6 % for the first. One win: normal distribution at 1.
@pytest.mark.parametrize(
    ("wins", "losses", "expected", "tolerance"),
    [(5975, 6077, 0.1764, 1e-4), (10, 10, 0.5, 1e-12), (1, 0, 0.8413, 1e-4)],
)
def test_superiority(wins, losses, expected, tolerance):
    for draws in (0, 500):
        score = Score(wins, draws, losses)
        assert score.superiority == pytest.approx(expected, abs=tolerance)
        mirrored = Score(losses, draws, wins)
        assert score.superiority + mirrored.superiority == pytest.approx(1)


def test_superiority_without_decisive_games():
    assert Score(0, 9, 0).superiority == 0.5


def test_elo():
    assert elo(0.75) == pytest.approx(190.85, abs=0.005)
    assert elo(0.25) == pytest.approx(-190.85, abs=0.005)
    assert elo(0.5) == 0
    assert (elo(0.0), elo(1.0)) == (-math.inf, math.inf)


# Elo difference and half width of its interval: Disservin/fastchess, elo_test.cpp.
@pytest.mark.parametrize(
    ("score", "pairs", "difference", "error"),
    [
        (Score(136, 111, 96), (0, 0, 0, 0, 0), 40.70, 30.43),
        (Score(245, 182, 153), (34, 54, 63, 64, 75), 55.58, 27.65),
        (Score(1458, 848, 1554), (332, 433, 498, 333, 334), -8.64, 10.33),
        (Score(26051, 9725, 30032), (7895, 8757, 5685, 568, 9999), -21.04, 2.95),
    ],
)
def test_elo_interval(score, pairs, difference, error):
    low, high = elo_interval(score, pairs)
    assert elo(score.points / score.games) == pytest.approx(difference, abs=0.01)
    assert (high - low) / 2 == pytest.approx(error, abs=0.01)


def test_pairs_decide_the_error():
    """Each opening is won by one colour: the games say little, the pairs a lot."""
    score = Score(1000, 0, 1000)
    wide = elo_interval(score, (0, 0, 0, 0, 0))
    narrow = elo_interval(score, (10, 0, 980, 0, 10))
    assert wide[1] > 4 * narrow[1] > 0


def test_equal_results_leave_doubt():
    score = Score(10, 0, 10)
    low, high = elo_interval(score, (0, 0, 10, 0, 0))
    assert (low, high) == tuple(elo(end / 100) for end in score.wilson)
    assert low < 0 < high


@pytest.mark.parametrize("games", [1, 4, 20, 100])
def test_a_match_won_outright_leaves_doubt(games):
    """At the lower end all games are won once in forty times."""
    pairs = (0, 0, 0, 0, games // 2)
    low, high = elo_interval(Score(games, 0, 0), pairs)
    assert (1 / (1 + 10 ** (-low / 400))) ** games == pytest.approx(0.025) and high == math.inf
    assert elo_interval(Score(0, 0, games), pairs[::-1]) == pytest.approx((-math.inf, -low))


# Any table of Student's distribution.
@pytest.mark.parametrize(
    ("freedom", "factor"), [(1, 12.706), (2, 4.303), (10, 2.228), (20, 2.086), (30, 2.042)]
)
def test_student(freedom, factor):
    assert student95(freedom) == pytest.approx(factor, abs=6e-4)
    assert student95(10**6) == pytest.approx(1.95996, abs=1e-5)


@pytest.mark.parametrize(("pairs", "least"), [(2, 0.95), (3, 0.94), (5, 0.91), (8, 0.92)])
def test_the_interval_of_few_games_covers_the_truth(pairs, least):
    """All possible results with their probabilities, with and without draws."""
    for draws, score in product((0.0, 0.4), (0.5, 0.6, 0.7, 0.8)):
        drawn = draws * 4 * score * (1 - score)
        lost, won = 1 - score - drawn / 2, score - drawn / 2
        shares = [lost * lost, 2 * lost * drawn, 2 * won * lost + drawn**2, 2 * won * drawn, won**2]
        covered = 0.0
        for results in combinations_with_replacement(range(5), pairs):
            counts = tuple(results.count(points) for points in range(5))
            ways = math.factorial(pairs) / math.prod(map(math.factorial, counts))
            half_points = sum(results)
            odd = half_points % 2
            match = Score(half_points // 2, odd, 2 * pairs - half_points // 2 - odd)
            low, high = elo_interval(match, counts)
            chance = ways * math.prod(shares[points] for points in results)
            covered += chance * (low <= elo(score) <= high)
        assert covered > least


def test_pair_counts():
    scores = {0: 1.0, 1: 1.0, 2: 0.0, 3: 0.0, 5: 0.5, 4: 1.0, 6: 0.5, 7: 0.5, 8: 0.0, 9: 0.5}
    assert pair_counts(scores) == (1, 1, 1, 1, 1)
    assert pair_counts(scores | {10: 1.0, 13: 1.0}) == (1, 1, 1, 1, 1)  # incomplete
    assert pair_counts({1: 1.0, 2: 1.0}) == (0, 0, 0, 0, 0)  # neighbours, no pair
    assert pair_counts({}) == (0, 0, 0, 0, 0)
