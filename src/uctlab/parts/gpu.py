"""One search per thread of a GPU."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from uctlab.kernels import hole, kernel
from uctlab.parts.part import Part, Setting
from uctlab.rules.backup import mean, packed_mean
from uctlab.rules.select import ucb1

fetch: Any = hole("choice.fetch")


@kernel
def enter(tree, work, node):
    """Load the moves of the node into the cache before selection needs them."""
    fetch(tree.nodes, node)


def with_small_nodes(agent: Any, parts: Iterable[Part]) -> Any:
    """The same agent with nodes of 16 bytes, if it is plain UCT and none of its parts has fields or
    scores of its own."""
    setting = Setting(None, agent)
    plain = agent.backup is mean and agent.select is ucb1 and agent.option("playout") == "uniform"
    if plain and not any(part.fields or part.spoils_scores(setting) for part in parts):
        return agent.changed(backup=packed_mean)
    return agent


PART = Part(
    "gpu",
    "Builds one tree per thread of a GPU.",
    devices=("gpu",),
    steps={"enter": enter},
    spoils_scores=lambda setting: False,
)
