"""Finds experiments by id, or in a user's .py file that defines EXPERIMENTS."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from uctlab.errors import UsageError, name_hint
from uctlab.papers import (
    auto_decay,
    browne2013,
    browne2013_go,
    gelly2006,
    gelly2006_threads,
    go_problems,
    go_strength,
    hashimoto2012,
    league,
    tour,
    yoshimoto2007,
)
from uctlab.papers.experiment import Experiment
from uctlab.papers.report import FILE_NAMES, is_file_name
from uctlab.user_modules import load_module

PAPERS = (
    tour,
    *(hashimoto2012, gelly2006, gelly2006_threads),
    *(yoshimoto2007, browne2013, browne2013_go),
    *(go_problems, go_strength, league, auto_decay),
)
EXPERIMENTS: dict[str, Experiment] = {
    experiment.id: experiment for paper in PAPERS for experiment in paper.EXPERIMENTS
}


def find_experiments(name: str) -> list[Experiment]:
    """The experiment with that id, or all experiments of a file."""
    if name.endswith(".py"):
        found = _checked(Path(name).name, load_module(name, ("EXPERIMENTS",)).EXPERIMENTS)
        sys.path.append(str(Path(name).resolve().parent))  # so that workers can import its tasks
        return found
    if name not in EXPERIMENTS:
        raise UsageError(f"unknown experiment '{name}'; {name_hint(name, EXPERIMENTS)}")
    return [EXPERIMENTS[name]]


def _checked(file: str, found: Any) -> list[Experiment]:
    """The experiments of a user's file. An id is part of a folder's name, and must not lead out of
    the folder for results."""
    if not isinstance(found, Iterable):
        raise UsageError(f"{file}: EXPERIMENTS is a {type(found).__name__}, not a list")
    experiments = list(found)
    for experiment in experiments:
        if not isinstance(experiment, Experiment):
            what = type(experiment).__name__
            raise UsageError(f"{file}: EXPERIMENTS contains a {what}, which is no Experiment")
        if not isinstance(experiment.id, str) or not is_file_name(experiment.id):
            raise UsageError(
                f"{file}: the id {experiment.id!r} is not accepted; accepted: {FILE_NAMES}"
            )
    return experiments
