"""The pages and tables of the papers, made from results/*/report.json."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from code_tables import table

from uctlab import __version__
from uctlab.papers.pages import render_markdown
from uctlab.papers.report import Cell, Report, read_report

RESULTS = Path(__file__).parents[2] / "results"
DETAILS = {"Wilson's interval", "won", "drawn", "lost", "mean length", "one thread", "A", "B"}
"""Columns that the short form of a table leaves out, besides speeds."""


def folders() -> list[Path]:
    """The folders of results, in the order of their names; quick runs are nobody's but yours."""
    found = (path.parent for path in RESULTS.glob("*/report.md"))
    return sorted(folder for folder in found if not folder.name.endswith("-quick"))


def page_of(folder: Path) -> str:
    """A report as a page: from its data, or as it was written where there are none."""
    if (folder / "report.json").exists():
        text = render_markdown(read_report(folder / "report.json"))
    else:
        text = (folder / "report.md").read_text(encoding="utf-8")
    # A caption stands below each figure; a second copy would only make the page longer.
    return re.sub(r"!\[.*\]\((.*?)\.svg\)", r"![](\1.svg)", text)


def attachments(folder: Path) -> Iterator[Path]:
    """The files that the page of a report shows or offers."""
    yield from (*folder.glob("*.svg"), *folder.glob("*.csv"))


def title_of(folder: Path) -> str:
    first = (folder / "report.md").read_text(encoding="utf-8").partition("\n")[0]
    return first.removeprefix("# ")


def beside(name: str, which: str = "") -> str:
    """The short form of a report's table: which cell, published, ours, games."""
    report = read_report(RESULTS / name / "report.json")
    first = next(one for one in report.tables if not which or one.name == which)
    places = [
        at
        for at, column in enumerate(first.columns)
        if column not in DETAILS
        and "/s" not in column
        and any(row[at] not in ("", None) for row in first.rows)
    ]
    rows = ([_shown(row[at]) for at in places] for row in first.rows)
    return _dated(table([first.columns[at] for at in places], rows), report)


def summary(name: str) -> str:
    """What a report says first."""
    report = read_report(RESULTS / name / "report.json")
    return _dated("\n\n".join(_escaped(paragraph) for paragraph in report.summary), report)


def figure(name: str, which: str) -> str:
    """A figure of a report with its caption."""
    report = read_report(RESULTS / name / "report.json")
    (caption,) = (one.caption for one in report.figures if one.name == which)
    alt = caption.replace("]", ")").replace("[", "(")
    return _dated(f"![{alt}]({name}/{which}.svg)\n\n*{_escaped(caption)}*", report)


def all_reports() -> str:
    """Each with the version that made it."""
    return "\n".join(
        f"- [{_escaped(title_of(one))}]({one.name}/report.md), by uctlab {releases_of(one)}"
        for one in folders()
    )


def releases_of(folder: Path) -> str:
    """Which versions made a report, as its heading says; also where a person wrote the page."""
    text = (folder / "report.md").read_text(encoding="utf-8")
    (releases,) = re.findall(r"^\**Made by uctlab ([0-9. and]+) on ", text, re.MULTILINE)
    return str(releases)


def _dated(part: str, report: Report) -> str:
    """A part of a report, with a line below it where an older version made the report."""
    made = report.provenance
    return f"{part}\n\n*{made.made_by(__version__)}*" if made.older_than(__version__) else part


def _shown(cell: Cell) -> str:
    if isinstance(cell, bool):
        return "yes" if cell else "**no**"
    if cell is None:
        return ""
    if isinstance(cell, int):
        return f"{cell:,}"
    if isinstance(cell, float):
        return f"{cell:.4g}"
    return _escaped(str(cell))


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_|<$])", r"\\\1", text)
