"""Tables and boards as HTML for notebooks: plain elements, inline styles, everything escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from uctlab.drawing.svg import element, plain

CELL = "padding:2px 10px;text-align:right"
SIDE_BY_SIDE = "display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start"


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], caption: str = "") -> str:
    """A table whose first column names the rows.

    Example:
        >>> from uctlab.drawing.html import table
        >>> table(["move", "visits"], [["a1", "10"]]).startswith("<table")
        True
    """
    head = element("tr", *(element("th", plain(name), scope="col", style=CELL) for name in columns))
    body = []
    for name, *cells in rows:
        data = (f'<td style="{CELL}">{plain(cell)}</td>' for cell in cells)
        body.append(element("tr", element("th", plain(name), scope="row", style=CELL), *data))
    style = "border-collapse:collapse;font-variant-numeric:tabular-nums"
    title = element("caption", plain(caption), style="text-align:left") if caption else ""
    return element("table", title, element("thead", head), element("tbody", *body), style=style)


def beside(*parts: str, below: Iterable[str] = ()) -> str:
    """Parts side by side, where there is room, and paragraphs of text below them."""
    blocks = [element("div", part) for part in parts if part]
    lines = (element("p", plain(line), style="margin:4px 0") for line in below)
    return element("div", element("div", *blocks, style=SIDE_BY_SIDE), *lines)
