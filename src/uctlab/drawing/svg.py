"""Writes SVG elements as text; names and numbers are escaped, so that data never becomes markup."""

from __future__ import annotations

from html import escape

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
MONOSPACE = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
NO_BREAK = "\N{NO-BREAK SPACE}"
Value = str | float | None


def element(name: str, *children: str, **attributes: Value) -> str:
    """An element; `font_size=3` is font-size="3", `class_` is class, and None is left out."""
    facts = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_written(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(children)
    return f"<{name}{facts}>{inside}</{name}>" if inside else f"<{name}{facts}/>"


def text(words: str, x: float, y: float, **attributes: Value) -> str:
    """Text centred at a point.

    The baseline is set by hand: viewers other than browsers know no dominant-baseline.
    """
    size = attributes.get("font_size")
    drop = 0.36 * size if isinstance(size, int | float) else 0.0
    anchor = attributes.pop("text_anchor", "middle")
    return element(
        "text", plain(words), x=x, y=y + drop, text_anchor=anchor, font_family=FONT, **attributes
    )


def plain(words: str) -> str:
    """Escaped, in ASCII, and without the control characters that XML does not allow."""
    printable = "".join(c if c.isprintable() or c == NO_BREAK else " " for c in words)
    return escape(printable).encode("ascii", "xmlcharrefreplace").decode()


def _written(value: str | float) -> str:
    if isinstance(value, str):
        return plain(value)
    return f"{value:.2f}".rstrip("0").rstrip(".")
