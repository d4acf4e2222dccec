"""The report of an experiment as data, and as `report.json`, from which its pages are made.

`report.json` is one object:

    version     1, of this description
    title       of the experiment
    source      the paper: authors, title, year, which table
    summary     list of paragraphs, the answer first
    tables      list of {name, title, columns, rows}: `name` is that of the CSV file without its
                ending, `columns` is a list of headings, `rows` a list of lists of cells
    figures     list of {name, caption}: `name` is that of the SVG and PNG files without their
                ending; where a third key, `board`, is true, it is a board, without a PNG file
    notes       list of paragraphs: readings used, differences from the paper, what is missing
    sections    list of {title, shown, figure, seen, repeat}: parts of a report that has several;
                `figure` is the name of one of the figures, or empty; a file without sections has
                none
    next_steps  list of {command, what}: what a reader may try now; may be absent too
    provenance  {command, budget, seed, versions, machines, date, seconds}: what it takes to repeat
                the experiment; `date`, ISO 8601, is the day on which the last run that
                contributed began; `seconds` is the search time of all games or,
                without games, how long all runs together took; `elapsed`, which may be absent,
                is how long they took if there are both games and other searches

A cell is a string, a number, true, false, null (nothing to show), or a percentage: an object
{value, low, high}, where low and high are the ends of its 95 % interval, or null without one; a
fourth key, `unit`, is "Elo" where it is a difference in Elo instead.
A number that is not finite is the string "inf", "-inf" or "nan".
All text is plain: nothing in it is markup.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from uctlab.drawing.style import shown_figure
from uctlab.errors import UsageError
from uctlab.frames import make_frame
from uctlab.papers.measured import Elo, Measured, Percent
from uctlab.user_files import REPORT, read_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

__all__ = ["Elo", "Figure", "Measured", "NextStep", "Percent", "Report", "Section", "Table"]
Item = TypeVar("Item")
Made = TypeVar("Made")
VERSION = 1
OLDER = "What {old} measured has not been measured again with {release} and may be different now."
FILE = "report.json"
FILE_NAMES = "letters, digits and . _ + - behind a letter or digit"
"""Of which the names of parts, and so of files, consist."""


def is_file_name(text: str) -> bool:
    """Whether a file of that name is in the folder it is meant for, on every system."""
    return re.fullmatch(r"\w[\w.+-]{0,99}", text) is not None


Cell = str | int | float | bool | Percent | Elo | None


@dataclass(frozen=True)
class Table:
    name: str
    """Of its CSV file, without the ending."""
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    @classmethod
    def of(
        cls,
        name: str,
        title: str,
        columns: Mapping[str, Callable[[Item], Cell]],
        items: Iterable[Item],
    ) -> Table:
        """A row for each item; a column is a heading and what is below it for an item."""
        rows = (tuple(column(item) for column in columns.values()) for item in items)
        return cls(name, title, tuple(columns), tuple(rows))

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"table {self.name}: {row} does not fit {self.columns}")

    def plain(self) -> tuple[list[str], list[list[Any]]]:
        """Headings and rows of plain values: one with an interval takes three columns."""
        wide = [
            any(isinstance(cell, Measured) and cell.low is not None for cell in column)
            for column in zip(*self.rows, strict=True)
        ] or [False] * len(self.columns)
        header: list[str] = []
        for name, three in zip(self.columns, wide, strict=True):
            header += [name, f"{name} low", f"{name} high"][: 3 if three else 1]
        rows: list[list[Any]] = [[] for _ in self.rows]
        for line, row in zip(rows, self.rows, strict=True):
            for cell, three in zip(row, wide, strict=True):
                values: list[Any] = [cell, None, None]
                if isinstance(cell, Measured):
                    values = [cell.value, cell.low, cell.high]
                line.extend(values[: 3 if three else 1])
        return header, rows

    def to_frame(self) -> Any:
        """A pandas.DataFrame; a percentage with an interval takes three columns."""
        header, rows = self.plain()
        return make_frame((dict(zip(header, row, strict=True)) for row in rows), header)


@dataclass(frozen=True)
class Figure:
    name: str
    """Of its files, SVG and PNG, without the ending."""
    caption: str
    """Says what the figure shows, also to readers who cannot see it."""
    draw: Callable[[Canvas], None] | None = field(default=None, compare=False, repr=False)
    """None in a report that was read from a file: its figures are files already."""
    size: tuple[float, float] = field(default=(7.2, 4.2), compare=False, repr=False)
    """Width and height in inches; text is 8 to 11 points."""
    board: bool = False
    """Whether it is a board: SVG alone, in its own size."""
    svg: str = field(default="", compare=False, repr=False)
    """The picture itself where it is a board."""

    def plot(self) -> list[Axes]:
        """Draw it in a new figure of matplotlib, which notebooks show; returns its axes."""
        if self.draw is None:
            raise UsageError(f"{self.name} is a picture in a file: {self.name}.svg and .png")
        return shown_figure(self.draw, self.size).axes


Named = TypeVar("Named", Table, Figure)


@dataclass(frozen=True)
class Provenance:
    """What it takes to repeat an experiment."""

    command: str
    budget: str
    seed: int
    versions: tuple[str, ...]
    """Of uctlab, in the order in which they contributed results; likewise machines."""
    machines: tuple[str, ...]
    date: str
    """ISO 8601: the day on which the last run that contributed began."""
    seconds: float
    """Search time of all games; without games, how long all runs together took."""
    elapsed: float | None = None
    """How long all runs together took, of an experiment that has games and other searches."""

    @property
    def releases(self) -> tuple[str, ...]:
        """The versions without the digests of their sources, each once: 0.1.0, 0.2.0."""
        return tuple(dict.fromkeys(version.split()[0] for version in self.versions))

    def older_than(self, release: str) -> tuple[str, ...]:
        """Those of the releases that are older than the given one."""
        return tuple(one for one in self.releases if _numbers(one) < _numbers(release))

    def made_by(self, release: str) -> str:
        """Which version made the report and when, and what has not been repeated since."""
        made = f"Made by uctlab {' and '.join(self.releases)} on {self.date}."
        old = " and ".join(self.older_than(release))
        return made + (f" {OLDER.format(old=old, release=release)}" if old else "")


@dataclass(frozen=True)
class Section:
    """One part of a report that has several."""

    title: str
    shown: str
    """What was done, in one sentence."""
    figure: str = ""
    """The name of the report's figure that belongs here; empty if there is none."""
    seen: tuple[str, ...] = ()
    """What one sees in the numbers of this run: in one sentence, then with all of them, the
    published ones beside ours."""
    repeat: str = ""
    """The command that does this in full."""


