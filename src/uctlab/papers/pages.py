"""The files of a report: `report.json`, figures, CSV tables, and the pages made from templates."""

from __future__ import annotations

import base64
import csv
import io
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from uctlab import __version__
from uctlab.atomic_files import replace_file
from uctlab.drawing.style import render_figure, render_svg
from uctlab.errors import UsageError
from uctlab.papers.report import FILE, Cell, Measured, Provenance, Report, Table, read_report
from uctlab.user_files import REPORT, read_file

TEMPLATES = Path(__file__).parent / "templates"
MARKDOWN, HTML = "report.md", "report.html"


def write_report(report: Report, folder: Path) -> Path:
    """Write all files, the Markdown page last, and return its path.

    Figures without `draw` and `svg` must be in the folder already: a report that was read from
    `report.json` gets new pages this way.
    """
    files = {f"{table.name}.csv": table_as_csv(table).encode() for table in report.tables}
    pictures = {}
    for figure in report.figures:
        if figure.svg:
            pictures[figure.name] = files[f"{figure.name}.svg"] = figure.svg.encode()
            continue
        if figure.draw is None:
            pictures[figure.name] = read_file(folder / f"{figure.name}.svg", REPORT)
            continue
        svg, png = render_figure(figure.draw, figure.caption, figure.size)
        pictures[figure.name] = files[f"{figure.name}.svg"] = svg
        files[f"{figure.name}.png"] = png
    text = _json_text(report)
    # The pages are made from what the file holds and from the version of this program.
    saved = Report.from_json(json.loads(text))
    files[FILE] = text.encode()
    files[HTML] = render_html(saved, pictures).encode()
    files[MARKDOWN] = render_markdown(saved).encode()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file_name, content in files.items():
            replace_file(folder / file_name, content)
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(f"cannot write the report to the folder {folder}: {reason}") from None
    return folder / MARKDOWN


def saved_page(folder: Path) -> str:
    """The HTML page of a saved report, from its `report.json` and the figures beside it."""
    report = read_report(folder / FILE)
    pictures = {
        figure.name: read_file(folder / f"{figure.name}.svg", REPORT) for figure in report.figures
    }
    return render_html(report, pictures)


def _json_text(report: Report) -> str:
    def from_numpy(value: Any) -> Any:
        """NumPy's numbers may be in the tables of a user's experiment."""
        if isinstance(value, np.generic):
            return value.item()
        raise TypeError(f"a report cannot contain {value!r}")

    facts = report.as_json()
    return (
        json.dumps(facts, indent=1, ensure_ascii=False, allow_nan=False, default=from_numpy) + "\n"
    )


def render_markdown(report: Report) -> str:
    return _environment().get_template("report.md.jinja").render(_facts(report))


def render_html(report: Report, pictures: Mapping[str, bytes]) -> str:
    """One page that loads nothing, since it contains its figures' SVG; also well-formed XML."""
    return _filled("report.html.jinja", report, pictures)


def render_html_body(report: Report) -> str:
    """What that page contains, for a notebook; figures that were read from files are left out."""
    drawn = tuple(figure for figure in report.figures if figure.draw is not None)
    pictures = {
        figure.name: render_svg(figure.draw, figure.caption, figure.size)
        for figure in drawn
        if figure.draw is not None
    }
    return _filled("report_body.html.jinja", replace(report, figures=drawn), pictures)


def _filled(template: str, report: Report, pictures: Mapping[str, bytes]) -> str:
    data = {name: base64.b64encode(svg).decode() for name, svg in pictures.items()}
    return _environment().get_template(template).render(_facts(report), pictures=data)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=lambda name: name is not None and name.endswith(".html.jinja"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "plain": _plain,
        "one_line": _one_line,
        "shown": _shown,
        "numeric_columns": _numeric_columns,
    }
    return environment


def _facts(report: Report) -> dict[str, Any]:
    return {
        "report": report,
        "made_by": report.provenance.made_by(__version__),
        "is_older": bool(report.provenance.older_than(__version__)),
        "provenance": _provenance_rows(report.provenance),
    }


def _provenance_rows(origin: Provenance) -> dict[str, str]:
    return {
        "command": origin.command,
        "budget": origin.budget,
        "seed": str(origin.seed),
        "version": f"uctlab {', and '.join(origin.versions)}",
        "machine": "; and ".join(origin.machines),
        "date": origin.date,
        "time": _time(origin),
    }


def _time(origin: Provenance) -> str:
    if origin.elapsed is not None:
        return f"{origin.elapsed:,.0f} s from the start to the last result, compiling included"
    return f"{origin.seconds:,.0f} s of search; games played together on a GPU share its time"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _plain(text: str) -> str:
    """One line of text, with everything escaped that Markdown would interpret."""
    return re.sub(r"([\\`*_\[\]<>|~#$&])", r"\\\1", _one_line(text))


def _shown(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        return f"{cell:,}"
    if isinstance(cell, float):
        return f"{cell:,.0f}" if abs(cell) >= 1000 else f"{cell:.4g}"
    return str(cell)


def _numeric_columns(table: Table) -> list[bool]:
    """Which columns contain only numbers, and are therefore aligned on the right."""
    columns = ([row[i] for row in table.rows] for i in range(len(table.columns)))
    known = ([cell for cell in column if cell is not None] for column in columns)
    return [bool(cells) and all(map(_is_number, cells)) for cells in known]


def _is_number(cell: Cell) -> bool:
    return isinstance(cell, int | float | Measured) and not isinstance(cell, bool)


def table_as_csv(table: Table) -> str:
    """Full precision; a percentage with an interval takes three columns."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    header, rows = table.plain()
    writer.writerow(header)
    for row in rows:
        writer.writerow(str(cell).lower() if isinstance(cell, bool) else cell for cell in row)
    return text.getvalue()
