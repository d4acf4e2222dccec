"""The API reference: what `uctlab` exports, in the groups of its docstring."""

from __future__ import annotations

import re

import uctlab


def reference() -> str:
    """A heading for each group and its names, as mkdocstrings takes them."""
    parts = []
    for title, names in groups().items():
        parts += [f"## {title}", *map(_entry, names)]
    return "\n\n".join(parts)


def groups() -> dict[str, list[str]]:
    """The public names by the headings under which the docstring of uctlab lists them."""
    found: dict[str, list[str]] = {}
    names: list[str] = []
    for line in (uctlab.__doc__ or "").splitlines():
        if line and not line.startswith(" "):
            names = found.setdefault(line, [])
        else:
            names += [name for name in re.findall(r"\w+", line) if name in uctlab.__all__]
    listed = {title: list(dict.fromkeys(names)) for title, names in found.items()}
    listed = {title: names for title, names in listed.items() if names and title[-1].isalpha()}
    missing = {*uctlab.__all__} - {name for names in listed.values() for name in names}
    if missing:
        raise ValueError(f"the docstring of uctlab lists no {', '.join(sorted(missing))}")
    return listed


def _entry(name: str) -> str:
    what = getattr(uctlab, name)
    place = f"{what.__module__}.{what.__qualname__}"
    return f"::: {place}\n    options:\n      heading: {name}\n      toc_label: {name}\n"