@dataclass(frozen=True)
class NextStep:
    command: str
    what: str
    """What the command does, in a few words."""


@dataclass(frozen=True)
class Report:
    """The report of an experiment: what was found, tables, figures, and how to repeat it.

    All text is plain: nothing in it is Markdown or HTML. `reproduce` returns one.
    """

    title: str
    source: str
    """The paper: authors, title, year, which table."""
    summary: tuple[str, ...]
    """Paragraphs, the answer first."""
    tables: tuple[Table, ...]
    figures: tuple[Figure, ...]
    notes: tuple[str, ...]
    """Readings used, differences from the paper, what is missing."""
    provenance: Provenance
    sections: tuple[Section, ...] = ()
    next_steps: tuple[NextStep, ...] = ()

    @property
    def other_figures(self) -> tuple[Figure, ...]:
        """Those that belong to no section."""
        placed = {section.figure for section in self.sections}
        return tuple(figure for figure in self.figures if figure.name not in placed)

    def figure(self, name: str) -> Figure:
        return next(figure for figure in self.figures if figure.name == name)

    def __post_init__(self) -> None:
        for parts in (self.tables, self.figures):
            names = [part.name for part in parts]
            for name in names:
                if not is_file_name(name):
                    what = f"a table or figure cannot be named {name!r}"
                    raise UsageError(f"{what}; accepted: {FILE_NAMES}")
            if len(set(names)) < len(names):
                raise ValueError(f"two parts of a report share a file name: {', '.join(names)}")
        known = {"", *(figure.name for figure in self.figures)}
        for section in self.sections:
            if section.figure not in known:
                raise ValueError(f"section {section.title}: there is no figure {section.figure}")

    def to_frame(self, table: str = "") -> Any:
        """The table of that name as a pandas.DataFrame; without a name, the first."""
        return _named(self.tables, table, "table").to_frame()

    def to_frames(self) -> dict[str, Any]:
        """All tables as pandas.DataFrames, by name."""
        return {table.name: table.to_frame() for table in self.tables}

    def plot(self, figure: str = "") -> list[Axes]:
        """Draw the figure of that name; without a name, the first. Returns matplotlib's axes."""
        return _named(self.figures, figure, "figure").plot()

    def __str__(self) -> str:
        return "\n".join([self.title, *self.summary])

    def _repr_html_(self) -> str:
        from uctlab.papers.pages import render_html_body  # noqa: PLC0415 (it needs this class)

        return render_html_body(self)

    def as_json(self) -> dict[str, Any]:
        return {
            "version": VERSION,
            "title": self.title,
            "source": self.source,
            "summary": list(self.summary),
            "tables": [
                {
                    **{"name": table.name, "title": table.title, "columns": list(table.columns)},
                    "rows": [[cell_as_json(cell) for cell in row] for row in table.rows],
                }
                for table in self.tables
            ],
            "figures": [
                {"name": one.name, "caption": one.caption} | ({"board": True} if one.board else {})
                for one in self.figures
            ],
            "notes": list(self.notes),
            "sections": [asdict(section) for section in self.sections],
            "next_steps": [asdict(step) for step in self.next_steps],
            "provenance": asdict(self.provenance),
        }

    @classmethod
    def from_json(cls, facts: dict[str, Any]) -> Report:
        if facts["version"] != VERSION:
            raise ValueError(f"version {facts['version']}; this uctlab reads version {VERSION}")
        tables = (
            table | {"rows": [tuple(map(_cell_from_json, row)) for row in table["rows"]]}
            for table in facts["tables"]
        )
        return cls(
            title=facts["title"],
            source=facts["source"],
            summary=tuple(facts["summary"]),
            tables=tuple(_of_json(Table, table) for table in tables),
            figures=tuple(
                Figure(one["name"], one["caption"], board=one.get("board", False))
                for one in facts["figures"]
            ),
            notes=tuple(facts["notes"]),
            provenance=_of_json(Provenance, facts["provenance"]),
            sections=tuple(_of_json(Section, one) for one in facts.get("sections", ())),
            next_steps=tuple(_of_json(NextStep, one) for one in facts.get("next_steps", ())),
        )


