"""How often the 95 % intervals of a match cover the truth: after an SPRT, and of few games.

    python benchmarks/interval_coverage.py --runs 4000      # minutes per line of the first table
    python benchmarks/interval_coverage.py --few

The first table simulates matches that the SPRT itself ends, for a grid of true strengths. The other
needs no simulation: all results of so few games are listed with their probabilities.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator

import numpy as np

from uctlab.arena.sprt import NELO, RARE, Sprt
from uctlab.arena.statistics import Z95, Score, elo, elo_interval
from uctlab.arena.stopped import MANY, Course

POINTS = np.arange(5)
SETTINGS = (  # bounds of the test, most pairs, draws between equals, advantage of the first player
    (Sprt(0, 100), 500, 0.0, 0.0),
    (Sprt(0, 100), 500, 0.4, 0.0),
    (Sprt(0, 100), 500, 0.0, 0.3),
    (Sprt(-30, 30), 500, 0.2, 0.1),
    (Sprt(0, 20), 300, 0.2, 0.0),  # many end without a verdict
)
STRENGTHS = (-1.0, 0.0, 0.5, 1.0, 2.0, 3.0)  # 0: the lower bound, 1: the upper one
SCREEN = 0.6  # the test itself is asked where an approximation is beyond this part of a bound


def pair_shares(score: float, draws: float, first: float) -> np.ndarray:
    """Distribution of a pair; `first` is what the first move adds to the score of a game."""
    shares = np.ones(1)
    for mean in (min(score + first, 0.999), max(score - first, 0.001)):
        drawn = draws * 4 * mean * (1 - mean)
        shares = np.convolve(shares, (1 - mean - drawn / 2, drawn, mean - drawn / 2))
    return shares


def normalized(shares: np.ndarray) -> float:
    mean = shares @ POINTS / 4
    deviation = math.sqrt(shares @ (POINTS / 4 - mean) ** 2)
    return float((mean - 0.5) / deviation / math.sqrt(2) * NELO)


def shares_of_strength(wanted: float, draws: float, first: float) -> np.ndarray:
    low, high = 0.001, 0.999
    for _ in range(50):
        middle = (low + high) / 2
        less = normalized(pair_shares(middle, draws, first)) < wanted
        low, high = (middle, high) if less else (low, middle)
    return pair_shares(low, draws, first)


def ratios_of(sprt: Sprt, counts: np.ndarray) -> np.ndarray:
    """`sprt.llr` for many rows of counts at once, by the same equations."""
    rows, back = np.unique(counts, axis=0, return_inverse=True)
    rows = np.where(rows == 0, RARE, rows)
    total = rows.sum(axis=1)
    ends = [_best(rows / total[:, None], b / NELO * math.sqrt(2)) for b in (sprt.elo0, sprt.elo1)]
    return (total * (ends[1] - ends[0]))[back.ravel()]


def _best(shares: np.ndarray, ratio: float) -> np.ndarray:
    slope = ratio / math.sqrt(1 + ratio * ratio)
    return np.maximum(*(_climb(shares, slope, start) for start in (0.25, 0.5)))


def _climb(shares: np.ndarray, slope: float, start: float) -> np.ndarray:
    edge = POINTS / 4 - 0.5
    spread = np.full((len(shares), 1), start)
    found = np.zeros(len(shares))
    left = np.arange(len(shares))
    for _ in range(100):
        p = shares[left]
        pulls = edge - slope / 2 * (edge**2 / spread[left] + spread[left])
        with np.errstate(divide="ignore"):
            limits = (p - 1) / pulls
        low = np.where(pulls > 0, limits, -np.inf).max(axis=1, keepdims=True)
        high = np.where(pulls < 0, limits, np.inf).min(axis=1, keepdims=True)
        force = np.clip(0.0, low, high)
        for _ in range(60):
            scaled = pulls / (1 + force * pulls)
            sums = (p * scaled).sum(axis=1, keepdims=True)
            low, high = np.where(sums > 0, force, low), np.where(sums > 0, high, force)
            following = force + sums / (p * scaled**2).sum(axis=1, keepdims=True)
            outside = (following <= low) | (following >= high)
            following = np.where(outside, (low + high) / 2, following)
            done = np.abs(following - force).max() < 1e-11 * np.abs(force).max() + 1e-13
            force = following
            if done:
                break
        fitted = p / (1 + force * pulls)
        found[left] = (p * np.log(fitted)).sum(axis=1)
        after = np.sqrt((fitted * edge**2).sum(axis=1, keepdims=True))
        moved = np.abs(after - spread[left])[:, 0] >= 1e-6
        spread[left] = after
        left = left[moved]
        if not len(left):
            break
    return found


def stopped_matches(
    sprt: Sprt, shares: np.ndarray, most: int, runs: int, rng: np.random.Generator
) -> list[tuple[int, ...]]:
    """The counts of pairs when the test ends, or after `most` pairs, of so many matches."""
    low, high = sprt.bounds
    paths, where = [], []
    for _ in range(runs):
        counts = np.eye(5, dtype=int)[rng.choice(5, size=most, p=shares)].cumsum(axis=0)
        number = counts.sum(axis=1)
        mean = counts @ (POINTS / 4 - 0.5) / number
        spread = np.sqrt(np.maximum(counts @ (POINTS / 4 - 0.5) ** 2 / number - mean**2, 1e-9))
        below, above = (mean / spread - b / NELO * math.sqrt(2) for b in (sprt.elo0, sprt.elo1))
        guess = number / 2 * np.log((1 + below**2) / (1 + above**2))
        asked = (guess > SCREEN * high) | (guess < SCREEN * low) | (number < 25)
        far = np.flatnonzero((guess > 2 * high) | (guess < 2 * low))
        if far.size:
            asked[far[0] + 1 :] = False  # it has ended by then
        paths.append(counts)
        where.append(np.flatnonzero(asked))
    ratios = ratios_of(sprt, np.concatenate([c[w] for c, w in zip(paths, where, strict=True)]))
    ends = np.split(ratios, np.cumsum([len(w) for w in where])[:-1])
    seen = []
    for counts, asked, found in zip(paths, where, ends, strict=True):
        over = asked[(found >= high) | (found <= low)]
        seen.append(tuple(counts[over[0] if len(over) else -1].tolist()))
    return seen


def plain_interval(pairs: tuple[int, ...]) -> tuple[float, float]:
    """As if the number of games had been fixed; not Student's."""
    number = sum(pairs)
    mean = np.dot(pairs, POINTS) / number / 4
    error = math.sqrt(np.dot(pairs, (POINTS / 4 - mean) ** 2)) / number
    if error == 0:
        wilson = Score(round(2 * mean * number), 0, round(2 * (1 - mean) * number)).wilson
        return wilson[0] / 100, wilson[1] / 100
    return mean - Z95 * error, mean + Z95 * error


