"""Measures the strength of the agent `fuego` against GNU Go, by playouts; from no paper."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from uctlab.papers import figures
from uctlab.papers.experiment import Experiment, Size
from uctlab.papers.gelly2006 import GNU_GO
from uctlab.papers.match_table import Cell, MatchTable, Played, group_of
from uctlab.papers.report import Figure

PLAYOUTS = 10_000
CURVE = (1000, 3000, 10_000, 30_000)
TITLE = "The agent fuego against GNU Go"


def _draw(played: Sequence[Played], *, title: str) -> Figure:
    ours = group_of(played, "")
    games = max(one.result.score.games for one in played)
    return Figure(
        "figure",
        f"Winning percentage of fuego against GNU Go 3.8, level 10, by playouts per move (up to "
        f"{games} games per bar). Error bars are 95 % intervals.",
        lambda canvas: figures.winning_bars(
            canvas, {}, ours, title=title, axis="playouts per move", opponent="GNU Go"
        ),
    )


def _tell(played: Sequence[Played]) -> list[str]:
    ours = group_of(played, "")
    line = ", ".join(f"{share.value:.1f} % with {at}" for at, share in ours.items())
    return [f"The agent fuego wins {line} playouts per move." if ours else "No game was finished."]


def _strength(
    board: int, *, simulations_per_second: float, moves: float, opponent_seconds: float
) -> Experiment:
    """`moves` by our side and seconds of GNU Go's are per game."""
    size = "" if board == 9 else f"-{board}x{board}"
    title = TITLE if board == 9 else f"{TITLE} on {board}x{board}"
    table = MatchTable(
        f"go:{board},komi=7.5",
        tuple(
            Cell("", f"{playouts:,}", "fuego", GNU_GO, None, factor=playouts / PLAYOUTS)
            for playouts in CURVE
        ),
        draw=partial(_draw, title=title),
        tell=_tell,
        heading="playouts",
        notes=(
            f"{board}x{board}, komi 7.5; the agent has RAVE, priors and heavy playouts, and plays "
            "as it does over GTP: it keeps its tree from move to move and adds that many playouts. "
            "GNU Go 3.8 plays at level 10 and may resign. A referee removes dead stones, by "
            "Benson's theorem and playouts, and counts area.",
            "The budget below is that of the cell 10,000; the other cells are scaled from it.",
        ),
        reuse=True,
        seconds_per_game=lambda size: (
            moves * 1.1 * size.playouts / simulations_per_second + opponent_seconds
        ),
    )
    return Experiment(
        id=f"go-strength{size}",
        title=title,
        source="From no paper: the strength of our agent for Go.",
        quick=Size(repeats=4, playouts=1000),
        full=Size(repeats=100, playouts=PLAYOUTS),
        run=table.run,
        cost=table.cost,
        cells=table.names,
    )


EXPERIMENTS = (
    _strength(9, simulations_per_second=30_000, moves=35, opponent_seconds=6),
    _strength(13, simulations_per_second=12_000, moves=75, opponent_seconds=20),
)
