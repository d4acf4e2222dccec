"""Measures the strength of the agent `fuego` against GNU Go, by playouts; from no paper."""

from __future__ import annotations

from collections.abc import Sequence

from uctlab.papers.experiment import Experiment, Size
from uctlab.papers.gelly2006 import GNU_GO
from uctlab.papers.match_table import NO_GAME, Bars, Cell, MatchTable, Played

PLAYOUTS = 10_000
CURVE = (1000, 3000, 10_000, 30_000)


def _tell(played: Sequence[Played]) -> list[str]:
    line = ", ".join(
        f"{one.ours.value:.1f} % with {one.result.plan.playouts:,}" for one in played if one.ours
    )
    return [f"The agent fuego wins {line} playouts per move." if line else NO_GAME]


def _scaled(played: Sequence[Played]) -> str:
    """Which cells have another budget than their name says."""
    budgets = {one.cell.at: f"{one.result.plan.playouts:,}" for one in played}
    told = ", ".join(f"{at} has {budget}" for at, budget in budgets.items() if at != budget)
    return told and f"Cells are named after the playouts per move of the full size; here {told}."


def _strength(
    board: int, *, simulations_per_second: float, moves: float, opponent_seconds: float
) -> Experiment:
    """`moves` by our side and seconds of GNU Go's are per game."""
    size, where = ("", "") if board == 9 else (f"-{board}x{board}", f" on {board}x{board}")
    title = f"The agent fuego against GNU Go{where}"
    table = MatchTable(
        f"go:{board},komi=7.5",
        tuple(
            Cell("", f"{playouts:,}", "fuego", GNU_GO, factor=playouts / PLAYOUTS)
            for playouts in CURVE
        ),
        draw=Bars(
            title,
            "playouts per move",
            "GNU Go",
            "Winning percentage of fuego against GNU Go 3.8, level 10, by playouts per move (up to "
            "{games} games per bar). Error bars are 95 % intervals.",
        ),
        tell=_tell,
        heading="playouts",
        notes=(
            f"{board}x{board}, komi 7.5; the agent has RAVE, priors and heavy playouts, and plays "
            "as it does over GTP: it keeps its tree from move to move and adds that many playouts. "
            "GNU Go 3.8 plays at level 10 and may resign. A referee removes dead stones, by "
            "Benson's theorem and playouts, and counts area.",
            _scaled,
        ),
        reuse=True,
        seconds_per_game=lambda size: (
            moves * size.playouts / simulations_per_second + opponent_seconds
        ),
    )
    return table.experiment(
        f"go-strength{size}",
        title,
        "From no paper: the strength of our agent for Go.",
        quick=Size(repeats=4, playouts=1000),
        full=Size(repeats=100, playouts=PLAYOUTS),
    )


EXPERIMENTS = (
    _strength(9, simulations_per_second=30_000, moves=35, opponent_seconds=6),
    _strength(13, simulations_per_second=12_000, moves=75, opponent_seconds=20),
)
