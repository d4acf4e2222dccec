"""Tables whose cells are matches, with published and reproduced scores side by side.

`MatchTable` declares one table, `MatchTables` plays several together: a GPU is fast if it has
thousands of games at once, which one table alone may not give it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from uctlab.arena.plan import MatchPlan
from uctlab.arena.playing_on import judged_in_words
from uctlab.arena.result import MatchResult
from uctlab.mcts.resigning import SEARCHES
from uctlab.papers import figures
from uctlab.papers.experiment import Experiment, ExperimentContext, Findings, Size, joined
from uctlab.papers.report import Figure, Percent, Table

NO_GAME = "No game was finished."
Draw = Callable[["Sequence[Played]"], Figure]
Tell = Callable[["Sequence[Played]"], Sequence[str]]
Note = str | Callable[["Sequence[Played]"], str]
"""A note, or what makes it from the cells that have games; an empty one is left out."""
Columns = Mapping[str, Callable[["Played"], Any]]
"""Of a table: a heading, and what is below it for each cell."""


@dataclass(frozen=True)
class Cell:
    """One match of a table."""

    group: str
    """Which half of the table, such as Accelerated."""
    at: str
    """Where in it, such as the k."""
    a: str
    b: str
    published: Percent | None = None
    factor: float = 1.0
    """Multiplies the playouts per move that the size gives."""
    game: str = ""
    """If it is another than the table's."""
    per_second: float = 0.0
    """If given, both sides have the time that their playouts take at so many per second."""

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


COUNTS: Columns = {
    "games": lambda one: one.result.score.games,
    "won": lambda one: one.result.score.wins,
    "drawn": lambda one: one.result.score.draws,
    "lost": lambda one: one.result.score.losses,
    "mean length": lambda one: round(one.result.length, 1),
}
PLAYERS: Columns = {"A": lambda one: one.result.plan.a, "B": lambda one: one.result.plan.b}


@dataclass(frozen=True)
class Bars:
    """The figure of a table: a bar for each cell that has games, beside the published one."""

    title: str
    axis: str
    opponent: str
    caption: str
    """May have {games}: the most games of a cell."""
    label: Callable[[Played], str] = lambda one: one.cell.at
    """Of a bar."""

    def __call__(self, played: Sequence[Played]) -> Figure:
        published = {self.label(one): one.cell.published for one in played if one.cell.published}
        ours = {self.label(one): one.ours for one in played if one.ours}
        facts = {"title": self.title, "axis": self.axis, "opponent": self.opponent}
        return Figure(
            "figure",
            self.caption.format(games=max(one.result.score.games for one in played)),
            lambda canvas: figures.winning_bars(canvas, published, ours, **facts),
        )


class Matches(ABC):
    """What an experiment of matches is made of."""

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """What can have a number of games of its own: a table, a half of it, a cell."""

    @abstractmethod
    def cost(self, size: Size) -> float:
        """Estimated seconds on one core."""

    @abstractmethod
    def run(self, context: ExperimentContext) -> Findings:
        """Play all games that are missing, and say what came out."""

    def experiment(self, id: str, title: str, source: str, quick: Size, full: Size) -> Experiment:
        return Experiment(id, title, source, quick, full, self.run, self.cost, cells=self.names)


@dataclass(frozen=True)
class MatchTable(Matches):
    """The matches of one table, in one game."""

    game: str
    cells: tuple[Cell, ...]
    heading: str
    """Of the column that says where in the table a cell is: k, p, FPU, seconds."""
    seconds_per_game: Callable[[Size], float]
    """On one core, of a cell with the playouts per move of that size."""
    draw: Draw | None = None
    tell: Tell = lambda _: ()
    """Sentences about what is special in this table."""
    notes: tuple[Note, ...] = ()
    reuse: bool = False
    """Whether agents keep their trees from move to move."""
    title: str = "Score of A in %, with draws counted as half"
    columns: Columns = field(default_factory=dict)
    """Of the table; without any, the scores beside the published ones."""

    @property
    def names(self) -> tuple[str, ...]:
        return self._alone.names

    @property
    def _alone(self) -> MatchTables:
        return MatchTables({"": self})

    def cost(self, size: Size) -> float:
        return self._alone.cost(size)

    def run(self, context: ExperimentContext) -> Findings:
        return self._alone.run(context)

    def play(self, context: ExperimentContext, size: Size) -> list[Played]:
        """The cells and their matches, of that size."""
        return self._alone.play(context, size)[""]

    def plan(self, cell: Cell, size: Size, seed: int) -> MatchPlan:
        playouts = self.size_of(cell, size).playouts
        return MatchPlan(
            *(cell.game or self.game, cell.a, cell.b),
            playouts=None if cell.per_second else playouts,
            seconds=playouts / cell.per_second if cell.per_second else None,
            seed=seed,
            reuse=self.reuse,
        )

    def size_of(self, cell: Cell, size: Size) -> Size:
        """The size with the playouts per move of that cell."""
        return replace(size, playouts=max(1, round(cell.factor * size.playouts)))

    def findings(self, played: Sequence[Played]) -> Findings:
        """What the matches show, without remarks on how they ended."""
        known = [one for one in played if one.ours]
        notes = (note if isinstance(note, str) else note(known) for note in self.notes if known)
        return Findings(
            summary=(*self.tell(played), *_agreement(played)),
            tables=(self.table(played),),
            figures=(self.draw(played),) if self.draw and known else (),
            notes=tuple(filter(None, notes)),
        )

    def table(self, played: Sequence[Played]) -> Table:
        if self.columns:
            return Table.of("table", self.title, self.columns, played)
        title, published = self.title, {}
        if any(one.cell.published for one in played):
            title += ": published and ours"
            published = {"published": lambda one: one.cell.published}
        columns: Columns = {
            "": lambda one: one.cell.group,
            self.heading: lambda one: one.cell.at,
            **published,
            "ours": _with_the_papers_interval,
            "Wilson's interval": _wilson,
            **({"intervals meet": lambda one: one.meets} if published else {}),
            **COUNTS,
            **PLAYERS,
        }
        return Table.of("table", title, columns, played)


