"""Repeats an experiment of the papers and returns its report as an object."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from uctlab.api import arguments
from uctlab.api.progress import shown_progress
from uctlab.arena.plan import MatchSettings
from uctlab.arena.tasks import Progress
from uctlab.errors import UsageError, name_hint
from uctlab.papers.experiment import Experiment, checked_parts
from uctlab.papers.registry import find_experiments
from uctlab.papers.report import Report
from uctlab.papers.reproduce import INCOMPLETE
from uctlab.papers.reproduce import reproduce as run_experiment

STOPPED = "Incomplete: the run was stopped early; with out= the same call would continue it."


def reproduce(
    experiment: str | Experiment,
    *,
    full: bool = False,
    games: int | None = None,
    playouts: int | None = None,
    cells: Mapping[str, int] | None = None,
    only: Sequence[str] = (),
    device: str = "cpu",
    workers: int | None = None,
    out: Path | str | None = None,
    early: bool = False,
    resign: float = 0,
    mix_versions: bool = False,
    seed: int = 0,
    progress: bool | Progress = True,
) -> Report:
    """Repeat an experiment of the papers, published figures beside ours.

    Args:
        experiment: An id such as "hashimoto2012-fig1" (`uctlab reproduce` lists them), the path of
            a .py file with one experiment, or an `Experiment`.
        full: The size that the paper used; otherwise a small version that takes minutes.
        games: Another number of games or searches per cell.
        playouts: Another number of playouts per move or search.
        cells: Other numbers of games for some cells, by name; 0 for none.
        only: Parts to which an experiment that has parts is limited, such as ["hex:7", "short"] of
            the league.
        device: "cpu", "cuda", "ray" or "ray:ADDRESS".
        workers: How many games run at once, by default one per core.
        out: A folder; the games and the report's files are kept in a subfolder of it, as by the
            command `uctlab reproduce`, and the same call goes on with them. Without it nothing is
            kept but the report that is returned.
        early: Stop a match when an SPRT has settled it.
        resign: Our agents resign when two searches in a row expect to score less than this many
            percent; 0 for never.
        mix_versions: Go on with results of a version of uctlab that had other kernels.
        seed: The same seed gives the same games.
        progress: False for no bar; or a function, as for `match`.

    Returns:
        The report: it prints its summary, shows itself in notebooks, and has `tables`, `figures`,
        `to_frame()`, `to_frames()` and `plot()`. Ctrl-C after the first result ends the work early;
        the notes say so.

    Examples:
        >>> report = uctlab.reproduce("hashimoto2012-fig1", games=2, playouts=500, workers=1)
        >>> report.tables[0].name
        'turns-deceptive-2'
    """
    found = _experiment(experiment)
    size = (found.full if arguments.yes_or_no("full", full) else found.quick).with_changes(
        arguments.whole_or_none("games", games, 1),
        arguments.whole_or_none("playouts", playouts, 1),
        _cells(found, cells or {}),
        arguments.percentage("resign", resign),
        checked_parts(found, _texts("only", only)),
    )
    settings = MatchSettings(
        seed=arguments.whole("seed", seed, 0),
        device=arguments.text("device", device),
        workers=arguments.whole_or_none("workers", workers, 1),
        mix_versions=arguments.yes_or_no("mix_versions", mix_versions),
    )
    given: dict[str, Any] = {"full": full, "games": games, "playouts": playouts, "cells": cells}
    given |= {"only": list(only), "resign": resign, "seed": seed}
    written = "".join(f", {name}={value!r}" for name, value in given.items() if value)
    folder = arguments.path_or_none("out", out)
    with tempfile.TemporaryDirectory(prefix="uctlab-") as temporary:
        place = Path(folder or temporary) / found.folder_name(size, settings.seed)
        with shown_progress(progress, found.id) as tell:
            done = run_experiment(
                found,
                size,
                place,
                settings,
                command=f"uctlab.reproduce({found.id!r}{written})",
                early=arguments.yes_or_no("early", early),
                progress=tell,
            )
    if done.complete or folder is not None:
        return done.contents
    kept = tuple(note for note in done.contents.notes if note != INCOMPLETE)
    return replace(done.contents, notes=(*kept, STOPPED))


def _experiment(experiment: Any) -> Experiment:
    if isinstance(experiment, Experiment):
        return experiment
    if not isinstance(experiment, str):
        raise UsageError(
            "an experiment is an id such as 'hashimoto2012-fig1', the path of a .py file or an "
            f"Experiment, not a {type(experiment).__name__}"
        )
    found = find_experiments(experiment)
    if len(found) != 1:
        ids = ", ".join(one.id for one in found) or "none"
        raise UsageError(
            f"{experiment} has {len(found)} experiments ({ids}); give one of its EXPERIMENTS itself"
        )
    return found[0]


def _texts(name: str, given: Any) -> list[str]:
    if isinstance(given, str) or not all(isinstance(text, str) for text in given):
        raise UsageError(f"{name} must be a list of texts")
    return list(given)


def _cells(experiment: Experiment, cells: Mapping[str, int]) -> dict[str, int]:
    for name in cells:
        if name not in experiment.cells:
            hint = name_hint(name, experiment.cells, "cells")
            raise UsageError(f"{experiment.id} has no cell {name!r}; {hint}")
    return {name: arguments.whole(name, count, 0) for name, count in cells.items()}
