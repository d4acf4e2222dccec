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


def root_rows(trees: Sequence[Any]) -> np.ndarray:
    """The root of each tree (its nodes) and the root's children, in a row per tree."""
    rows = []
    for nodes in map(np.asarray, trees):
        first, count = int(nodes[0]["first"]), int(nodes[0]["count"])
        rows.append(np.concatenate([nodes[:1], nodes[first : first + count]]))
    return np.stack(rows)


def merge_roots(rows: np.ndarray) -> Any:
    """A root with its children, sorted by move, that combines the trees of `root_rows`.

    Visits and sums are added. Values that are not quotients of sums are averaged, weighted by
    visits, or by samples for RAVE; velocities and discounted visits are added, each measured in
    the units of its own tree. Of bounds the narrowest count.
    """
    moves = rows[:, 1:]
    moves = np.take_along_axis(moves, np.argsort(moves["move"], axis=1), axis=1)
    rows = np.concatenate([rows[:, :1], moves], axis=1)
    merged = rows[0].copy()
    names = set(merged.dtype.names or ())
    for name in ADDED & names:
        merged[name] = rows[name].sum(axis=0)
    if "value" in names:
        merged["value"] = _mean(rows["value"], rows["visits"])
    if "weight" in names:
        merged["weight"] = (rows["weight"] / rows["unit"][:, :1]).sum(axis=0)
        if "mass" in names:
            merged["mass"] = (rows["mass"] / rows["unit"]).sum(axis=0)
        merged["unit"] = 1.0
    if "rave" in names:
        merged["rave"] = _mean(rows["rave"], rows["samples"])
        merged["samples"] = rows["samples"].sum(axis=0)
    if "upper" in names:
        merged["upper"] = rows["upper"].min(axis=0)
        merged["lower"] = rows["lower"].max(axis=0)
    if "square" in names:
        merged["square"] = _mean(rows["square"], rows["visits"])
    if "height" in names:
        merged["height"] = rows["height"].max(axis=0)
    merged["first"], merged["count"] = 0, 0
    merged["first"][0], merged["count"][0] = 1, len(merged) - 1
    return merged.view(np.recarray)


def _mean(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    mean: np.ndarray = (values * weights).sum(axis=0) / np.maximum(weights.sum(axis=0), 1e-300)
    return mean
