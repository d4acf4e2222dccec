"""Draws the figures of matches, and what all figures of reports share: titles, rows, intervals.

Published values are hollow, grey and dashed, ours are filled and solid. Every function takes plain
data and an empty matplotlib figure with a constrained layout. Shares are in percent. Colours are
those of Okabe and Ito, which colour-blind readers can distinguish.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from uctlab.drawing.style import (
    BLUE,
    COLOURS,
    INK,
    MARKS,
    SOFT,
    line_of_equals,
    line_with_intervals,
    percent_axis,
)
from uctlab.papers.measured import Percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

PUBLISHED: dict[str, Any] = {
    "color": SOFT,
    "linestyle": (0, (4, 2)),
    "marker": "o",
    "markerfacecolor": "white",
    "markeredgewidth": 1.2,
    "label": "published",
}
OURS: dict[str, Any] = {"color": BLUE, "linestyle": "-", "marker": "o", "label": "ours"}
BAND = 0.62  # of a row's height, over which its marks are spread


@dataclass(frozen=True)
class Panel:
    """One algorithm's winning percentages by decay k; a cell that was not played is left out."""

    title: str
    published: Mapping[int, Percent]
    ours: Mapping[int, Percent]


def winning_curves(
    figure: Canvas, panels: Sequence[Panel], *, title: str, opponent: str = "plain UCT"
) -> None:
    """Games won by decay k, one panel per algorithm, two panels per row."""
    columns = min(2, len(panels))
    grid = figure.subplots(
        math.ceil(len(panels) / columns), columns, sharex=True, sharey=True, squeeze=False
    )
    every_k = sorted({k for panel in panels for k in (*panel.published, *panel.ours)})
    for axes in grid.flat[len(panels) :]:
        axes.remove()
    for number, (axes, panel) in enumerate(zip(grid.flat, panels, strict=False)):
        axes.set_title(panel.title)
        percent_axis(axes)
        line_of_equals(axes, say=number % columns == columns - 1 or panel is panels[-1])
        # Side by side, or one interval would hide the other.
        for points, shift, look in (
            (panel.published, -0.08, PUBLISHED),
            (panel.ours, 0.08, OURS),
        ):
            if points:
                # A line with a gap where a cell is missing.
                with_intervals(axes, [(k + shift, points.get(k)) for k in every_k], look)
        axes.set_xticks(every_k)
        axes.set_xlim(every_k[0] - 0.4, every_k[-1] + 0.4)
        axes.tick_params(labelbottom=True)
        axes.set_xlabel(r"decay $k$   ($\lambda = 1 - 0.1^k$)")
        if number % columns == 0:
            axes.set_ylabel(f"games won against {opponent} (%)")
    head(figure, title)


def winning_bars(
    figure: Canvas,
    published: Mapping[str, Percent],
    ours: Mapping[str, Percent],
    *,
    title: str,
    axis: str,
    opponent: str,
) -> None:
    """Games won by something that is not a decay: seconds per move, p, first-play urgency."""
    axes = figure.subplots()
    names = list(dict.fromkeys((*published, *ours)))
    percent_axis(axes)
    line_of_equals(axes, say=True)
    hollow = {"facecolor": "white", "edgecolor": SOFT, "linestyle": (0, (4, 2)), "linewidth": 1.2}
    filled = {"facecolor": BLUE, "edgecolor": BLUE, "linewidth": 1.2}
    size = 8 if len(names) <= 8 else 6.5
    for points, shift, look, ink, label in (
        (published, -0.2, hollow, SOFT, "published"),
        (ours, 0.2 if published else 0.0, filled, BLUE, "ours"),
    ):
        places = [i + shift for i, name in enumerate(names) if name in points]
        shares = [points[name] for name in names if name in points]
        if not shares:
            continue
        bars = axes.bar(places, [share.value for share in shares], width=0.36, label=label)
        for bar in bars:
            bar.set(**look)
        reach = list(zip(*(share.reach for share in shares), strict=True))
        values = [share.value for share in shares]
        axes.errorbar(places, values, reach, color=INK, linewidth=1, capsize=2, fmt="none")
        for place, share, above in zip(places, shares, reach[1], strict=True):
            axes.annotate(
                f"{share.value:.1f}",
                (place, share.value + above),
                (0, 2),
                textcoords="offset points",
                ha="center",
                va="bottom",
                size=size,
                color=ink,
                # Readable where it crosses the line at 50.
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
            )
    axes.set_xticks(range(len(names)), names)
    axes.set_xlim(-0.6, len(names) - 0.4)
    axes.set_xlabel(axis)
    axes.set_ylabel(f"games won against {opponent} (%)")
    head(figure, title)


def score_rows(
    figure: Canvas, scores: Mapping[str, Mapping[str, Percent]], *, title: str, axis: str
) -> None:
    """`scores` has percentages by row and agent; the first agent stands out."""
    axes = figure.subplots()
    agents = list(dict.fromkeys(agent for row in scores.values() for agent in row))
    axes.axvline(50, color=SOFT, linewidth=1, linestyle=(0, (4, 2)), zorder=1)
    for number, agent in enumerate(agents):
        shift = BAND * (number / max(1, len(agents) - 1) - 0.5)
        points = [(y + shift, row[agent]) for y, row in enumerate(scores.values()) if agent in row]
        below, above = zip(*(share.reach for _, share in points), strict=True)
        axes.errorbar(
            [share.value for _, share in points],
            [y for y, _ in points],
            xerr=[below, above],
            fmt=MARKS[number % len(MARKS)],
            color=COLOURS[(number + 1) % len(COLOURS)],
            markersize=6.5 if number == 0 else 4,
            linewidth=1.6 if number == 0 else 1,
            label=agent,
            zorder=3 if number == 0 else 2,
        )
    for y in range(len(scores) - 1):
        axes.axhline(y + 0.5, color="#e6e6e6", linewidth=0.8, zorder=0)
    named_rows(axes, list(scores))
    axes.set_xlabel(axis)
    head(figure, title)


def named_rows(axes: Axes, names: Sequence[str]) -> None:
    """A row for each name, the first at the top."""
    axes.set_yticks(range(len(names)), list(names))
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x")


def with_intervals(
    axes: Axes, points: Sequence[tuple[float, Percent | None]], look: Mapping[str, Any]
) -> None:
    """A line through the points, with their intervals; it breaks where a point is missing."""
    shares = [share or Percent(math.nan) for _, share in points]
    values = [share.value for share in shares]
    reach = [share.reach for share in shares]
    line_with_intervals(axes, [x for x, _ in points], values, reach, look)


def head(figure: Canvas, title: str) -> None:
    """The title, with the legend below it."""
    marks: dict[str, Any] = {}
    for axes in figure.axes:
        for mark, label in zip(*axes.get_legend_handles_labels(), strict=True):
            marks.setdefault(label, mark)
    title = textwrap.fill(title, int(figure.get_figwidth() * 10))
    # A legend with a title, since constrained layout would put a legend on top of a `suptitle`.
    figure.legend(
        list(marks.values()),
        list(marks),
        title=title,
        title_fontproperties={"weight": "bold", "size": 11},
        alignment="left",
        loc="outside upper left",
        ncols=max(1, len(marks)),
        handlelength=2.4,
        borderpad=0,
        borderaxespad=0.6,
    )
