"""Gelly, Wang, section 2.3: threads that share a tree, against one thread.

The paper has no table: "with the same number of simulations, there is very little difference
between the two results", on four processors. Here that is played out, for the mutex of the paper
and for the tree without one; and, in a second experiment, what two cores are worth in equal time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from uctlab.arena.plan import MatchPlan
from uctlab.arena.result import MatchResult
from uctlab.papers import figures
from uctlab.papers.experiment import Experiment, ExperimentContext, Findings, Size
from uctlab.papers.gelly2006 import PAPER
from uctlab.papers.report import Figure, Percent, Table

EQUAL = (45.0, 55.0)  # %: between these, threads play like one
NOTES = (
    "Go: 9x9, komi 7.5, mogo (UCB1-Tuned, first-play urgency 1, uniform playouts). Othello: uct. "
    "Trees are not kept from move to move; colours alternate.",
    "locked: one mutex around descent, expansion and update, playouts outside, as in the paper; "
    "several threads may then take the same path. lockfree: nodes are protected one by one, and a "
    "playout under way counts as lost on its path.",
    "Games of threads cannot be repeated move for move: who comes first is left to the machine.",
)


@dataclass(frozen=True)
class Board:
    """A game of the experiment, with speeds that costs and seconds are reckoned by."""

    name: str
    game: str
    agent: str
    simulations_a_second: float
    """Of one thread, as the README has them."""
    moves: float
    """In a game, of both sides."""

    def player(self, threads: int, sharing: str) -> str:
        return f"{self.agent}(threads={threads},sharing={sharing})"

    def seconds(self, size: Size) -> float:
        """A move, of one thread."""
        return size.playouts / self.simulations_a_second


BOARDS = (
    Board("Go", "go:9,komi=7.5", "mogo", 130_000, 100.0),
    Board("Othello", "othello", "uct", 460_000, 60.0),
)


@dataclass(frozen=True)
class Pairing:
    """A cell: threads against one thread."""

    board: Board
    threads: int
    sharing: str

    @property
    def name(self) -> str:
        return f"{self.board.name} {self.sharing} {self.threads}"

    def plan(self, context: ExperimentContext, *, by_time: bool) -> MatchPlan:
        player = self.board.player(self.threads, self.sharing)
        if by_time:
            seconds = self.board.seconds(context.size)
            return MatchPlan(
                self.board.game, player, self.board.agent, seconds=seconds, seed=context.seed
            )
        playouts = context.size.playouts
        return MatchPlan(
            self.board.game, player, self.board.agent, playouts=playouts, seed=context.seed
        )


EQUAL_PLAYOUTS = tuple(
    Pairing(board, threads, sharing)
    for board in BOARDS
    for sharing in ("locked", "lockfree")
    for threads in (2, 4)
)
EQUAL_TIME = tuple(Pairing(board, 2, "lockfree") for board in BOARDS)


def _run(context: ExperimentContext, pairings: Sequence[Pairing], *, by_time: bool) -> Findings:
    results = context.matches(
        [pairing.plan(context, by_time=by_time) for pairing in pairings],
        [context.size.games(pairing.name) for pairing in pairings],
    )
    played = list(zip(pairings, results, strict=True))
    shares = {
        pairing.name.replace(" ", "\n"): share
        for pairing, result in played
        if (share := Percent.of(result.score)) is not None
    }
    tell = _tell_time if by_time else _tell_playouts
    return Findings(
        summary=tuple(tell(played)),
        tables=(_table(played, by_time=by_time),),
        figures=(_draw(shares, by_time=by_time),) if shares else (),
        notes=(*NOTES, *(_TIME_NOTES if by_time else ())),
    )


_TIME_NOTES = (
    "Both sides have as many seconds as one thread takes for the playouts in the budget below, by "
    "the speeds in the README. Two threads want two cores: games must not outnumber half the "
    "cores (--workers), with nothing else running.",
)


def _tell_playouts(played: Sequence[tuple[Pairing, MatchResult]]) -> list[str]:
    shares = {p.name: r.score.percent for p, r in played if r.score.percent is not None}
    if not shares:
        return ["No game was finished."]
    inside = [name for name, share in shares.items() if EQUAL[0] <= share <= EQUAL[1]]
    outside = [f"{name} ({shares[name]:.1f} %)" for name in shares if name not in inside]
    text = (
        f"With equal simulations threads score between {EQUAL[0]:g} and {EQUAL[1]:g} % against one "
        f"thread in {len(inside)} of {len(shares)} cells"
    )
    return [f"{text}; not so in {', '.join(outside)}." if outside else f"{text}."]


def _tell_time(played: Sequence[tuple[Pairing, MatchResult]]) -> list[str]:
    lines = []
    for pairing, result in played:
        if result.score.percent is None or result.score.wilson is None:
            continue
        clear = "significantly more" if result.score.wilson[0] > 50 else "not significantly more"
        lines.append(
            f"In equal time two threads score {result.score.percent:.1f} % against one in "
            f"{pairing.board.name}, {clear} than half."
        )
    return lines or ["No game was finished."]


def _table(played: Sequence[tuple[Pairing, MatchResult]], *, by_time: bool) -> Table:
    columns = ("game", "sharing", "threads", "score", "between 45 and 55", "games", "won")
    rest = ("drawn", "lost", "mean length", "simulations/s, threads", "one thread", "A", "B")
    rows = []
    for pairing, result in played:
        score = result.score
        equal = None if score.percent is None else EQUAL[0] <= score.percent <= EQUAL[1]
        speeds = (round(speed) if speed else None for speed in result.speed)
        rows.append(
            (
                *(pairing.board.name, pairing.sharing, pairing.threads, Percent.of(score), equal),
                *(score.games, score.wins, score.draws, score.losses, round(result.length, 1)),
                *(*speeds, result.plan.a, result.plan.b),
            )
        )
    what = "time" if by_time else "simulations"
    title = f"Score in % of several threads against one, with equal {what}"
    return Table("table", title, columns + rest, tuple(rows))


def _draw(shares: dict[str, Percent], *, by_time: bool) -> Figure:
    what = "time" if by_time else "simulations"
    title = f"Threads that share a tree, with equal {what}"
    return Figure(
        "figure",
        f"Score in percent of several threads against one, with equal {what}. Error bars are 95 % "
        "intervals.",
        lambda canvas: figures.winning_bars(
            canvas,
            {},
            shares,
            title=title,
            axis="game, way to share, threads",
            opponent="one thread",
        ),
    )


def _cost(size: Size, pairings: Sequence[Pairing], threads: float) -> float:
    return sum(
        size.games(p.name) * p.board.moves * p.board.seconds(size) * threads for p in pairings
    )


EXPERIMENTS = (
    Experiment(
        id="gelly2006-threads",
        title="Threads that share a tree, against one thread: equal simulations",
        source=f"{PAPER}, section 2.3.",
        quick=Size(repeats=10, playouts=1000),
        full=Size(repeats=400, playouts=10_000),
        run=lambda context: _run(context, EQUAL_PLAYOUTS, by_time=False),
        cost=lambda size: _cost(size, EQUAL_PLAYOUTS, 1.0),
        cells=tuple(pairing.name for pairing in EQUAL_PLAYOUTS),
    ),
    Experiment(
        id="gelly2006-threads-time",
        title="Two threads that share a tree, against one thread: equal time",
        source=f"{PAPER}, section 2.3.",
        quick=Size(repeats=10, playouts=2000),
        full=Size(repeats=400, playouts=10_000),
        run=lambda context: _run(context, EQUAL_TIME, by_time=True),
        cost=lambda size: _cost(size, EQUAL_TIME, 1.5),
        cells=tuple(pairing.name for pairing in EQUAL_TIME),
    ),
)
