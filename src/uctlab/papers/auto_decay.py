"""Automatic decay, auct(k=auto), against plain UCT beside fixed k: hashimoto2012's future work.

Every row's game is played by every column's agent against plain UCT; then automatic decay, plain
UCT and one fixed k search browne2013's position. What is asked is in `auto_decay_asked.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from uctlab.arena.statistics import Z95, Score
from uctlab.papers import browne2013, figures
from uctlab.papers.auto_decay_asked import (
    Scores,
    Verdict,
    averages,
    best_on_average,
    complete_rows,
    near_the_best,
    never_below,
    turns_sooner,
)
from uctlab.papers.experiment import (
    Experiment,
    ExperimentContext,
    Findings,
    Size,
    example_game,
)
from uctlab.papers.hashimoto2012 import PAPER
from uctlab.papers.match_table import COUNTS, Cell, MatchTable, MatchTables, Played, remarks
from uctlab.papers.problems import Choices
from uctlab.papers.report import Figure, Percent, Table
from uctlab.papers.shares import ends_told, quotient_interval

FULL = Size(repeats=2000, playouts=50_000)
AUTO, PLAIN = "k=auto", "uct"
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

    def table(self, columns: Mapping[str, str], opponent: str) -> MatchTable:
        factor = self.playouts / FULL.playouts
        return MatchTable(
            example_game(self.game) if self.example else self.game,
            tuple(
                Cell("", name, agent, opponent, factor=factor) for name, agent in columns.items()
            ),
            heading="column",
            seconds_per_game=lambda size: self.moves * (size.playouts / self.speed + 1e-3),
        )


@dataclass(frozen=True)
class DecayComparison:
    """All rows and columns, and the players of the position."""

    rows: tuple[Row, ...]
    columns: Mapping[str, str]
    """Agents by name; the first is automatic, the others have a fixed k."""
    opponent: str
    position: Mapping[str, str]
    """Likewise those that search the position, plain UCT among them."""

    def tables(self, only: Sequence[str] = ()) -> MatchTables:
        """One for each row, or for those that are named."""
        rows = [row for row in self.rows if not only or row.name in only]
        return MatchTables({row.name: row.table(self.columns, self.opponent) for row in rows})

    @property
    def names(self) -> tuple[str, ...]:
        """What --cell accepts: a row, a cell, a column, the searches of the position.

        The one that says most about a cell counts.
        """
        return (*self.tables().names, *self.columns, POSITION)

    @property
    def parts(self) -> tuple[str, ...]:
        """What --only accepts."""
        return (*(row.name for row in self.rows), POSITION)

    def position_size(self, size: Size) -> Size:
        """The number of searches per budget, 0 if the position is left out; the largest budget."""
        searches = dict(size.cells).get(POSITION, max(1, size.repeats // GAMES_PER_SEARCH))
        if size.only and POSITION not in size.only:
            searches = 0
        return Size(searches, max(1, POSITION_PLAYOUTS * size.playouts // FULL.playouts))

    def cost(self, size: Size) -> float:
        of_position = self.position_size(size)
        playouts = len(self.position) * of_position.repeats * sum(browne2013.epochs(of_position))
        games = self.tables(size.only).cost(size)
        return games + playouts / browne2013.SIMULATIONS_PER_SECOND

    def run(self, context: ExperimentContext) -> Findings:
        by_row = self.tables(context.size.only).play(context, context.size)
        played = [_titled(row, one) for row, some in by_row.items() for one in some]
        scores: dict[str, dict[str, Score]] = {one.cell.group: {} for one in played}
        for one in played:
            if one.ours:
                scores[one.cell.group][one.cell.at] = one.result.score
        size = self.position_size(context.size)
        chosen = browne2013.search_position(context, self.position, size)
        auto, *fixed = self.columns
        verdicts = []
        if played:
            verdicts += [
                never_below(scores, auto),
                best_on_average(scores, auto, fixed),
                near_the_best(scores, auto, fixed),
            ]
        if size.repeats:
            verdicts.append(_verdict_at_position(chosen))
        tables, drawn = [_asked_table(verdicts)], []
        if size.repeats:
            tables.append(_position_table(self.position, chosen))
        if played:
            averages_table = _average_table(scores, self.columns)
            tables = [self._score_table(scores), averages_table, *tables, _match_table(played)]
        if any(scores.values()):
            drawn.append(_figure(scores, self.opponent))
        if any(chosen.searches):
            title = "Who finds the winning move, and when"
            drawn.append(browne2013.curves_figure("position", title, chosen))
        return Findings(
            summary=(self._answer(verdicts), *map(str, verdicts)),
            tables=tuple(tables),
            figures=tuple(drawn),
            notes=(
                *self._notes(games=any(scores.values()), searches=size.repeats > 0),
                *remarks(played, early=context.early),
            ),
        )

    def _answer(self, verdicts: Sequence[Verdict]) -> str:
        words = Counter(verdict.word for verdict in verdicts)
        told = ", ".join(f"{words[word]} {word}" for word in ("reached", "missed", "not decided"))
        agent = next(iter(self.columns.values()))
        things = "1 thing that is" if len(verdicts) == 1 else f"{len(verdicts)} things that are"
        return f"Of {things} asked of {agent}: {told}."

    def _score_table(self, scores: Scores) -> Table:
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

    def _notes(self, *, games: bool, searches: bool) -> tuple[str, ...]:
        """On what was played and searched."""
        agents = ", ".join(self.columns.values())
        of_games = (
            f"Columns: {agents}. All play {self.opponent} with the same number of playouts per "
            "move; no tree is kept between moves; colours alternate. The settings behind k=auto "
            "are the same in all rows.",
            "Below uct: z is (wins - losses) / sqrt(wins + losses), which is normal for equals. "
            "The level of 5 % is divided by the number of rows (Bonferroni), so that an equal of "
            "uct misses the requirement in one of twenty tables, not in every third.",
            "Means are over the rows in which all columns have games; their standard errors are "
            "those of independent games.",
        )
        of_searches = (
            "The position is that of browne2013, with its exploration factor c = 0.354 and nodes "
            "that are expanded after one playout. Every search starts from nothing; the playouts "
            "from which on e is chosen in half of the searches are interpolated as in browne2013.",
        )
        return (*(of_games if games else ()), *(of_searches if searches else ()))


def _titled(row: str, one: Played) -> Played:
    """The cell with its row's game and the playouts per move of this run as its group."""
    game = row.rpartition("@")[0]
    return replace(one, cell=replace(one.cell, group=f"{game} @ {one.result.plan.playouts:,}"))


