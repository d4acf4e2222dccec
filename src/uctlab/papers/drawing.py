"""Draws what the papers' figures share: percentages with intervals, titles, labels."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from uctlab.drawing.style import BLUE, INK, SOFT, line_with_intervals
from uctlab.papers.report import Percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Side = Literal["left", "right"]
PUBLISHED: dict[str, Any] = {
    "color": SOFT,
    "linestyle": (0, (4, 2)),
    "marker": "o",
    "markerfacecolor": "white",
    "markeredgewidth": 1.2,
    "label": "published",
}
OURS: dict[str, Any] = {"color": BLUE, "linestyle": "-", "marker": "o", "label": "ours"}


def with_intervals(
    axes: Axes, points: Sequence[tuple[float, Percent | None]], look: Mapping[str, Any]
) -> None:
    """A line through the points, with their intervals; it breaks where a point is missing."""
    shares = [share or Percent(math.nan) for _, share in points]
    reach = [reach_of(share) for share in shares]
    line_with_intervals(
        axes, [x for x, _ in points], [share.value for share in shares], reach, look
    )


def reach_of(share: Percent) -> tuple[float, float]:
    """How far the interval reaches below and above the value."""
    low = share.value if share.low is None else share.low
    high = share.value if share.high is None else share.high
    return max(0.0, share.value - low), max(0.0, high - share.value)


def beside(
    axes: Axes, text: str, y: float, column: tuple[float, Side], *, header: bool = False
) -> None:
    """A label in a column to the right of the axes."""
    distance, side = column
    axes.annotate(
        text,
        (1, y),
        (distance, 3 if header else 0),
        xycoords=axes.transAxes if header else axes.get_yaxis_transform(),
        textcoords="offset points",
        ha=side,
        va="bottom" if header else "center",
        size=8,
        color=SOFT if header else INK,
    )


def head(figure: Figure, title: str) -> None:
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


def quantile(ordered: Sequence[float], part: float) -> float:
    """The smallest value that a share `part` of all values do not exceed; infinity is allowed."""
    return ordered[max(0, math.ceil(part * len(ordered)) - 1)]


def spread(wanted: Mapping[str, float], gap: float, low: float, high: float) -> dict[str, float]:
    """Positions at least `gap` apart within the limits, in the order of the wanted ones."""
    names = sorted(wanted, key=lambda name: wanted[name])
    places: list[float] = []
    for name in names:
        places.append(max(wanted[name], places[-1] + gap if places else low))
    # What was pushed out at the top pushes the others down again.
    limit = high
    for i in reversed(range(len(places))):
        places[i] = min(places[i], limit)
        limit = places[i] - gap
    return dict(zip(names, places, strict=True))
