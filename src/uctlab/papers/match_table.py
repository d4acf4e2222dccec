"""Tables whose cells are matches, with published and reproduced scores side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from uctlab.arena.plan import MatchPlan
from uctlab.arena.playing_on import judged_in_words
from uctlab.arena.result import MatchResult
from uctlab.mcts.resigning import SEARCHES
from uctlab.papers.experiment import ExperimentContext, Findings, Size
from uctlab.papers.report import Figure, Percent, Table

Draw = Callable[["Sequence[Played]"], Figure]
Tell = Callable[["Sequence[Played]"], Sequence[str]]


@dataclass(frozen=True)
class Cell:
    """One match of a table."""

    group: str
    """Which half of the table, such as Accelerated."""
    at: str
    """Where in it, such as the k."""
    a: str
    b: str
    published: Percent | None
    factor: float = 1.0
    """Multiplies the playouts per move that the size gives."""

    @property
    def name(self) -> str:
        return f"{self.group} {self.at}".strip()


@dataclass(frozen=True)
class Played:
    """A cell and the result of its match."""

    cell: Cell
    result: MatchResult

    @property
    def ours(self) -> Percent | None:
        return Percent.of(self.result.score)

    @property
    def meets(self) -> bool | None:
        """Whether our interval and the published one have a point in common."""
        if self.ours is None or self.cell.published is None:
            return None
        return self.ours.overlaps(self.cell.published)


@dataclass(frozen=True)
class MatchTable:
    """The matches of one published table."""

    game: str
    cells: tuple[Cell, ...]
    draw: Draw
    tell: Tell
    """Sentences about what is special in this table."""
    heading: str
    """Of the column that says where in the table a cell is: k, p, FPU, seconds."""
    notes: tuple[str, ...]
    seconds_per_game: Callable[[Size], float]
    """On one core."""
    reuse: bool = False
    """Whether agents keep their trees from move to move."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(cell.name for cell in self.cells)

    def cost(self, size: Size) -> float:
        games = sum(size.games(name) for name in self.names)
        return games * self.seconds_per_game(size)

    def run(self, context: ExperimentContext) -> Findings:
        played = self.play(context, context.size)
        found = self.findings(played)
        return replace(found, notes=(*found.notes, *remarks(played, early=context.early)))

    def findings(self, played: Sequence[Played]) -> Findings:
        """What the matches show, without remarks on how they ended."""
        return Findings(
            summary=(*self.tell(played), *_agreement(played)),
            tables=(self.table(played),),
            figures=(self.draw(played),) if any(one.ours for one in played) else (),
            notes=self.notes,
        )

    def play(self, context: ExperimentContext, size: Size) -> list[Played]:
        """The cells and their matches, of that size."""
        results = context.matches(
            self.plans(size, context.seed), [size.games(name) for name in self.names]
        )
        return [Played(cell, result) for cell, result in zip(self.cells, results, strict=True)]

    def plans(self, size: Size, seed: int) -> list[MatchPlan]:
        return [self._plan(cell, size, seed) for cell in self.cells]

    def _plan(self, cell: Cell, size: Size, seed: int) -> MatchPlan:
        playouts = max(1, round(cell.factor * size.playouts))
        return MatchPlan(self.game, cell.a, cell.b, playouts=playouts, seed=seed, reuse=self.reuse)

    def table(self, played: Sequence[Played]) -> Table:
        rows = [self._row(one) for one in played]
        title = "Score of A in %, with draws counted as half"
        columns = list(rows[0])
        if any(one.cell.published for one in played):
            title += ": published and ours"
        else:
            columns = [name for name in columns if name not in ("published", "intervals meet")]
        return Table(
            "table", title, tuple(columns), tuple(tuple(row[c] for c in columns) for row in rows)
        )

    def _row(self, one: Played) -> dict[str, Any]:
        score = one.result.score
        ours = wilson = None
        if score.percent is not None and score.interval is not None and score.wilson:
            ours = Percent.within(score.percent, score.interval)
            wilson = f"{score.wilson[0]:.1f} to {score.wilson[1]:.1f}"
        return {
            "": one.cell.group,
            self.heading: one.cell.at,
            "published": one.cell.published,
            "ours": ours,
            "Wilson's interval": wilson,
            "intervals meet": one.meets,
            "games": score.games,
            "won": score.wins,
            "drawn": score.draws,
            "lost": score.losses,
            "mean length": round(one.result.length, 1),
            "A": one.result.plan.a,
            "B": one.result.plan.b,
        }


def group_of(played: Sequence[Played], group: str) -> dict[str, Percent]:
    """Our scores in one group of the table, by place."""
    return {p.cell.at: p.ours for p in played if p.cell.group == group and p.ours is not None}


def published_of(played: Sequence[Played], group: str) -> dict[str, Percent]:
    return {
        p.cell.at: p.cell.published
        for p in played
        if p.cell.group == group and p.cell.published is not None
    }


def _agreement(played: Sequence[Played]) -> list[str]:
    judged = [one for one in played if one.meets is not None]
    if not judged:
        return []
    met = sum(bool(one.meets) for one in judged)
    text = (
        f"In {met} of {len(judged)} cells our 95 % interval (Wilson's) overlaps the published one"
    )
    missed = [one.cell.name for one in judged if not one.meets]
    return [f"{text}; it does not for {', '.join(missed)}." if missed else f"{text}."]


def remarks(played: Sequence[Played], *, early: bool) -> list[str]:
    """What a reader of the scores should know about how the games ended."""
    notes = []
    stopped = [one for one in played if one.result.verdict]
    if early:
        notes.append(
            f"{len(stopped)} of {len(played)} cells were ended early by an SPRT (normalized Elo "
            "-30 against +30, alpha = beta = 0.05); their scores are biased away from 50 %, and "
            "their intervals, which are not adjusted for that, are too narrow."
        )
    limit = played[0].result.plan.resign if played else 0.0
    if limit:
        notes.append(
            f"A player resigns when its chosen move is worth less than {limit:g} % with all of its "
            f"95 % interval (Wilson's), {SEARCHES} times in a row."
        )
    for what, count in (
        ("repeat an earlier one move for move", sum(one.result.repeats for one in played)),
        ("were lost by forfeit", sum(one.result.forfeits for one in played)),
        ("were too long and count as draws", sum(one.result.unfinished for one in played)),
        ("were resigned", sum(one.result.resigned for one in played)),
    ):
        if count:
            notes.append(f"Games that {what}: {count:,}.")
    if any(one.result.judged for one in played):
        notes.append(f"{judged_in_words([one.result for one in played])}.")
    drawn = [
        100 * one.result.score.draws / one.result.score.games
        for one in played
        if one.result.score.games
    ]
    if drawn:
        notes.append(f"Draws: {min(drawn):.1f} to {max(drawn):.1f} % of a cell's games.")
    return notes