def _with_the_papers_interval(one: Played) -> Percent | None:
    score = one.result.score
    if score.percent is None or score.interval is None:
        return None
    return Percent.within(score.percent, score.interval)


def _wilson(one: Played) -> str | None:
    wilson = one.result.score.wilson
    return f"{wilson[0]:.1f} to {wilson[1]:.1f}" if wilson else None


@dataclass(frozen=True)
class MatchTables(Matches):
    """Tables by name; a name is part of a file's name, with - for spaces."""

    tables: Mapping[str, MatchTable]

    @property
    def cells(self) -> list[tuple[str, MatchTable, Cell]]:
        return [(name, table, cell) for name, table in self.tables.items() for cell in table.cells]

    @property
    def names(self) -> tuple[str, ...]:
        names = (_names_of(name, cell)[2::-1] for name, _, cell in self.cells)
        return tuple(dict.fromkeys(name for several in names for name in several if name))

    def cost(self, size: Size) -> float:
        return sum(
            size.games(*_names_of(name, cell)) * table.seconds_per_game(table.size_of(cell, size))
            for name, table, cell in self.cells
        )

    def play(self, context: ExperimentContext, size: Size) -> dict[str, list[Played]]:
        """The cells of each table and their matches, of that size, all played at once."""
        plans = [table.plan(cell, size, context.seed) for _, table, cell in self.cells]
        games = [size.games(*_names_of(name, cell)) for name, _, cell in self.cells]
        played: dict[str, list[Played]] = {name: [] for name in self.tables}
        results = context.matches(plans, games) if plans else []
        for (name, _, cell), result in zip(self.cells, results, strict=True):
            played[name].append(Played(cell, result))
        return played

    def run(self, context: ExperimentContext) -> Findings:
        played = self.play(context, context.size)
        return joined(
            *(_named(name, self.tables[name].findings(some)) for name, some in played.items()),
            notes=remarks([*chain(*played.values())], early=context.early),
        )


def _names_of(table: str, cell: Cell) -> tuple[str, str, str, str]:
    """By which names a cell can be given a number of games, the one that says most first."""
    whole = f"{table} {cell.name}".strip()
    return whole, f"{table} {cell.group}".strip(), table, cell.name


def _named(name: str, found: Findings) -> Findings:
    """The same with sentences, tables and figures that have the name of their table, if any."""
    if not name:
        return found
    file = name.replace(" ", "-")
    return replace(
        found,
        summary=tuple(f"{name}: {text}" for text in found.summary),
        tables=tuple(
            replace(table, name=f"{table.name}-{file}", title=f"{name}. {table.title}")
            for table in found.tables
        ),
        figures=tuple(replace(one, name=f"{one.name}-{file}") for one in found.figures),
    )


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


def remarks(played: Sequence[Played], *, early: bool) -> tuple[str, ...]:
    """What a reader of the scores should know about how the games ended."""
    results = [one.result for one in played]
    notes = []
    if early:
        stopped = sum(bool(result.verdict) for result in results)
        notes.append(
            f"{stopped} of {len(played)} cells were ended early by an SPRT (normalized Elo "
            "-30 against +30, alpha = beta = 0.05); their scores are biased away from 50 %, and "
            "their intervals, which are not adjusted for that, are too narrow."
        )
    limit = results[0].plan.resign if results else 0.0
    if limit:
        notes.append(
            f"A player resigns when its chosen move is worth less than {limit:g} % with all of its "
            f"95 % interval (Wilson's), {SEARCHES} times in a row."
        )
    for what, count in (
        ("repeat an earlier one move for move", sum(one.repeats for one in results)),
        ("were lost by forfeit", sum(one.forfeits for one in results)),
        ("were too long and count as draws", sum(one.unfinished for one in results)),
        ("were resigned", sum(one.resigned for one in results)),
    ):
        if count:
            notes.append(f"Games that {what}: {count:,}.")
    if any(one.judged for one in results):
        notes.append(f"{judged_in_words(results)}.")
    scores = [one.score for one in results]
    drawn = [100 * score.draws / score.games for score in scores if score.games]
    if drawn:
        notes.append(f"Draws: {min(drawn):.1f} to {max(drawn):.1f} % of a cell's games.")
    return tuple(notes)
