"""Searches one position on a GPU: many trees, one per thread, whose roots are added up.

Every tree is the one that a CPU grows with the same seed and playouts. The GPU's memory is kept
from search to search, since to take and free it lasts longer than many a search.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from uctlab.agents import Agent
from uctlab.devices.cuda_driver import require_gpu
from uctlab.devices.cuda_search import BatchInput, params_row
from uctlab.devices.cuda_trees import KernelGroup, TreeSearches, boards_of, nodes_needed, search_of
from uctlab.devices.gpu_batches import MAX_PLAYOUTS
from uctlab.devices.seeds import tree_states
from uctlab.errors import UsageError
from uctlab.games import Game, Position
from uctlab.kernels.notice import preparing
from uctlab.mcts.binding import bind_for_gpu, node_fields
from uctlab.mcts.budget import Budget, Progress, read_clock
from uctlab.mcts.parallel_root import check_mergeable, merge_roots, shares
from uctlab.mcts.report import SearchReport
from uctlab.mcts.searcher import DEFAULT_MEMORY, Searcher
from uctlab.mcts.view import TreeView

TREES = 1000
MAX_TREES = 1_000_000


class CudaRoots:
    """Searches one position after another; it has the methods of a Searcher that reports need."""

    def __init__(
        self,
        game: Game,
        agent: Agent,
        *,
        seed: int = 0,
        trees: int = TREES,
        memory: int = DEFAULT_MEMORY,
    ) -> None:
        if not 1 <= trees <= MAX_TREES:
            raise UsageError(f"there must be 1 to {MAX_TREES:,} trees, not {trees:,}")
        if memory != DEFAULT_MEMORY:
            raise UsageError("--device cuda does not support a limit on the memory of a tree")
        require_gpu()
        bind_for_gpu(game, agent)  # which refuses what no GPU can do
        if agent.option("final") == "both":
            raise UsageError(f"{agent}: trees on a GPU cannot be grown on; use another final=")
        self._reader = Searcher(game, agent, seed=seed)
        """It has the kernels that read a root; no tree grows in it."""
        check_mergeable(agent)
        self.game = game
        self.agent = self._reader.agent
        self.seed = seed
        self.trees = trees
        self._ready = False
        self._groups: dict[int, KernelGroup] = {}
        """By the playouts per tree: each remembers how many nodes these have needed at most."""

    def warm_up(self, position: Position, *, timed: bool = False) -> None:
        """Load or compile the kernels, by a search of one playout."""
        if not self._ready:
            with preparing(f"the search of {self.game.name} for {self.agent.name} on the GPU"):
                self._reader.prepare(position, 1)
                _Run(self, position, np.ones(1, np.int64)).grow(None)
            self._ready = True

    def search(
        self,
        position: Position,
        *,
        playouts: int | None = None,
        seconds: float | None = None,
        progress: Progress | None = None,
    ) -> SearchReport:
        """Spend the playouts, which the trees share equally; the report adds up their roots.

        Args:
            position: What to search.
            playouts: Budget of all trees together.
            seconds: None: a GPU has no clock to stop at.
            progress: Called with the playouts and seconds so far whenever a part of the trees is
                done; there is one part if the memory suffices.

        Returns:
            The report; its `tree` is None.
        """
        if seconds is not None:
            raise UsageError("--device cuda does not support a budget in seconds: give --playouts")
        Budget(playouts, seconds)
        assert playouts is not None
        each = np.array(shares(playouts, self.trees), np.int64)
        if each[0] >= MAX_PLAYOUTS:
            raise UsageError(f"--device cuda does not support {MAX_PLAYOUTS:,} playouts in a tree")
        self.warm_up(position)
        self._reader.prepare(position, 1)
        run = _Run(self, position, each)
        run.grow(progress)
        return run.report()

    def _group(self, playouts: int) -> KernelGroup:
        if playouts not in self._groups:
            need = nodes_needed(self.game, self.agent, playouts)
            self._groups[playouts] = KernelGroup(search_of(self.game, self.agent), need)
        return self._groups[playouts]

    @cached_property
    def _searches(self) -> TreeSearches:
        """It has the GPU's memory."""
        return TreeSearches(self.game, [self._group(1)], roots=1 + self.game.max_moves)

    @property
    def tree(self) -> Any:
        """A UsageError: there are many."""
        raise UsageError("a search on a GPU grows several trees; a file holds one")


