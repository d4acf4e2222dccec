"""Alpha-beta with iterative deepening, as a player beside those that build a tree."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from uctlab.agents import Agent
from uctlab.errors import UsageError
from uctlab.games import Game, Position
from uctlab.games.api import MOVE
from uctlab.games.guard import Guarded, move_rows
from uctlab.games.solve import CELLS_A_WORD, key_of_bytes, key_of_stones
from uctlab.kernels import specialise
from uctlab.kernels.notice import preparing
from uctlab.mcts import alphabeta
from uctlab.mcts.alphabeta import DOWN, ENTERED, EVALUATED, GUESSED, LEVEL, WRONG_LIST
from uctlab.mcts.budget import Budget, Progress, SearchStopped, read_clock
from uctlab.mcts.report import MoveReport, SearchReport
from uctlab.rules.fields import MAX_VISITS

LEVELS = 200  # moves that a line may have
TABLE_BYTES = 2**25  # only what is used of it takes memory
STEPS = 2000  # moves up and down; Ctrl-C waits no longer than that
TRIES = 8  # a random order of the moves that have not decided anything yet


def bind(game: Game, template: Any = alphabeta.search) -> Any:
    """A kernel of alphabeta.py for that game."""
    return specialise(
        template,
        interpret=game.interpret,
        game=game.kernels,
        limits=game.limits,
        solver={"write_key": key_of_bytes if game.diagram is None else key_of_stones},
    )


class AlphaBeta:
    """Searches one position after another; each search begins with an empty table.

    It has the methods of a `Searcher` that a player needs. Its budget in playouts is the number of
    positions that it evaluates.
    """

    def __init__(self, game: Game, agent: Agent, *, seed: int = 0) -> None:
        if game.evaluate is None:
            raise UsageError(
                f"{agent}: {game.name} has no evaluation; othello, hex and kalah have one, and so "
                "has a game of your own with Game.evaluate"
            )
        if game.same_board is not None:
            raise UsageError(
                f"{agent}: {game.name} has a rule against repetition, which its table cannot see"
            )
        self.game = game
        self.agent = agent
        self.seed = seed
        self.bytes_held = 0
        self._levels = int(min(agent.option("depth"), game.max_length, LEVELS))
        self._kernel = bind(game)
        self._enter = bind(game, alphabeta.enter)

    def search(
        self,
        position: Position,
        *,
        playouts: int | None = None,
        seconds: float | None = None,
        progress: Progress | None = None,
    ) -> SearchReport:
        """Look one move further at a time, until the first budget is spent or all is known.

        Args:
            position: What to search.
            playouts: Budget in positions evaluated.
            seconds: Budget in seconds.
            progress: As in `Searcher.search`.

        Returns:
            The report. Its depth is the last one that was finished; the visits of a move are the
            positions evaluated for it, and only the best move has a value: alpha-beta proves that
            the others are no better and not how good they are.
        """
        budget = Budget(playouts, seconds)
        if position.game.name != self.game.name:
            raise UsageError(f"this search plays {self.game.name}, not {position.game.name}")
        if position.is_over:
            raise UsageError(f"{self.game.name}: the game is over, there is nothing to search")
        begin = read_clock()
        run = _Run(self, position)
        stopped = False
        try:
            while run.depth < self._levels and run.deepen(budget, begin, progress):
                pass
        except (KeyboardInterrupt, SearchStopped):
            stopped = True
        return run.report(read_clock() - begin, stopped)

    def warm_up(self, position: Position, *, timed: bool = False) -> None:
        """Load or compile the kernels."""
        with preparing(f"the search of {self.game.name} for {self.agent.name}"):
            self.search(position, playouts=1)

    def drop_root(self) -> None:
        """Nothing to do: no search knows of an earlier one."""

    def forget(self) -> None:
        """Nothing to do either."""

    @property
    def tree(self) -> Any:
        """A UsageError: there is none."""
        raise UsageError(f"{self.agent} builds no tree that could be saved or exported")


class _Run:
    """One search: the line, the table, and what has been found."""

    def __init__(self, searcher: AlphaBeta, position: Position) -> None:
        game, levels = searcher.game, searcher._levels + 1
        self._searcher = searcher
        self._position = position
        self._states = game.new_states(levels)
        self._keys, self._owners = _keys(game, self._states)
        word, row = self._keys.dtype, self._keys.shape[1]
        entry = np.dtype([("key", word, (row,)), *alphabeta.ENTRY], align=True)
        slots = 2 ** ((TABLE_BYTES // entry.itemsize).bit_length() - 1)
        codes = len(game.move_names)
        self._lists = move_rows(levels, game.max_moves, MOVE)
        self._frames: Any = np.zeros(levels, alphabeta.FRAME).view(np.recarray)
        # Of equal moves the first one stays, so that a random order makes games differ.
        rng = np.random.default_rng(searcher.seed)
        self._history = rng.integers(0, TRIES, (2, codes))
        self._table: Any = np.zeros(slots, entry).view(np.recarray)
        self._shares = np.zeros(codes, np.int64)
        self._place = np.zeros(alphabeta.PLACE, np.int64)
        self._found = np.zeros(1)
        self._states[0] = position.state
        self.depth = 0
        """The last one that was finished."""
        self._best, self._value = position.legal[0], math.nan

    def deepen(self, budget: Budget, begin: float, progress: Progress | None) -> bool:
        """Look one move further than before; whether that was finished and more may be found."""
        most = MAX_VISITS if budget.playouts is None else budget.playouts
        limit = math.inf if budget.seconds is None else budget.seconds
        # A window that ends at 1: a sure win needs no better one.
        depth = self.depth + 1
        self._searcher._enter(
            *(self._states, self._keys, self._owners, self._lists, self._frames, self._table),
            *(self._place, self._found, 0, depth, -1.0, 1.0),
        )
        finished = False
        try:
            while not finished:
                with self._searcher.game.limited():
                    finished = self._searcher._kernel(
                        *(self._states, self._keys, self._owners, self._lists, self._frames),
                        *(self._history, self._table, self._shares, self._place, self._found),
                        *(most, STEPS),
                    )
                if self._place[WRONG_LIST] == 1:
                    line = (
                        self._lists[at, self._frames[at].left] for at in range(self._place[LEVEL])
                    )
                    self._position.refuse_below(line)
                made, spent = int(self._place[EVALUATED]), read_clock() - begin
                if progress is not None:
                    progress(made, spent)
                if made >= most or (spent >= limit and made > 0):
                    break
        finally:
            root = self._frames[0]
            if root.best >= 0.0:  # the move that was best before is always tried first
                self._best, self._value = int(root.best_move), float(root.best)
        finished = self._place[LEVEL] == 0 and self._place[DOWN] == 0
        if finished:
            self.depth = depth
        return bool(finished and self._value < 1.0 and self._place[GUESSED] == 1)

    def report(self, seconds: float, stopped: bool) -> SearchReport:
        position, name = self._position, self._searcher.game.move_name
        best = self._best
        after = position.play(best)
        won = after.is_over and after.result == (1.0 if position.turn == 0 else 0.0)
        order = sorted(position.legal, key=lambda move: (move != best, -self._shares[move]))
        value = None if math.isnan(self._value) else self._value
        return SearchReport(
            game=self._searcher.game.name,
            agent=self._searcher.agent.name,
            best=name(best),
            won=won,
            moves=tuple(
                MoveReport(name(move), int(self._shares[move]), value if move == best else None)
                for move in order
            ),
            pv=tuple(self._variation(after)),
            playouts=int(self._place[EVALUATED]),
            seconds=seconds,
            nodes=int(self._place[ENTERED]),
            depth=self.depth,
            full=False,
            memory=self._table.nbytes,
            reused=0,
            stopped=stopped,
            seed=self._searcher.seed,
            position=position,
        )

    def _variation(self, position: Position) -> list[str]:
        """The best move, then those that the table has."""
        names = [self._searcher.game.move_name(self._best)]
        while len(names) < self.depth and not position.is_over:
            self._states[0] = position.state
            self._searcher._enter(
                *(self._states, self._keys, self._owners, self._lists, self._frames),
                *(self._table, np.zeros_like(self._place), self._found, 0, 1, -1.0, 1.0),
            )
            move = int(self._frames[0].hint)
            if move not in position.legal:
                break
            names.append(self._searcher.game.move_name(move))
            position = position.play(move)
        return names


def _keys(game: Game, states: Any) -> tuple[np.ndarray, np.ndarray]:
    """A key for each state, and scratch to write it; as in games/solve.py."""
    if game.diagram is not None:
        words = game.diagram.cells // CELLS_A_WORD + 1
        return np.zeros((len(states), words), np.uint64), Guarded(game.diagram.cells, np.int8).array
    word = np.dtype(f"u{math.gcd(game.state.itemsize, 8)}")
    return states.view(np.ndarray).view(word).reshape(len(states), -1), np.zeros(0, np.int8)
