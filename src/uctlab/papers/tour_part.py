"""What the parts of the tour share: a part, and how two shares are compared in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import hypot

from uctlab.papers.drawing import reach_of
from uctlab.papers.report import Figure, Percent, Section, Table


@dataclass(frozen=True)
class Part:
    section: Section
    table: Table
    figure: Figure | None
    notes: tuple[str, ...] = ()

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


def listed(names: Sequence[str]) -> str:
    """As in a sentence: a, b and c."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


@dataclass(frozen=True)
class Difference:
    """The 95 % interval of the difference of two shares, in points."""

    low: float
    high: float

    @classmethod
    def of(cls, share: Percent, other: Percent) -> Difference:
        """Newcombe's interval, from the Wilson intervals of independent shares."""
        (below, above), (other_below, other_above) = reach_of(share), reach_of(other)
        middle = share.value - other.value
        return cls(middle - hypot(below, other_above), middle + hypot(above, other_below))

    @property
    def sign(self) -> int:
        """1 if the first share is larger, -1 if it is smaller, 0 if that cannot be told."""
        return (self.low > 0) - (self.high < 0)
