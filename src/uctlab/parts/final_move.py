"""Chooses the move to play from the root's moves, as the option final= says."""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.kernels import hole, kernel
from uctlab.parts.part import Part, Setting
from uctlab.rules.select.best import better

value: Any = hole("backup.value")
counted: Any = hole("step.counted")
leader: Any = hole("final_move.leader")
measure: Any = hole("final_move.measure")  # one of MEASURES


@kernel
def visits_of(nodes, child):
    return nodes[child].visits


@kernel
def value_of(nodes, child):
    return value(nodes, child) if nodes[child].visits > 0 else -1.0


@kernel
def leads(nodes, child, other):
    """Whether the first of two moves measures more; if there is a tie, is worth more."""
    own = measure(nodes, child)
    theirs = measure(nodes, other)
    return own > theirs or (
        own == theirs and better(value_of(nodes, child), value_of(nodes, other))
    )


@kernel
def highest_measure(nodes):
    """The child of the root that measures most; if there is a tie, the highest value decides."""
    best = np.int64(nodes[0].first)
    for child in range(best + 1, best + nodes[0].count):
        if leads(nodes, child, best):
            best = child
    return best


@kernel
def highest_value(nodes):
    """The visited child of the root with the highest value."""
    first = np.int64(nodes[0].first)
    best = first
    highest = -1.0
    for child in range(first, first + nodes[0].count):
        if nodes[child].visits > 0 and better(value(nodes, child), highest):
            highest = value(nodes, child)
            best = child
    return best


@kernel
def weight_of(nodes, child):
    return nodes[child].weight if nodes[child].visits > 0 else -1.0


@kernel
def own_visits(nodes, child):
    return counted(nodes, child)


MEASURES = {
    "visits": own_visits,
    "value": value_of,
    "discounted": weight_of,
    "both": own_visits,
}
"""What moves are compared by."""


@kernel
def final_move(nodes):
    return np.int64(leader(nodes))


def _fills(setting: Setting) -> dict[str, Any]:
    final = setting.agent.option("final")
    # Values are equal within a tolerance, so the highest one is found otherwise.
    leader = highest_value if final == "value" else highest_measure
    return {"leader": leader, "measure": MEASURES[final], "SETTLE": final == "both"}


def _refuses(setting: Setting) -> str | None:
    agent = setting.agent
    if agent.option("final") != "discounted" or hasattr(agent.backup, "WEIGHT"):
        return None
    return "final=discounted needs a backup operator with weights"


PART = Part(
    "final_move",
    "Chooses the move to play.",
    spoils_scores=lambda setting: False,
    steps={"final_move": final_move, "counted": visits_of},
    fills=_fills,
    refuses=_refuses,
)
