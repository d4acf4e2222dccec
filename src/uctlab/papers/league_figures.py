"""Draws the league: Elo by game, mean Elo by budget, and who beats whom."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from uctlab.drawing.style import BLUE, COLOURS, INK, MARKS, SOFT
from uctlab.papers.figures import head, named_rows
from uctlab.papers.league_agents import ANCHOR
from uctlab.papers.league_ratings import Standings

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

ROW = 0.22  # inches for each agent
REACH = 800  # Elo at most on either side of uct: a few hopeless agents would squeeze all others
ORANGE, BAND, NOTHING = COLOURS[2], "#f3f4f6", "#d9d9d9"


def size_of_ratings(standings: Standings) -> tuple[float, float]:
    return 2.2 + 1.25 * len(standings.ratings), 1.4 + ROW * len(standings.order())


def elo_by_game(figure: Canvas, *, standings: Standings, title: str) -> None:
    """A panel for each game, a row for each agent, best mean rank at the top."""
    order = standings.order()
    panels = figure.subplots(1, len(standings.ratings), sharey=True, squeeze=False)[0]
    for axes, (game, ratings) in zip(panels, standings.ratings.items(), strict=True):
        _rows(axes, standings, order)
        known = [(row, ratings[agent]) for row, agent in enumerate(order) if agent in ratings]
        for row, rating in known:
            clear = rating.low > 0 or rating.high < 0
            elo = min(max(rating.elo, -REACH), REACH)
            axes.plot(
                [max(rating.low, -REACH), min(rating.high, REACH)],
                [row, row],
                color=BLUE if clear else SOFT,
                linewidth=1.2,
            )
            beyond = "<" if rating.elo < -REACH else ">" if rating.elo > REACH else "o"
            axes.plot(
                [elo],
                [row],
                marker=beyond,
                markersize=4,
                linestyle="none",
                color=BLUE if clear else "white",
                markeredgecolor=BLUE if clear else SOFT,
                clip_on=False,
            )
        ends = [abs(end) for _, rating in known for end in (rating.low, rating.high)]
        reach = min(REACH, 1.05 * max([100.0, *ends]))
        axes.set_xlim(-reach, reach)
        axes.set_title(game)
        named_rows(axes, order)
        axes.tick_params(axis="x", labelsize=7)
        axes.spines.left.set_visible(False)
    figure.supxlabel(
        f"Elo, {ANCHOR} = 0; filled: not equal to {ANCHOR} by more than chance", size=9
    )
    head(figure, title)


def size_of_means(standings: Mapping[str, Standings]) -> tuple[float, float]:
    return 7.2, 1.6 + 1.2 * ROW * len(_everybody(standings))


def mean_elo(
    figure: Canvas, *, standings: Mapping[str, Standings], words: Callable[[str], str]
) -> None:
    """A row for each agent, in it a mark with an interval for each budget."""
    axes = figure.subplots()
    agents = _everybody(standings)
    _rows(axes, next(iter(standings.values())), agents)
    for number, (budget, found) in enumerate(standings.items()):
        known = set(found.order())
        rows = [row for row, agent in enumerate(agents) if agent in known]
        means = [found.mean_elo(agents[row]) for row in rows]
        axes.errorbar(
            [mean.value for mean in means],
            [row + 0.25 * (number - (len(standings) - 1) / 2) for row in rows],
            xerr=[mean.reach[1] for mean in means],
            marker=MARKS[number],
            markersize=4,
            linestyle="none",
            elinewidth=0.9,
            color=COLOURS[number + 1],
            label=words(budget),
        )
    named_rows(axes, agents)
    axes.set_xlabel(f"mean Elo over an agent's games, {ANCHOR} = 0")
    head(figure, "Mean Elo by budget")


def _rows(axes: Axes, standings: Standings, order: list[str]) -> None:
    """Bands that lead the eye from a name to its marks, and a line above agents of few games."""
    for row in range(0, len(order), 2):
        axes.axhspan(row - 0.5, row + 0.5, color=BAND, linewidth=0, zorder=0)
    axes.axvline(0, color=SOFT, linewidth=0.9, zorder=1)
    known = set(standings.order())
    special = [
        row for row, name in enumerate(order) if name in known and standings.is_special(name)
    ]
    if special:
        axes.axhline(special[0] - 0.5, color=INK, linewidth=0.9, zorder=1)


def _everybody(standings: Mapping[str, Standings]) -> list[str]:
    return list(dict.fromkeys(agent for found in standings.values() for agent in found.order()))


def size_of_matrix(standings: Standings) -> tuple[float, float]:
    side = ROW * len(standings.order())
    return 3.0 + side, 1.4 + side


def who_beats_whom(figure: Canvas, *, standings: Standings, title: str) -> None:
    """Rows and columns by mean rank; the columns are numbered."""
    from matplotlib.colors import LinearSegmentedColormap  # noqa: PLC0415 (slow to load)

    order, beaten = standings.order(), standings.beaten()
    axes = figure.subplots()
    colours = LinearSegmentedColormap.from_list("row wins", [ORANGE, "#ffffff", BLUE])
    shares = [
        [score.percent if (score := beaten.get((a, b))) else None for b in order] for a in order
    ]
    image = axes.imshow(
        [[math.nan if share is None else share for share in row] for row in shares],
        cmap=colours.with_extremes(bad=NOTHING),
        vmin=0,
        vmax=100,
    )
    for y, row in enumerate(shares):
        for x, share in enumerate(row):
            if share is None:
                continue
            strong = abs(share - 50) > 35
            axes.text(
                x,
                y,
                f"{share:.0f}",
                ha="center",
                va="center",
                size=5,
                color="white" if strong else INK,
            )
    places = range(len(order))
    axes.set_yticks(places, [f"{name}  {place + 1}" for place, name in enumerate(order)])
    axes.set_xticks(places, [str(place + 1) for place in places])
    axes.xaxis.tick_top()
    axes.tick_params(length=0, labelsize=7)
    for spine in axes.spines.values():
        spine.set_visible(False)
    bar = figure.colorbar(image, ax=axes, shrink=0.5)
    bar.set_label("score of the row in %")
    head(figure, f"Who beats whom, {title}")
