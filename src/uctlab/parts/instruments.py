"""Instruments of benchmarks and tests: the time of each step, and what the last simulation did."""

from __future__ import annotations

import numpy as np

from uctlab.kernels import kernel
from uctlab.kernels.clock import ticks
from uctlab.parts.layout import LAST_DEPTH, LAST_LENGTH, LAST_OUTCOME, OUTCOME_UNITS, TICKS
from uctlab.parts.part import Part


@kernel
def measure(work, step):
    """Add the time since the last call to the step that ends."""
    now = ticks()
    if step > 0:
        work.own[TICKS + step - 1] += now
    if step < 4:
        work.own[TICKS + step] -= now


@kernel
def record(tree, work, depth, length, outcome, params):
    work.own[LAST_DEPTH] = depth
    work.own[LAST_LENGTH] = length
    work.own[LAST_OUTCOME] = np.int64(OUTCOME_UNITS * outcome)


PROFILE = Part(
    "profile",
    "Measures the time of each step.",
    active=lambda setting: setting.profile,
    hooks={"step_ends": measure},
    spoils_scores=lambda setting: False,
)
RECORD_LAST = Part(
    "record_last",
    "Records the last simulation, for tests that follow a search one by one.",
    active=lambda setting: setting.record_last,
    hooks={"updated": record},
    spoils_scores=lambda setting: False,
)
RECORD_MOVES = Part(
    "record_moves",
    "Lets playouts write down their moves.",
    active=lambda setting: setting.record_moves,
    records_moves=True,
    spoils_scores=lambda setting: False,
)