def _of_json(kind: type[Made], facts: Mapping[str, Any]) -> Made:
    """An object with these fields; a list in JSON is a tuple here."""
    return kind(**{k: tuple(v) if isinstance(v, list) else v for k, v in facts.items()})


def _numbers(release: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", release)))


def _named(parts: tuple[Named, ...], name: str, what: str) -> Named:
    """The part of that name; without a name, the first."""
    for part in parts:
        if not name or part.name == name:
            return part
    known = ", ".join(part.name for part in parts) or "none"
    raise UsageError(f"the report has no {what} {name!r}; it has: {known}")


def read_report(path: Path) -> Report:
    """The report in a file `report.json`."""
    try:
        return Report.from_json(json.loads(read_text(path, REPORT, "the report")))
    except UsageError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise UsageError(f"{path} is not a report: {reason}") from None


def cell_as_json(cell: Cell) -> Any:
    if isinstance(cell, Measured):
        return asdict(cell) | ({"unit": "Elo"} if isinstance(cell, Elo) else {})
    if isinstance(cell, float) and not math.isfinite(cell):
        return str(cell)  # JSON has no infinity
    return cell


def _cell_from_json(cell: Any) -> Any:
    if isinstance(cell, dict):
        kind = Elo if cell.get("unit") == "Elo" else Percent
        return kind(cell["value"], cell["low"], cell["high"])
    return cell
