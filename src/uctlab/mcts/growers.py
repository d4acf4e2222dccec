"""Grows a tree with one thread; parallel.py does so with several that share it."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol

from uctlab.mcts.binding import Binding
from uctlab.mcts.loop import search
from uctlab.mcts.overruns import Overruns
from uctlab.mcts.workspace import Tree


class Grower(Protocol):
    """Makes playouts in one tree."""

    @property
    def unused(self) -> int:
        """Number of nodes that are reserved but empty."""

    @property
    def overruns(self) -> list[Overruns]:
        """The guarded arrays of its own, beside those of the search."""

    def room_for(self, nodes: int) -> int:
        """Size of the array that a tree of that many nodes may need."""

    def begin(self, seed: int) -> None:
        """Another position is to be searched; `seed` is for the grower's own random numbers."""

    def grow(self, tree: Tree, work: Any, playouts: int) -> None:
        """Make that many playouts from work.states[0]."""

    def last_work(self, work: Any) -> Any:
        """The memory that the last playout used; `work` is what `grow` was given."""

    def forget(self) -> None:
        """Called before a new tree, with new random numbers."""

    def compacted(self) -> None:
        """Called when a part of the tree has been cut out and its nodes lie without gaps."""


class OneThread:
    """The single-threaded search."""

    unused = 0
    overruns: ClassVar[list[Overruns]] = []

    def __init__(self, binding: Binding) -> None:
        self._params = binding.params
        self._search = binding.bind(search)

    def room_for(self, nodes: int) -> int:
        return nodes

    def begin(self, seed: int) -> None:
        """It draws its random numbers from work.rng."""

    def grow(self, tree: Tree, work: Any, playouts: int) -> None:
        self._search(tree, work, self._params, playouts)

    def last_work(self, work: Any) -> Any:
        return work

    def forget(self) -> None:
        """Nothing to do."""

    def compacted(self) -> None:
        """Nothing to do."""
