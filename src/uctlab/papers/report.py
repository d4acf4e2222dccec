"""A report of an experiment: one page as Markdown and as HTML, figures, and CSV with all digits."""

from __future__ import annotations

import base64
import csv
import io
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from uctlab.arena.statistics import Score
from uctlab.errors import UsageError

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas


@dataclass(frozen=True)
class Percent:
    """A share of 0 to 100 with its 95 % interval, where it has one."""

    value: float
    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        if (self.low is None) != (self.high is None):
            raise ValueError(f"an interval has two ends, not {self.low} and {self.high}")

    @classmethod
    def within(cls, value: float, margin: float) -> Percent:
        """As papers write it: value +- margin."""
        return cls(value, max(0.0, value - margin), min(100.0, value + margin))

    @classmethod
    def of(cls, score: Score) -> Percent | None:
        """A score with Wilson's interval, which says something even at 0 and 100 %."""
        if score.percent is None or score.wilson is None:
            return None
        return cls(score.percent, *score.wilson)

    def overlaps(self, other: Percent) -> bool:
        """Whether the two intervals have a point in common; no interval counts as a point."""
        return self._low <= other._high and other._low <= self._high

    @property
    def _low(self) -> float:
        return self.value if self.low is None else self.low

    @property
    def _high(self) -> float:
        return self.value if self.high is None else self.high

    def __str__(self) -> str:
        if self.low is None:
            return f"{self.value:.1f} %"
        below, above = self.value - self._low, self._high - self.value
        if abs(above - below) < 0.2:  # each end is then true to a tenth
            return f"{self.value:.1f} ± {(above + below) / 2:.1f} %"
        return f"{self.value:.1f} % ({self._low:.1f} to {self._high:.1f})"


Cell = str | int | float | bool | Percent | None


@dataclass(frozen=True)
class Table:
    name: str
    """Of its CSV file, without the ending."""
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"table {self.name}: {row} does not fit {self.columns}")


@dataclass(frozen=True)
class Figure:
    name: str
    """Of its SVG and PNG files, without the ending."""
    caption: str
    """Says what is seen, for those too who do not see it."""
    draw: Callable[[Canvas], None]
    size: tuple[float, float] = (7.2, 4.2)
    """Width and height in inches; text has 8 to 11 points."""


@dataclass(frozen=True)
class Report:
    """Everything in it is plain text: nothing is taken for Markdown or HTML."""

    title: str
    source: str
    """The paper: authors, title, year, which table."""
    summary: tuple[str, ...]
    """Paragraphs, the answer first."""
    tables: tuple[Table, ...]
    figures: tuple[Figure, ...]
    notes: tuple[str, ...]
    """Readings used, what differs from the paper, what is missing."""
    facts: Mapping[str, str]
    """What repeats it: command, seed, version, machine, date, budget."""

    def __post_init__(self) -> None:
        for parts in (self.tables, self.figures):
            names = [part.name for part in parts]
            if len(set(names)) < len(names):
                raise ValueError(f"two parts of a report share a file name: {', '.join(names)}")


def write_report(report: Report, folder: Path) -> Path:
    """Write all files, the Markdown page last, and return its path."""
    images = {figure.name: _render(figure) for figure in report.figures}
    files = {f"{table.name}.csv": _csv(table).encode() for table in report.tables}
    for name, (svg, png) in images.items():
        files[f"{name}.svg"] = svg
        files[f"{name}.png"] = png
    pictures = {name: svg for name, (svg, _) in images.items()}
    files["report.html"] = _html(report, pictures).encode()
    files["report.md"] = _markdown(report).encode()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file_name, content in files.items():
            _write(folder / file_name, content)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(f"cannot write the report to the folder {folder}: {reason}") from None
    return folder / "report.md"


