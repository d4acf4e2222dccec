"""The list of all parts: hooks call their kernels in this order, a later step replaces an earlier
one, and a later part wraps an earlier one."""

from __future__ import annotations

from typing import Any

from uctlab.parts import (
    bias,
    decay,
    depth_first,
    evaluation,
    final_move,
    gpu,
    graph,
    grave,
    instruments,
    knowledge,
    learning,
    length_cost,
    local_copies,
    one_thread,
    prior,
    probabilities,
    pruning,
    rave,
    root_filter,
    roots,
    several_playouts,
    shared_sketches,
    sketches,
    solver,
    tables,
    threads,
    widening,
)
from uctlab.parts.part import Array, Option, Part, Setting

PARTS: tuple[Part, ...] = (
    one_thread.PART,
    final_move.PART,
    depth_first.PART,
    gpu.PART,
    threads.PART,
    instruments.PROFILE,
    grave.PART,
    knowledge.TOGETHER,
    knowledge.PART,
    knowledge.TRAINED,
    widening.PART,
    graph.PART,
    learning.PART,
    several_playouts.PART,
    evaluation.LEAVES,
    evaluation.GUESSES,
    length_cost.PART,
    threads.LOCK,
    threads.FOREIGN,
    rave.RAVE,
    prior.PART,
    rave.RAVE_WITH_PRIOR,
    rave.IGNORE,
    solver.PART,
    bias.PART,
    probabilities.PART,
    pruning.PART,
    root_filter.PART,
    decay.PART,
    roots.PART,
    sketches.PART,
    shared_sketches.PART,
    tables.SUMS,
    tables.TERMS,
    local_copies.PART,
    threads.UNLOCK,
    instruments.RECORD_LAST,
    instruments.RECORD_MOVES,
)
BY_NAME: dict[str, Part] = {part.name: part for part in PARTS}
PART_OF: dict[str, Part] = {name: part for part in PARTS for name in part.options}
"""The parts that options belong to."""
ARRAYS: dict[str, Array] = {array.name: array for part in PARTS for array in part.arrays}
"""The arrays of all parts, by name."""


def usual_setting(game: Any, agent: Any) -> Setting:
    """What a search of this agent on a CPU is put together for; the game may be None."""
    return Setting(game, agent, device="threads" if threads.PART.name in agent.parts else "cpu")


def asked_parts(setting: Setting) -> tuple[Part, ...]:
    """The parts that decide what a search does, without those that only change its speed."""
    asked = [part for part in PARTS if part.applies is None and part.is_active(setting)]
    needed = {name for part in asked for name in part.needs}
    found = [part for part in PARTS if part in asked or part.name in needed]
    names = {part.name for part in found}
    return tuple(part for part in found if names.issuperset(part.serves))


def active_parts(setting: Setting) -> tuple[Part, ...]:
    """The parts of a search, in the order of the list."""
    active = list(asked_parts(setting))
    for part in PARTS:
        if part.applies is not None and part.is_active(setting):
            active += [part] if part.applies(setting, tuple(active)) else []
    return tuple(part for part in PARTS if part in active)


def options_of(*groups: str) -> dict[str, Option]:
    """The options of all parts that belong to one of these groups."""
    return {
        name: option
        for group in groups
        for part in PARTS
        if group in part.groups
        for name, option in part.options.items()
    }
