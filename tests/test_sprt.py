"""The sequential test: published values, a brute-force twin, and its rates of error."""

import functools
import math
import random

import numpy as np
import pytest

from uctlab.arena.sprt import Sprt
from uctlab.errors import UsageError

GAMES_NELO = 800 / math.log(10)


# Pairs, bounds, LLR. The first two: Disservin/fastchess, sprt_test.cpp and pull request 426. Then
# tests of Fishtest (tests.stockfishchess.org, by id) and small cases, as collected in the test of
# the same function in ShogiHome. The last four are far from the bounds: fastchess, sprt_test.cpp
# since pull request 794 (to 1 %), and its pull request 882.
PUBLISHED = [
    ((365, 16618, 36229, 16974, 390), (0, 2), 2.25),
    ((127, 4883, 10712, 5150, 104), (-1.75, 0.25), 3.01),
    ((19, 4020, 10316, 4215, 24), (-1.75, 0.25), 2.94),  # 69675ab9d5a3b5895b50fb44
    ((103, 3851, 8316, 3728, 98), (0, 2), -2.03),  # 6984bbe6473df9d1d24a937b
    ((291, 10353, 21899, 10175, 306), (0, 2), -3.08),  # 6983867b473df9d1d24a9148
    ((99, 3323, 8399, 3606, 109), (0, 2), 2.98),  # 698432f5473df9d1d24a926d
    ((2, 40, 72, 14, 0), (0, 2), -0.36),  # 6984bb68473df9d1d24a9378
    ((900, 30596, 67292, 30899, 809), (0, 2), -2.96),  # 697e32ae5f56030af97b59c9
    ((45, 8506, 25934, 8883, 57), (0.5, 2.5), 2.94),  # 6983946d473df9d1d24a916d
    ((105, 19880, 51075, 20005, 108), (0.5, 2.5), -2.94),  # 697f19db5f56030af97b5b01
    ((36, 5804, 14811, 5986, 39), (-1.75, 0.25), 2.94),  # 6980e5846362aee5c8a55396
    ((10, 5, 2, 5, 10), (-1.75, 0.25), 0.0),
    ((0, 0, 0, 0, 10), (-1.75, 0.25), 0.08),
    ((10, 0, 0, 0, 0), (-1.75, 0.25), -0.08),
    ((0, 2, 4, 6, 10), (-1.75, 0.25), 0.13),
    ((0, 0, 0, 0, 5550), (0, 5), 111.82),
    ((77, 1, 0, 0, 0), (-1000, -500), -2.95),
    ((72, 10, 0, 0, 0), (-1000, -500), -2.97),
]


@pytest.mark.parametrize(("pairs", "bounds", "llr"), PUBLISHED)
def test_published_ratios(pairs, bounds, llr):
    assert Sprt(*bounds).llr(pairs) == pytest.approx(llr, abs=max(0.0051, 0.0005 * abs(llr)))


def brute_force(pairs, nelo, rng):
    """Largest log-likelihood of a distribution with this normalized Elo, by random search.

    Free are the shares of the three middle outcomes and of the outer two together; bisection
    divides those two so that the normalized Elo comes out.
    """
    counts = np.array([count or 1e-3 for count in pairs])
    scores = np.linspace(0, 1, 5)

    def complete(logits):
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        middle, outer = shares[:, :3], shares[:, 3]
        low, high = np.zeros(len(shares)), np.ones(len(shares))
        for _ in range(45):
            part = (low + high) / 2
            p = np.column_stack([outer * (1 - part), middle, outer * part])
            mean = p @ scores
            of_game = np.sqrt(2 * (p @ scores**2 - mean**2))
            more = (mean - 0.5) * GAMES_NELO < nelo * of_game
            low, high = np.where(more, part, low), np.where(more, high, part)
        missed = np.abs((mean - 0.5) * GAMES_NELO / of_game - nelo) > 1e-6 * (1 + abs(nelo))
        return np.where(missed, -np.inf, np.log(p) @ counts)

    trials = rng.normal(size=(1000, 4)) * rng.choice([1, 3, 6], size=(1000, 1))
    for _ in range(90):
        values = complete(trials)
        order = np.argsort(-values)[:20]
        steps = rng.normal(size=(20, 15, 4)) * 10 ** rng.uniform(-5, 0.5, size=(20, 15, 4))
        steps[:, 0] = 0  # the best stay
        top = values[order[0]]
        trials = (trials[order, None] + steps).reshape(-1, 4)
    return top


