"""Draws the figures of searches: which moves they choose, and after how many playouts.

`board` makes a figure of a position. Every other function takes plain data and an empty matplotlib
figure, as those in `figures.py` do.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from uctlab.drawing import board_svg
from uctlab.drawing.style import BLUE, COLOURS, INK, MARKS, SOFT, percent_axis
from uctlab.games import Position
from uctlab.papers.figures import head, named_rows, with_intervals
from uctlab.papers.measured import Percent, quantile
from uctlab.papers.report import Figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

TALL = (7.2, 6.4)
"""Inches, for `choice_shares` and for `turning_points` of more than eight agents."""
Side = Literal["left", "right"]


def turning_points(
    figure: Canvas, rows: Mapping[str, Sequence[int | None]], *, horizon: int, title: str
) -> None:
    """For each agent, the playout at which each search turned to the winning move for good.

    The numbers are playouts; `None` is a search that did not turn within the horizon.
    """
    axes = figure.subplots()
    known = [max(turn, 1) for turns in rows.values() for turn in turns if turn is not None]
    floor = min([*known, horizon / 10])
    # Fractions of the axis, the same on paper whatever the range.
    left, edge = (horizon * (horizon / floor) ** part for part in (-1.03, 0.13))
    axes.axvspan(horizon, edge, color="#f0f0f0", linewidth=0)
    medians: tuple[float, Side] = (52, "right")
    nevers: tuple[float, Side] = (64, "left")
    beside(axes, "median", 1, medians, header=True)
    beside(axes, "never turned", 1, nevers, header=True)
    for y, turns in enumerate(rows.values()):
        ordered = sorted(math.inf if turn is None else float(max(turn, 1)) for turn in turns)
        # Spread without random numbers: multiples of irrational numbers fill a row evenly.
        heights = [y + 0.62 * ((i * 0.6180339887) % 1 - 0.5) for i in range(len(ordered))]
        places = [
            turn if turn < math.inf else horizon * (edge / horizon) ** (0.25 + (i * 0.414214) % 0.5)
            for i, turn in enumerate(ordered)
        ]
        axes.scatter(
            places, heights, s=7, color=BLUE, alpha=0.35, linewidth=0, label="one search", zorder=2
        )
        low, middle, high = (quantile(ordered, part) for part in (0.25, 0.5, 0.75))
        if low < math.inf:
            axes.plot(
                [low, min(high, edge)],
                [y, y],
                color=INK,
                linewidth=3.5,
                solid_capstyle="butt",
                label="middle half of the searches",
                zorder=3,
            )
        if middle < math.inf:
            axes.plot(
                [middle],
                [y],
                marker="o",
                markersize=8,
                color="white",
                markeredgecolor=INK,
                markeredgewidth=1.6,
                linestyle="none",
                label="median",
                zorder=4,
            )
        lost = len(turns) - sum(turn is not None for turn in turns)
        beside(axes, f"{middle:,.0f}" if middle < math.inf else "never", y, medians)
        share = f"{lost} of {len(turns)} ({100 * lost / len(turns):.1f} %)" if lost else "none"
        beside(axes, share, y, nevers)
    axes.set_xscale("log")
    axes.set_xlim(left, edge)
    steps = (1,) if horizon / floor > 50 else (1, 2, 5)
    ticks = [step * 10**power for power in range(13) for step in steps]
    ticks = [tick for tick in ticks if left <= tick <= horizon]
    named = ticks[:: 1 if len(ticks) <= 4 else 2]  # long numbers need room
    axes.set_xticks(ticks, [f"{tick:,}" if tick in named else "" for tick in ticks])
    axes.xaxis.minorticks_off()
    axes.set_xlabel(
        "playouts until the search prefers the winning move for good\n"
        f"(logarithmic; grey: not within {horizon:,} playouts)"
    )
    named_rows(axes, list(rows))
    axes.spines.left.set_visible(False)
    head(figure, title)


def choice_shares(
    figure: Canvas,
    epochs: Sequence[int],
    shares: Sequence[Mapping[str, float]],
    *,
    title: str,
    truth: Mapping[str, str],
) -> None:
    """Which cell the searches chose, one row per number of playouts.

    `truth` has all cells in order: each "wins", "delays" or "loses". `shares` has for each epoch
    a mapping from cell to percent.
    """
    axes = figure.subplots()
    cells = list(truth)
    fills = {"wins": "black", "delays": "#8a8a8a", "loses": "#dedede"}
    edges = {"wins": "black", "delays": "#6a6a6a", "loses": "#9a9a9a"}
    winners = [cell for cell in cells if truth[cell] == "wins"]
    winning: tuple[float, Side] = (42, "right")
    full = 0.82  # height of a 100 % bar, in rows
    for row, chosen in enumerate(shares):
        base = len(epochs) - 1 - row
        axes.axhline(base, color="#b5b5b5", linewidth=0.8, zorder=1)
        axes.axhline(base + full, color="#e6e6e6", linewidth=0.8, linestyle=":", zorder=1)
        for kind, fill in fills.items():
            of_kind = [i for i, cell in enumerate(cells) if truth[cell] == kind]
            heights = [full * chosen.get(cells[i], 0.0) / 100 for i in of_kind]
            axes.bar(
                of_kind,
                heights,
                bottom=base,
                width=0.8,
                color=fill,
                # A bar of no height would leave a line.
                linewidth=[0.7 if height else 0.0 for height in heights],
                edgecolor=edges[kind],
                zorder=2,
                label=_kind_label(kind, [cells[i] for i in of_kind]) if row == 0 else None,
            )
        share = sum(chosen.get(cell, 0.0) for cell in winners)
        beside(axes, f"{share:.1f} %", base + full / 2, winning)
    beside(axes, f"chose {' or '.join(winners)}", 1, winning, header=True)
    axes.set_xlim(-0.7, len(cells) - 0.3)
    axes.set_ylim(-0.04, len(epochs) - 1 + full + 0.04)
    axes.set_xticks(range(len(cells)), cells)
    axes.set_yticks(
        [len(epochs) - 1 - row + full / 2 for row in range(len(epochs))],
        [f"{playouts:,}" for playouts in epochs],
    )
    axes.tick_params(length=0)
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.set_xlabel("cell chosen (bar height: share of the searches; dotted line: 100 %)")
    axes.set_ylabel("playouts per search")
    head(figure, title)


def success_by_epoch(
    figure: Canvas, curves: Mapping[str, Mapping[int, Percent]], *, title: str
) -> None:
    """How often each player chose the winning move, by the number of playouts."""
    curves = {name: points for name, points in curves.items() if points}
    axes = figure.subplots()
    percent_axis(axes)
    axes.set_xscale("log", base=2)
    every_x = sorted({x for points in curves.values() for x in points})
    step = 1 if len(every_x) <= 6 else 2
    axes.set_xticks(every_x[::step], [f"{x:,}" for x in every_x[::step]])
    axes.xaxis.minorticks_off()
    axes.set_xlabel("playouts per search (logarithmic)")
    axes.set_ylabel("searches that chose the winning move (%)")
    looks = {}
    for number, (name, points) in enumerate(curves.items()):
        looks[name] = {
            "color": COLOURS[number % len(COLOURS)],
            # From the ninth line on, colours repeat with other marks.
            "marker": MARKS[(number + number // len(COLOURS)) % len(MARKS)],
        }
        with_intervals(axes, [(x, points[x]) for x in sorted(points)], looks[name])
    head(figure, title)
    # The height of a line of text, in percent of the axis, is known only after the layout.
    figure.draw_without_rendering()
    low, high = axes.get_ylim()
    line = 11.5 / (axes.get_window_extent().height * 72 / figure.dpi) * (high - low)
    ends = {name: (max(points), points[max(points)].value) for name, points in curves.items()}
    for name, y in spread({name: y for name, (_, y) in ends.items()}, line, low, high).items():
        axes.annotate(
            name,
            ends[name],
            (1.05, y),
            textcoords=axes.get_yaxis_transform(),
            va="center",
            size=8.5,
            color=INK,
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "color": looks[name]["color"],
                "linewidth": 1,
                "relpos": (0, 0.5),
                "shrinkA": 1,
                "shrinkB": 4,
            },
        )


def board(
    name: str,
    caption: str,
    position: Position,
    *,
    shares: Mapping[str, float] | None = None,
    shaded: Collection[str] = (),
    marks: Mapping[str, str] | None = None,
) -> Figure:
    """A position as a figure of a report, with shares from 0 to 1 or with some moves shaded."""
    heat = shares or dict.fromkeys(shaded, 1.0)
    numbers = {move: f"{100 * share:.0f}" for move, share in (shares or {}).items()}
    picture = board_svg(position, heat=heat, numbers=numbers, marks=marks)
    return Figure(name, caption, board=True, svg=picture)


def _kind_label(kind: str, cells: Sequence[str]) -> str:
    return f"{kind} ({', '.join(cells)})" if len(cells) <= 3 else f"{kind} (the other cells)"


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
