"""The style that all figures share: colours, axes, intervals; renders SVG and PNG."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, SOFT, BLUE = "#333333", "#777777", "#0072B2"
COLOURS = (INK, BLUE, "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C8C8C")
MARKS = "osD^vPX<"
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


@contextmanager
def figure_style() -> Iterator[None]:
    """Draw in this style; the user's matplotlib settings have no influence."""
    import matplotlib.style  # noqa: PLC0415 (slow to load)

    with matplotlib.style.context(["default", STYLE]):
        yield


def shown_figure(draw: Callable[[Figure], None], size: tuple[float, float]) -> Figure:
    """A figure of pyplot, which notebooks show by themselves."""
    import matplotlib.pyplot  # noqa: PLC0415 (slow to load)

    with figure_style():
        canvas = matplotlib.pyplot.figure(figsize=size, layout="constrained")
        draw(canvas)
        interactive = matplotlib.is_interactive()
    # A notebook's backend, loaded for the first figure, sets this, and shows no figure without it.
    matplotlib.interactive(interactive)
    return canvas


def plotted(draw: Callable[[Axes], None], ax: Axes | None, size: tuple[float, float]) -> Axes:
    """Draw on the given axes, or on those of a new figure."""
    if ax is None:
        return shown_figure(lambda canvas: draw(canvas.subplots()), size).axes[0]
    draw(ax)
    return ax


def render_figure(
    draw: Callable[[Figure], None], caption: str, size: tuple[float, float]
) -> tuple[bytes, bytes]:
    """A figure as SVG and as PNG, the same bytes every time."""
    svg, png = io.BytesIO(), io.BytesIO()
    with figure_style():
        canvas = _save_svg(draw, caption, size, svg)
        canvas.savefig(png, format="png", metadata={"Software": None})
    return svg.getvalue(), png.getvalue()


def render_svg(draw: Callable[[Figure], None], caption: str, size: tuple[float, float]) -> bytes:
    """A figure as SVG alone, which takes half the time."""
    svg = io.BytesIO()
    with figure_style():
        _save_svg(draw, caption, size, svg)
    return svg.getvalue()


def _save_svg(
    draw: Callable[[Figure], None], caption: str, size: tuple[float, float], file: io.BytesIO
) -> Figure:
    import matplotlib.figure  # noqa: PLC0415 (slow to load)

    canvas = matplotlib.figure.Figure(figsize=size, layout="constrained")
    draw(canvas)
    # `None` leaves out the date and the version of matplotlib.
    facts = {"Title": caption, "Date": None, "Creator": None}
    canvas.savefig(file, format="svg", metadata=facts)
    return canvas


def line_with_intervals(
    axes: Axes,
    places: Sequence[float],
    values: Sequence[float],
    reach: Sequence[tuple[float, float]],
    look: Mapping[str, Any],
) -> None:
    """A line through points that reach so far below and above; it breaks where one is nan."""
    drawn = axes.errorbar(
        places,
        values,
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
