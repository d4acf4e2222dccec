"""Defines what an experiment is, and the context in which it runs."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from uctlab.arena.match import play_matches
from uctlab.arena.plan import MatchPlan
from uctlab.arena.result import MatchResult
from uctlab.arena.sprt import Sprt
from uctlab.arena.store import Store
from uctlab.arena.tasks import Device, Finished, Progress, T, run_tasks
from uctlab.errors import UsageError
from uctlab.example_files import example_file
from uctlab.papers.report import Figure, NextStep, Section, Table
from uctlab.seeds import derive_seed

K = TypeVar("K", bound=Hashable)
LONGEST_PARTS = 40  # letters in the name of a folder
EARLY = Sprt(-30.0, 30.0)  # decides soon whether A is weaker or stronger, if it is far from 50 %


class _Nothing:
    """A device that does nothing."""

    def run(self, tasks: Iterator[T]) -> Finished[T]:
        yield from ()


NOTHING = _Nothing()


@dataclass(frozen=True)
class Size:
    """How large an experiment is."""

    repeats: int
    """Games, or searches, in each cell of the table."""
    playouts: int
    """Per move, or per search; the largest of several budgets."""
    cells: tuple[tuple[str, int], ...] = ()
    """Cells, or groups of them, that get a different number of games, by name."""
    resign: float = 0.0
    """Our agents resign when they expect less than this many percent; 0: never."""
    only: tuple[str, ...] = ()
    """Parts to which the experiment is limited, by name; empty: all."""

    def with_changes(
        self,
        repeats: int | None = None,
        playouts: int | None = None,
        cells: Mapping[str, int] | None = None,
        resign: float = 0.0,
        only: Sequence[str] = (),
    ) -> Size:
        return replace(
            self,
            repeats=repeats or self.repeats,
            playouts=playouts or self.playouts,
            cells=tuple((cells or {}).items()),
            resign=resign,
            only=tuple(only) or self.only,
        )

    def games(self, *names: str) -> int:
        """How many games are played in a cell that goes by these names, the closest first."""
        given = dict(self.cells)
        return next((given[name] for name in names if name in given), self.repeats)


@dataclass(frozen=True)
class Findings:
    """What an experiment found."""

    summary: tuple[str, ...]
    """Paragraphs, the answer first."""
    tables: tuple[Table, ...]
    figures: tuple[Figure, ...]
    notes: tuple[str, ...] = ()
    """Readings used, differences from the paper, what is missing."""
    sections: tuple[Section, ...] = ()
    """Parts, if the experiment has several; each takes one of the figures."""
    next_steps: tuple[NextStep, ...] = ()

    @classmethod
    def of_section(
        cls,
        section: Section,
        table: Table,
        figure: Figure | None,
        notes: Sequence[str] = (),
    ) -> Findings:
        """One section of a report, with its table and its figure, if it has one yet."""
        seen = section.seen or ("Nothing is finished yet.",)
        placed = replace(section, figure=figure.name if figure else "", seen=seen)
        return cls((), (table,), (figure,) if figure else (), tuple(notes), (placed,))


def example_game(name: str) -> str:
    """A game of the examples as plans have it: its path, which is short where it can be, so that a
    store, which has it in its keys, serves every checkout."""
    path, here = example_file(name), Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def joined(*several: Findings, notes: Sequence[str] = ()) -> Findings:
    """All that several experiments found as one, each note once, and further notes."""
    merged = {
        part.name: tuple(chain.from_iterable(getattr(one, part.name) for one in several))
        for part in fields(Findings)
    }
    merged["notes"] = (*dict.fromkeys(merged["notes"]), *notes)
    return Findings(**merged)


class ExperimentContext:
    """Runs the games and searches that an experiment asks for and returns those that finished."""

    def __init__(
        self,
        size: Size,
        device: Device,
        *,
        store: Store | None = None,
        seed: int = 0,
        early: bool = False,
        mix_versions: bool = False,
        stored: bool = False,
        progress: Progress | None = None,
    ) -> None:
        self.size = size
        self.seed = seed
        self.early = early
        """Whether a cell ends before all its games are played once it is statistically settled."""
        self.stopped = False
        """Whether results are missing, since Ctrl-C has ended the work or nothing is to be done."""
        self._stored = stored
        self._mix_versions = mix_versions
        self._device = device
        self._store = store
        self._progress = progress

    @property
    def idle(self) -> bool:
        """Whether results only come from the store."""
        return self._stored or self.stopped

    def matches(
        self, plans: Sequence[MatchPlan], games: Sequence[int] | None = None
    ) -> list[MatchResult]:
        """Play the games of each plan: as many as the size says, or as `games` says for each."""
        results = play_matches(
            [replace(plan, resign=self.size.resign) for plan in plans],
            games=games or self.size.repeats,
            device=None if self.idle else self._device,
            store=self._store,
            sprt=EARLY if self.early else None,
            progress=self._progress,
            mix_versions=self._mix_versions,
        )
        self.stopped |= not all(result.complete for result in results)
        return results

    def tasks(self, tasks: Sequence[T]) -> dict[T, Any]:
        device = NOTHING if self.idle else self._device
        outcomes = run_tasks(
            tasks,
            device,
            self._store,
            self._progress,
            mix_versions=self._mix_versions or self.idle,
        )
        self.stopped |= len(outcomes) < len(set(tasks))
        return outcomes

    def grid(self, cells: Mapping[K, Sequence[T]]) -> dict[K, dict[T, Any]]:
        """The outcomes of the finished tasks of each cell."""
        every = dict.fromkeys(task for tasks in cells.values() for task in tasks)
        outcomes = self.tasks(list(every))
        return {
            cell: {task: outcomes[task] for task in tasks if task in outcomes}
            for cell, tasks in cells.items()
        }

    def derive_seed(self, *what: object) -> int:
        """A seed for that purpose, unrelated to the seeds for other purposes and of other runs."""
        return derive_seed(self.seed, *what)


@dataclass(frozen=True)
class Experiment:
    """One table or figure of a paper."""

    id: str
    title: str
    source: str
    """Authors, title, year, which table."""
    quick: Size
    full: Size
    run: Callable[[ExperimentContext], Findings]
    cost: Callable[[Size], float]
    """Estimated seconds on one core, from the speeds in the README."""
    unit: str = "games"
    """What is repeated: games or searches."""
    cells: tuple[str, ...] = ()
    """Names of the cells, and of groups of them, whose number of games can be set separately."""
    parts: tuple[str, ...] = ()
    """Names of the parts to which it can be limited."""

    def folder_name(self, size: Size, seed: int) -> str:
        """A folder name that reports of different sizes and seeds do not share."""
        name = self.id
        if size == self.quick:
            name += "-quick"
        elif size != self.full:
            name += f"-{size.repeats}x{size.playouts}{_parts_in_name(size.only)}"
            name += f"-resign-{size.resign:g}" if size.resign else ""
        return name + (f"-seed{seed}" if seed else "")

    def describe(self, size: Size) -> str:
        """A size in words."""
        each = "move" if self.unit == "games" else "search"
        parts = [f"{size.repeats:,} {self.unit} in each cell"]
        parts += [f"{count or 'none'} in {cell}" for cell, count in size.cells]
        parts.append(f"{size.playouts:,} playouts per {each}")
        if size.resign:
            parts.append(f"resignation below {size.resign:g} %")
        parts += [f"only {', '.join(size.only)}"] if size.only else []
        return ", ".join(parts)


def checked_parts(experiment: Experiment, names: Sequence[str]) -> list[str]:
    """The names, if all of them are parts of the experiment."""
    for name in names:
        if name not in experiment.parts:
            known = ", ".join(experiment.parts) or "none"
            raise UsageError(f"{experiment.id} has no part '{name}'; parts: {known}")
    return list(dict.fromkeys(names))


def _parts_in_name(names: Sequence[str]) -> str:
    """Short, of letters and digits, and different for different parts."""
    if not names:
        return ""
    text = re.sub(r"[^0-9a-z]+", "-", "-".join(names).lower()).strip("-")
    if len(text) > LONGEST_PARTS:
        digest = hashlib.sha256("\n".join(names).encode()).hexdigest()[:8]
        text = f"{text[:LONGEST_PARTS]}-{digest}"
    return f"-{text}"
