"""The arrays that a search kernel works on: the tree and its working memory.

Kernels take two NamedTuples of arrays, `search(tree, work, params, playouts)`. `work` has the
arrays of every search and those of its parts. Between the slices of a search it must stay as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from uctlab.games.api import MOVE
from uctlab.games.guard import LARGE_RESERVE, RESERVE, Guarded
from uctlab.kernels.tuples import tuple_class
from uctlab.parts.layout import COUNTERS, MAX_DEPTH
from uctlab.parts.listing import ARRAYS
from uctlab.parts.part import Array, Part, Setting


class Tree(NamedTuple):
    """One tree. The search writes both arrays."""

    nodes: Any
    """(capacity,) records of nodes; nodes[0] is the root: see parts/layout.py."""
    counters: Any
    """(COUNTERS,) int64: nodes used, whether it is full, and so on: see parts/layout.py."""


# The arrays of all searches:
# states  positions: the root's, which the caller writes, the one on which moves are played, and
#         more if a part needs them; a depth-first search has one for every level of its line
# path    (MAX_DEPTH + 2,) int64: node numbers from the root to the leaf
# out     moves, max_moves of them and a fence: legal moves of a position
# trace   moves of a playout, max_length of them and a fence, if a part reads them
# rng     (1,) uint64: the state of the random generator
# own     int64: counters as in parts/layout.py; those of the tree if it has one thread


class Shape(NamedTuple):
    """Shape and type of one array of Work."""

    shape: tuple[int, ...]
    kind: np.dtype


def work_shapes(setting: Setting, parts: tuple[Part, ...]) -> dict[str, Shape]:
    """The arrays of a search by name."""
    game, agent = setting.game, setting.agent
    number = np.dtype(np.int64)
    shapes = {
        "states": Shape((max(part.positions for part in parts),), game.state),
        "path": Shape((MAX_DEPTH + 2,), number),
        "out": Shape((game.max_moves,), MOVE),
        "trace": Shape((game.max_length,), MOVE),
        "rng": Shape((1,), np.dtype(np.uint64)),
        "own": Shape((COUNTERS,), number),
    }
    for array in arrays_of(parts):
        shapes[array.name] = Shape(array.shape(game, agent), np.dtype(array.type))
    return shapes


def arrays_of(parts: Iterable[Part]) -> list[Array]:
    """The arrays of all these parts, each once."""
    return list({array.name: array for part in parts for array in part.arrays}.values())


GUARDED = ("states", "out", "trace")
"""The arrays of all searches that a game's kernels write; parts may have more."""
WIDE = ("out", "trace")
"""Those that kernels take with the fence behind them, whose first element they look at."""


def new_work(setting: Setting, parts: tuple[Part, ...]) -> tuple[Any, dict[str, Guarded]]:
    """Zeroed memory for one search, and the part of it that has fences, by name."""
    shapes = work_shapes(setting, parts)
    guarded = (*GUARDED, *(array.name for array in arrays_of(parts) if array.guarded))
    # With fences around all of them, no two threads' arrays share a cache line.
    every = {
        name: Guarded(
            *shape,
            before=RESERVE if name == "states" else 0,
            reserve=LARGE_RESERVE if name in WIDE else RESERVE if name in guarded else 0,
        )
        for name, shape in shapes.items()
    }
    arrays = {name: one.wide if name in WIDE else one.array for name, one in every.items()}
    guards = {name: every[name] for name in guarded}
    for part in parts:
        if part.views is not None:
            arrays |= part.views(setting, arrays)
    return tuple_class("Work", arrays)(**arrays), guards


def reset_arrays(work: Any, when: str) -> None:
    """Fill the arrays with zeros that need it before every "search", or before every "tree"."""
    for name in work._fields:
        if name in ARRAYS and ARRAYS[name].reset == when:
            getattr(work, name)[:] = 0


def new_counters() -> np.ndarray:
    return np.zeros(COUNTERS, np.int64)
