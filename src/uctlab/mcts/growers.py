"""Grows a tree with one thread; parallel.py does so with several that share it."""

from __future__ import annotations

from typing import Protocol

from uctlab.mcts.binding import Binding, loop_of
from uctlab.mcts.workspace import Tree, Work


class Grower(Protocol):
    """Makes playouts in one tree."""

    @property
    def unused(self) -> int:
        """Number of nodes that are reserved but empty."""

    def room_for(self, nodes: int) -> int:
        """Size of the array that a tree of that many nodes may need."""

    def begin(self, seed: int) -> None:
        """Another position is to be searched; `seed` is for the grower's own random numbers."""

    def grow(self, tree: Tree, work: Work, playouts: int) -> None:
        """Make that many playouts from work.states[0]."""

    def last_work(self, work: Work) -> Work:
        """The memory that the last playout used; `work` is what `grow` was given."""

    def forget(self) -> None:
        """Called before a new tree, with new random numbers."""

    def compacted(self) -> None:
        """Called when a part of the tree has been cut out and its nodes lie without gaps."""


class OneThread:
    """The single-threaded search."""

    unused = 0

    def __init__(self, binding: Binding) -> None:
        self._params = binding.agent.params
        self._search = binding.bind(loop_of(binding.agent))

    def room_for(self, nodes: int) -> int:
        return nodes

    def begin(self, seed: int) -> None:
        """It draws its random numbers from work.rng."""

    def grow(self, tree: Tree, work: Work, playouts: int) -> None:
        self._search(tree, work, self._params, playouts)

    def last_work(self, work: Work) -> Work:
        return work

    def forget(self) -> None:
        """Nothing to do."""

    def compacted(self) -> None:
        """Nothing to do."""
