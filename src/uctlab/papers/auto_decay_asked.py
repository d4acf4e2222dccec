"""What is asked of automatic decay, judged from scores against plain UCT.

A row is a game with a number of playouts, a column an agent. All scores are in percent.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

from uctlab.arena.statistics import Score

LEVEL = 0.05
"""Of the test whether a score is below that of an equal, over all rows together."""
MARGIN = 2.0
"""Percentage points that may be missing to the best fixed k of a row."""
FEWER = 1.5
"""How many times sooner than plain UCT it has to turn to the winning move."""
NORMAL = NormalDist()

Scores = Mapping[str, Mapping[str, Score]]
"""By row and column; cells without games are left out."""


@dataclass(frozen=True)
class Verdict:
    """What became of one requirement."""

    asked: str
    reached: bool | None
    """None if the games do not tell."""
    figures: str

    @property
    def word(self) -> str:
        return {True: "reached", False: "missed", None: "not decided"}[self.reached]

    def __str__(self) -> str:
        return f"{self.asked}: {self.word}. {self.figures}"


@dataclass(frozen=True)
class Average:
    """The mean of an agent's scores over rows that all agents have played."""

    mean: float
    error: float
    """Its standard error."""


def z_of_equal(score: Score) -> float:
    """How many standard deviations of an equal player's score the score is above 50 %."""
    decisive = score.wins + score.losses
    return (score.wins - score.losses) / math.sqrt(decisive) if decisive else 0.0


def standard_error(score: Score) -> float:
    """Of the score in percent; one more win and one more loss keep it above 0."""
    counts = ((1.0, score.wins + 1), (0.5, score.draws), (0.0, score.losses + 1))
    games = score.games + 2
    mean = sum(result * count for result, count in counts) / games
    variance = sum(count * (result - mean) ** 2 for result, count in counts) / games
    return 100 * math.sqrt(variance / games)


def complete_rows(scores: Scores, columns: Sequence[str]) -> list[str]:
    """The rows in which every column has games."""
    return [row for row, cells in scores.items() if all(column in cells for column in columns)]


def averages(scores: Scores, columns: Sequence[str]) -> dict[str, Average]:
    """The mean score of each column over the complete rows; empty if there are none."""
    rows = complete_rows(scores, columns)
    if not rows:
        return {}
    return {
        column: Average(
            sum(_percent(scores[row][column]) for row in rows) / len(rows),
            math.hypot(*(standard_error(scores[row][column]) for row in rows)) / len(rows),
        )
        for column in columns
    }


def never_below(scores: Scores, auto: str) -> Verdict:
    """One-sided test of each row, with the level divided among the rows (Bonferroni)."""
    asked = "Never significantly below uct"
    found = {row: z_of_equal(cells[auto]) for row, cells in scores.items() if auto in cells}
    if not found:
        return Verdict(asked, None, "No game was played.")
    limit = NORMAL.inv_cdf(LEVEL / len(found))
    each = NORMAL.inv_cdf(LEVEL)
    worst = min(found, key=lambda row: found[row])
    low = [row for row, z in found.items() if z < each]
    chance = 1 - (1 - NORMAL.cdf(found[worst])) ** len(found)
    figures = (
        f"The lowest of {_rows(len(found))} is {worst} with {_percent(scores[worst][auto]):.1f} %, "
        f"z = {found[worst]:.2f}; an equal of uct has one that low with a chance of "
        f"{100 * chance:.0f} %. One-sided test at {100 * LEVEL:g} % over all rows together: z "
        f"below {limit:.2f}. Rows below {each:.2f}, {100 * LEVEL:g} % for each row by itself: "
        f"{', '.join(low) or 'none'}."
    )
    return Verdict(asked, found[worst] >= limit, figures)


