"""The numbers that rules read, passed to every kernel as one tuple: a sweep never recompiles."""

from __future__ import annotations

import linecache
import math
from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

from uctlab.kernels import kernel
from uctlab.kernels.tuples import tuple_class


class Params(NamedTuple):
    """All floats. A rule reads those it needs; `a` and `b` are for your own rules."""

    c: float = 1.0
    """Weight of the exploration term."""
    fpu: float = math.inf
    """First-play urgency: the value of a move without visits."""
    expand: float = 1.0
    """Number of playouts through a leaf before it is expanded."""
    lam: float = 1.0
    """Decay per visit, lambda = 1 - 0.1**k."""
    forget: float = 0.0
    """1 - lambda, more precise than the subtraction would be."""
    log_lam: float = 0.0
    growth: float = 1.0
    """1 / lambda."""
    horizon: float = math.inf
    """1 / (1 - lambda)."""
    p: float = 1.0
    """Factor of UCB1-Tuned's exploration term."""
    rave_initial: float = 1.0
    """RAVE as in Fuego: initial weight of a sample."""
    rave_final: float = 5000.0
    """RAVE as in Fuego: upper limit of the total weight of all samples."""
    rave_k: float = 100.0
    """RAVE with the k schedule: k."""
    by_distance: float = 0.0
    """RAVE: 1 to weight samples by their distance, as Fuego does."""
    ignore: float = 0.0
    """RAVE: every n-th selection of a search ignores RAVE; 0: none does. -1: this one does."""
    prior: float = 0.0
    """Factor of the weights that the game gives to its own knowledge of moves."""
    length_cost: float = 0.0
    """What each move of a simulation takes off a win and adds to a loss."""
    playouts_per_leaf: float = 1.0
    """Playouts that make one simulation."""
    delta: float = 0.0
    """BAST: how far a smooth tree's values may lie apart at the root."""
    gamma: float = 0.0
    """BAST: by what factor that shrinks with each move."""
    beta: float = 0.0
    """BAST: probability that a bound may fail."""
    power: float = 2.0
    """Power mean: its exponent."""
    alpha: float = 0.0
    """Implicit minimax: share of the minimax value in a move's score."""
    bias: float = 0.0
    """Progressive bias: weight of the game's own opinion of a move."""
    widen: float = 0.0
    """Progressive widening: factor of the number of moves that are considered."""
    widen_power: float = 0.0
    """Progressive widening: exponent of the visits in that number."""
    grave: float = 50.0
    """GRAVE: visits that a node needs for its own RAVE statistics to be used."""
    rave_bias: float = 1e-5
    """GRAVE: the bias of RAVE values, which limits their weight."""
    epsilon: float = 0.0
    """Playouts that learn: chance of a random move."""
    zeta: float = 0.0
    """UCB-V: factor of the confidence terms."""
    levels: float = 0.0
    """Modified UCT: most levels below the moves that widen their bounds."""
    a: float = 0.0
    b: float = 0.0


def numbers_class(names: Iterable[str]) -> Any:
    """The NamedTuple of some of these numbers: a kernel is compiled for those that it reads."""
    chosen = [name for name in Params._fields if name in set(names)]
    return tuple_class("Numbers", chosen)


@cache
def from_row(kind: Any) -> Any:
    """A kernel that makes the tuple from a record with the same fields.

    The numbers of a tuple stay in registers; those of a record are read again after every write.
    """
    numbers = ", ".join(f"row.{name}" for name in kind._fields)
    return _made(kind, f"def from_row(row):\n    return Numbers({numbers})\n")


@cache
def with_number(kind: Any, changed: str) -> Any:
    """A kernel that makes the same tuple with another value of one number."""
    numbers = ", ".join("value" if n == changed else f"params.{n}" for n in kind._fields)
    return _made(kind, f"def with_number(params, value):\n    return Numbers({numbers})\n")


def _made(kind: Any, source: str) -> Any:
    """Numba takes no *row, so every field is named."""
    file = f"<{source.split('(', maxsplit=1)[0].removeprefix('def ')} of {kind.__name__}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file  # debuggers
    scope: dict[str, Any] = {"__name__": __name__, "Numbers": kind}
    exec(compile(source, file, "exec"), scope)
    return kernel(scope[source.split("(", maxsplit=1)[0].removeprefix("def ")])
