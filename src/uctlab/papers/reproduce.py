"""Runs an experiment and writes its report."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from uctlab.arena.packed import packed_form
from uctlab.arena.plan import MatchSettings
from uctlab.arena.store import Store
from uctlab.arena.tasks import Progress
from uctlab.arena.versions import versions_in_words
from uctlab.bench.machine import machine_facts, machine_line, program_version
from uctlab.devices.registry import device_gpu, make_device
from uctlab.errors import UsageError
from uctlab.papers.experiment import Experiment, ExperimentContext, Findings, Size
from uctlab.papers.pages import HTML, write_report
from uctlab.papers.report import (
    Figure,
    NextStep,
    Provenance,
    Report,
    Section,
    Table,
    cell_as_json,
)

STORE = "games.sqlite"
INCOMPLETE = "Incomplete: the run was stopped early; the same command continues it."


@dataclass(frozen=True)
class Reproduction:
    """What was found, and where the report is."""

    experiment: Experiment
    size: Size
    findings: Findings
    complete: bool
    report: Path
    """The page of the report; `contents` is what it says."""
    contents: Report
    seconds: float
    kept: int
    """Games and searches that were there before, from an earlier run."""
    added: int

    @property
    def page(self) -> Path:
        return self.report.with_name(HTML)

    @property
    def pictures(self) -> list[Path]:
        return [self.report.parent / f"{figure.name}.png" for figure in self.findings.figures]

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.experiment.id,
            "complete": self.complete,
            "repeats": self.size.repeats,
            "playouts": self.size.playouts,
            "summary": list(self.findings.summary),
            "sections": [asdict(section) for section in self.findings.sections],
            "tables": {
                table.name: [
                    {
                        name: cell_as_json(cell)
                        for name, cell in zip(table.columns, row, strict=True)
                    }
                    for row in table.rows
                ]
                for table in self.findings.tables
            },
            "report": str(self.report),
            "page": str(self.page),
            "pictures": [str(path) for path in self.pictures],
            "seconds": self.seconds,
        }


def reproduce(
    experiment: Experiment,
    size: Size,
    folder: Path,
    settings: MatchSettings,
    *,
    command: str,
    early: bool = False,
    progress: Progress | None = None,
    stored: bool = False,
) -> Reproduction:
    """Games and searches are kept in the folder: the same call continues where it was stopped.

    Of the settings count the seed, the device with its workers, and `mix_versions`. With `stored`
    nothing is played or searched: the report is on what is in the folder. An earlier report stays
    if nothing is there to report on.
    """
    begin = time.perf_counter()
    device = make_device(settings.device, settings.workers, store=folder / STORE)
    gpu = device_gpu(settings.device)
    if stored and not (folder / STORE).exists() and packed_form(folder / STORE) is None:
        raise _nothing(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"{folder} cannot be created: {error.strerror}; --out names another folder"
        ) from None
    with Store(folder / STORE, gpu=gpu) as store:
        context = ExperimentContext(
            size,
            device,
            store=store,
            seed=settings.seed,
            early=early,
            mix_versions=settings.mix_versions,
            stored=stored,
            progress=progress,
        )
        kept = store.sums().results
        findings = _checked(experiment.id, experiment.run(context))
        sums = store.sums()
        if context.stopped and not sums.results:
            raise _nothing(folder) if stored else KeyboardInterrupt  # which the device caught
        runs = store.runs()
        machines = dict.fromkeys(machine_line(run["machine"]) for run in runs)
        searched = sums.search_seconds or store.run_seconds()
        elapsed = store.run_seconds() if store.matches() and store.outcomes() else None
        versions = dict.fromkeys(run["version"] for run in runs)
        mixture = versions_in_words(sums.shares, experiment.unit)
        damage = "; ".join(store.damage)
    seconds = time.perf_counter() - begin
    remarks = [f"Several versions of uctlab contributed: {mixture}."] if mixture else []
    remarks += [f"Damage in the store: {damage}."] if damage else []
    remarks += [INCOMPLETE] if context.stopped else []
    report = Report(
        title=experiment.title,
        source=experiment.source,
        summary=findings.summary,
        tables=findings.tables,
        figures=findings.figures,
        notes=(*findings.notes, *remarks),
        provenance=Provenance(
            command=command,
            budget=experiment.describe(size),
            seed=settings.seed,
            versions=tuple(versions) or (program_version(),),
            machines=tuple(machines) or (machine_line(machine_facts(gpu)),),
            date=last_day(runs),
            seconds=searched or seconds,
            elapsed=elapsed,
        ),
        sections=findings.sections,
        next_steps=findings.next_steps,
    )
    path = write_report(report, folder)
    return Reproduction(
        experiment,
        size,
        findings,
        not context.stopped,
        path,
        report,
        seconds,
        kept,
        sums.results - kept,
    )


def _nothing(folder: Path) -> UsageError:
    return UsageError(
        f"{folder / STORE} has no results, so no report is written; --out names another folder, "
        "and --stored plays nothing"
    )


def last_day(runs: Sequence[Mapping[str, Any]]) -> str:
    """When the last run began that contributed to a report; today if nothing was played."""
    return time.strftime("%Y-%m-%d", time.localtime(runs[-1]["started"] if runs else None))


def _checked(name: str, findings: Any) -> Findings:
    """What a user's experiment returns is told in one line if it is something else."""
    if not isinstance(findings, Findings):
        raise UsageError(f"{name}: run() returns a {type(findings).__name__}, not Findings")
    for what, parts, kind in (
        ("table", findings.tables, Table),
        ("figure", findings.figures, Figure),
        ("section", findings.sections, Section),
        ("next step", findings.next_steps, NextStep),
    ):
        for part in parts:
            if not isinstance(part, kind):
                raise UsageError(
                    f"{name}: a {what} is a {type(part).__name__}, not a {kind.__name__}; the "
                    "function that makes it must return it"
                )
    return findings
