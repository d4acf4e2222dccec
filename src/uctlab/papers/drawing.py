"""Draws what all figures share: style, axes, intervals, titles, labels; renders SVG and PNG."""

from __future__ import annotations

import io
import math
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from uctlab.papers.report import Percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, SOFT, BLUE = "#333333", "#777777", "#0072B2"
COLOURS = (INK, BLUE, "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C8C8C")
MARKS = "osD^vPX<"
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
STYLE = {
    "font.family": "DejaVu Sans",  # comes with matplotlib: the same on every machine
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelcolor": "#333333",
    "axes.edgecolor": "#777777",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "xtick.color": "#777777",
    "ytick.color": "#777777",
    "xtick.labelcolor": "#333333",
    "ytick.labelcolor": "#333333",
    "grid.color": "#e6e6e6",
    "legend.frameon": False,
    "savefig.dpi": 200,
    "svg.hashsalt": "uctlab",  # otherwise names inside the file are random
    "svg.fonttype": "path",
}


def render_figure(
    draw: Callable[[Figure], None], caption: str, size: tuple[float, float]
) -> tuple[bytes, bytes]:
    """A figure as SVG and as PNG, the same bytes every time."""
    import matplotlib.figure  # noqa: PLC0415 (slow to load)
    import matplotlib.style  # noqa: PLC0415

    svg, png = io.BytesIO(), io.BytesIO()
    # The user's matplotlib settings must have no influence.
    with matplotlib.style.context(["default", STYLE]):
        canvas = matplotlib.figure.Figure(figsize=size, layout="constrained")
        draw(canvas)
        # `None` leaves out the date and the version of matplotlib.
        facts = {"Title": caption, "Date": None, "Creator": None}
        canvas.savefig(svg, format="svg", metadata=facts)
        canvas.savefig(png, format="png", metadata={"Software": None})
    return svg.getvalue(), png.getvalue()


def with_intervals(
    axes: Axes, points: Sequence[tuple[float, Percent | None]], look: Mapping[str, Any]
) -> None:
    """A line through the points, with their intervals; it breaks where a point is missing."""
    shares = [share or Percent(math.nan) for _, share in points]
    reach = [reach_of(share) for share in shares]
    drawn = axes.errorbar(
        [x for x, _ in points],
        [share.value for share in shares],
        [[below for below, _ in reach], [above for _, above in reach]],
        linewidth=1.4,
        elinewidth=1,
        capsize=2.5,
        markersize=5,
        clip_on=False,  # marks at 0 and at 100 % are not cut
        zorder=3,
        **look,
    )
    for bars in drawn.lines[2]:
        bars.set(linestyle="-", clip_on=False)


def reach_of(share: Percent) -> tuple[float, float]:
    """How far the interval reaches below and above the value."""
    low = share.value if share.low is None else share.low
    high = share.value if share.high is None else share.high
    return max(0.0, share.value - low), max(0.0, high - share.value)


def percent_axis(axes: Axes) -> None:
    axes.set_ylim(0, 100)
    axes.set_yticks(range(0, 101, 25))
    axes.grid(axis="y")


def line_of_equals(axes: Axes, *, say: bool) -> None:
    axes.axhline(50, color=SOFT, linewidth=0.9, zorder=1)
    if say:
        axes.annotate(
            "equally\nstrong",
            (1.01, 50),
            xycoords=axes.get_yaxis_transform(),
            va="center",
            size=8,
            color=SOFT,
        )


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
