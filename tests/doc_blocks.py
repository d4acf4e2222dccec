"""The fenced blocks of the documentation's pages, and what they mean.

A block of Python with title="x.py" is that file, or with "x.py, continued" its next part. A block
"console" is a session: lines that begin with $ are commands, and below each is what it prints,
where ... stands for anything.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
_FENCE = re.compile(r"^```(\w+)(.*)\n((?:.*\n)*?)```$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    language: str
    title: str
    text: str


def blocks(page: str) -> list[Block]:
    found = []
    for language, options, text in _FENCE.findall((DOCS / page).read_text(encoding="utf-8")):
        title = re.search(r'title="(.+?)"', options)
        found.append(Block(language, title[1] if title else "", text))
    return found


def files(page: str) -> dict[str, str]:
    """The files that a page builds, by name."""
    built: dict[str, str] = {}
    for block in blocks(page):
        name = block.title.removesuffix(", continued")
        if name:
            assert (name in built) == (name != block.title), f"{page}: {block.title}"
            built[name] = f"{built[name]}\n\n{block.text}" if name in built else block.text
    return built


def sessions(page: str) -> list[tuple[str, str]]:
    """Each command with what the page says that it prints."""
    found = []
    for block in blocks(page):
        if block.language == "console":
            for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
                command, _, printed = part.partition("\n")
                found.append((command, printed))
    return found


def commands(page: str) -> list[str]:
    """Every command of uctlab in the blocks of a page."""
    lines = (line for block in blocks(page) for line in block.text.splitlines())
    return [line.removeprefix("$ ") for line in lines if re.match(r"(\$ )?uctlab ", line)]
