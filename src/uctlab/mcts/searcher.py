"""A search over time: budget, clock, interruption, the tree and its reuse."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from uctlab.agents import Agent
from uctlab.errors import UsageError
from uctlab.games import Game, Position
from uctlab.games.api import MOVE, same_position
from uctlab.kernel import seed_rng
from uctlab.mcts import tree
from uctlab.mcts.binding import bind_kernels, node_dtype, work_sizes
from uctlab.mcts.parallel import Team, room_for_blocks, work_together
from uctlab.mcts.parallel_root import check_mergeable, merge_roots, shares
from uctlab.mcts.report import SearchReport
from uctlab.mcts.view import TreeView

DEFAULT_MEMORY = 2**30  # bytes of nodes
SLICE_SECONDS = 0.005  # the clock is read this often; Ctrl-C waits no longer
THREADS_SLICE_SECONDS = 0.02  # threads are set to work anew for each slice
FIRST_SLICE = 16  # playouts
MAX_VISITS = 2**32 - 2  # what a node can count, and the tree number


Progress = Callable[[int, float], None]


class SearchStopped(Exception):  # noqa: N818 (it is no error)
    """Raised by a `progress` that has seen enough."""


class Searcher:
    """One agent's search in one game, from position to position.

    With `reuse` the part of the tree below the next position is kept between searches; while it is
    copied the old tree is in memory too. A search that keeps nothing starts from the seed again.
    With `profile` the counters behind TICKS say where the time goes. An agent with `threads` grows
    the tree with a Team; one with `root` has more trees, searchers of their own, beside this one's.
    """

    def __init__(
        self,
        game: Game,
        agent: Agent,
        *,
        seed: int = 0,
        memory: int = DEFAULT_MEMORY,
        reuse: bool = False,
        profile: bool = False,
    ) -> None:
        if memory < 1:
            raise UsageError(f"memory must be more than 0 bytes, not {memory}")
        if agent.final == "discounted" and not hasattr(agent.backup, "WEIGHT"):
            raise UsageError(f"{agent}: final=discounted needs a backup operator with weights")
        self.game = game
        self.agent = agent
        self.seed = seed
        self.memory = max(1, memory // agent.root)
        self.reuse = reuse
        self.position: Position | None = None
        """The root of the tree."""
        self._prepared = 0
        """Visits of the root when its position was prepared."""
        self.node_type = node_dtype(agent)
        self.nodes: Any = np.zeros(0, self.node_type).view(np.recarray)
        self.counters = np.zeros(tree.COUNTERS, np.int64)
        self.rng = seed_rng(seed)
        self._pace = 0.0
        """Playouts a second of the last slice."""
        self._profile = profile
        self._compiled = False
        self._kernels = bind_kernels(game, agent, profile=profile)
        sizes = work_sizes(game, agent)
        self._states = game.new_states(sizes.states)
        self._looks = game.new_states(2)
        """For a look at the tree, which may come in the middle of a depth-first search."""
        self._path = np.zeros(sizes.path, np.int64)
        self._out = game.new_out()
        self._trace = game.new_trace()
        self._marks = np.zeros((3, sizes.marks), np.int64)
        self._team = Team(game, agent) if agent.threads > 1 else None
        if self._team is not None:
            self._path, self._trace = self._team.path, self._team.trace
        self._others: list[Searcher] = []
        if agent.root > 1:
            check_mergeable(agent, self.node_type)
            alone = replace(agent, root=1)
            self._others = [
                Searcher(game, alone, memory=self.memory, reuse=reuse)
                for _ in range(agent.root - 1)
            ]

    def search(
        self,
        position: Position,
        *,
        playouts: int | None = None,
        seconds: float | None = None,
        progress: Progress | None = None,
    ) -> SearchReport:
        """Search until the first budget is spent; Ctrl-C ends it early with what is known.

        `progress` is called every few milliseconds with the playouts and seconds spent so far. It
        may look at the tree, and raise SearchStopped.
        """
        check_budget(playouts, seconds)
        self._compile(position)
        begin = time.perf_counter()
        self.prepare(position, playouts)
        reused = self.visits
        stopped = False
        try:
            self._run(playouts, seconds, begin, progress)
            if self.agent.final == "both":
                self._settle(reused, seconds, begin)
        except (KeyboardInterrupt, SearchStopped):
            stopped = True
        spent = time.perf_counter() - begin
        # By the tree and not by the loop, which an interruption leaves in the middle.
        made = self.visits - reused
        return self.report(playouts=made, seconds=spent, reused=reused, stopped=stopped)

    def prepare(self, position: Position, playouts: int | None) -> None:
        """Make that position the root of the tree, with its children."""
        if position.game.name != self.game.name:
            raise UsageError(f"this search plays {self.game.name}, not {position.game.name}")
        if position.over:
            raise UsageError(f"{self.game.name}: the game is over, there is nothing to search")
        if self._others and playouts is not None:
            playouts = max(shares(playouts, self.agent.root))
        for stream, other in enumerate(self._others, 1):
            if self.position is None:
                other.position = None
            other.seed = int(seed_rng(self.seed, stream)[0])
            other.prepare(position, playouts)
        kept = self._descendant(position) if self.reuse else None
        self._make_room(playouts, kept)
        if self._team is not None and not self._team.seeded:
            self._team.seed(int(self.rng[0]) + int(self.nodes[0].visits))
        legal = np.array(position.legal, MOVE)
        self._states[0] = position.state
        root = self.nodes[0]
        if root.count > 0:
            self._kernels.keep_children(self.nodes, 0, legal, len(legal))
        elif not self._kernels.expand_root(
            *(self.nodes, self.counters, self._states, self._marks, self.rng),
            *(self.agent.params, legal, len(legal)),
        ):
            raise UsageError(
                f"{self.memory} bytes hold no tree of {self.game.name}; it takes at least "
                f"{(1 + len(legal)) * self.node_type.itemsize}"
            )
        self.counters[tree.DEEPEST] = max(1, self.counters[tree.DEEPEST])
        self.counters[tree.LEVEL] = 0
        self.position = position
        self._prepared = int(self.nodes[0].visits)

    def run(self, playouts: int) -> None:
        """That many playouts from the prepared position."""
        if self._others:
            # Slices do not matter: all trees together are always where one slice would lead.
            trees = [self, *self._others]
            made = [searcher.visits_made for searcher in trees]
            parts = shares(sum(made) + playouts, len(trees))
            work_together(
                Searcher._grow,
                [(searcher, p - m) for searcher, p, m in zip(trees, parts, made, strict=True)],
            )
        else:
            self._grow(playouts)

    def _grow(self, playouts: int) -> None:
        """So many playouts in this tree."""
        if self._team is not None:
            self._team.run(self.nodes, self.counters, self._states[0], playouts)
            return
        self._kernels.search(
            self.nodes,
            self.counters,
            self._states,
            self._path,
            self._out,
            self._trace,
            self._marks,
            self.rng,
            self.agent.params,
            playouts,
        )

    def report(
        self, *, playouts: int = 0, seconds: float = 0.0, reused: int = 0, stopped: bool = False
    ) -> SearchReport:
        """What the tree says now."""
        assert self.position is not None
        view = self._view()
        by_visits = sorted(view.children(0), key=lambda child: -int(view.nodes[child].visits))
        best, won = self._best_move(view)
        trees = [self, *self._others]
        used = sum(searcher.used for searcher in trees)
        return SearchReport(
            game=self.game.name,
            agent=self.agent.name,
            best=best,
            won=won,
            moves=tuple(view.move_report(child, 0) for child in by_visits),
            pv=tuple(self.variation(best)),
            playouts=playouts,
            seconds=seconds,
            nodes=used,
            depth=max(int(searcher.counters[tree.DEEPEST]) for searcher in trees),
            full=any(searcher.counters[tree.FULL] for searcher in trees),
            memory=used * self.node_type.itemsize,
            reused=reused,
            stopped=stopped,
            seed=self.seed,
        )

    def forget(self) -> None:
        """Let go of the tree and its memory."""
        self.position = None
        self.nodes = np.zeros(0, self.node_type).view(np.recarray)
        for other in self._others:
            other.forget()

    @property
    def visits(self) -> int:
        """Playouts through the root, of all trees."""
        return sum(int(searcher.nodes[0].visits) for searcher in (self, *self._others))

    @property
    def visits_made(self) -> int:
        """Playouts in this tree since its position was prepared."""
        return int(self.nodes[0].visits) - self._prepared

    @property
    def used(self) -> int:
        """Nodes of this tree."""
        unused = self._team.unused if self._team is not None else 0
        return int(self.counters[tree.USED]) - unused

    @property
    def bytes_held(self) -> int:
        """Memory set aside for nodes."""
        return sum(searcher.nodes.nbytes for searcher in (self, *self._others))

    def best_move(self) -> str:
        """The move to play, as the tree stands."""
        return self._best_move(self._view())[0]

    def variation(self, move: str) -> list[str]:
        """A move at the root, then the most visited answers."""
        views = [searcher._own_view() for searcher in (self, *self._others)]
        view = max(views, key=lambda view: int(view.nodes[view.child_of(move)].visits))
        return view.variation(view.child_of(move))

    def lead(self) -> int:
        """By how many visits the most visited move at the root is ahead of the second."""
        return self._view().lead()

    def export(self, depth: int) -> dict[str, Any]:
        """The tree down to that depth, as nested dictionaries for JSON."""
        self.check_one_tree()
        return self._own_view().export(0, -1, depth)

    def check_one_tree(self) -> None:
        """For those who write the tree to a file."""
        if self._others:
            raise UsageError(f"{self.agent} grows several trees; a file holds one")

    def last_playout(self) -> tuple[list[int], list[int], float]:
        """Nodes on the last playout's path, its moves below the leaf (RAVE only), its result."""
        depth, length = self.counters[tree.LAST_DEPTH], self.counters[tree.LAST_LENGTH]
        moves = self._trace[:length].tolist() if self.agent.rave else []
        outcome = self.counters[tree.LAST_OUTCOME] / tree.OUTCOME_UNITS
        return self._path[: depth + 1].tolist(), moves, outcome

    def value(self, node: int) -> float:
        """Mean result of a visited node for the player who moved into it."""
        return self._own_view().value(node)

    def _own_view(self) -> TreeView:
        return TreeView(self.game, self.agent, self.nodes, self._kernels.value)

    def _view(self) -> TreeView:
        """The tree, or the root that several trees have together."""
        if not self._others:
            return self._own_view()
        merged = merge_roots([self.nodes, *(other.nodes for other in self._others)])
        return replace(self._own_view(), nodes=merged)

    def _run(
        self,
        playouts: int | None,
        seconds: float | None,
        begin: float,
        progress: Progress | None = None,
    ) -> None:
        """Slices of playouts until the budget is spent."""
        made = 0
        batch = FIRST_SLICE
        most = MAX_VISITS - self.visits
        budget = most if playouts is None else min(playouts, most)
        limit = math.inf if seconds is None else seconds
        alone = self._team is None and not self._others
        longest = SLICE_SECONDS if alone else THREADS_SLICE_SECONDS
        if not alone and self._pace > 0:
            batch = max(1, int(self._pace * min(longest, limit / 2)))
        while made < budget:
            left = limit - (time.perf_counter() - begin)
            if left <= 0 and made > 0:  # a move is never chosen without any playout
                break
            batch = min(batch, budget - made)
            start = time.perf_counter()
            self.run(batch)
            spent = time.perf_counter() - start
            made += batch
            if progress is not None:
                progress(made, start + spent - begin)
            self._pace = batch / max(spent, 1e-9)
            goal = min(longest, max(left - spent, 0.0))
            batch = max(1, min(8 * batch, int(batch * goal / max(spent, 1e-9))))

    def _settle(self, reused: int, seconds: float | None, begin: float) -> None:
        """final=both: go on until one move leads by visits and by value."""
        made = self.visits - reused
        most = 2 * made
        while more := int(self._kernels.more_playouts(self._view().nodes, made, most)):
            if seconds is not None and time.perf_counter() - begin >= seconds:
                break
            self._run(more, seconds, begin)
            made = self.visits - reused

    def _compile(self, position: Position) -> None:
        """Load or compile every kernel before the clock starts, by a search of no playouts."""
        if not self._compiled:
            trial = Searcher(self.game, self.agent, profile=self._profile, reuse=True)
            trial._compiled = True
            for _ in range(2):  # the second time a tree is there to be kept
                trial.prepare(position, 1)
                trial.run(1)
            trial._kernels.extract(trial.nodes, 0, np.zeros_like(trial.nodes), trial.counters)
            trial._kernels.more_playouts(trial.nodes, 1, 1)
            trial.report()
            self._compiled = True

    def _descendant(self, position: Position) -> int | None:
        """The node of that position, if it follows from the root of the tree."""
        root = self.position
        if root is None or position.moves[: len(root.moves)] != root.moves:
            return None
        state = self.game.new_states(1)
        state[0] = root.state
        at = 0
        for move in position.moves[len(root.moves) :]:
            at = next((c for c in self._children(at) if self.nodes[c].move == move), -1)
            if at < 0:
                return None
            self.game.kernels.play(state[0], MOVE.type(move))
        # Equal moves may stand for unequal positions: a set-up, or a turn that was left out.
        return at if same_position(state[0], position.state) else None

    def _make_room(self, playouts: int | None, kept: int | None) -> None:
        """An array for the tree that is to come, with what is kept of the one that was."""
        capacity = min(max(1, self.memory // self.node_type.itemsize), MAX_VISITS)
        if playouts is not None:
            # Every playout expands one node at the most.
            needed = (playouts + 2) * (self.game.max_moves + 1)
            if self.agent.final == "both":
                needed *= 2
            if self._team is not None:
                needed = room_for_blocks(needed, self.agent.threads)
            if kept is not None:
                needed += int(self.counters[tree.USED])
            capacity = min(capacity, needed)
        old = self.nodes
        if kept is None:
            if len(old) < capacity:
                self.nodes = self._new_nodes(capacity)
            self.rng[:] = seed_rng(self.seed)
            self._kernels.reset_tree(self.nodes, self.counters)
            if self._team is not None:
                self._team.forget()
        elif kept > 0:
            self.nodes = self._new_nodes(capacity)
            self._kernels.extract(old, kept, self.nodes, self.counters)
            if self._team is not None:
                self._team.leave_blocks()
        elif len(old) < capacity:
            used = int(self.counters[tree.USED])
            self.nodes = self._new_nodes(capacity)
            self.nodes[:used] = old[:used]
            self.counters[tree.FULL] = 0

    def _new_nodes(self, capacity: int) -> Any:
        try:
            return np.zeros(capacity, self.node_type).view(np.recarray)
        except MemoryError:
            needed = capacity * self.node_type.itemsize / 2**20
            raise UsageError(f"there is no memory for a tree of {needed:,.0f} MiB") from None

    def _children(self, node: int) -> range:
        return self._own_view().children(node)

    def _best_move(self, view: TreeView) -> tuple[str, bool]:
        """The move to play, and whether it wins on the spot."""
        self._looks[0] = self._states[0]
        children = view.children(0)
        candidates = np.ascontiguousarray(view.nodes.move[children.start : children.stop])
        win = self._kernels.winning_move(self._looks, candidates, len(candidates), self._out)
        child = children[win] if win >= 0 else int(self._kernels.leader(view.nodes))
        return view.move_name(child), win >= 0


def check_budget(playouts: int | None, seconds: float | None) -> None:
    if playouts is None and seconds is None:
        raise UsageError("a search needs a budget: playouts, seconds, or both")
    if playouts is not None and playouts < 1:
        raise UsageError(f"playouts must be at least 1, not {playouts}")
    if seconds is not None and not 0 < seconds < math.inf:
        raise UsageError(f"seconds must be more than 0, not {seconds}")
