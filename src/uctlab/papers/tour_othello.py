"""Third part of the tour: two cells of hashimoto2012's Table 1 for each way to forget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from uctlab.papers.experiment import ExperimentContext, Size
from uctlab.papers.hashimoto2012 import ACCELERATED, DISCOUNTED, TABLE_1, decay_table
from uctlab.papers.match_table import Played, group_of, published_of
from uctlab.papers.tour_part import Part, difference

DECAYS = ("1", "2")
PLAYOUTS = 1000
GAMES_PER_SEARCH = 2  # matches need more games than the other parts need searches
_WHOLE = decay_table(
    "othello",
    TABLE_1["othello"],
    "expand=10",
    title="Othello: two ways to forget, against plain UCT",
    simulations_per_second=420_000,
    moves=60,
)
TABLE = replace(_WHOLE, cells=tuple(cell for cell in _WHOLE.cells if cell.at in DECAYS))


def size_of(size: Size) -> Size:
    return Size(GAMES_PER_SEARCH * size.repeats, min(PLAYOUTS, size.playouts))


def part(context: ExperimentContext) -> Part:
    size = size_of(context.size)
    played = TABLE.play(context, size)
    known = any(one.ours for one in played)
    return Part.of(
        "Othello: how to forget, and how not to",
        f"Accelerated and Discounted UCT play Othello against plain UCT, {size.repeats} games for "
        f"each k with {size.playouts:,} playouts per move: four cells of hashimoto2012, Table 1, "
        "which has 1000 games with 50,000 playouts.",
        tell(played),
        "uctlab reproduce hashimoto2012-table1-othello --full",
        table=replace(TABLE.table(played), name="othello", title="Othello: score of A in %"),
        figure=replace(TABLE.draw(played), name="othello") if known else None,
    )


def tell(played: Sequence[Played]) -> list[str]:
    """For each k both scores, ours and published, and whether they are told apart."""
    ours = {group: group_of(played, group) for group in (ACCELERATED, DISCOUNTED)}
    published = {group: published_of(played, group) for group in ours}
    sentences = []
    for k in DECAYS:
        if not all(k in shares for shares in ours.values()):
            continue
        scores = [
            f"{group} UCT wins {ours[group][k].value:.1f} % (published "
            f"{published[group][k].value:.1f} %)"
            for group in (DISCOUNTED, ACCELERATED)
        ]
        sentences.append(
            f"With k = {k} {' and '.join(scores)} against plain UCT: "
            f"{VERDICTS[difference(ours[ACCELERATED][k], ours[DISCOUNTED][k])]}."
        )
    return [" ".join(sentences)] if sentences else []


VERDICTS = {
    1: "the intervals are apart, and the Accelerated way to forget costs less",
    0: "the intervals overlap, and this run does not tell the two apart",
    -1: "the intervals are apart, and unlike in the paper the Discounted way costs less",
}


def cost(size: Size) -> float:
    return TABLE.cost(size_of(size))
