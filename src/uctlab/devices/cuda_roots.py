"""Searches one position on a GPU: many trees, one per thread, whose roots are added up.

Every tree is the one that a CPU grows with the same seed and playouts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from uctlab.agents import Agent
from uctlab.devices.cuda_driver import require_gpu
from uctlab.devices.cuda_search import BatchInput, params_row
from uctlab.devices.cuda_trees import KernelGroup, TreeSearches, nodes_needed, search_of
from uctlab.devices.gpu_plans import MAX_PLAYOUTS
from uctlab.errors import UsageError
from uctlab.games import Game, Position
from uctlab.games.api import MOVE
from uctlab.kernels import seed_rng
from uctlab.kernels.notice import preparing
from uctlab.mcts.binding import bind_for_gpu
from uctlab.mcts.budget import Budget, Progress, read_clock
from uctlab.mcts.parallel_root import (
    check_mergeable,
    merge_roots,
    root_rows,
    seed_of_tree,
    shares,
)
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
        if agent.final == "both":
            raise UsageError(f"{agent}: trees on a GPU cannot be grown on; use another final=")
        self._reader = Searcher(game, agent, seed=seed)
        """It has the kernels that read a root; no tree grows in it."""
        check_mergeable(agent, self._reader.binding.node_type)
        self.game = game
        self.agent = self._reader.agent
        self.seed = seed
        self.trees = trees
        self._ready = False

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

    @property
    def tree(self) -> Any:
        """A UsageError: there are many."""
        raise UsageError("a search on a GPU grows several trees; a file holds one")


class _Run:
    """One search."""

    def __init__(self, searcher: CudaRoots, position: Position, playouts: np.ndarray) -> None:
        game, agent = searcher.game, searcher.agent
        self._searcher = searcher
        self._position = position
        self._playouts = playouts
        self._begin = read_clock()
        seeds = (seed_of_tree(searcher.seed, number) for number in range(len(playouts)))
        self._random = np.array([seed_rng(seed)[0] for seed in seeds], np.uint64)
        self._kind = KernelGroup(
            search_of(game, agent), nodes_needed(game, agent, int(playouts.max()))
        )
        self._searches = TreeSearches(game, [self._kind], roots=1 + game.max_moves)
        self._roots: list[Any] = [None] * len(playouts)
        self._visits = self._nodes = self._depth = 0
        self._full = False

    def grow(self, progress: Progress | None) -> None:
        """Grow all trees."""
        members = np.arange(len(self._playouts))
        for found in self._searches.run([(self._kind, members)], self._given):
            assert found.roots is not None
            for member, root in zip(found.members, found.roots, strict=True):
                self._roots[member] = self._as_on_cpu(root)
            self._visits += int(found.visits.sum())
            self._nodes += int(np.abs(found.used).sum())
            self._depth = max(self._depth, int(found.deepest.max()))
            self._full |= bool((found.used < 0).any())
            if progress is not None:
                progress(self._visits, read_clock() - self._begin)

    def report(self) -> SearchReport:
        searcher, reader = self._searcher, self._searcher._reader
        view = replace(reader.view(), nodes=merge_roots(root_rows(self._roots)))
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
        views = [replace(view, nodes=root) for root in self._roots]
        visits = [int(own.nodes[own.child_of(move)].visits) for own in views]
        member = np.array([int(np.argmax(visits))])
        nodes = self._searches.tree_of((self._kind, member), self._given)
        whole = replace(view, nodes=self._as_on_cpu(nodes))
        return whole.variation(whole.child_of(move))

    def _given(self, members: np.ndarray) -> BatchInput:
        game, number = self._searcher.game, len(members)
        legal = np.zeros((number, game.max_moves), MOVE)
        legal[:, : len(self._position.legal)] = self._position.legal
        states = np.zeros(number, game.state).view(np.recarray)
        states[:] = self._position.state
        return BatchInput(
            states,
            legal,
            np.full(number, len(self._position.legal), np.int64),
            self._random[members],
            np.full(number, params_row(self._searcher.agent)),
            self._playouts[members],
        )

    def _as_on_cpu(self, nodes: np.ndarray) -> Any:
        """The same nodes as records of a CPU, where the GPU packs those of plain UCT."""
        wanted = self._searcher._reader.binding.node_type
        plain = np.asarray(nodes)
        if "tally" not in (plain.dtype.names or ()):
            return plain.view(np.recarray)
        made = np.zeros(len(plain), wanted)
        for name in ("first", "count", "move", "visits"):
            made[name] = plain[name]
        made["total"] = plain["halves"] / 2
        return made.view(np.recarray)