def _write(path: Path, content: bytes) -> None:
    """All of it or nothing: a reader never meets half a file."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


# Figures

STYLE = {
    "font.family": "DejaVu Sans",  # comes with matplotlib: the same on every machine
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelcolor": "#333333",
    "axes.edgecolor": "#777777",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "xtick.color": "#777777",
    "ytick.color": "#777777",
    "xtick.labelcolor": "#333333",
    "ytick.labelcolor": "#333333",
    "grid.color": "#e6e6e6",
    "legend.frameon": False,
    "savefig.dpi": 200,
    "svg.hashsalt": "uctlab",  # else names inside the file are random
    "svg.fonttype": "path",
}


def _render(figure: Figure) -> tuple[bytes, bytes]:
    """The figure as SVG and as PNG, the same bytes every time."""
    import matplotlib.figure  # noqa: PLC0415 - slow to load
    import matplotlib.style  # noqa: PLC0415

    svg, png = io.BytesIO(), io.BytesIO()
    # The user's own settings of matplotlib must not show.
    with matplotlib.style.context(["default", STYLE]):
        canvas = matplotlib.figure.Figure(figsize=figure.size, layout="constrained")
        figure.draw(canvas)
        # `None` leaves out the date and the version of matplotlib.
        facts = {"Title": figure.caption, "Date": None, "Creator": None}
        canvas.savefig(svg, format="svg", metadata=facts)
        canvas.savefig(png, format="png", metadata={"Software": None})
    return svg.getvalue(), png.getvalue()


# Cells


def _shown(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        return f"{cell:,}"
    if isinstance(cell, float):
        return f"{cell:,.0f}" if 1000 <= abs(cell) < float("inf") else f"{cell:.4g}"
    return str(cell)


def _numeric(table: Table, column: int) -> bool:
    """Whether a column has nothing but numbers, which stand at the right."""
    cells = [row[column] for row in table.rows if row[column] is not None]
    return bool(cells) and all(
        isinstance(cell, int | float | Percent) and not isinstance(cell, bool) for cell in cells
    )


def _csv(table: Table) -> str:
    """Full precision; a share with an interval takes three columns."""
    wide = [
        any(isinstance(cell, Percent) and cell.low is not None for cell in column)
        for column in zip(*table.rows, strict=True)
    ] or [False] * len(table.columns)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    header: list[str] = []
    for name, three in zip(table.columns, wide, strict=True):
        header += [name, f"{name} low", f"{name} high"] if three else [name]
    writer.writerow(header)
    for row in table.rows:
        line: list[object] = []
        for cell, three in zip(row, wide, strict=True):
            if isinstance(cell, Percent):
                line += [cell.value, cell.low, cell.high] if three else [cell.value]
            else:
                value = str(cell).lower() if isinstance(cell, bool) else cell
                line += [value, None, None] if three else [value]
        writer.writerow(line)
    return text.getvalue()


# Markdown


def _plain(text: str) -> str:
    """Text in one line in which Markdown finds nothing to do."""
    return re.sub(r"([\\`*_\[\]<>|~#$&])", r"\\\1", " ".join(text.split()))


def _markdown(report: Report) -> str:
    lines = [f"# {_plain(report.title)}", "", _plain(report.source), ""]
    for paragraph in report.summary:
        lines += [_plain(paragraph), ""]
    for figure in report.figures:
        caption = _plain(figure.caption)
        lines += [f"![{caption}]({figure.name}.svg)", "", caption, ""]
    for table in report.tables:
        lines += [f"## {_plain(table.title)}", ""]
        lines.append(_line(_plain(name) for name in table.columns))
        marks = ("---:" if _numeric(table, i) else "---" for i in range(len(table.columns)))
        lines.append(_line(marks))
        lines += [_line(_plain(_shown(cell)) for cell in row) for row in table.rows]
        lines += ["", f"All digits: [{_plain(table.name)}.csv]({table.name}.csv)", ""]
    if report.notes:
        lines += ["## Notes", "", *(f"- {_plain(note)}" for note in report.notes), ""]
    # A block of code, so that the command can be copied as it is.
    width = max((len(name) for name in report.facts), default=0)
    facts = [f"{name:<{width}}  {' '.join(text.split())}" for name, text in report.facts.items()]
    lines += ["## How to repeat it", "", "```text", *facts, "```"]
    return "\n".join(lines) + "\n"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


# HTML

_PAGE_STYLE = """
:root { color-scheme: light dark; --ink: #1b1b1b; --soft: #5a5a5a; --line: #d8d8d8; --page: #fff;
  --stripe: #f5f6f8; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e8e8; --soft: #a8a8a8; --line: #3c3f44; --page: #17191c; --stripe: #1f2226; } }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: break-word; }
main { max-width: 48rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .4rem; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; }
.source, figcaption { color: var(--soft); }
figure { margin: 2rem 0; }
figcaption { font-size: .9rem; margin-top: .5rem; }
.scroll { overflow-x: auto; }
.picture { background: #fff; border: 1px solid var(--line); border-radius: 6px; }
.picture img { display: block; width: 100%; min-width: 36rem; height: auto; }
table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .8rem; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top; }
thead th { border-bottom: 2px solid var(--soft); }
tbody tr:nth-child(even) { background: var(--stripe); }
.number { text-align: right; white-space: nowrap; }
.facts { width: 100%; }
code { font: .88rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
"""


def _html(report: Report, pictures: Mapping[str, bytes]) -> str:
    """One page that loads nothing; also well-formed XML."""
    parts = [f"<h1>{escape(report.title)}</h1>", f'<p class="source">{escape(report.source)}</p>']
    parts += [f"<p>{escape(paragraph)}</p>" for paragraph in report.summary]
    for figure in report.figures:
        caption = escape(figure.caption)
        data = base64.b64encode(pictures[figure.name]).decode()
        parts += [
            '<figure><div class="scroll picture" tabindex="0">',
            f'<img alt="{caption}" src="data:image/svg+xml;base64,{data}" />',
            f"</div><figcaption>{caption}</figcaption></figure>",
        ]
    for table in report.tables:
        parts += [f"<h2>{escape(table.title)}</h2>", _html_table(table)]
    if report.notes:
        items = "".join(f"<li>{escape(note)}</li>\n" for note in report.notes)
        parts += ["<h2>Notes</h2>", f"<ul>\n{items}</ul>"]
    facts = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td><code>{escape(text)}</code></td></tr>\n'
        for name, text in report.facts.items()
    )
    parts += ["<h2>How to repeat it</h2>", f'<table class="facts"><tbody>\n{facts}</tbody></table>']
    body = "\n".join(parts)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>{escape(report.title)}</title>
<style>{_PAGE_STYLE}</style>
</head>
<body><main>
{body}
</main></body>
</html>
"""


def _html_table(table: Table) -> str:
    kinds = [
        ' class="number"' if _numeric(table, column) else "" for column in range(len(table.columns))
    ]
    header = "".join(
        f'<th scope="col"{kind}>{escape(name)}</th>'
        for kind, name in zip(kinds, table.columns, strict=True)
    )
    rows = "\n".join(
        "<tr>"
        + "".join(
            f"<td{kind}>{escape(_shown(cell))}</td>" for kind, cell in zip(kinds, row, strict=True)
        )
        + "</tr>"
        for row in table.rows
    )
    return (
        f'<div class="scroll" tabindex="0"><table><thead><tr>{header}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody></table></div>"
    )
