"""Draws results: a match as it went on, ratings of a tournament, scores of a sweep or a tuning."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from uctlab.arena.result import MatchResult
from uctlab.arena.statistics import Score
from uctlab.arena.sweep import SweepResult
from uctlab.arena.tournament import TournamentResult
from uctlab.arena.tuning import TuneResult, setting_text
from uctlab.drawing.style import (
    BLUE,
    COLOURS,
    MARKS,
    SOFT,
    line_of_equals,
    line_with_intervals,
    percent_axis,
    plotted,
)
from uctlab.errors import UsageError

if TYPE_CHECKING:  # it is slow to load, and not always installed
    from matplotlib.axes import Axes

WIDE = (7.2, 4.2)
"""Inches."""
STEPS = 500  # points of a match's curve


def plot_match(result: MatchResult, ax: Axes | None) -> Axes:
    """A's score after each game, with Wilson's interval."""
    if not result.records:
        raise UsageError(f"{result.plan}: there is no finished game to draw")
    games, scores = [], []
    wins = draws = losses = 0
    step = math.ceil(len(result.records) / STEPS)
    for number, record in enumerate(result.records, 1):
        wins += record.score == 1.0
        draws += record.score == 0.5
        losses += record.score == 0.0
        if number % step == 0 or number == len(result.records):
            games.append(number)
            scores.append(Score(wins, draws, losses))

    def draw(axes: Axes) -> None:
        ends = [score.wilson or (0.0, 100.0) for score in scores]
        axes.fill_between(
            games,
            [low for low, _ in ends],
            [high for _, high in ends],
            color=BLUE,
            alpha=0.15,
            linewidth=0,
            label="95 % interval",
        )
        axes.plot(games, [score.percent or 0.0 for score in scores], color=BLUE, label="score")
        percent_axis(axes)
        line_of_equals(axes, say=False)
        axes.set(xlabel="games", ylabel="score of A in %", title=str(result.plan))
        axes.legend()

    return plotted(draw, ax, WIDE)


def plot_ratings(result: TournamentResult, ax: Axes | None) -> Axes:
    """Elo of each player with its interval, best at the top."""

    def draw(axes: Axes) -> None:
        for place, rating in enumerate(result.ratings):
            _draw_interval(axes, place, (rating.elo, rating.low, rating.high))
        axes.axvline(0, color=SOFT, linewidth=0.9, zorder=1)
        axes.set_yticks(range(len(result.ratings)), [rating.name for rating in result.ratings])
        axes.set_ylim(len(result.ratings) - 0.5, -0.5)
        axes.grid(axis="x")
        axes.set(xlabel="Elo, 95 % interval; the mean of all is 0", title=result.game)

    return plotted(draw, ax, (WIDE[0], 1.2 + 0.35 * len(result.ratings)))


def plot_sweep(result: SweepResult, ax: Axes | None) -> Axes:
    """Score by the first parameter, with a line for each combination of the others."""
    first, *others = result.parameters
    values = list(dict.fromkeys(row.label(first) for row in result.rows))
    numbers = all(isinstance(row.options[first], int | float) for row in result.rows)
    lines: dict[str, list[tuple[float, MatchResult]]] = {}
    for row in result.rows:
        at = float(row.options[first]) if numbers else float(values.index(row.label(first)))
        name = ", ".join(f"{name} = {row.label(name)}" for name in others)
        lines.setdefault(name, []).append((at, row.result))

    def draw(axes: Axes) -> None:
        for number, (name, points) in enumerate(lines.items()):
            shares = [result.score.percent for _, result in points]
            scores = [math.nan if share is None else share for share in shares]
            ends = [result.score.wilson or (math.nan, math.nan) for _, result in points]
            line_with_intervals(
                axes,
                [at for at, _ in points],
                scores,
                [
                    (max(0.0, share - low), max(0.0, high - share))
                    for share, (low, high) in zip(scores, ends, strict=True)
                ],
                {
                    "color": COLOURS[number % len(COLOURS)] if others else BLUE,
                    "marker": MARKS[number % len(MARKS)],
                    "linestyle": "-",
                    "label": name or None,
                },
            )
        if not numbers:
            axes.set_xticks(range(len(values)), values)
        percent_axis(axes)
        line_of_equals(axes, say=False)
        title = f"{result.game}: {result.agent} against {result.base}"
        axes.set(xlabel=first, ylabel="score in %, 95 % interval", title=title)
        if others:
            axes.legend()

    return plotted(draw, ax, WIDE)


def plot_tuning(result: TuneResult, ax: Axes | None) -> Axes:
    """Scores in the search, the best at the top, and that of the fresh games below it."""

    def draw(axes: Axes) -> None:
        for place, row in enumerate(result.rows):
            _draw_score(axes, place, row.score, BLUE, "in the search" if place == 0 else "")
        _draw_score(axes, 0.25, result.confirmed, COLOURS[2], "fresh games of the best")
        axes.axvline(50, color=SOFT, linewidth=0.9, zorder=1)
        axes.set_yticks(range(len(result.rows)), [setting_text(row) for row in result.rows])
        axes.set_ylim(len(result.rows) - 0.5, -0.5)
        axes.set_xlim(0, 100)
        axes.grid(axis="x")
        axes.set(xlabel=f"score against {result.base} in %, 95 % interval", title=f"{result.agent}")
        axes.legend()

    return plotted(draw, ax, (WIDE[0], 1.4 + 0.35 * len(result.rows)))


def _draw_score(axes: Axes, place: float, score: Score, colour: str, name: str) -> None:
    if score.percent is not None and score.wilson is not None:
        _draw_interval(axes, place, (score.percent, *score.wilson), colour, name)


def _draw_interval(
    axes: Axes,
    place: float,
    interval: tuple[float, float, float],
    colour: str = BLUE,
    name: str = "",
) -> None:
    """A point with its interval from left to right."""
    middle, low, high = interval
    axes.errorbar(
        [middle],
        [place],
        xerr=[[max(0.0, middle - low)], [max(0.0, high - middle)]],
        fmt="o",
        color=colour,
        elinewidth=1,
        capsize=2.5,
        markersize=5,
        label=name or None,
    )
