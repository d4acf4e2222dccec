"""An experiment to start from: how strong is UCT with other exploration constants?

    uctlab reproduce examples/exploration_constant.py --quick
    uctlab reproduce examples/exploration_constant.py --full
    uctlab lab

Each cell of its table is a match. The report, with the table, a figure and all that is needed to
repeat it, is written to the folder results, and the lab shows it under Results. Ctrl-C stops a run,
and the same command goes on with it.
"""

from collections.abc import Sequence

from uctlab.papers.experiment import Size
from uctlab.papers.match_table import Bars, Cell, MatchTable, Played, group_of

GAME = "hex:4"
CONSTANTS = (0.25, 0.5, 2.0, 4.0)
OPPONENT = "uct(c=1)"
TITLE = "UCT's exploration constant on 4x4 Hex"


def tell(played: Sequence[Played]) -> list[str]:
    """The answer in a sentence or two, from the results."""
    scores = group_of(played, "")
    if not scores:
        return ["No game was finished."]
    best = max(scores, key=lambda c: scores[c].value)
    return [f"The highest score against {OPPONENT} is {scores[best]}, with c = {best}."]


TABLE = MatchTable(
    game=GAME,
    # A cell has a group and a place in it, two players, and a published score or None.
    cells=tuple(Cell("", f"{c:g}", f"uct(c={c})", OPPONENT) for c in CONSTANTS),
    # The figure; its caption is for readers who cannot see it. A function of the cells that returns
    # a Figure draws anything else.
    draw=Bars(
        title=TITLE,
        axis="c",
        opponent=OPPONENT,
        caption=f"Winning percentage against {OPPONENT} by exploration constant. Error bars are "
        "95 % intervals.",
    ),
    tell=tell,
    heading="c",
    notes=("Colours alternate from game to game.",),
    # An estimate: 16 moves, 300,000 playouts per second and core.
    seconds_per_game=lambda size: 16 * size.playouts / 300_000,
)

EXPERIMENTS = (
    TABLE.experiment(
        id="exploration_constant",  # begins the name of its folder
        title=TITLE,
        source="From no paper.",
        quick=Size(repeats=20, playouts=100),  # games in each cell, playouts per move
        full=Size(repeats=1000, playouts=1000),
    ),
)
