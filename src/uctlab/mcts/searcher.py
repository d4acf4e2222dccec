"""Searches one position after another: spends a budget on one tree or on several."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import numpy as np

from uctlab.agents import Agent, make_agent
from uctlab.agents.refusals import is_ours
from uctlab.errors import UsageError
from uctlab.games import Game, Position, make_game
from uctlab.games.line import FEW_MOVES
from uctlab.kernels.notice import preparing
from uctlab.kernels.seldom import compiling_at_once
from uctlab.mcts.alphabeta_search import AlphaBeta
from uctlab.mcts.binding import bind_for_cpu, bind_for_threads, node_fields
from uctlab.mcts.budget import Budget, Progress, SearchStopped, Slices, read_clock
from uctlab.mcts.grown import GrownTree
from uctlab.mcts.live import LiveSearch
from uctlab.mcts.parallel import Team
from uctlab.mcts.parallel_root import (
    check_mergeable,
    grow_together,
    merge_roots,
    root_rows,
    seed_of_tree,
    shares,
)
from uctlab.mcts.report import SearchReport
from uctlab.mcts.rule_faults import (
    refuse_lost_visits,
    refuse_wrong_scores,
    refuse_wrong_values,
)
from uctlab.mcts.search_tree import Grower, OneThread, SearchTree
from uctlab.mcts.tree import more_playouts, winning_move
from uctlab.mcts.view import TreeView
from uctlab.parts.layout import DEEPEST, FULL
from uctlab.rules.fields import MAX_VISITS

DEFAULT_MEMORY = 2**30  # bytes of nodes


class Searcher:
    """Searches one position after another with one agent.

    Args:
        game: A game or its name.
        agent: An agent or its text. With `threads` it has several threads in one tree, with `root`
            several trees.
        seed: The same seed and number of playouts give the same tree, unless there are threads.
        memory: Limit on the size of the tree's nodes, in bytes.
        reuse: Whether the part of the tree below the next position is kept.
        profile: An instrument of benchmarks and tests: see mcts/binding.py.
        record_last: Another one.
        record_moves: Another one.

    Examples:
        >>> searcher = uctlab.Searcher("hex:4", "uct", seed=1)
        >>> report = searcher.search(uctlab.Position.start("hex:4"), playouts=1000)
        >>> report.best, report.playouts
        ('b1', 1000)
    """

    def __init__(
        self,
        game: Game | str,
        agent: Agent | str = "uct",
        *,
        seed: int = 0,
        memory: int = DEFAULT_MEMORY,
        reuse: bool = False,
        profile: bool = False,
        record_last: bool = False,
        record_moves: bool = False,
    ) -> None:
        game = make_game(game) if isinstance(game, str) else game
        agent = make_agent(agent) if isinstance(agent, str) else agent
        if memory < 1:
            raise UsageError(f"memory must be more than 0 bytes, not {memory}")
        self.game = game
        self.seed = seed
        n_trees = int(agent.option("root"))
        self.memory = max(1, memory // n_trees)
        """Limit on the size of each tree, in bytes."""
        self._instruments = {
            "profile": profile,
            "record_last": record_last,
            "record_moves": record_moves,
        }
        self._compiled = self._ready_for_clock = False
        self._asked = 0
        """Playouts that `run` was asked for."""
        self._searches = 0
        self.binding = binding = bind_for_cpu(game, agent, **self._instruments)
        self.agent = agent = binding.agent
        if n_trees > 1:
            check_mergeable(agent)
        self.trees = []
        for _ in range(n_trees):
            grower: Grower
            if agent.option("threads") > 1:
                grower = Team(bind_for_threads(game, agent, record_last=record_last))
            else:
                grower = OneThread(binding)
            self.trees.append(SearchTree(binding, grower, memory=self.memory, reuse=reuse))
        self._slices = Slices(
            self.run,
            threads=agent.is_parallel,
            done=lambda: self.proven is not None,
        )
        few_moves = game.max_moves <= FEW_MOVES
        self._winning_move = binding.bind(winning_move, seldom=few_moves)
        self._leader = binding.bind(binding.owners["step"]["final_move"], seldom=True)
        self._more_playouts = binding.bind(more_playouts, seldom=True)
        # For reading the tree, which may happen in the middle of a depth-first search.
        self._looks = game.new_states(2)

    def search(
        self,
        position: Position,
        *,
        playouts: int | None = None,
        seconds: float | None = None,
        progress: Progress | None = None,
    ) -> SearchReport:
        """Search until the first budget is spent; Ctrl-C ends it early with a report so far.

        Args:
            position: What to search.
            playouts: Budget in playouts.
            seconds: Budget in seconds.
            progress: A function that is called every few milliseconds with the playouts and seconds
                spent so far. It may read the tree, and raise SearchStopped.

        Returns:
            The report, with the moves at the root, the best one and the tree.
        """
        budget = Budget(playouts, seconds)
        self.warm_up(position, timed=seconds is not None)
        begin = read_clock()
        self.prepare(position, playouts)
        reused, asked = self.visits, self._asked
        stopped = False
        try:
            most = MAX_VISITS - reused
            wanted = most if playouts is None else min(playouts, most)
            self.spend(wanted, budget.seconds, begin, progress)
            if self.agent.option("final") == "both":
                self._settle(reused, budget, begin)
        except (KeyboardInterrupt, SearchStopped):
            stopped = True
        spent = read_clock() - begin
        # Counted in the tree and not by the loop, which an interruption may leave halfway.
        made = self.visits - reused
        if not stopped:
            self._refuse_faults(made, made if self.proven else self._asked - asked)
        return self.report(playouts=made, seconds=spent, reused=reused, stopped=stopped)

    def _refuse_faults(self, counted: int, made: int) -> None:
        """UsageError if a rule of the user's own has not done its part, or a game has written where
        nobody has looked so far; our rules are tested."""
        if not is_ours(self.agent.backup):
            refuse_lost_visits(self.binding, counted, made, self.view())
            refuse_wrong_values(self.binding, self.view())
        self._searches += 1
        if self._searches & (self._searches - 1) != 0:
            return  # it takes a while: look after 1, 2, 4, 8, ... searches
        for tree in self.trees:
            tree.check_strays()
        if not is_ours(self.agent.select):
            refuse_wrong_scores(self.binding, self.trees[0].view())

    def start(self, position: Position | None = None) -> LiveSearch:
        """Begin a search that you advance step by step.

        Args:
            position: What to search; by default the start of the game.

        Returns:
            The search, to be used in a `with` block.

        Examples:
            >>> with uctlab.Searcher("hex:4", "uct", seed=1).start() as search:
            ...     search.step(10).playouts
            10
        """
        return LiveSearch(self, Position.start(self.game) if position is None else position)

    def spend(
        self,
        playouts: int,
        seconds: float | None,
        begin: float,
        progress: Progress | None = None,
    ) -> None:
        """Make playouts in short slices, until `seconds` have passed since `begin`."""
        self._slices.spend(playouts, seconds, begin, progress)

    def warm_up(self, position: Position, *, timed: bool = False) -> None:
        """Load or compile the kernels, by a search of one playout; if the search is to be `timed`,
        those too that would otherwise be compiled later, if ever (kernels/seldom.py)."""
        if self._ready_for_clock or (self._compiled and not timed):
            return
        what = f"the search of {self.game.name} for {self.agent.name}"
        with preparing(what), compiling_at_once() if timed else nullcontext():
            trial = Searcher(self.game, self.agent, reuse=True, **self._instruments)
            trial.prepare(position, 1)
            trial.run(1)
            if self.trees[0].reuse:
                trial.prepare(position, 1)  # now there is a tree to reuse
                for tree in trial.trees:
                    tree.compile_reuse()
            if timed:
                trial.unsettled(1, 1)
                trial.report()
        self._compiled, self._ready_for_clock = True, timed

    def prepare(self, position: Position, playouts: int | None) -> None:
        """Make that position the root, with room for that many playouts."""
        if position.game.name != self.game.name:
            raise UsageError(f"this search plays {self.game.name}, not {position.game.name}")
        if position.is_over:
            raise UsageError(f"{self.game.name}: the game is over, there is nothing to search")
        if playouts is not None:
            playouts = max(shares(playouts, len(self.trees)))
        for number, tree in enumerate(self.trees):
            tree.prepare(position, playouts, seed_of_tree(self.seed, number))

    def run(self, playouts: int) -> None:
        """Make that many playouts from the prepared position."""
        self._asked += playouts
        if len(self.trees) == 1:
            self.trees[0].grow(playouts)
        else:
            grow_together(self.trees, playouts)

    def drop_root(self) -> None:
        """Start the next search without reuse; the memory is kept."""
        for tree in self.trees:
            tree.position = None

    def check_room(self) -> None:
        """UsageError if a tree has no room for the moves of every position; compiles nothing."""
        for tree in self.trees:
            tree.check_room(self.game.max_moves)

    def leave_out(self, moves: frozenset[int]) -> None:
        """Search the next positions without these moves at the root; nothing is reused."""
        self.drop_root()
        for tree in self.trees:
            tree.left_out = moves

    def forget(self) -> None:
        """Free the trees and their memory."""
        for tree in self.trees:
            tree.forget()

    @property
    def tree(self) -> SearchTree:
        """The tree of an agent that grows one; UsageError for an agent with root=."""
        if len(self.trees) > 1:
            raise UsageError(f"{self.agent} grows several trees; a file holds one")
        return self.trees[0]

    @property
    def position(self) -> Position | None:
        """The position at the root."""
        return self.trees[0].position

    @property
    def visits(self) -> int:
        """Playouts through the root, over all trees."""
        return sum(tree.visits for tree in self.trees)

    @property
    def proven(self) -> str | None:
        """Whether the position is a win, a draw or a loss for the player to move, if the search has
        proven it."""
        if not self.visits:
            return None
        return self.trees[0].view().proven

    @property
    def bytes_held(self) -> int:
        """Memory allocated for nodes."""
        return sum(tree.nodes.nbytes for tree in self.trees)

    def view(self) -> TreeView:
        """The tree, with moves named as in its game; for several trees, their merged root."""
        own = self.trees[0].view()
        if len(self.trees) == 1:
            return own
        rows = root_rows([tree.nodes for tree in self.trees])
        return replace(own, nodes=merge_roots(rows, node_fields(self.agent)))

    def best_move(self) -> str:
        """The move to play, according to the tree as it is now."""
        return self.best_of(self.view())[0]

    def variation(self, move: str) -> list[str]:
        """A move at the root, then the most visited answers."""
        views = [tree.view() for tree in self.trees]
        view = max(views, key=lambda view: int(view.nodes[view.child_of(move)].visits))
        return view.variation(view.child_of(move))

    def unsettled(self, made: int, most: int) -> int:
        """Playouts to add to `made` before comparing again; 0 once visits and values agree."""
        return int(self._more_playouts(self.view().nodes, made, most))

    def report(
        self, *, playouts: int = 0, seconds: float = 0.0, reused: int = 0, stopped: bool = False
    ) -> SearchReport:
        """A report on the tree as it is now."""
        view = self.view()
        best, won = self.best_of(view)
        used = sum(tree.used for tree in self.trees)
        return SearchReport(
            game=self.game.name,
            agent=self.agent.name,
            best=best,
            won=won,
            moves=tuple(view.move_report(child, 0) for child in view.ranked(0)),
            pv=tuple(self.variation(best)),
            playouts=playouts,
            seconds=seconds,
            nodes=used,
            depth=max(int(tree.counters[DEEPEST]) for tree in self.trees),
            full=any(tree.counters[FULL] for tree in self.trees),
            memory=used * self.trees[0].node_type.itemsize,
            reused=reused,
            stopped=stopped,
            seed=self.seed,
            proven=self.proven,
            position=self.position,
            tree=self._grown(view, used),
            trees=len(self.trees),
        )

    def _grown(self, view: TreeView, used: int) -> GrownTree | None:
        """The tree as objects; None for several trees, of which only the root is added up."""
        if len(self.trees) > 1 or self.position is None:
            return None
        return GrownTree(view, self.position, used)

    def _settle(self, reused: int, budget: Budget, begin: float) -> None:
        """final=both: go on until one move leads both by visits and by value."""
        made = self.visits - reused
        most = 2 * made
        while more := self.unsettled(made, most):
            if budget.seconds is not None and read_clock() - begin >= budget.seconds:
                break
            room = MAX_VISITS - self.visits
            if room <= 0 or self.proven:
                break
            self.spend(min(more, room), budget.seconds, begin)
            made = self.visits - reused

    def best_of(self, view: TreeView) -> tuple[str, bool]:
        """The move to play in the prepared position, and whether it wins at once."""
        work = self.trees[0].work
        self._looks[0] = work.states[0]
        children = view.children(0)
        candidates: Any = np.ascontiguousarray(view.nodes.move[children.start : children.stop])
        with self.game.limited():
            win = self._winning_move(self._looks, candidates, len(candidates), work.out)
        child = children[win] if win >= 0 else int(self._leader(view.nodes))
        return view.move_name(child), win >= 0


AnySearcher = Searcher | AlphaBeta


def make_searcher(
    game: Game,
    agent: Agent | str,
    *,
    seed: int = 0,
    memory: int = DEFAULT_MEMORY,
    reuse: bool = False,
) -> AnySearcher:
    """For callers that only need moves and reports; alpha-beta has no tree to limit or reuse."""
    agent = make_agent(agent) if isinstance(agent, str) else agent
    if not agent.builds_tree:
        return AlphaBeta(game, agent, seed=seed)
    return Searcher(game, agent, seed=seed, memory=memory, reuse=reuse)
