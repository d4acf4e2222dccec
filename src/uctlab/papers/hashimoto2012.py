"""Hashimoto, Kishimoto, Yoshizoe, Ikeda: Accelerated UCT and Its Application to Two-Player Games.

Table 1: Accelerated and Discounted UCT against plain UCT in Othello, Havannah and 9x9 Go.
Table 2: the same in Go with RAVE. Fig. 1: a tree that deceives UCT.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from uctlab.arena.statistics import Score
from uctlab.papers import deception, figures
from uctlab.papers.experiment import Experiment, Size
from uctlab.papers.match_table import (
    NO_GAME,
    Cell,
    MatchTable,
    MatchTables,
    Note,
    Played,
    group_of,
    published_of,
)
from uctlab.papers.report import Figure, Percent

PAPER = (
    "J. Hashimoto, A. Kishimoto, K. Yoshizoe, K. Ikeda: Accelerated UCT and Its Application to "
    "Two-Player Games. Advances in Computer Games 13, LNCS 7168, 2012"
)
ACCELERATED, DISCOUNTED = "Accelerated", "Discounted"

# Winning percentage and its interval, for k = 1, 2, ...
Column = tuple[tuple[float, float], ...]
TABLE_1: dict[str, tuple[Column, Column]] = {
    "othello": (
        ((39.2, 3.1), (52.5, 3.2), (56.3, 3.2), (52.7, 3.1), (51.3, 3.2), (47.4, 3.2), (48.2, 3.2)),
        ((0.0, 0.0), (1.3, 0.7), (28.0, 2.8), (47.5, 3.2), (49.0, 3.2), (49.2, 3.2), (48.2, 3.2)),
    ),
    "havannah": (
        ((24.2, 2.7), (25.1, 2.7), (47.8, 3.2), (58.2, 3.1), (50.6, 3.2), (48.0, 3.2), (50.2, 3.2)),
        ((0.0, 0.0), (0.0, 0.0), (8.0, 1.7), (31.3, 2.9), (48.5, 3.2), (52.0, 3.2), (50.0, 3.2)),
    ),
    "go": (
        ((0.8, 0.6), (41.3, 3.1), (54.5, 3.1), (56.0, 3.1), (53.0, 3.2), (51.0, 3.2), (50.1, 3.2)),
        ((0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (18.6, 2.5), (45.8, 3.2), (46.6, 3.2), (48.7, 3.2)),
    ),
}
TABLE_2: tuple[Column, Column] = (
    ((51.2, 3.2), (51.9, 3.3), (54.5, 3.4), (55.9, 3.5), (53.8, 3.4), (54.6, 3.4)),
    ((0.0, 0.0), (0.0, 0.0), (4.4, 0.3), (41.6, 2.6), (47.9, 3.0), (49.8, 3.1)),
)
PUBLISHED_GAMES = 1000  # of each cell
FULL = Size(repeats=1000, playouts=50_000)

INTERVALS = (
    "Intervals in the column 'ours' use the paper's formula, 2 sqrt(p (100 - p) / n); whether "
    "intervals meet is decided by Wilson's, which do not shrink to nothing at 0 %."
)
CHOSEN = {
    ACCELERATED: "the virtual child of Accelerated UCT starts with the velocity 1 + lambda + ... "
    "of its own playouts",
    DISCOUNTED: "Discounted UCT plays the move with the most discounted visits, the others play "
    "the most visited move",
}
HAVANNAH_NOTE = (
    "The paper does not give the size of its board, but says that 0.9 to 2.2 % of games were drawn."
)
BASE_10_NOTE = (
    "The paper says C = 1.0 in all domains and writes log without a base. Here it is read as the "
    'logarithm to base 10, which is c = 0.659 with the natural one; the tables without "base 10" '
    "in their name have c = 1."
)
GO_NOTE = (
    "Both sides have Fuego's knowledge of Go, as in the paper: heavy playouts, priors for new "
    "nodes, and nodes that are expanded at their first visit."
)
GO_BASE_10_NOTE = (
    "The paper says C = 1.0 in all domains and writes log without a base. The tables have Fuego's "
    "exploration factor of 0.7, but that of base 10 has 0.659, which is 1 with the logarithm to "
    "base 10; most of its cells are left out."
)
RAVE_NOTE = (
    "The paper's intervals of the table with RAVE do not follow its own formula, which gives 4.4 "
    "+- 1.3 instead of +- 0.3; they are shown as printed."
)
WINDOW_NOTE = (
    "lambda = 1 - 0.1**k forgets over about 10**k playouts. With fewer playouts per move than the "
    "published 50,000 a k does roughly what a larger one does in the paper: with a tenth of them, "
    "what k + 1 does."
)


@dataclass(frozen=True)
class Domain:
    """A game of the paper's tables, with what was published about it."""

    name: str
    game: str
    published: tuple[Column, Column]
    speed: float
    """Simulations per second on one core."""
    moves: float
    """Of a game."""
    opponent: str = "plain UCT"

    def table(self, options: str, *, title: str = "", notes: tuple[Note, ...] = ()) -> MatchTable:
        """Accelerated and Discounted UCT for every k against plain UCT, all with these options."""
        return MatchTable(
            self.game,
            decay_cells(self.published, options),
            heading="k",
            seconds_per_game=lambda size: self.moves * (size.playouts / self.speed + 1e-3),
            draw=partial(_draw, title=title or self.title(), opponent=self.opponent),
            tell=_tell,
            notes=(_conditions(options), INTERVALS, _chosen, _near_zero, *notes),
        )

    def title(self, variant: str = "") -> str:
        rave = " with RAVE" if "RAVE" in self.opponent else ""
        where = ", ".join(filter(None, (self.name, variant)))
        return f"Accelerated and Discounted UCT{rave} against {self.opponent}: {where}"


