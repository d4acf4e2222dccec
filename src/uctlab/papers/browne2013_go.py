"""Browne: A Problem Case for UCT, section IV: a Go position in which RAVE misleads Fuego."""

from __future__ import annotations

from uctlab.papers.browne2013 import PAPER
from uctlab.papers.experiment import Experiment, ExperimentContext, Findings, Size
from uctlab.papers.problems import Choices, Problem, choose

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
PROBLEM = Problem("go", "seki", GAME, frozenset({RIGHT}), diagram=POSITION)
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


def budgets(size: Size) -> list[int]:
    return [playouts for playouts in BUDGETS if playouts <= size.playouts] or [size.playouts]


def run(context: ExperimentContext) -> Findings:
    repeats = context.size.repeats
    chosen = choose(context, PROBLEM, PLAYERS, budgets(context.size), lambda _: repeats)
    return Findings(
        summary=(_answer(chosen),),
        tables=(
            chosen.table(
                PLAYERS,
                "How often the right move is chosen",
                RIGHT,
                {
                    "favourite": lambda cell: chosen.favourite(*cell),
                    "Fuego 1.1": lambda cell: _fuego(*cell),
                },
            ),
        ),
        figures=(
            chosen.board(
                "RAVE",
                f"The position, White to play; {RIGHT} is right. Shades and numbers: which moves "
                "the player RAVE",
                PROBLEM.position(),
            ),
            chosen.figure(
                "success",
                f"Share of searches that choose {RIGHT}, by playouts per search and player.",
                "Who sees the seki",
            ),
        ),
        notes=(
            "White to play, komi 7.5, area rules. B2 makes the second eye of White's large chain; "
            "after Black A5 neither side can play B2, and the corner is a seki.",
            "The numbers for Fuego were measured with Fuego 1.1 on this position, 10 searches each "
            "up to 10,000 playouts and 5 with 50,000; they are not in the paper, which says that "
            "RAVE misleads Fuego here.",
            "A seki is only as good as the playouts that preserve it. As in Fuego, ours refuse a "
            "self-atari of more than two stones only where the other side's would be one too.",
        ),
    )


def _fuego(player: str, playouts: int) -> str | None:
    times = FUEGO.get(player, {}).get(playouts)
    return f"{times[0]} of {times[1]}" if times else None


def _answer(chosen: Choices) -> str:
    parts = [
        f"{name}: " + ", ".join(f"{share.value:.0f}" for share in curve.values())
        for name, curve in chosen.curves().items()
    ]
    numbers = ", ".join(f"{b:,}" for b in chosen.budgets)
    return f"Share of searches that choose B2, in %, with {numbers} playouts. {'; '.join(parts)}."


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
