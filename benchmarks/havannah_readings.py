"""Which reading of hashimoto2012's Table 1 gives the published scores in Havannah, side 4.

    uctlab reproduce benchmarks/havannah_readings.py --full --device cuda

Varies the exploration weight c (the paper says C = 1 and does not give the base of its logarithm;
to base 10 that is c = 0.659), the playouts before a leaf is expanded, and how Discounted UCT
chooses its move.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from uctlab.papers import figures
from uctlab.papers.experiment import Experiment, Size
from uctlab.papers.hashimoto2012 import (
    ACCELERATED,
    DISCOUNTED,
    INTERVALS,
    PAPER,
    TABLE_1,
    decay_cells,
)
from uctlab.papers.match_table import Cell, MatchTable, Played, group_of, published_of
from uctlab.papers.report import Figure

# The cells that tell readings apart; at larger k all scores are near 50 %.
CELLS = {f"{ACCELERATED} {k}" for k in range(1, 6)} | {f"{DISCOUNTED} {k}" for k in range(3, 6)}
TITLE = "Readings of Table 1: Havannah, side 4"


def _reading(options: str, *, final: str = "") -> list[Cell]:
    """The cells with those options; with `final`, only Discounted UCT with that choice."""
    cells = []
    for cell in decay_cells(TABLE_1["havannah"], options):
        if cell.name not in CELLS or (final and cell.group != DISCOUNTED):
            continue
        a = cell.a.replace(")", f",final={final})") if final else cell.a
        name = f"{options}, final={final}" if final else options
        cells.append(Cell(name, f"{cell.group[0]}{cell.at}", a, cell.b, cell.published))
    return cells


READINGS = (
    *(_reading(f"c=0.659,expand={expand}") for expand in (1, 5, 10, 20)),
    _reading("c=0.6,expand=1"),
    _reading("c=0.6,expand=20"),
    _reading("c=0.7,expand=5"),
    _reading("c=0.7,expand=20"),
    _reading("c=0.659,expand=10", final="visits"),
    _reading("c=0.659,expand=10", final="value"),
)


def _tell(played: Sequence[Played]) -> list[str]:
    """How far each reading is from the published scores."""
    sentences = []
    for group in dict.fromkeys(one.cell.group for one in played):
        ours, published = group_of(played, group), published_of(played, group)
        if ours:
            squares = [(ours[at].value - published[at].value) ** 2 for at in ours]
            sentences.append(
                f"{group}: {(sum(squares) / len(squares)) ** 0.5:.1f} points rms from the "
                f"published scores in {len(squares)} cells."
            )
    return sentences or ["No game was finished."]


def _draw(played: Sequence[Played]) -> Figure:
    panels = [
        figures.Panel(
            group,
            *(
                {int(at[1:]): share for at, share in shares.items() if at[0] == ACCELERATED[0]}
                for shares in (published_of(played, group), group_of(played, group))
            ),
        )
        for group in dict.fromkeys(one.cell.group for one in played)
        if any(at[0] == ACCELERATED[0] for at in group_of(played, group))
    ]
    return Figure(
        "figure",
        "Accelerated UCT against plain UCT by decay k, published and ours, for each reading. Bars "
        "are 95 % intervals.",
        partial(figures.winning_curves, panels=panels, title=TITLE),
    )


_TABLE = MatchTable(
    "havannah:4",
    tuple(cell for reading in READINGS for cell in reading),
    draw=_draw,
    tell=_tell,
    heading="k",
    notes=("A1 to A5 are Accelerated UCT with k = 1 to 5, D3 to D5 Discounted UCT.", INTERVALS),
    seconds_per_game=lambda size: 23 * (size.playouts / 700_000 + 1e-3),
)

EXPERIMENTS = (
    Experiment(
        id="havannah-readings",
        title=TITLE,
        source=f"{PAPER}, Table 1, Havannah.",
        quick=Size(repeats=2, playouts=500),
        full=Size(repeats=250, playouts=50_000),
        run=_TABLE.run,
        cost=_TABLE.cost,
        cells=_TABLE.names,
    ),
)
