"""Who grows a tree: one thread here, several that share it in parallel.py."""

from __future__ import annotations

from typing import Protocol

from uctlab.mcts.binding import Binding, loop_of
from uctlab.mcts.workspace import Tree, Work


class Grower(Protocol):
    """Makes playouts in one tree."""

    @property
    def unused(self) -> int:
        """Nodes of the tree that were set aside and hold nothing."""

    def room_for(self, nodes: int) -> int:
        """How large an array the tree may need for so many nodes."""

    def begin(self, seed: int) -> None:
        """Another position is to be searched; `seed` is for the grower's own random numbers."""

    def grow(self, tree: Tree, work: Work, playouts: int) -> None:
        """That many playouts from work.states[0]."""

    def last_work(self, work: Work) -> Work:
        """The memory in which the last playout was made; `work` is what `grow` was given."""

    def forget(self) -> None:
        """Another tree follows, with other random numbers."""

    def compacted(self) -> None:
        """A part of the tree has been cut out, and its nodes lie without gaps."""


class OneThread:
    """The sequential search."""

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
        """There is nothing to forget."""

    def compacted(self) -> None:
        """There is nothing to adjust."""
