"""Gelly, Wang, section 2.3: several threads that share a tree against one thread.

The paper has no table: "with the same number of simulations, there is very little difference
between the two results", on four processors. The first experiment tests that, for the paper's mutex
and for a lock-free tree; the second measures what two cores are worth in equal time.
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

EQUAL = (45.0, 55.0)  # %: between these, several threads play like one
NOTES = (
    "Go: 9x9, komi 7.5, mogo (UCB1-Tuned, first-play urgency 1, uniform playouts). Othello: uct. "
    "No tree is kept from move to move; colours alternate.",
    "locked: one mutex around descent, expansion and update but not around playouts, as in the "
    "paper; several threads may then take the same path. lockfree: nodes are protected one by one, "
    "and a playout in progress counts as a loss along its path (virtual loss).",
    "Games of several threads cannot be repeated move for move, since their timing varies.",
)


@dataclass(frozen=True)
class Board:
    """A game of the experiment, with the speeds from which costs and seconds are computed."""

    name: str
    game: str
    agent: str
    simulations_per_second: float
    """Of one thread, from the README."""
    moves: float
    """Per game, by both sides."""

    def player(self, threads: int, sharing: str) -> str:
        return f"{self.agent}(threads={threads},sharing={sharing})"

    def seconds(self, size: Size) -> float:
        """Per move, for one thread."""
        return size.playouts / self.simulations_per_second


BOARDS = (
    Board("Go", "go:9,komi=7.5", "mogo", 130_000, 100.0),
    Board("Othello", "othello", "uct", 460_000, 60.0),
)


@dataclass(frozen=True)
class Pairing:
    """A cell: several threads against one."""

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
    "Both sides have the time that one thread needs for the playouts in the budget below, at the "
    "speeds in the README. Two threads need two cores: run at most half as many games at once as "
    "there are cores (--workers), with nothing else running.",
)


def _tell_playouts(played: Sequence[tuple[Pairing, MatchResult]]) -> list[str]:
    shares = {p.name: r.score.percent for p, r in played if r.score.percent is not None}
    if not shares:
        return ["No game was finished."]
    inside = [name for name, share in shares.items() if EQUAL[0] <= share <= EQUAL[1]]
    outside = [f"{name} ({shares[name]:.1f} %)" for name in shares if name not in inside]
    text = (
        f"With equal simulations several threads score between {EQUAL[0]:g} and {EQUAL[1]:g} % "
        f"against one thread in {len(inside)} of {len(shares)} cells"
    )
    return [f"{text}; the exceptions are {', '.join(outside)}." if outside else f"{text}."]


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
            axis="game, sharing, threads",
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
        title="Threads that share a tree against one thread: equal simulations",
        source=f"{PAPER}, section 2.3.",
        quick=Size(repeats=10, playouts=1000),
        full=Size(repeats=400, playouts=10_000),
        run=lambda context: _run(context, EQUAL_PLAYOUTS, by_time=False),
        cost=lambda size: _cost(size, EQUAL_PLAYOUTS, 1.0),
        cells=tuple(pairing.name for pairing in EQUAL_PLAYOUTS),
    ),
    Experiment(
        id="gelly2006-threads-time",
        title="Two threads that share a tree against one thread: equal time",
        source=f"{PAPER}, section 2.3.",
        quick=Size(repeats=10, playouts=2000),
        full=Size(repeats=400, playouts=10_000),
        run=lambda context: _run(context, EQUAL_TIME, by_time=True),
        cost=lambda size: _cost(size, EQUAL_TIME, 1.5),
        cells=tuple(pairing.name for pairing in EQUAL_TIME),
    ),
)