OTHELLO = Domain("Othello", "othello", TABLE_1["othello"], 420_000, 60)
HAVANNAH = Domain("Havannah", "havannah:4", TABLE_1["havannah"], 700_000, 23)
HAVANNAH_5 = Domain("Havannah", "havannah:5", TABLE_1["havannah"], 500_000, 26)
# 110 moves and, with RAVE, 105 in four games each with 5,000 playouts per move.
GO = Domain("Go", "go:9", TABLE_1["go"], 36_000, 110)
GO_RAVE = Domain("Go", "go:9", TABLE_2, 30_000, 110, "UCT with RAVE")


def _conditions(options: str) -> str:
    return (
        f"A is the accelerated or discounted player, B its plain opponent, both with {options} and "
        "the same number of playouts per move; no tree is kept between moves; colours alternate."
    )


def _chosen(played: Sequence[Played]) -> str:
    """Readings of the players that have games."""
    groups = dict.fromkeys(one.cell.group for one in played)
    readings = "; ".join(CHOSEN[group] for group in groups)
    return readings and f"Not in the paper, chosen here: {readings}."


def _near_zero(played: Sequence[Played]) -> str:
    """Cells that miss the published interval only because its formula shrinks near 0 %."""
    told = []
    for one in played:
        ours, published = one.ours, one.cell.published
        if ours is None or published is None or one.meets:
            continue
        won = round(published.value * PUBLISHED_GAMES / 100)
        wilson = Percent.of(Score(won, 0, PUBLISHED_GAMES - won))
        if wilson and ours.overlaps(wilson):
            told.append(f"{one.cell.name}, {wilson} and {ours}")
    if not told:
        return ""
    return (
        "The formula of the published intervals shrinks to nothing near 0 and 100 %. Wilson's "
        f"interval for the published score of {PUBLISHED_GAMES} games meets ours in: "
        f"{'; '.join(told)}."
    )


def decay_cells(published: tuple[Column, Column], options: str) -> tuple[Cell, ...]:
    """Accelerated and Discounted UCT for every k against plain UCT, all with the same options."""
    return tuple(
        Cell(
            *(group, str(k), f"{agent}(k={k},{options})", f"uct({options})"),
            Percent.within(*figure),
        )
        for group, agent, column in zip(
            (ACCELERATED, DISCOUNTED), ("auct", "duct"), published, strict=True
        )
        for k, figure in enumerate(column, 1)
    )


