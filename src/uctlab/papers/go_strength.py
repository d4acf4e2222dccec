"""How strong the agent `fuego` is: against GNU Go, by playouts. Not of a paper."""

from __future__ import annotations

from collections.abc import Sequence

from uctlab.papers import figures
from uctlab.papers.experiment import Experiment, Size
from uctlab.papers.gelly2006 import GNU_GO
from uctlab.papers.match_table import Cell, MatchTable, Played, group_of
from uctlab.papers.report import Figure

PLAYOUTS = 10_000
CURVE = (1000, 3000, 10_000, 30_000)
SIMULATIONS_A_SECOND = 30_000
MOVES = 35.0  # of our side in a game
OPPONENT_SECONDS = 6.0  # of GNU Go in a game
TITLE = "The agent fuego against GNU Go"


def _draw(played: Sequence[Played]) -> Figure:
    ours = group_of(played, "")
    games = max(one.result.score.games for one in played)
    return Figure(
        "figure",
        f"Winning percentage of fuego against GNU Go 3.8, level 10, by playouts a move (up to "
        f"{games} games a bar). Error bars are 95 % intervals.",
        lambda canvas: figures.winning_bars(
            canvas, {}, ours, title=TITLE, axis="playouts a move", opponent="GNU Go"
        ),
    )


def _tell(played: Sequence[Played]) -> list[str]:
    ours = group_of(played, "")
    line = ", ".join(f"{share.value:.1f} % with {at}" for at, share in ours.items())
    return [f"The agent fuego wins {line} playouts a move." if ours else "No game was finished."]


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
        "GTP: it keeps its tree from move to move and adds so many playouts. GNU Go 3.8 plays at "
        "level 10 and may resign. A referee takes dead stones off by playouts and counts area.",
        "The playouts of the budget below are those of the cell 10,000; the others follow it.",
    ),
    reuse=True,
    seconds_a_game=lambda size: (
        MOVES * 1.1 * size.playouts / SIMULATIONS_A_SECOND + OPPONENT_SECONDS
    ),
)

EXPERIMENTS = (
    Experiment(
        id="go-strength",
        title=TITLE,
        source="Not of a paper: how strong the program is that hashimoto2012's Go tables are "
        "repeated with.",
        quick=Size(repeats=4, playouts=1000),
        full=Size(repeats=100, playouts=PLAYOUTS),
        run=_TABLE.run,
        cost=_TABLE.cost,
        cells=_TABLE.names,
    ),
)
