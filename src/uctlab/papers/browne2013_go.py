"""Browne: A Problem Case for UCT, section IV: a Go position in which RAVE misleads Fuego."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from uctlab.arena.search_task import SearchTask
from uctlab.arena.statistics import Score
from uctlab.games import Position, make_game
from uctlab.papers import figures
from uctlab.papers.browne2013 import PAPER
from uctlab.papers.experiment import Experiment, ExperimentContext, Findings, Size
from uctlab.papers.report import Figure, Percent, Table

GAME = "go:9,komi=7.5"
# Black at A5 would leave White a seki: White must make the second eye first.
POSITION = """
  A B C D E F G H J
9 . . . . O X . O .
8 . . X X O X O X .
7 . X . X . O O . O
6 . X . X X X X O .
5 . X . X O O X X O
4 O X X O . O O X .
3 O O O O O O X O .
2 X . O O X O X X .
1 . X O X X X X X .
O to play
"""
RIGHT = "B2"
PLAYERS = {
    "RAVE": "fuego(knowledge=rules)",
    "no RAVE": "fuego(knowledge=rules,rave=off,c=0.7)",
    "RAVE, accelerated": "auct(k=4,preset=fuego)",
    "no RAVE, accelerated": "auct(k=4,preset=fuego,rave=off,c=0.7)",
    "RAVE, uniform playouts": "fuego(knowledge=rules,playout=uniform)",
    "no RAVE, uniform playouts": "fuego(knowledge=rules,playout=uniform,rave=off,c=0.7)",
}
# How often Fuego 1.1 chose B2: (times, searches).
FUEGO: dict[str, dict[int, tuple[int, int]]] = {
    "RAVE": {1000: (0, 10), 3000: (0, 10), 10_000: (0, 10), 50_000: (5, 5)},
    "no RAVE": {1000: (10, 10), 3000: (10, 10), 10_000: (10, 10)},
}
BUDGETS = (1000, 3000, 10_000, 20_000, 50_000)
SIMULATIONS_PER_SECOND = 40_000
Chosen = Mapping[tuple[str, int], Counter[str]]


def budgets(size: Size) -> list[int]:
    return [playouts for playouts in BUDGETS if playouts <= size.playouts] or [size.playouts]


def _share(counts: Counter[str]) -> Percent | None:
    return Percent.of(Score(counts[RIGHT], 0, counts.total() - counts[RIGHT]))


def run(context: ExperimentContext) -> Findings:
    tried = budgets(context.size)
    tasks = {
        (name, playouts): [
            SearchTask(
                GAME, agent, playouts, context.derive_seed(playouts, number), diagram=POSITION
            )
            for number in range(context.size.repeats)
        ]
        for playouts in tried
        for name, agent in PLAYERS.items()
    }
    chosen = {cell: Counter(found.values()) for cell, found in context.grid(tasks).items()}
    return Findings(
        summary=(_answer(tried, chosen),),
        tables=(_table(tried, chosen),),
        figures=(_board("RAVE", tried[-1], chosen), _figure(tried, chosen)),
        notes=(
            "White to play, komi 7.5, area rules. B2 makes the second eye of White's large chain; "
            "after Black A5 neither side can play B2, and the corner is a seki.",
            "The numbers for Fuego were measured with Fuego 1.1 on this position, 10 searches each "
            "up to 10,000 playouts and 5 with 50,000; they are not in the paper, which says that "
            "RAVE misleads Fuego here.",
            "A seki is only as good as the playouts that preserve it. As in Fuego, ours refuse a "
            "self-atari of more than two stones only where the other side's would be one too, and "
            "then RAVE misleads our players as it does Fuego. Playouts of uctlab 0.1.0, which "
            "refused more, let them find B2 with RAVE as well.",
        ),
    )


def _answer(tried: Sequence[int], chosen: Chosen) -> str:
    parts = []
    for name in PLAYERS:
        shares = [share for b in tried if (share := _share(chosen[name, b])) is not None]
        parts.append(f"{name}: " + ", ".join(f"{share.value:.0f}" for share in shares))
    numbers = ", ".join(f"{b:,}" for b in tried)
    return f"Share of searches that choose B2, in %, with {numbers} playouts. {'; '.join(parts)}."


def _table(tried: Sequence[int], chosen: Chosen) -> Table:
    rows = []
    for name, agent in PLAYERS.items():
        for playouts in tried:
            counts = chosen[name, playouts]
            times = FUEGO.get(name, {}).get(playouts)
            favourite = counts.most_common(1)[0][0] if counts else None
            rows.append(
                (
                    *(name, agent, playouts, counts.total(), _share(counts), favourite),
                    f"{times[0]} of {times[1]}" if times else None,
                )
            )
    columns = ("player", "agent", "playouts", "searches", "chose B2", "favourite", "Fuego 1.1")
    return Table("choices", "How often the right move is chosen", columns, tuple(rows))


def _board(player: str, playouts: int, chosen: Chosen) -> Figure:
    counts = chosen[player, playouts]
    return figures.board(
        "position",
        f"The position, White to play; {RIGHT} is right. Shades and numbers: which moves the "
        f"player {player} chose with {playouts:,} playouts, in percent of "
        f"{counts.total():,} searches.",
        Position.from_diagram(make_game(GAME).interpreted(), POSITION),
        shares={move: times / counts.total() for move, times in counts.items()},
    )


def _figure(tried: Sequence[int], chosen: Chosen) -> Figure:
    curves = {
        name: {b: share for b in tried if (share := _share(chosen[name, b]))} for name in PLAYERS
    }
    return Figure(
        "success",
        "Share of searches that choose B2, by playouts per search and player.",
        lambda canvas: figures.success_by_epoch(canvas, curves, title="Who sees the seki"),
        size=figures.TALL,
    )


EXPERIMENTS = (
    Experiment(
        id="browne2013-go",
        title="RAVE's known failure: a seki in Go",
        source=f"{PAPER}, section IV.",
        quick=Size(repeats=10, playouts=10_000),
        full=Size(repeats=100, playouts=50_000),
        run=run,
        cost=lambda size: len(PLAYERS) * size.repeats * sum(budgets(size)) / SIMULATIONS_PER_SECOND,
        unit="searches",
    ),
)