def _verdict_at_position(chosen: Choices) -> Verdict:
    found = {name: chosen.turn(name) for name in chosen.players}
    verdict = turns_sooner(
        {name: turn.playouts if turn else None for name, turn in found.items()},
        *(AUTO, PLAIN),
        horizon=chosen.budgets[-1],
        interval=quotient_interval(chosen.tallies(PLAIN), chosen.tallies(AUTO)),
    )
    if not any(chosen.searches):
        return replace(verdict, figures="No search was made.")
    told = ends_told(chosen.searches)
    return replace(verdict, figures=f"{verdict.figures} Searches per budget: {told}.")


def _position_table(players: Mapping[str, str], chosen: Choices) -> Table:
    table = browne2013.choices_table(players, chosen)
    return replace(table, name="position", title="browne2013's position: which move is chosen")


def _average_table(scores: Scores, columns: Mapping[str, str]) -> Table:
    return Table.of(
        "averages",
        f"Averages over {len(complete_rows(scores, tuple(columns)))} rows",
        {
            "agent": lambda found: columns[found[0]],
            "mean (%)": lambda found: round(found[1].mean, 2),
            "standard error": lambda found: round(found[1].error, 2),
            "above 50 % in standard errors": lambda found: (found[1].mean - 50) / found[1].error,
        },
        averages(scores, tuple(columns)).items(),
    )


def _asked_table(verdicts: Sequence[Verdict]) -> Table:
    rows = tuple((one.asked, one.word, one.figures) for one in verdicts)
    return Table("asked", "What is asked", ("asked", "verdict", "figures"), rows)


def _match_table(played: Sequence[Played]) -> Table:
    place = {
        "game @ playouts": lambda one: one.cell.group,
        "column": lambda one: one.cell.at,
    }
    return Table.of("matches", "All matches", place | dict(COUNTS), played)


def _figure(scores: Scores, opponent: str) -> Figure:
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
            figures.score_rows,
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
    {AUTO: "auct(k=auto,c=0.354)", PLAIN: "uct(c=0.354)", "k=4": "auct(k=4,c=0.354)"},
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
