"""Third part of the tour: two cells of hashimoto2012's Table 1 for each way to forget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from uctlab.papers.experiment import ExperimentContext, Findings, Size
from uctlab.papers.hashimoto2012 import ACCELERATED, DISCOUNTED, OTHELLO, USUAL
from uctlab.papers.match_table import Played, group_of, published_of, remarks
from uctlab.papers.measured import Difference, listed
from uctlab.papers.report import Section

DECAYS = ("1", "2")
PLAYOUTS = 1000
GAMES_PER_SEARCH = 2  # matches need more games than the other parts need searches
_WHOLE = OTHELLO.table(USUAL, title="Othello: two ways to forget, against plain UCT")
TABLE = replace(_WHOLE, cells=tuple(cell for cell in _WHOLE.cells if cell.at in DECAYS))


def size_of(size: Size) -> Size:
    return Size(GAMES_PER_SEARCH * size.repeats, min(PLAYOUTS, size.playouts))


def section(context: ExperimentContext) -> Findings:
    size = size_of(context.size)
    played = TABLE.play(context, size)
    known = any(one.ours for one in played)
    return Findings.of_section(
        Section(
            "Othello: how to forget, and how not to",
            f"Accelerated and Discounted UCT play Othello against plain UCT, {size.repeats} games "
            f"for each k with {size.playouts:,} playouts per move: four cells of hashimoto2012, "
            "Table 1, which has 1000 games with 50,000 playouts. 50 % would be as strong as plain "
            "UCT.",
            seen=tuple(tell(played)),
            repeat="uctlab reproduce hashimoto2012-table1-othello --full",
        ),
        replace(TABLE.table(played), name="othello", title="Othello: score of A in %"),
        replace(TABLE.draw(played), name="othello") if known and TABLE.draw else None,
        [f"Othello. {note}" for note in remarks(played, early=context.early)],
    )


def tell(played: Sequence[Played]) -> list[str]:
    """For each k both scores, ours and published, and whether they are told apart."""
    better, worse = group_of(played, ACCELERATED), group_of(played, DISCOUNTED)
    papers = published_of(played, ACCELERATED), published_of(played, DISCOUNTED)
    gaps = {k: Difference.of(better[k], worse[k]) for k in DECAYS if k in better and k in worse}
    if not gaps:
        return []
    numbers = [
        f"With k = {k} Accelerated UCT scores {better[k].value:.1f} % and Discounted UCT "
        f"{worse[k].value:.1f} % (published: {papers[0][k].value:.1f} and {papers[1][k].value:.1f}"
        f" %), {_compared(gap)}."
        for k, gap in gaps.items()
    ]
    return [_conclusion(gaps), " ".join(numbers)]


def _conclusion(gaps: Mapping[str, Difference]) -> str:
    """Whether Accelerated UCT forgets at a lower price, as in the paper."""
    shown = [f"k = {k}" for k, gap in gaps.items() if gap.sign > 0]
    others = [f"k = {k}" for k, gap in gaps.items() if gap.sign <= 0]
    if not shown:
        return "This run does not show that Accelerated UCT loses less by forgetting."
    text = f"Accelerated UCT loses far less by forgetting than Discounted UCT, with {listed(shown)}"
    return f"{text}; with {listed(others)} this run does not show it." if others else f"{text}."


def _compared(gap: Difference) -> str:
    points = f"95 % interval of the difference: {gap.low:.0f} to {gap.high:.0f} points"
    words = {
        1: "which tells them apart",
        0: "which does not tell them apart",
        -1: "which tells them apart, unlike in the paper in favour of Discounted UCT",
    }
    return f"{words[gap.sign]} ({points})"


def cost(size: Size) -> float:
    return TABLE.cost(size_of(size))
