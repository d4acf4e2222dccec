"""Automatic decay, auct(k=auto), against plain UCT beside fixed k: hashimoto2012's future work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from uctlab.arena.plan import MatchPlan
from uctlab.arena.statistics import Z95, Score
from uctlab.example_files import example_file
from uctlab.papers.auto_decay_asked import (
    Verdict,
    averages,
    best_on_average,
    complete_rows,
    near_the_best,
    never_below,
)
from uctlab.papers.auto_decay_position import PositionPart
from uctlab.papers.experiment import Experiment, ExperimentContext, Findings, Size
from uctlab.papers.hashimoto2012 import PAPER
from uctlab.papers.match_table import Cell, Played, remarks
from uctlab.papers.report import Figure, Percent, Table
from uctlab.papers.score_rows import score_rows

FULL = Size(repeats=2000, playouts=50_000)
AUTO = "k=auto"
POSITION = "browne2013"
GAMES_PER_SEARCH = 4  # of the position
POSITION_PLAYOUTS = 1_024_000  # the largest budget of browne2013, in the full size


@dataclass(frozen=True)
class Row:
    """A game with a number of playouts."""

    game: str
    playouts: int
    """Per move, in the full size; other sizes change all rows in proportion."""
    speed: float
    """Simulations per second on one core, and `moves` of a game, for estimates."""
    moves: float
    example: bool = False
    """Whether the game is one of the examples that ship with uctlab."""

    @property
    def name(self) -> str:
        """For --cell."""
        return f"{self.game}@{self.playouts}"

    @property
    def spec(self) -> str:
        if not self.example:
            return self.game
        path, here = example_file(self.game), Path.cwd()
        # Without folders of this machine where possible: the store has it in its keys.
        return str(path.relative_to(here) if path.is_relative_to(here) else path)

    def budget(self, size: Size) -> int:
        return max(1, round(self.playouts * size.playouts / FULL.playouts))

    def title(self, size: Size) -> str:
        return f"{self.game} @ {self.budget(size):,}"


@dataclass(frozen=True)
class DecayComparison:
    """Each row's game is played by every column's agent against plain UCT."""

    rows: tuple[Row, ...]
    columns: Mapping[str, str]
    """Agents by name; the first is automatic, the others have a fixed k."""
    opponent: str
    position: PositionPart

    @property
    def names(self) -> tuple[str, ...]:
        """What --cell accepts: a row, a column, one cell, the searches of the position.

        The one that says most about a cell counts.
        """
        rows = [row.name for row in self.rows]
        cells = [f"{row} {column}" for row in rows for column in self.columns]
        return (*rows, *self.columns, *cells, POSITION)

    @property
    def parts(self) -> tuple[str, ...]:
        """What --only accepts."""
        return (*(row.name for row in self.rows), POSITION)

    def games(self, size: Size, row: Row, column: str) -> int:
        return size.games(f"{row.name} {column}", row.name, column)

    def chosen_rows(self, size: Size) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if not size.only or row.name in size.only)

    def position_size(self, size: Size) -> Size:
        """With 0 searches if the position is left out."""
        searches = dict(size.cells).get(POSITION, max(1, size.repeats // GAMES_PER_SEARCH))
        if size.only and POSITION not in size.only:
            searches = 0
        return Size(searches, max(1, POSITION_PLAYOUTS * size.playouts // FULL.playouts))

    def cost(self, size: Size) -> float:
        games = sum(
            self.games(size, row, column) * row.moves * (row.budget(size) / row.speed + 1e-3)
            for row in self.chosen_rows(size)
            for column in self.columns
        )
        return games + self.position.cost(self.position_size(size))

    def run(self, context: ExperimentContext) -> Findings:
        size = context.size
        played = self._play(context)
        scores = {
            row.title(size): {
                one.cell.at: one.result.score for one in played[row] if one.result.score.games
            }
            for row in played
        }
        at_position = self.position.run(context, self.position_size(size))
        auto, *fixed = self.columns
        verdicts = (
            never_below(scores, auto),
            best_on_average(scores, auto, fixed),
            near_the_best(scores, auto, fixed),
            at_position.verdict,
        )
        every = [one for some in played.values() for one in some]
        return Findings(
            summary=(self._answer(verdicts), *map(str, verdicts)),
            tables=(
                *(
                    (self._score_table(scores), _average_table(scores, self.columns))
                    if every
                    else ()
                ),
                _asked_table(verdicts),
                *((at_position.table,) if at_position.searches else ()),
                *((_match_table(every),) if every else ()),
            ),
            figures=(
                *((_figure(scores, self.opponent),) if any(scores.values()) else ()),
                *((at_position.figure,) if at_position.figure else ()),
            ),
            notes=(*self._notes(), *remarks(every, early=context.early)),
        )

    def _play(self, context: ExperimentContext) -> dict[Row, list[Played]]:
        """All matches at once, which a GPU needs."""
        size = context.size
        rows = self.chosen_rows(size)
        cells = [
            (row, Cell(row.title(size), column, agent, self.opponent, None))
            for row in rows
            for column, agent in self.columns.items()
        ]
        plans = [
            MatchPlan(row.spec, cell.a, cell.b, playouts=row.budget(size), seed=context.seed)
            for row, cell in cells
        ]
        games = [self.games(size, row, cell.at) for row, cell in cells]
        results = context.matches(plans, games) if plans else []
        played: dict[Row, list[Played]] = {row: [] for row in rows}
        for (row, cell), result in zip(cells, results, strict=True):
            played[row].append(Played(cell, result))
        return played

    def _answer(self, verdicts: Sequence[Verdict]) -> str:
        words = Counter(verdict.word for verdict in verdicts)
        told = ", ".join(f"{words[word]} {word}" for word in ("reached", "missed", "not decided"))
        agent = next(iter(self.columns.values()))
        return f"Of {len(verdicts)} things that are asked of {agent}: {told}."

    def _score_table(self, scores: Mapping[str, Mapping[str, Score]]) -> Table:
        rows: list[tuple[str | Percent | None, ...]] = [
            (row, *(Percent.of(cells[c]) if c in cells else None for c in self.columns))
            for row, cells in scores.items()
        ]
        means = averages(scores, tuple(self.columns))
        if means:
            count = len(complete_rows(scores, tuple(self.columns)))
            shares = (Percent.within(one.mean, Z95 * one.error) for one in means.values())
            rows.append((f"mean of {count}", *shares))
        title = f"Score against {self.opponent} in %, draws as half, with Wilson's 95 % intervals"
        return Table("scores", title, ("game @ playouts", *self.columns), tuple(rows))

    def _notes(self) -> tuple[str, ...]:
        agents = ", ".join(self.columns.values())
        return (
            f"Columns: {agents}. All play {self.opponent} with the same number of playouts per "
            "move; no tree is kept between moves; colours alternate. The settings behind k=auto "
            "are the same in all rows.",
            "Below uct: z is (wins - losses) / sqrt(wins + losses), which is normal for equals. "
            "The level of 5 % is divided by the number of rows (Bonferroni), so that an equal of "
            "uct misses the requirement in one of twenty tables, not in every third.",
            "Means are over the rows in which all columns have games; their standard errors are "
            "those of independent games.",
            "The position is that of browne2013, with its exploration factor c = 0.354 and nodes "
            "that are expanded after one playout. Every search starts from nothing; the playouts "
            "from which on e is chosen in half of the searches are interpolated as in browne2013.",
        )


def _average_table(scores: Mapping[str, Mapping[str, Score]], columns: Mapping[str, str]) -> Table:
    rows = tuple(
        (columns[name], round(one.mean, 2), round(one.error, 2), (one.mean - 50) / one.error)
        for name, one in averages(scores, tuple(columns)).items()
    )
    title = f"Averages over {len(complete_rows(scores, tuple(columns)))} rows"
    headings = ("agent", "mean (%)", "standard error", "above 50 % in standard errors")
    return Table("averages", title, headings, rows)


def _asked_table(verdicts: Sequence[Verdict]) -> Table:
    rows = tuple((one.asked, one.word, one.figures) for one in verdicts)
    return Table("asked", "What is asked", ("asked", "verdict", "figures"), rows)


def _match_table(played: Sequence[Played]) -> Table:
    rows = []
    for one in played:
        score = one.result.score
        counts = (score.games, score.wins, score.draws, score.losses)
        rows.append((one.cell.group, one.cell.at, *counts, round(one.result.length, 1)))
    headings = ("game @ playouts", "column", "games", "won", "drawn", "lost", "mean length")
    return Table("matches", "All matches", headings, tuple(rows))


def _figure(scores: Mapping[str, Mapping[str, Score]], opponent: str) -> Figure:
    shares = {
        row: {name: share for name, score in cells.items() if (share := Percent.of(score))}
        for row, cells in scores.items()
        if cells
    }
    return Figure(
        "scores",
        f"Score against {opponent} by game and playouts per move, for automatic decay and for "
        "fixed k. Bars are 95 % intervals; right of the dashed line is better than plain UCT.",
        partial(
            score_rows,
            scores=shares,
            title="Accelerated UCT with automatic and with fixed decay",
            axis=f"score against {opponent} (%)",
        ),
        size=(7.2, 1.6 + 0.62 * len(shares)),
    )


ROWS = (
    Row("othello", 2_000, 420_000, 60),
    Row("othello", 10_000, 420_000, 60),
    Row("othello", 50_000, 420_000, 60),
    Row("havannah:5", 10_000, 500_000, 26),
    Row("hex:7", 10_000, 700_000, 36),
    Row("hex:11", 10_000, 300_000, 90),
    Row("connect_four", 10_000, 1_000_000, 35, example=True),
    Row("kalah", 10_000, 500_000, 40),
    Row("go:9", 2_000, 30_000, 110),
)
FIXED = (2, 3, 4, 5)
TABLE = DecayComparison(
    ROWS,
    {AUTO: "auct(k=auto,expand=10)"} | {f"k={k}": f"auct(k={k},expand=10)" for k in FIXED},
    "uct(expand=10)",
    PositionPart(
        {AUTO: "auct(k=auto,c=0.354)", "uct": "uct(c=0.354)", "k=4": "auct(k=4,c=0.354)"},
        auto=AUTO,
        plain="uct",
    ),
)

EXPERIMENTS = (
    Experiment(
        id="auto-decay",
        title="Automatic decay: does Accelerated UCT need a k that is tuned by hand?",
        source=f"{PAPER}, future work: a decay that is found automatically.",
        quick=Size(repeats=40, playouts=2500),
        full=FULL,
        run=TABLE.run,
        cost=TABLE.cost,
        cells=TABLE.names,
        parts=TABLE.parts,
    ),
)
