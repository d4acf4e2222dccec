"""A font for formulas, cut down to what pages need: with none, a browser draws roots too small.

It is STIX Two Math (SIL Open Font License), which the package ziamath brings.
"""

from __future__ import annotations

import io
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from fontTools import subset

CHARACTERS = (
    *range(0x20, 0x7F),
    *(0xAF, 0xB1, 0xB7, 0xBD, 0xD7, 0x302, 0x305, 0x2026, 0x203E, 0x2061, 0x210E),
    *range(0x391, 0x3CA),  # Greek
    *range(0x2190, 0x2194),  # arrows
    *range(0x2200, 0x2300),  # operators
    *range(0x1D434, 0x1D468),  # italic letters, to which browsers turn single ones
    *range(0x1D6E2, 0x1D71C),  # italic Greek
)


@lru_cache
def math_font() -> bytes:
    """The font as a WOFF file; making it takes a second or two."""
    package = find_spec("ziamath")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("the font for formulas needs the package ziamath")
    options = subset.Options(flavor="woff", layout_features=["*"], notdef_outline=True)
    path = Path(package.origin).parent / "fonts" / "STIXTwoMath-Regular.ttf"
    font = subset.load_font(str(path), options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=CHARACTERS)
    cutter.subset(font)
    written = io.BytesIO()
    subset.save_font(font, written, options)
    return written.getvalue()
