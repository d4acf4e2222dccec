"""Gelly, Wang, section 2.3: several threads that share a tree against one thread.

The paper has no table: "with the same number of simulations, there is very little difference
between the two results", on four processors. The first experiment tests that, for the paper's mutex
and for a lock-free tree; the second measures what two cores are worth in equal time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from uctlab.papers.experiment import Experiment, Size
from uctlab.papers.gelly2006 import PAPER
from uctlab.papers.match_table import (
    COUNTS,
    NO_GAME,
    PLAYERS,
    Bars,
    Cell,
    MatchTable,
    Played,
    Tell,
)
from uctlab.papers.report import Percent

EQUAL = (45.0, 55.0)  # %: between these, several threads play like one


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
    note: str

    def cell(self, sharing: str, threads: int, *, by_time: bool) -> Cell:
        """Several threads against one."""
        return Cell(
            f"{self.name} {sharing}",
            str(threads),
            f"{self.agent}(threads={threads},sharing={sharing})",
            self.agent,
            game=self.game,
            per_second=self.simulations_per_second if by_time else 0.0,
        )


BOARDS = (
    Board(
        *("Go", "go:9,komi=7.5", "mogo", 130_000, 100.0),
        "Go: 9x9, komi 7.5, mogo (UCB1-Tuned, first-play urgency 1, uniform playouts).",
    ),
    Board("Othello", "othello", "uct", 460_000, 60.0, "Othello: uct."),
)
SHARING = {
    "locked": "locked: one mutex around descent, expansion and update but not around playouts, as "
    "in the paper; several threads may then take the same path.",
    "lockfree": "lockfree: nodes are protected one by one, and a playout in progress counts as a "
    "loss along its path (virtual loss).",
}
GAMES_NOTE = "Games of several threads cannot be repeated move for move, since their timing varies."
TIME_NOTE = (
    "Both sides have the time that one thread needs for the playouts in the budget below, at the "
    "speeds in the README. Two threads need two cores: run at most half as many games at once as "
    "there are cores (--workers), with nothing else running."
)


def _conditions(played: Sequence[Played]) -> str:
    named = {one.cell.group.split()[0] for one in played}
    boards = " ".join(board.note for board in BOARDS if board.name in named)
    return f"{boards} No tree is kept from move to move; colours alternate."


def _ways_to_share(played: Sequence[Played]) -> str:
    named = {one.cell.group.split()[1] for one in played}
    return " ".join(note for sharing, note in SHARING.items() if sharing in named)


def _tell_simulations(played: Sequence[Played]) -> list[str]:
    shares = {one.cell.name: one.ours.value for one in played if one.ours}
    if not shares:
        return [NO_GAME]
    inside = [name for name, share in shares.items() if EQUAL[0] <= share <= EQUAL[1]]
    outside = [f"{name} ({shares[name]:.1f} %)" for name in shares if name not in inside]
    text = (
        f"With equal simulations several threads score between {EQUAL[0]:g} and {EQUAL[1]:g} % "
        f"against one thread in {len(inside)} of {len(shares)} cells"
    )
    return [f"{text}; the exceptions are {', '.join(outside)}." if outside else f"{text}."]


def _tell_time(played: Sequence[Played]) -> list[str]:
    lines = []
    for one in played:
        if one.ours:
            clear = "significantly" if one.ours.ends[0] > 50 else "not significantly"
            lines.append(
                f"In equal time two threads score {one.ours.value:.1f} % against one in "
                f"{one.cell.group.split()[0]}, {clear} more than half."
            )
    return lines or [NO_GAME]


def _is_equal(one: Played) -> bool | None:
    return EQUAL[0] <= one.ours.value <= EQUAL[1] if one.ours else None


def _experiment(
    id: str,
    title: str,
    what: str,
    tell: Tell,
    cells: tuple[Cell, ...],
    quick: Size,
    *notes: str,
    cores: float = 1.0,
) -> Experiment:
    """`what` is equal for both sides: simulations or time; `cores` are those that a game takes."""
    seconds = fmean(cores * board.moves / board.simulations_per_second for board in BOARDS)
    table = MatchTable(
        "",
        cells,
        heading="threads",
        seconds_per_game=lambda size: seconds * size.playouts,
        draw=Bars(
            f"Threads that share a tree, with equal {what}",
            "game, sharing, threads",
            "one thread",
            f"Score in percent of several threads against one, with equal {what}. Error bars are "
            "95 % intervals.",
            label=lambda one: one.cell.name.replace(" ", "\n"),
        ),
        tell=tell,
        notes=(_conditions, _ways_to_share, GAMES_NOTE, *notes),
        title=f"Score in % of several threads against one, with equal {what}",
        columns={
            "game": lambda one: one.cell.group.split()[0],
            "sharing": lambda one: one.cell.group.split()[1],
            "threads": lambda one: int(one.cell.at),
            "score": lambda one: Percent.of(one.result.score),
            "between 45 and 55": _is_equal,
            **COUNTS,
            "simulations/s, threads": lambda one: round(one.result.speed[0] or 0) or None,
            "one thread": lambda one: round(one.result.speed[1] or 0) or None,
            **PLAYERS,
        },
    )
    return table.experiment(id, title, f"{PAPER}, section 2.3.", quick, Size(400, 10_000))


EXPERIMENTS = (
    _experiment(
        "gelly2006-threads",
        "Threads that share a tree against one thread: equal simulations",
        *("simulations", _tell_simulations),
        tuple(
            board.cell(sharing, threads, by_time=False)
            for board in BOARDS
            for sharing in SHARING
            for threads in (2, 4)
        ),
        Size(repeats=10, playouts=1000),
    ),
    _experiment(
        "gelly2006-threads-time",
        "Two threads that share a tree against one thread: equal time",
        *("time", _tell_time),
        tuple(board.cell("lockfree", 2, by_time=True) for board in BOARDS),
        Size(repeats=10, playouts=2000),
        TIME_NOTE,
        cores=1.5,
    ),
)
