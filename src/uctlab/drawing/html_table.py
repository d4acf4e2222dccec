"""Tables in HTML, as notebooks show results; all text is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

RIGHT = ' style="text-align: right"'


def html_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    caption: str = "",
    texts: int = 1,
) -> str:
    """A table whose first column names its rows; behind the first `texts` columns are numbers."""
    head = "".join(
        f'<th scope="col"{"" if place < texts else RIGHT}>{escape(name)}</th>'
        for place, name in enumerate(columns)
    )
    body = "\n".join(f"<tr>{_cells(row, texts)}</tr>" for row in rows)
    title = f'<caption style="text-align: left">{escape(caption)}</caption>\n' if caption else ""
    return f"<table>\n{title}<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def _cells(row: Sequence[str], texts: int) -> str:
    first, *others = row
    cells = (
        f"<td{'' if place < texts else RIGHT}>{escape(cell)}</td>"
        for place, cell in enumerate(others, 1)
    )
    return f'<th scope="row" style="text-align: left">{escape(first)}</th>{"".join(cells)}'


def html_lines(lines: Iterable[str]) -> str:
    """Paragraphs of plain text."""
    return "".join(f"\n<p>{escape(line)}</p>" for line in lines)
