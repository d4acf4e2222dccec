"""Several tables of matches whose games are all played together.

A GPU is fast if it has thousands of games at once, which one table alone may not give it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from uctlab.papers.experiment import ExperimentContext, Findings, Size
from uctlab.papers.match_table import MatchTable, Played, remarks


@dataclass(frozen=True)
class MatchTables:
    """Tables by name; a name is part of a file's name, with - for spaces."""

    parts: Mapping[str, MatchTable]

    @property
    def names(self) -> tuple[str, ...]:
        """What can have a number of games of its own: a table, a half of it, a cell."""
        names = []
        for name, part in self.parts.items():
            halves = dict.fromkeys(f"{name} {cell.group}".strip() for cell in part.cells)
            names += [name, *halves, *(f"{name} {cell.name}" for cell in part.cells)]
        return tuple(dict.fromkeys(names))

    def cost(self, size: Size) -> float:
        return sum(
            games * part.seconds_per_game(size)
            for name, part in self.parts.items()
            for games in self._games(name, size)
        )

    def _games(self, name: str, size: Size) -> list[int]:
        """Of each cell of a table."""
        return [
            size.games(f"{name} {cell.name}", f"{name} {cell.group}".strip(), name)
            for cell in self.parts[name].cells
        ]

    def run(self, context: ExperimentContext) -> Findings:
        size = context.size
        plans = [p for part in self.parts.values() for p in part.plans(size, context.seed)]
        games = [number for name in self.parts for number in self._games(name, size)]
        results = iter(context.matches(plans, games))
        played = {
            name: [Played(cell, next(results)) for cell in part.cells]
            for name, part in self.parts.items()
        }
        found = {
            name: _renamed(part.findings(played[name]), name) for name, part in self.parts.items()
        }
        every = [one for some in played.values() for one in some]
        notes = [note for one in found.values() for note in one.notes]
        return Findings(
            summary=tuple(f"{name}: {text}" for name in found for text in found[name].summary),
            tables=tuple(table for one in found.values() for table in one.tables),
            figures=tuple(figure for one in found.values() for figure in one.figures),
            notes=(*dict.fromkeys(notes), *remarks(every, early=context.early)),
        )


def _renamed(findings: Findings, name: str) -> Findings:
    """The same with tables and figures that have the name of their part."""
    file = name.replace(" ", "-")
    tables = (
        replace(table, name=f"{table.name}-{file}", title=f"{name}. {table.title}")
        for table in findings.tables
    )
    figures = (replace(figure, name=f"{figure.name}-{file}") for figure in findings.figures)
    return replace(findings, tables=tuple(tables), figures=tuple(figures))