def best_on_average(scores: Scores, auto: str, fixed: Sequence[str]) -> Verdict:
    asked = "Above uct on average, by more than any fixed k"
    found = averages(scores, (auto, *fixed))
    if not found:
        return Verdict(asked, None, "No row has games in all columns.")
    best = max(fixed, key=lambda column: found[column].mean)
    gap = found[auto].mean - found[best].mean
    error = math.hypot(found[auto].error, found[best].error)
    means = ", ".join(f"{name} {one.mean:.2f}" for name, one in found.items())
    figures = (
        f"Means of {_rows(len(complete_rows(scores, (auto, *fixed))))} in %: {means}; standard "
        f"errors {min(one.error for one in found.values()):.2f} to "
        f"{max(one.error for one in found.values()):.2f}. {auto} is {abs(gap):.2f} points "
        f"{'above' if gap > 0 else 'below'} {best}, {abs(gap) / error:.1f} standard errors of the "
        "difference."
    )
    return Verdict(asked, gap > 0 and found[auto].mean > 50, figures)


def near_the_best(scores: Scores, auto: str, fixed: Sequence[str]) -> Verdict:
    asked = f"Within {MARGIN:g} % of the best fixed k in each row"
    rows = complete_rows(scores, (auto, *fixed))
    if not rows:
        return Verdict(asked, None, "No row has games in all columns.")
    gaps = {}
    for row in rows:
        best = max(fixed, key=lambda column, row=row: _percent(scores[row][column]))  # type: ignore[misc]
        gaps[row] = _percent(scores[row][auto]) - _percent(scores[row][best]), best
    far = [f"{row} ({gap:+.1f} to {best})" for row, (gap, best) in gaps.items() if gap < -MARGIN]
    chances = [chance_within(scores[row], auto, fixed) for row in rows]
    figures = (
        f"In {len(rows) - len(far)} of {_rows(len(rows))}; too far: {', '.join(far) or 'none'}. "
        "By noise alone the best of the fixed k scores more than it is worth: if all columns "
        f"were equally strong, {sum(chances):.1f} rows would be within {MARGIN:g} points, and all "
        f"of them with a chance of {100 * math.prod(chances):.0f} %."
    )
    return Verdict(asked, not far, figures)


def chance_within(cells: Mapping[str, Score], auto: str, fixed: Sequence[str]) -> float:
    """The chance to be within the margin of the best fixed k if all are equally strong.

    The integral, over the error of one score, of the chance that no other one is further above.
    """
    own = standard_error(cells[auto])
    others = [standard_error(cells[column]) for column in fixed]
    step = 0.01
    return sum(
        NORMAL.pdf(i * step)
        * step
        * math.prod(NORMAL.cdf((own * i * step + MARGIN) / error) for error in others)
        for i in range(-600, 601)
    )


def turns_sooner(
    turns: Mapping[str, float | None],
    auto: str,
    plain: str,
    *,
    horizon: int,
    interval: tuple[float, float] | None,
) -> Verdict:
    """From how many playouts on each agent chooses the winning move in half of the searches.

    None: not within the horizon. `interval` is that of the quotient of plain and automatic.
    """
    asked = f"On browne2013's position at least {FEWER:g} times sooner than uct"
    own, other = turns[auto], turns[plain]
    told = ", ".join(
        f"{name} {f'from {turn:,.0f} playouts on' if turn else 'not at all'}"
        for name, turn in turns.items()
    )
    figures = f"Half of the searches choose e, within {horizon:,} playouts: {told}."
    if own is None:
        return Verdict(asked, None if other is None else False, figures)
    quotient = (other or horizon) / own
    figures += f" {auto} turns {'' if other else 'more than '}{quotient:.2f} times sooner"
    if interval and other:
        low, high = interval
        end = f"{high:.2f}" if high < math.inf else "more than can be told"
        figures += f" (95 % interval {low:.2f} to {end}, bootstrap over the searches)"
    undecided = other is None and quotient < FEWER
    return Verdict(asked, None if undecided else quotient >= FEWER, f"{figures}.")


def _percent(score: Score) -> float:
    return 100 * score.points / score.games


def _rows(count: int) -> str:
    return f"{count} row{'s' if count != 1 else ''}"
