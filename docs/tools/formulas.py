"""Turns the formulas of a page from LaTeX into MathML, which browsers draw without any script."""

from __future__ import annotations

import html
import re

from latex2mathml.converter import convert

_FORMULA = re.compile(
    r'<span class="arithmatex">\\\((.*?)\\\)</span>'
    r'|<div class="arithmatex">\s*\\\[(.*?)\\\]\s*</div>',
    re.DOTALL,
)
THIN = '<mspace width="0.167em" />'


def with_mathml(page: str) -> str:
    """The same HTML with MathML in place of what pymdownx.arithmatex has marked."""
    return _FORMULA.sub(_mathml, page)


def _mathml(found: re.Match[str]) -> str:
    inline, block = found.groups()
    latex = html.unescape(inline if block is None else block).strip()
    text = convert(latex, display="inline" if block is None else "block")
    text = text.replace("<mi>ln</mi>", f"<mi>ln</mi>{THIN}")
    text = text.replace("<mi>&#x000B1;</mi>", "<mo>&#x000B1;</mo>")  # a sign has room around it
    return text if block is None else f'<div class="formula">{text}</div>'
