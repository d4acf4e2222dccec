"""What the parts of the tour share: a part, and how two shares are compared in words."""

from __future__ import annotations

from dataclasses import dataclass

from uctlab.papers.report import Figure, Percent, Section, Table


@dataclass(frozen=True)
class Part:
    section: Section
    table: Table
    figure: Figure | None

    @classmethod
    def of(
        cls,
        title: str,
        shown: str,
        seen: list[str],
        repeat: str,
        *,
        table: Table,
        figure: Figure | None,
    ) -> Part:
        name = figure.name if figure else ""
        told = tuple(seen) or ("Nothing is finished yet.",)
        return cls(Section(title, shown, name, told, repeat), table, figure)


def difference(share: Percent, other: Percent) -> int:
    """1 if the share is larger than the other one, -1 if smaller, 0 if that cannot be told."""
    if share.overlaps(other):
        return 0
    return 1 if share.value > other.value else -1