def _draw(played: Sequence[Played], *, title: str, opponent: str) -> Figure:
    games = max(one.result.score.games for one in played)
    plan = played[0].result.plan
    panels = [
        figures.Panel(
            f"{group} UCT",
            {int(k): share for k, share in published_of(played, group).items()},
            {int(k): share for k, share in group_of(played, group).items()},
        )
        for group in (ACCELERATED, DISCOUNTED)
    ]
    return Figure(
        "figure",
        f"Winning percentage against {opponent} by decay k, published (1000 games per point, "
        f"50,000 playouts per move) and ours (up to {games:,} games per point, {plan.playouts:,} "
        "playouts per move). Bars are 95 % intervals.",
        lambda canvas: figures.winning_curves(canvas, panels, title=title, opponent=opponent),
    )


def _tell(played: Sequence[Played]) -> list[str]:
    """The scores of both groups, ours and published."""
    sentences = []
    for group in (ACCELERATED, DISCOUNTED):
        ours, published = group_of(played, group), published_of(played, group)
        if not ours:
            continue
        line, theirs = (
            ", ".join(f"{shares[k].value:.1f}" for k in ours) for shares in (ours, published)
        )
        best = max(ours, key=lambda k: ours[k].value)
        sentences.append(
            f"{group} UCT wins {line} % for k = {', '.join(ours)}, best at k = {best} "
            f"(published {theirs})."
        )
    return sentences or [NO_GAME]


def _table_1(
    domain: Domain, options: str, quick: Size, notes: tuple[Note, ...] = (), variant: str = ""
) -> Experiment:
    title = domain.title(variant)
    return domain.table(options, title=title, notes=notes).experiment(
        "-".join(["hashimoto2012-table1", domain.name.lower(), *variant.split()]),
        title,
        f"{PAPER}, Table 1, {domain.name}.",
        quick,
        FULL,
    )


SMALL, SMALL_GO = Size(repeats=100, playouts=1000), Size(repeats=20, playouts=500)
USUAL, BASE_10 = "expand=10", "c=0.659,expand=10"
PLAIN_GO = "preset=fuego,rave=off,c=0.7"

EXPERIMENTS = (
    _table_1(OTHELLO, USUAL, SMALL),
    _table_1(HAVANNAH, USUAL, SMALL, (HAVANNAH_NOTE,)),
    _table_1(HAVANNAH_5, USUAL, SMALL, (HAVANNAH_NOTE,), "side 5"),
    _table_1(OTHELLO, BASE_10, SMALL, (BASE_10_NOTE,), "base 10"),
    _table_1(HAVANNAH, BASE_10, SMALL, (BASE_10_NOTE,), "base 10"),
    _table_1(
        GO,
        PLAIN_GO,
        SMALL_GO,
        (GO_NOTE, "No RAVE; the exploration factor is Fuego's, 0.7."),
    ),
    GO_RAVE.table("preset=fuego", notes=(RAVE_NOTE, GO_NOTE)).experiment(
        "hashimoto2012-table2", GO_RAVE.title(), f"{PAPER}, Table 2.", SMALL_GO, FULL
    ),
    Experiment(
        id="hashimoto2012-fig1",
        title="The deceptive tree: when does a search find the winning move?",
        source=f"{PAPER}, Fig. 1.",
        quick=Size(repeats=40, playouts=10_000),
        full=Size(repeats=1000, playouts=1_000_000),
        run=deception.run,
        cost=deception.cost,
        unit="searches",
    ),
    MatchTables(
        {
            "plain": GO.table(PLAIN_GO, notes=(GO_NOTE, WINDOW_NOTE)),
            "RAVE": GO_RAVE.table("preset=fuego", notes=(GO_NOTE, RAVE_NOTE)),
            "base 10": GO.table(
                "preset=fuego,rave=off,c=0.659",
                title=GO.title("base 10"),
                notes=(GO_NOTE, GO_BASE_10_NOTE),
            ),
        }
    ).experiment(
        "hashimoto2012-go",
        "Accelerated and Discounted UCT in Go: plain, with RAVE and base 10, all at once",
        f"{PAPER}, Table 1, Go, and Table 2.",
        Size(repeats=4, playouts=200),
        FULL,
    ),
)
