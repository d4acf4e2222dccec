"""Tables and boards as HTML for notebooks: plain elements, inline styles, everything escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from uctlab.drawing.svg import element, plain

CELL = "padding:2px 10px;text-align:"
SIDE_BY_SIDE = "display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start"


def table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], caption: str = "", texts: int = 1
) -> str:
    """A table whose first column names its rows; behind the first `texts` columns are numbers.

    Examples:
        >>> from uctlab.drawing.html import table
        >>> table(["move", "visits"], [["a1", "10"]]).startswith("<table")
        True
    """
    styles = [CELL + ("left" if place < texts else "right") for place in range(len(columns))]
    names = zip(columns, styles, strict=True)
    head = element("tr", *(element("th", plain(n), scope="col", style=style) for n, style in names))
    body = []
    for name, *cells in rows:
        first = element("th", plain(name), scope="row", style=styles[0])
        data = (
            f'<td style="{style}">{plain(cell)}</td>'
            for cell, style in zip(cells, styles[1:], strict=True)
        )
        body.append(element("tr", first, *data))
    style = "border-collapse:collapse;font-variant-numeric:tabular-nums"
    title = element("caption", plain(caption), style="text-align:left") if caption else ""
    return element("table", title, element("thead", head), element("tbody", *body), style=style)


def paragraphs(lines: Iterable[str]) -> str:
    """Lines of text, one below the other."""
    return "".join(element("p", plain(line), style="margin:4px 0") for line in lines)


def beside(*parts: str, below: Iterable[str] = ()) -> str:
    """Parts side by side, where there is room, and paragraphs of text below them."""
    blocks = [element("div", part) for part in parts if part]
    return element("div", element("div", *blocks, style=SIDE_BY_SIDE), paragraphs(below))
