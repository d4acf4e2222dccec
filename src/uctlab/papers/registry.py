"""Finds experiments by id, or in a user's .py file that defines EXPERIMENTS."""

from __future__ import annotations

import sys
from pathlib import Path

from uctlab.errors import UsageError
from uctlab.papers import (
    browne2013,
    browne2013_go,
    gelly2006,
    gelly2006_threads,
    go_problems,
    go_strength,
    hashimoto2012,
    yoshimoto2007,
)
from uctlab.papers.experiment import Experiment
from uctlab.user_modules import load_module

PAPERS = (
    *(hashimoto2012, gelly2006, gelly2006_threads, yoshimoto2007, browne2013, browne2013_go),
    *(go_problems, go_strength),
)
EXPERIMENTS: dict[str, Experiment] = {
    experiment.id: experiment for paper in PAPERS for experiment in paper.EXPERIMENTS
}


def find_experiments(name: str) -> list[Experiment]:
    """The experiment with that id, or all experiments of a file."""
    if name.endswith(".py"):
        found = list(load_module(name, ("EXPERIMENTS",)).EXPERIMENTS)
        sys.path.append(str(Path(name).resolve().parent))  # so that workers can import its tasks
        return found
    if name not in EXPERIMENTS:
        raise UsageError(f"unknown experiment '{name}'; known: {', '.join(EXPERIMENTS)}")
    return [EXPERIMENTS[name]]
