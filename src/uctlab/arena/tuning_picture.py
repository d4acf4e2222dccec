"""Draws the settings that a tuner tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uctlab.arena.statistics import Score
from uctlab.arena.tuning import TuneResult, setting_text
from uctlab.drawing.style import BLUE, COLOURS, SOFT, plotted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ORANGE = COLOURS[2]


def plot_tuning(result: TuneResult, ax: Axes | None) -> Axes:
    """Scores in the search, the best at the top, and that of the fresh games below it."""

    def draw(axes: Axes) -> None:
        for place, row in enumerate(result.rows):
            _draw(axes, place, row.score, BLUE, "in the search" if place == 0 else "")
        _draw(axes, 0.25, result.confirmed, ORANGE, "fresh games of the best")
        axes.axvline(50, color=SOFT, linewidth=0.9, zorder=1)
        axes.set_yticks(range(len(result.rows)), [setting_text(row) for row in result.rows])
        axes.set_ylim(len(result.rows) - 0.5, -0.5)
        axes.set_xlim(0, 100)
        axes.grid(axis="x")
        axes.set(xlabel=f"score against {result.base} in %, 95 % interval", title=f"{result.agent}")
        axes.legend()

    return plotted(draw, ax, (7.2, 1.4 + 0.35 * len(result.rows)))


def _draw(axes: Axes, place: float, score: Score, colour: str, name: str) -> None:
    if score.percent is None or score.wilson is None:
        return
    low, high = score.wilson
    axes.errorbar(
        [score.percent],
        [place],
        xerr=[[max(0.0, score.percent - low)], [max(0.0, high - score.percent)]],
        fmt="o",
        color=colour,
        elinewidth=1,
        capsize=2.5,
        markersize=5,
        label=name or None,
    )