class _Run:
    """One search."""

    def __init__(self, searcher: CudaRoots, position: Position, playouts: np.ndarray) -> None:
        self._searcher = searcher
        self._position = position
        self._board = boards_of([position])
        self._playouts = playouts
        self._begin = read_clock()
        self._random = tree_states(searcher.seed, len(playouts))
        self._kind = searcher._group(int(playouts.max()))
        self._roots: Any = None
        """The root of each tree and the root's children, in a row per tree."""
        self._visits = self._nodes = self._depth = 0
        self._full = False

    def grow(self, progress: Progress | None) -> None:
        """Grow all trees."""
        trees, need = len(self._playouts), self._kind.need
        for found in self._searcher._searches.run([(self._kind, np.arange(trees))], self._given):
            assert found.roots is not None
            if len(found.members) == 0:  # none had room
                continue
            rows = self._as_on_cpu(found.roots[:, : 1 + found.roots["count"][0, 0]])
            if self._roots is None:
                self._roots = np.zeros((trees, rows.shape[1]), rows.dtype)
            self._roots[found.members] = rows
            self._visits += int(found.visits.sum())
            self._nodes += int(np.abs(found.used).sum())
            self._depth = max(self._depth, int(found.deepest.max()))
            self._full |= bool((found.used < 0).any())
            if progress is not None:
                progress(self._visits, read_clock() - self._begin)
        self._kind.need = max(need, self._kind.need)  # the next position may need as much

    def report(self) -> SearchReport:
        searcher, reader = self._searcher, self._searcher._reader
        view = replace(reader.view(), nodes=merge_roots(self._roots, node_fields(reader.agent)))
        best, won = reader.best_of(view)
        variation = self._variation(view, best)
        return SearchReport(
            game=searcher.game.name,
            agent=searcher.agent.name,
            best=best,
            won=won,
            moves=tuple(view.move_report(child, 0) for child in view.ranked(0)),
            pv=tuple(variation),
            playouts=self._visits,
            seconds=read_clock() - self._begin,
            nodes=self._nodes,
            depth=self._depth,
            full=self._full,
            memory=self._nodes * self._kind.search.node_type.itemsize,
            reused=0,
            stopped=False,
            seed=searcher.seed,
            trees=len(self._roots),
            position=self._position,
        )

    def _variation(self, view: TreeView, move: str) -> list[str]:
        """The move, then the most visited answers in the tree that has visited it most."""
        children = self._roots[:, 1:]
        chosen = children["move"] == self._searcher.game.parse_move(move)
        member = np.array([np.argmax(children["visits"][chosen])])  # one of every tree
        nodes = self._searcher._searches.tree_of((self._kind, member), self._given)
        whole = replace(view, nodes=self._as_on_cpu(nodes).view(np.recarray))
        return whole.variation(whole.child_of(move))

    def _given(self, members: np.ndarray) -> BatchInput:
        number = len(members)
        states, legal, counts = (np.repeat(array, number, axis=0) for array in self._board)
        return BatchInput(
            states,
            legal,
            counts,
            self._random[members],
            np.full(number, params_row(self._searcher.agent)),
            self._playouts[members],
        )

    def _as_on_cpu(self, nodes: np.ndarray) -> np.ndarray:
        """The same nodes as records of a CPU, where the GPU packs those of plain UCT."""
        if "tally" not in (nodes.dtype.names or ()):
            return nodes
        made = np.zeros(nodes.shape, self._searcher._reader.binding.node_type)
        for name in ("first", "count", "move", "visits"):
            made[name] = nodes[name]
        made["total"] = nodes["halves"] / 2
        return made
