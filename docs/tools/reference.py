"""The API reference: what `uctlab` exports, each name where it is defined."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import uctlab

WITHOUT_A_LIST = ("search", "match")
"""What a version of uctlab without `__all__` is for."""


def exported() -> list[str]:
    return list(getattr(uctlab, "__all__", WITHOUT_A_LIST))


def reference() -> str:
    """Functions first, then classes, as mkdocstrings takes them."""
    functions, classes, others = [], [], []
    for name in exported():
        what = getattr(uctlab, name)
        if inspect.ismodule(what) or name.startswith("__"):
            continue
        if inspect.isclass(what):
            classes.append(_entry(name, what))
        elif callable(what) and hasattr(what, "__qualname__"):
            functions.append(_entry(name, what))
        else:
            others.append(f"- `uctlab.{name}`: `{what!r}`")
    return "\n\n".join(_sections(Functions=functions, Classes=classes, Constants=others))


def _entry(name: str, what: object) -> str:
    place = f"{what.__module__}.{what.__qualname__}"
    return f"::: {place}\n    options:\n      heading: {name}\n      toc_label: {name}\n"


def _sections(**groups: list[str]) -> Iterator[str]:
    for title, entries in groups.items():
        if entries:
            yield f"## {title}"
            yield from entries
