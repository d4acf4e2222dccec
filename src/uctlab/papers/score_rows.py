"""Draws scores of several agents in several games: one row per game, one mark per agent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from uctlab.drawing.style import COLOURS, MARKS, SOFT
from uctlab.papers.drawing import head, reach_of
from uctlab.papers.report import Percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

BAND = 0.62  # of a row's height, over which its marks are spread


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
        below, above = zip(*(reach_of(share) for _, share in points), strict=True)
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
    axes.set_yticks(range(len(scores)), list(scores))
    axes.set_ylim(len(scores) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x")
    axes.set_xlabel(axis)
    head(figure, title)
