"""Go in Hashimoto et al. (2012): Tables 1 and 2, and Table 1 with the logarithm to base 10, with
all their games played together."""

from __future__ import annotations

from functools import partial

from uctlab.papers.experiment import Experiment, Size
from uctlab.papers.hashimoto2012 import (
    FULL,
    GO_MOVES,
    GO_NOTE,
    GO_SPEED,
    PAPER,
    RAVE_NOTE,
    RAVE_SPEED,
    TABLE_1,
    TABLE_2,
    decay_table,
)
from uctlab.papers.match_tables import MatchTables

BASE_10_NOTE = (
    "The paper says C = 1.0 in all domains and writes log without a base. The tables have Fuego's "
    "exploration factor of 0.7, but that of base 10 has 0.659, which is 1 with the logarithm to "
    "base 10; most of its cells are left out."
)
WINDOW_NOTE = (
    "lambda = 1 - 0.1**k forgets over about 10**k playouts. With fewer playouts per move than the "
    "published 50,000 a k does roughly what a larger one does in the paper: with a tenth of them, "
    "what k + 1 does."
)
_table = partial(decay_table, "go:9", moves=GO_MOVES)
TABLES = MatchTables(
    {
        "plain": _table(
            TABLE_1["go"],
            "preset=fuego,rave=off,c=0.7",
            title="Accelerated and Discounted UCT against plain UCT: Go",
            simulations_per_second=GO_SPEED,
            notes=(GO_NOTE, WINDOW_NOTE),
        ),
        "RAVE": _table(
            TABLE_2,
            "preset=fuego",
            title="Accelerated and Discounted UCT with RAVE against UCT with RAVE: Go",
            simulations_per_second=RAVE_SPEED,
            opponent="UCT with RAVE",
            notes=(GO_NOTE, RAVE_NOTE),
        ),
        "base 10": _table(
            TABLE_1["go"],
            "preset=fuego,rave=off,c=0.659",
            title="Accelerated and Discounted UCT against plain UCT: Go, base 10",
            simulations_per_second=GO_SPEED,
            notes=(GO_NOTE, BASE_10_NOTE),
        ),
    }
)

EXPERIMENTS = (
    Experiment(
        id="hashimoto2012-go",
        title="Accelerated and Discounted UCT in Go: plain, with RAVE and base 10, all at once",
        source=f"{PAPER}, Table 1, Go, and Table 2.",
        quick=Size(repeats=4, playouts=200),
        full=FULL,
        run=TABLES.run,
        cost=TABLES.cost,
        cells=TABLES.names,
    ),
)
