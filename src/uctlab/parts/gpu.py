"""One search per thread of a GPU."""

from __future__ import annotations

from typing import Any

from uctlab.kernels import hole, kernel
from uctlab.parts.part import Part

fetch: Any = hole("choice.fetch")


@kernel
def enter(tree, work, node):
    """Load the moves of the node into the cache before selection needs them."""
    fetch(tree.nodes, node)


PART = Part(
    "gpu",
    "Builds one tree per thread of a GPU.",
    devices=("gpu",),
    steps={"enter": enter},
    spoils_scores=lambda setting: False,
)