# The last four have two maxima under one hypothesis, of which the higher one counts: in the last
# case that with the greater spread, in the three before it that with the smaller.
@pytest.mark.parametrize(
    ("pairs", "bounds"),
    [
        ((3, 7, 12, 9, 4), (0, 50)),
        ((1, 2, 3, 8, 9), (-30, 120)),
        ((20, 3, 1, 2, 15), (0, 100)),
        ((0, 0, 4, 0, 0), (0, 100)),
        ((0, 0, 0, 0, 3), (0, 100)),
        ((3, 7, 6, 4, 0), (0, 245.6)),
        ((2, 17, 70, 11, 1), (-491.3, 0)),
        ((1, 6, 8, 1, 6), (-491.3, 100)),
        ((14, 14, 1, 2, 2), (0, 491.3)),
    ],
)
def test_brute_force_agrees(pairs, bounds):
    rng = np.random.default_rng(7)
    expected = brute_force(pairs, bounds[1], rng) - brute_force(pairs, bounds[0], rng)
    assert Sprt(*bounds).llr(pairs) == pytest.approx(expected, abs=1e-5)


def test_mirrored():
    pairs = (3, 17, 40, 21, 9)
    assert Sprt(-30, 80).llr(pairs) == pytest.approx(-Sprt(-80, 30).llr(pairs[::-1]), abs=1e-9)


def test_always_finite():
    """Any counts, any bounds: most of all matches in which nothing but one result occurs."""
    rng = random.Random(5)
    for _ in range(120):
        weights = [rng.random() ** 6 for _ in range(5)]
        outcomes = rng.choices(range(5), weights, k=rng.choice([1, 3, 50, 40000]))
        pairs = tuple(outcomes.count(i) for i in range(5))
        elo0 = rng.choice([-3000, -1000, -50, 0, 5])
        elo1 = elo0 + rng.choice([0.5, 5, 100, 2000])
        assert math.isfinite(Sprt(elo0, elo1).llr(pairs))


def test_no_pairs():
    assert Sprt(0, 5).llr((0, 0, 0, 0, 0)) == 0.0


def test_bounds_and_verdicts():
    sprt = Sprt(0, 5)
    assert sprt.bounds == pytest.approx((-2.94, 2.94), abs=0.005)
    assert Sprt(0, 5, alpha=0.05, beta=0.1).bounds == pytest.approx((-2.25, 2.89), abs=0.005)
    assert [sprt.verdict(llr) for llr in (-2.95, -2.94, 0.0, 2.94, 2.95)] == [
        "elo0",
        "",
        "",
        "",
        "elo1",
    ]


def test_read():
    assert Sprt.read("0,5") == Sprt(0.0, 5.0)
    assert Sprt.read(" -1.75, 0.25 ") == Sprt(-1.75, 0.25)


@pytest.mark.parametrize("text", ["", "5", "0,5,7", "a,b", "5,0", "3,3", "nan,5", "0,inf", "0;5"])
def test_read_nonsense(text):
    with pytest.raises(UsageError) as caught:
        Sprt.read(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("alpha", "beta"), [(0, 0.05), (0.05, -1), (0.5, 0.5), (math.nan, 0.1)])
def test_impossible_error_rates(alpha, beta):
    with pytest.raises(UsageError, match="alpha"):
        Sprt(0, 5, alpha, beta)


MEASURED = Sprt(0, 150)
ratio_of = functools.cache(MEASURED.llr)


def shares_of_verdicts(nelo, seed, tests=400):
    """Tests of 0 against 150 between players of this true difference; 30 % of games are drawn."""
    ratio = nelo / GAMES_NELO
    lead = ratio * math.sqrt(0.7 / (1 + ratio**2))  # wins less losses, per game
    game = ((0.7 - lead) / 2, 0.3, (0.7 + lead) / 2)
    pair = np.convolve(game, game)
    rng = random.Random(seed)
    verdicts = {"elo0": 0, "elo1": 0}
    for _ in range(tests):
        counts = [0, 0, 0, 0, 0]
        verdict = ""
        while not verdict:
            counts[rng.choices(range(5), pair)[0]] += 1
            verdict = MEASURED.verdict(ratio_of(tuple(counts)))
        verdicts[verdict] += 1
    return verdicts["elo0"] / tests, verdicts["elo1"] / tests


def test_rates_of_error():
    """Both errors are 5 % by design; 400 tests have a standard deviation of 1.1 %.

    So up to 7.5 % is chance, and so is down to 1.5 %, as the walk ends a little beyond its bounds.
    With standard deviations that are sqrt(2) too large or too small the test misses 0.5 % or 17 %.
    """
    false_alarms = shares_of_verdicts(0, seed=1)[1]
    missed = shares_of_verdicts(150, seed=2)[0]
    assert 0.015 <= false_alarms <= 0.075
    assert 0.015 <= missed <= 0.075


def test_a_stronger_player_passes():
    assert shares_of_verdicts(300, seed=3, tests=100)[1] >= 0.98
    assert shares_of_verdicts(-150, seed=4, tests=100)[0] >= 0.98
