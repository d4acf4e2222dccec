"""What a match says that an SPRT has ended: the adjusted estimate and its interval."""

import math
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest

from tests.stored_matches import PLAN, RECORD
from uctlab.arena.result import summarise
from uctlab.arena.sprt import Sprt
from uctlab.arena.statistics import Score, elo, elo_interval
from uctlab.arena.stopped import MAX_PAIRS, METHOD, Course, adjusted_estimate

TEST = Sprt(0, 100)


def test_the_recursion_counts_every_course():
    """Against a list of all courses of five pairs, with bounds close enough to end some."""
    sprt = Sprt(0, 300, alpha=0.3, beta=0.3)
    course = Course((1, 0, 2, 1, 1), sprt)
    means = np.array([0.3, 0.6])
    shares = course._tilted(means)
    assert shares @ np.arange(5) / 4 == pytest.approx(means)
    higher, as_high = np.zeros(2), np.zeros(2)
    stopped = set()
    for results in product(range(5), repeat=5):
        points = np.cumsum(results)
        chance = np.prod(shares[:, results], axis=1)
        ends = [n for n in range(4) if not course._low[n] < points[n] < course._high[n]]
        passed = ends and points[ends[0]] >= course._high[ends[0]]
        stopped.add((ends[0], passed) if ends else None)
        if passed or (not ends and points[4] > course.points):
            higher += chance
        elif not ends and points[4] == course.points:
            as_high += chance
    assert len(stopped) > 4
    found = course.above(means)
    assert found[0] == pytest.approx(higher) and found[1] == pytest.approx(higher + as_high)


def test_the_estimate_and_its_interval_are_less_extreme():
    """A match in which A passed as soon as it could."""
    pairs = (1, 3, 8, 6, 8)
    assert TEST.verdict(TEST.llr(pairs)) == "elo1"
    assert not TEST.verdict(TEST.llr((1, 3, 8, 6, 7)))
    score = Score(30, 9, 13)
    low, high = elo_interval(score, pairs)
    found = adjusted_estimate(pairs, TEST)
    assert found.low < low < found.elo < elo(score.points / score.games)
    assert found.elo < found.high < high


def test_a_mirrored_match_has_the_mirrored_estimate():
    pairs = (2, 5, 9, 8, 9)
    one = adjusted_estimate(pairs, Sprt(-20, 80))
    other = adjusted_estimate(pairs[::-1], Sprt(-80, 20))
    assert (one.elo, one.low, one.high) == pytest.approx((-other.elo, -other.high, -other.low))


def test_a_test_that_never_ends_changes_nothing():
    """Then the estimate is that of a fixed number of games."""
    pairs = (20, 30, 100, 60, 50)
    found = adjusted_estimate(pairs, Sprt(0, 1, alpha=1e-9, beta=1e-9))
    points = sum(i * n for i, n in enumerate(pairs)) / 2
    low, high = elo_interval(Score(int(points), 0, 520 - int(points)), pairs)
    assert found.elo == pytest.approx(elo(points / 520), abs=1.0)
    assert (found.low, found.high) == pytest.approx((low, high), abs=2.0)


def test_ends():
    swept = adjusted_estimate((0, 0, 0, 0, 10), TEST)
    assert swept.elo == swept.high == math.inf and 0 < swept.low < 400
    assert adjusted_estimate((0, 0, 0, 0, 0), TEST) is None
    assert adjusted_estimate((0, 0, MAX_PAIRS + 1, 0, 0), TEST) is None


def test_coverage():
    """Of short matches between equal players, who are found different as often as not.

    benchmarks/interval_coverage.py does this at length; here it is enough to notice a mistake.
    """
    sprt = Sprt(-100, 100)
    verdict = cache(lambda pairs: sprt.verdict(sprt.llr(pairs)))
    rng = np.random.default_rng(4)
    runs, covered, above = 40, 0, 0
    for _ in range(runs):
        pairs = [0] * 5
        while not verdict(tuple(pairs)):
            pairs[rng.choice((0, 2, 2, 4))] += 1
        course = Course(pairs, sprt)
        higher, as_high = (part[0] for part in course.above(np.array([0.5])))
        covered += as_high > course.tail and higher < 1 - course.tail
        above += higher + as_high < 1  # the estimate is more than 0
    assert covered / runs > 0.9
    assert 0.3 < above / runs < 0.7


def test_a_match_says_which_figures_are_adjusted():
    scores = [1.0, 1.0, 0.5, 1.0, 1.0, 0.0] * 9
    records = [replace(RECORD, number=n, score=score) for n, score in enumerate(scores)]
    plain = summarise(PLAN, records, wanted=100, seconds=1.0)
    assert "adjusted" not in str(plain)
    result = summarise(PLAN, records, wanted=100, seconds=1.0, sprt=TEST)
    assert result.verdict == "elo1"
    text = str(result)
    assert text.count(", not adjusted for the SPRT\n") == 2
    found = result.adjusted
    line = f"adjusted for the SPRT: Elo {found.elo:+.0f} ({found.low:+.0f} to {found.high:+.0f}), "
    assert line + METHOD in text.splitlines()
    facts = result.as_json()
    assert facts["sprt"]["adjusted"] == {
        "elo": found.elo,
        "elo_interval": [found.low, found.high],
        "method": METHOD,
    }
    assert facts["elo"] == plain.as_json()["elo"]
    empty = summarise(PLAN, records[:1], wanted=100, seconds=1.0, sprt=TEST)
    assert "no adjusted Elo" in str(empty) and empty.as_json()["sprt"]["adjusted"] is None
