"""Root parallelism: independent trees of one position, whose roots are added up at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from uctlab.agents import Agent
from uctlab.errors import UsageError
from uctlab.kernels import seed_rng
from uctlab.mcts.parallel import work_together
from uctlab.mcts.search_tree import SearchTree

ADDED = {"visits", "total", "squares", "share", "won", "playouts"}
KNOWN = ADDED | {"first", "move", "count", "value", "weight", "unit", "mass", "rave", "samples"}
KNOWN |= {"prior", "prior_weight", "opinion", "probability"}
KNOWN |= {"upper", "lower", "height", "square"}


def check_mergeable(agent: Agent, node_type: np.dtype) -> None:
    if unknown := set(node_type.names or ()) - KNOWN:
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


def merge_roots(trees: Sequence[Any]) -> Any:
    """A root with its children, in the order of the first tree, that combines all trees.

    Visits and sums are added. Values that are not quotients of sums are averaged, weighted by
    visits, or by samples for RAVE; velocities and discounted visits are added, each measured in
    the units of its own tree. Of bounds the narrowest count.
    """
    rows = [_root_and_moves(nodes) for nodes in trees]
    merged = rows[0].copy()
    names = set(merged.dtype.names or ())
    for name in ADDED & names:
        merged[name] = sum(row[name] for row in rows)
    if "value" in names:
        merged["value"] = _mean(rows, "value", [row["visits"] for row in rows])
    if "weight" in names:
        merged["weight"] = sum(row["weight"] / row["unit"][0] for row in rows)
        if "mass" in names:
            merged["mass"] = sum(row["mass"] / row["unit"] for row in rows)
        merged["unit"] = 1.0
    if "rave" in names:
        merged["rave"] = _mean(rows, "rave", [row["samples"] for row in rows])
        merged["samples"] = sum(row["samples"] for row in rows)
    if "upper" in names:
        merged["upper"] = np.min([row["upper"] for row in rows], axis=0)
        merged["lower"] = np.max([row["lower"] for row in rows], axis=0)
    if "square" in names:
        merged["square"] = _mean(rows, "square", [row["visits"] for row in rows])
    if "height" in names:
        merged["height"] = np.max([row["height"] for row in rows], axis=0)
    merged["first"], merged["count"] = 0, 0
    merged["first"][0], merged["count"][0] = 1, len(merged) - 1
    return merged.view(np.recarray)


def _root_and_moves(nodes: Any) -> np.ndarray:
    """The root followed by its children, sorted by move."""
    first, count = int(nodes[0].first), int(nodes[0].count)
    rows = np.asarray(nodes[first : first + count])
    return np.concatenate([np.asarray(nodes[:1]), rows[np.argsort(rows["move"])]])


def _mean(rows: Sequence[np.ndarray], name: str, weights: Sequence[np.ndarray]) -> np.ndarray:
    total = sum(row[name] * weight for row, weight in zip(rows, weights, strict=True))
    mean: np.ndarray = total / np.maximum(sum(weights), 1e-300)
    return mean
