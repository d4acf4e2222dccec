"""One tree from move to move: its memory, its growth, and its reuse for the next position."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, ClassVar, Protocol

import numpy as np

from uctlab.agents.refusals import is_ours, rule_name
from uctlab.code_limits import Limited
from uctlab.errors import UsageError
from uctlab.games import Position
from uctlab.games.api import MOVE, same_position
from uctlab.kernels import seed_rng
from uctlab.kernels.vectors import LANES
from uctlab.mcts import tree
from uctlab.mcts.binding import Binding
from uctlab.mcts.loop import search
from uctlab.mcts.overruns import FAR_WRITE, Overruns
from uctlab.mcts.view import TreeView
from uctlab.mcts.workspace import Tree, arrays_of, new_counters, new_work, reset_arrays
from uctlab.parts import layout
from uctlab.parts.part import Array
from uctlab.rules.fields import MAX_VISITS


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


class SearchTree:
    """A tree and its grower.

    With `reuse` the subtree below the next position is kept; while it is copied, the old tree is in
    memory too. If nothing is kept, the random numbers start from the seed again.
    """

    def __init__(self, binding: Binding, grower: Grower, *, memory: int, reuse: bool) -> None:
        self.game, self.agent = binding.game, binding.agent
        self.memory = memory
        """Limit on the size of the nodes, in bytes."""
        self.reuse = reuse
        self.position: Position | None = None
        """The position at the root; None if there is no tree to reuse."""
        self.left_out: frozenset[int] = frozenset()
        """Moves that the next root does without; some other move must be legal."""
        self.node_type = binding.node_type
        self.nodes: Any = self._new_nodes(0)
        self.counters = new_counters()
        work, guards = new_work(binding.setting, binding.parts)
        self.work = work._replace(own=self.counters)
        self._overruns = Overruns(self.game, guards, self.counters, self.work)
        self._parts = binding.parts
        self._per_node = [array for array in arrays_of(binding.parts) if array.per_node]
        self._resized = [array for array in arrays_of(binding.parts) if array.resized]
        self.grower = grower
        self._traced = binding.records_moves
        self._prepared = 0
        """Visits to the root when its position was prepared."""
        self._root_moves = binding.root_moves
        self._params = binding.params
        self._reset_tree = binding.bind(tree.reset_tree, seldom=True)
        self._extract = binding.bind(tree.extract)
        self._expand_root = binding.bind(tree.expand_root, seldom=True)
        self._keep_children = binding.bind(tree.keep_children, seldom=True)
        self._value = binding.bind(self.agent.backup.value, seldom=True)

    @property
    def arrays(self) -> Tree:
        """The tree as kernels take it."""
        return Tree(self.nodes, self.counters)

    @property
    def visits(self) -> int:
        """Playouts through the root."""
        return int(self.nodes[0].visits) if len(self.nodes) else 0

    @property
    def visits_made(self) -> int:
        """Playouts since the position was prepared."""
        return self.visits - self._prepared

    @property
    def used(self) -> int:
        """Number of nodes in the tree."""
        return int(self.counters[layout.USED]) - self.grower.unused

    def view(self) -> TreeView:
        """The tree, with moves named as in its game."""
        return TreeView(self.game, self.agent, self._parts, self.nodes, self._value)

    def prepare(self, position: Position, playouts: int | None, seed: int) -> None:
        """Make that position the root, with its children and room for that many playouts."""
        kept = self._find(position) if self.reuse else None
        if kept != 0 and not all(part.keeps_tree for part in self._parts):
            kept = None
        self.position = None  # until all is done: Ctrl-C in between leaves nothing to be reused
        self._make_room(playouts, kept, seed)
        self._fit_arrays()
        self.grower.begin(int(self.work.rng[0]) + self.visits)
        moves = self._root_moves(position, self.left_out)
        self.work.states[0] = position.state
        if self.nodes[0].count > 0:
            self._keep_children(self.nodes, 0, moves, len(moves))
        elif not self._grew_root(moves):
            self._overruns.check(position, self.nodes)
            raise self._too_small(len(moves))
        self.counters[layout.DEEPEST] = max(1, self.counters[layout.DEEPEST])
        self.counters[layout.LEVEL] = 0
        reset_arrays(self.work, "search")
        self.position = position
        self._prepared = self.visits

    def _fit_arrays(self) -> None:
        """Allocate the arrays with something for every node; their first element marks them new."""
        for array in self._per_node:
            shape = len(self.nodes) + LANES, array.per_node
            if getattr(self.work, array.name).shape != shape:
                self.work = self.work._replace(**{array.name: np.zeros(shape, array.type)})
            getattr(self.work, array.name)[0] = 0

    def _grew_root(self, moves: Any) -> bool:
        with self._limited():
            return bool(self._expand_root(self.arrays, self.work, self._params, moves, len(moves)))

    def _limited(self) -> AbstractContextManager[None]:
        """Around kernels: a limit on their time, if the game or a rule is the user's own."""
        for rule in (self.agent.select, self.agent.backup):
            if not is_ours(rule):
                return Limited(f"{self.game.name}: a kernel of the game or of {rule_name(rule)}")
        return self.game.limited()

    def check_room(self, moves: int) -> None:
        """UsageError if there is no room for a root with that many moves."""
        if (1 + moves) * self.node_type.itemsize > self.memory:
            raise self._too_small(moves)

    def _too_small(self, moves: int) -> UsageError:
        return UsageError(
            f"{self.memory} bytes are too few for a {self.game.name} tree, "
            f"which needs at least {(1 + moves) * self.node_type.itemsize}"
        )

    def grow(self, playouts: int) -> None:
        """Make that many playouts from the prepared position."""
        for array in self._resized:
            self._resize(array, getattr(self.work, array.name), self.visits + playouts)
        with self._limited():
            self.grower.grow(self.arrays, self.work, playouts)
        self.check_limits()

    def check_limits(self) -> None:
        """UsageError if the game has broken a limit that it states; the tree is lost then."""
        try:
            for overruns in (self._overruns, *self.grower.overruns):
                overruns.check(self.position, self.nodes)
        except UsageError:
            self.position = None
            raise

    def check_strays(self) -> None:
        """UsageError if the game has written far beyond its positions, which takes a while to see;
        the tree is lost then."""
        for overruns in (self._overruns, *self.grower.overruns):
            if overruns.strayed():
                self.position = None
                raise UsageError(f"{self.game.name}: {FAR_WRITE}")

    def forget(self) -> None:
        """Free the memory."""
        self.position = None
        self.nodes = self._new_nodes(0)

    def compile_reuse(self) -> None:
        """Compile the kernel that is needed only when part of the tree is kept."""
        self._extract(self.nodes, 0, np.zeros_like(self.nodes), self.counters)

    def last_playout(self) -> tuple[list[int], list[int], float]:
        """Nodes on the last playout's path, its moves below the leaf (if kept), its result.

        Needs `record_last`; with several threads, it is the last playout of the first one.
        """
        work = self.grower.last_work(self.work)
        depth, length = self.counters[layout.LAST_DEPTH], self.counters[layout.LAST_LENGTH]
        moves = work.trace[:length].tolist() if self._traced else []
        outcome = self.counters[layout.LAST_OUTCOME] / layout.OUTCOME_UNITS
        return work.path[: depth + 1].tolist(), moves, outcome

    def _find(self, position: Position) -> int | None:
        """The node of that position, if it follows from the root of the tree."""
        root = self.position
        if root is None or position.moves[: len(root.moves)] != root.moves:
            return None
        state = self.game.new_states(1)
        state[0] = root.state
        at, view = 0, self.view()
        for move in position.moves[len(root.moves) :]:
            at = next((c for c in view.children(at) if self.nodes[c].move == move), -1)
            if at < 0:
                return None
            self.game.kernels.play(state[0], MOVE.type(move))
        # The same moves may lead to different positions: after a set-up, or a skipped turn.
        return at if same_position(state[0], position.state) else None

    def _make_room(self, playouts: int | None, kept: int | None, seed: int) -> None:
        """Allocate the array for the next tree and copy what is kept of the old one."""
        capacity = min(max(1, self.memory // self.node_type.itemsize), MAX_VISITS)
        if playouts is not None:
            # Every playout expands at most one node.
            needed = (playouts + 2) * (self.game.max_moves + 1)
            if self.agent.option("final") == "both":
                needed *= 2
            needed = self.grower.room_for(needed)
            if kept is not None:
                needed += int(self.counters[layout.USED])
            capacity = min(capacity, needed)
        old = self.nodes
        if kept is None:
            if len(old) < capacity:
                self.nodes = self._new_nodes(capacity)
            self.work.rng[:] = seed_rng(seed)
            reset_arrays(self.work, "tree")
            for array in self._resized:
                self._resize(array, None, playouts or 0)
            self._reset_tree(self.arrays)
            self.grower.forget()
        elif kept > 0:
            self.nodes = self._new_nodes(capacity)
            self._extract(old, kept, self.nodes, self.counters)
            self.grower.compacted()
        elif len(old) < capacity:
            used = int(self.counters[layout.USED])
            self.nodes = self._new_nodes(capacity)
            self.nodes[:used] = old[:used]
            self.counters[layout.FULL] = 0

    def _resize(self, array: Array, present: Any, simulations: int) -> None:
        assert array.resized is not None
        self.work = self.work._replace(**{array.name: array.resized(present, simulations)})

    def _new_nodes(self, capacity: int) -> Any:
        try:
            return np.zeros(capacity, self.node_type).view(np.recarray)
        except MemoryError:
            needed = capacity * self.node_type.itemsize / 2**20
            raise UsageError(
                f"there is not enough memory for a tree of {needed:,.0f} MiB"
            ) from None