def after_sprt(runs: int, seed: int, only: int | None) -> None:
    print("| SPRT | draws | first | nElo | score | pairs | covered before | above | now | above |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for setting, (sprt, most, draws, first) in enumerate(SETTINGS):
        if only is not None and setting != only:
            continue
        for strength in STRENGTHS:
            nelo = sprt.elo0 + strength * (sprt.elo1 - sprt.elo0)
            shares = shares_of_strength(nelo, draws, first)
            true = float(shares @ POINTS / 4)
            rng = np.random.default_rng([seed, setting, round(2 * strength) + 9])
            seen = stopped_matches(sprt, shares, most, runs, rng)
            blank = np.zeros(len(Course.MEANS))
            typical = np.concatenate([Course(pairs, sprt, blank).many() for pairs in seen])
            ratios = (ratios_of(sprt, typical) / MANY).reshape(runs, -1)
            before, now = [], []
            for pairs, known in zip(seen, ratios, strict=True):
                low, high = plain_interval(pairs)
                mean = np.dot(pairs, POINTS) / sum(pairs) / 4
                before.append((low <= true <= high, (mean > true) + (mean == true) / 2))
                course = Course(pairs, sprt, known)
                higher, as_high = (float(part[0]) for part in course.above(np.array([true])))
                inside = as_high > course.tail and higher < 1 - course.tail
                now.append((inside, higher + as_high < 1))
            (old, old_above), (new, above) = np.mean(before, axis=0), np.mean(now, axis=0)
            length = np.mean([sum(pairs) for pairs in seen])
            print(
                f"| {sprt.elo0:g}, {sprt.elo1:g} | {draws:g} | {first:g} | {nelo:.0f} | {true:.3f} "
                f"| {length:.0f} | {old:.3f} | {old_above:.2f} | {new:.3f} | {above:.2f} |",
                flush=True,
            )


def compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (total,)
        return
    for one in range(total + 1):
        for rest in compositions(total - one, parts - 1):
            yield (one, *rest)


def coverage_of_few(pairs: int, shares: np.ndarray) -> tuple[float, float]:
    """Exact coverage of the plain interval and of `elo_interval`."""
    true = float(shares @ POINTS / 4)
    before = now = 0.0
    possible = shares > 0
    for counts in compositions(pairs, 5):
        if any(count and not p for count, p in zip(counts, possible, strict=True)):
            continue
        logs = (
            c * math.log(p) - math.lgamma(c + 1) for c, p in zip(counts, shares, strict=True) if c
        )
        chance = math.exp(math.lgamma(pairs + 1) + sum(logs))
        low, high = plain_interval(counts)
        before += chance * (low <= true <= high)
        half_points = int(np.dot(counts, POINTS))
        score = Score(half_points // 2, half_points % 2, 2 * pairs - (half_points + 1) // 2)
        low, high = elo_interval(score, counts)
        now += chance * (low <= elo(true) <= high)
    return before, now


def few_games() -> None:
    scores = (0.5, 0.6, 0.7, 0.8, 0.9)
    print("| games | draws | first | " + " | ".join(f"{score:g}" for score in scores) + " |")
    print("| ---: | ---: | ---: |" + " --- |" * len(scores))
    for games in (4, 6, 8, 10, 14, 20, 30):
        for draws, first in ((0.0, 0.0), (0.4, 0.0), (0.0, 0.1)):
            found = [coverage_of_few(games // 2, pair_shares(s, draws, first)) for s in scores]
            cells = " | ".join(f"{old:.3f}, {new:.3f}" for old, new in found)
            print(f"| {games} | {draws:g} | {first:g} | {cells} |", flush=True)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--runs", type=int, default=4000, help="matches per strength")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--setting", type=int, help="only this one of the tests, from 0 on")
    arguments.add_argument("--few", action="store_true", help="only the table of few games")
    given = arguments.parse_args()
    few_games() if given.few else after_sprt(given.runs, given.seed, given.setting)
