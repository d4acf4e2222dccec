"""Root parallelism: independent trees of one position, whose roots are added up at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from uctlab.agents import Agent
from uctlab.errors import UsageError
from uctlab.kernels import seed_rng
from uctlab.mcts.binding import node_fields
from uctlab.mcts.parallel import work_together
from uctlab.mcts.search_tree import SearchTree
from uctlab.rules.fields import Field


def check_mergeable(agent: Agent) -> None:
    if unknown := [field.name for field in node_fields(agent) if not field.merge]:
        raise UsageError(
            f"{agent}: a search with several trees cannot merge these fields of its nodes: "
            f"{', '.join(sorted(unknown))}"
        )


def seed_of_tree(seed: int, number: int) -> int:
    """The seed of one tree of a search; the first has the search's own."""
    return int(seed_rng(seed, number)[0]) if number else seed


def shares(playouts: int, trees: int) -> list[int]:
    """Playouts for each tree: an equal share, or one more."""
    return [playouts // trees + (number < playouts % trees) for number in range(trees)]


def grow_together(trees: Sequence[SearchTree], playouts: int) -> None:
    """Make that many more playouts, spread evenly over the trees.

    How they are sliced does not matter: the trees are always the same as after a single slice.
    """
    made = [tree.visits_made for tree in trees]
    parts = shares(sum(made) + playouts, len(trees))
    work_together(
        SearchTree.grow,
        [(tree, part - done) for tree, part, done in zip(trees, parts, made, strict=True)],
    )


def root_rows(trees: Sequence[Any]) -> np.ndarray:
    """The root of each tree (its nodes) and the root's children, in a row per tree."""
    rows = []
    for nodes in map(np.asarray, trees):
        first, count = int(nodes[0]["first"]), int(nodes[0]["count"])
        rows.append(np.concatenate([nodes[:1], nodes[first : first + count]]))
    return np.stack(rows)


def merge_roots(rows: np.ndarray, fields: Sequence[Field]) -> Any:
    """A root with its children, sorted by move, that combines the trees of `root_rows`; `fields`
    say how."""
    moves = rows[:, 1:]
    moves = np.take_along_axis(moves, np.argsort(moves["move"], axis=1), axis=1)
    rows = np.concatenate([rows[:, :1], moves], axis=1)
    merged = rows[0].copy()
    merged["visits"] = rows["visits"].sum(axis=0)
    for field in fields:
        if field.merge != "first":
            merged[field.name] = _MERGED[field.merge](rows, rows[field.name])
    merged["first"], merged["count"] = 0, 0
    merged["first"][0], merged["count"][0] = 1, len(merged) - 1
    return merged.view(np.recarray)


def _mean(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    mean: np.ndarray = (values * weights).sum(axis=0) / np.maximum(weights.sum(axis=0), 1e-300)
    return mean


_MERGED: dict[str, Callable[[Any, Any], Any]] = {
    "sum": lambda rows, values: values.sum(axis=0),
    "min": lambda rows, values: values.min(axis=0),
    "max": lambda rows, values: values.max(axis=0),
    "mean": lambda rows, values: _mean(values, rows["visits"]),
    "mean of samples": lambda rows, values: _mean(values, rows["samples"]),
    # Each is measured in the units of its own tree.
    "units": lambda rows, values: (values / rows["unit"][:, :1]).sum(axis=0),
    "own units": lambda rows, values: (values / rows["unit"]).sum(axis=0),
    "unit": lambda rows, values: 1.0,
}
"""What Field.merge names, of the roots of all trees, in a row each, and one of their fields."""
