"""Measures the strength of the agent `fuego` against GNU Go, by playouts; from no paper."""

from __future__ import annotations

from collections.abc import Sequence

from uctlab.papers import figures
from uctlab.papers.experiment import Experiment, Size
from uctlab.papers.gelly2006 import GNU_GO
from uctlab.papers.match_table import Cell, MatchTable, Played, group_of
from uctlab.papers.report import Figure

PLAYOUTS = 10_000
CURVE = (1000, 3000, 10_000, 30_000)
SIMULATIONS_PER_SECOND = 30_000
MOVES = 35.0  # by our side per game
OPPONENT_SECONDS = 6.0  # by GNU Go per game
TITLE = "The agent fuego against GNU Go"


def _draw(played: Sequence[Played]) -> Figure:
    ours = group_of(played, "")
    games = max(one.result.score.games for one in played)
    return Figure(
        "figure",
        f"Winning percentage of fuego against GNU Go 3.8, level 10, by playouts per move (up to "
        f"{games} games per bar). Error bars are 95 % intervals.",
        lambda canvas: figures.winning_bars(
            canvas, {}, ours, title=TITLE, axis="playouts per move", opponent="GNU Go"
        ),
    )


def _tell(played: Sequence[Played]) -> list[str]:
    ours = group_of(played, "")
    line = ", ".join(f"{share.value:.1f} % with {at}" for at, share in ours.items())
    return [f"The agent fuego wins {line} playouts per move." if ours else "No game was finished."]


_TABLE = MatchTable(
    "go:9,komi=7.5",
    tuple(
        Cell("", f"{playouts:,}", "fuego", GNU_GO, None, factor=playouts / PLAYOUTS)
        for playouts in CURVE
    ),
    draw=_draw,
    tell=_tell,
    heading="playouts",
    notes=(
        "9x9, komi 7.5; the agent has RAVE, priors and heavy playouts, and plays as it does over "
        "GTP: it keeps its tree from move to move and adds that many playouts. GNU Go 3.8 plays at "
        "level 10 and may resign. A referee removes dead stones, by Benson's theorem and playouts, "
        "and counts area.",
        "The budget below is that of the cell 10,000; the other cells are scaled from it.",
    ),
    reuse=True,
    seconds_per_game=lambda size: (
        MOVES * 1.1 * size.playouts / SIMULATIONS_PER_SECOND + OPPONENT_SECONDS
    ),
)

EXPERIMENTS = (
    Experiment(
        id="go-strength",
        title=TITLE,
        source="From no paper: the strength of the agent with which hashimoto2012's Go tables are "
        "reproduced.",
        quick=Size(repeats=4, playouts=1000),
        full=Size(repeats=100, playouts=PLAYOUTS),
        run=_TABLE.run,
        cost=_TABLE.cost,
        cells=_TABLE.names,
    ),
)
