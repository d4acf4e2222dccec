"""An agent that plays over GTP: the game so far, how it chooses a move, and when it resigns."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

import numpy as np

from uctlab.agents import Agent
from uctlab.errors import UsageError
from uctlab.games import Game, Position
from uctlab.mcts.budget import Progress, SearchStopped, read_clock
from uctlab.mcts.passing import move_or_pass, nothing_to_gain, wins_by_passing
from uctlab.mcts.report import SearchReport
from uctlab.mcts.resigning import Resignation
from uctlab.mcts.searcher import DEFAULT_MEMORY, Searcher
from uctlab.protocol.gtp_board import PASS, REST, Board, Names, with_komi
from uctlab.protocol.gtp_ready import Preparation
from uctlab.protocol.gtp_time import Forecast, GameClock, moves_left
from uctlab.seeds import derive_seed

DEFAULT_SECONDS = 5.0  # per move, unless somebody says otherwise
RESIGN = "resign"
ENDLESS = 1e9  # seconds
PATIENCE = 2.0  # CPU seconds of interpreted rules, after which machine code is waited for
FEW_MOVES = 4  # that may be made by interpreted rules


Client = Literal["auto", "gogui", "lizzie"]


@dataclass(frozen=True, kw_only=True)
class EngineOptions:
    """What the user of an engine decides."""

    playouts: int | None = None
    """Per search; None for no limit."""
    seconds: float | None = None
    """Most time per search; under a time control the clock may allow less."""
    resign: float = 0.05
    """The engine resigns when it expects to score less than this, 0 to 1."""
    early: bool = True
    """End a search when no move can overtake the leader any more."""
    reuse: bool = True
    """Keep the tree from move to move."""
    seed: int = 0
    memory: int = DEFAULT_MEMORY
    client: Client = "auto"
    """The program on the other side, where it cannot be told from what it asks."""
    hexagons: bool = True
    """Whether GoGui is recent enough to draw hexagons."""


class Engine:
    """One game at a time, between any two players."""

    def __init__(self, game: Game, agent: Agent, options: EngineOptions) -> None:
        self.agent = agent
        self.options = options
        self._seed = options.seed
        self._games = 0
        """New games since the seed was set. Each has random numbers of its own: programs that play
        a match count games that are the same only once."""
        self._searched = False
        """Whether there was a search in this game."""
        self.clock = GameClock()
        self.game = game
        self.names = self._names(game, options.client == "gogui")
        self.searcher = self._searcher(game)  # reports a mistake at once
        self.interrupted: Callable[[], bool] = lambda: False
        """Whether the controller wants an answer at once."""
        self._last: SearchReport | None = None
        """What the last search has found."""
        self.board: Board
        self._preparation: Preparation | None = None
        self._plain = 0.0
        """CPU seconds spent on interpreted rules."""
        self.clear()

    @property
    def compiling(self) -> bool:
        return self._preparation is not None and self._preparation.busy

    @contextmanager
    def at_work(self, *, thinks: bool = False) -> Iterator[None]:
        """Around a command that belongs to a game; one that `thinks` waits for the compiler.

        Compilation begins behind the first one, which may change the game.
        """
        if thinks:
            self.prepare()
        elif self._plain > PATIENCE:
            self._prepared().wait_for_rules()
        self._settle()
        begin, plain = time.thread_time(), self.board.game is not self.game
        try:
            yield
        finally:
            self._plain += plain * (time.thread_time() - begin)
            self._prepared()

    def prepare(self) -> None:
        """Wait until a search can begin."""
        self._prepared().wait()
        self._settle()

    def _prepared(self) -> Preparation:
        """What compiles, or has compiled, the game that is being played."""
        if self._preparation is None:
            # With a searcher of its own: a thread must not touch ours.
            self._preparation = Preparation(self._searcher(self.game), _compile)
        return self._preparation

    def _settle(self) -> None:
        """Go on with machine code, if it is there."""
        ready = self._preparation is not None and self._preparation.rules_ready
        if ready and self.board.game is not self.game:
            self.board = self.board.under(self.game)

    def rules(self, game: Game, moves: int = 1) -> Game:
        """What makes positions of that game: interpreted rules, unless it is to be many moves or
        machine code is there."""
        if moves <= FEW_MOVES and self.board.game is not game:
            return game.interpreted()
        if game is self.game:
            self._prepared().wait_for_rules()
        return game

    def _names(self, game: Game, gogui: bool) -> Names:
        return Names(game, gogui=gogui, hexagons=self.options.hexagons)

    def _searcher(self, game: Game) -> Searcher:
        searcher = Searcher(game, self.agent, memory=self.options.memory, reuse=self.options.reuse)
        searcher.check_room()
        return searcher

    def use(self, game: Game) -> None:
        """Switch to other rules; `begin` or `clear` must follow."""
        if game is self.game:
            return
        searcher = self._searcher(game)  # reports a mistake before anything changes
        if self._preparation is not None:
            self._preparation.drop()
        self._preparation = None
        self.game = game
        self.names = self._names(game, self.names.gogui)
        self.searcher = searcher

    def begin(self, board: Board) -> None:
        """Continue from another position of the game."""
        self.board = board
        self.searcher.forget()
        self._resignations = [Resignation(self.options.resign) for _ in range(2)]

    def reseed(self, seed: int) -> None:
        """From now on random numbers follow from that seed."""
        self._seed = seed
        self._games = 0
        self._searched = False
        self.searcher.forget()

    def clear(self) -> None:
        """A new game."""
        self._games += self._searched
        self._searched = False
        ready = self._preparation is not None and self._preparation.rules_ready
        rules = self.game if ready else self.game.interpreted()
        self.begin(Board(Position.start(rules)))
        self.clock.restart()

    def resized(self, size: int) -> Game:
        """The same game on another board."""
        if str(size) == self.game.sgf_root.get("SZ"):
            return self.game
        try:
            return self.game.resized(size)
        except UsageError as mistake:
            raise UsageError(f"unacceptable size: {mistake}") from None

    def set_komi(self, komi: float) -> None:
        """The game continues with another komi."""
        game = with_komi(self.game, komi)
        if game is not self.game:
            board = self.board.under(self.rules(game, self.board.length))
            self.use(game)
            self.begin(board)

    def undo(self, moves: int = 1) -> None:
        self.board.undo(moves)
        self._resignations = [Resignation(self.options.resign) for _ in range(2)]

    def genmove(
        self, player: int, watch: Progress | None = None, left_out: frozenset[int] = frozenset()
    ) -> str:
        """Choose a move, none of those left out, and make it; its vertex, or "resign"."""
        if self.board.ended:
            return self._after_end(player)
        begin = read_clock()
        now = self.board.turned(player)
        move, report = self.choose(player, now, watch, left_out)
        if report is not None and self._resignations[player].resigns(report):
            return RESIGN
        self.board.play(player, move)
        self.clock.spend(player, read_clock() - begin)
        return self.names.vertex(move)

    def clean_up(self, player: int) -> str:
        """A move as `genmove`, but dead stones of the opponent are captured before any pass."""
        game = self.game
        if self.board.ended or game.referee is None or game.gtp.captures is None:
            return self.genmove(player)
        now = self.board.turned(player)
        theirs = game.referee(now).dead & {*np.flatnonzero(now.stones == 2 - player).tolist()}
        captures = game.gtp.captures(now, theirs)
        if not captures:
            return self.genmove(player)
        return self.genmove(player, left_out=frozenset(now.legal) - captures)

    def _after_end(self, player: int) -> str:
        """A pass, so that a program that waits for two of them goes on; the loser of a game without
        passes resigns."""
        if self.game.pass_move is None and self.board.position.result == float(player):
            return RESIGN
        self.board.play(player, REST)
        return PASS

    def choose(
        self,
        player: int,
        now: Position,
        watch: Progress | None = None,
        left_out: frozenset[int] = frozenset(),
    ) -> tuple[int, SearchReport | None]:
        """A move, and the search that found it if there was one."""
        if left_out:
            report = self.search(player, now, watch, left_out)
            return self.game.parse_move(report.best), report
        if wins_by_passing(now) or nothing_to_gain(now):
            return now.last_move, None
        report = self.search(player, now, watch)
        return move_or_pass(now, report), report

    def search(
        self,
        player: int,
        position: Position,
        watch: Progress | None = None,
        left_out: frozenset[int] = frozenset(),
    ) -> SearchReport:
        """A search within the budget of a move."""
        playouts, seconds = self._budget(player, position)
        forecast = Forecast(playouts, seconds)
        settled = False

        def progress(made: int, spent: float) -> None:
            nonlocal settled
            if watch is not None:
                watch(made, spent)
            left = forecast.playouts_left(made, spent)
            early = self.options.early and left is not None and self._is_settled(left)
            if early or self.interrupted():
                settled = True
                raise SearchStopped

        report = self._look(position, playouts, seconds, progress, left_out)
        if report.stopped and not settled:
            raise KeyboardInterrupt
        return report

    def observe(self, player: int, watch: Progress, left_out: frozenset[int] = frozenset()) -> None:
        """Search until `watch` raises SearchStopped, or the tree can count no more playouts."""
        seen_enough = False

        def progress(made: int, spent: float) -> None:
            nonlocal seen_enough
            try:
                watch(made, spent)
                if self.interrupted():
                    raise SearchStopped
            except SearchStopped:
                seen_enough = True
                raise

        report = self._look(self.board.turned(player), None, ENDLESS, progress, left_out)
        if report.stopped and not seen_enough:
            raise KeyboardInterrupt

    def seen(self) -> SearchReport:
        """What a search of the current position has found; if there was none, it is made now."""
        now = self.board.position
        if self.searcher.position is now and self._last is not None:
            return self._last
        return self.search(now.turn, self.board.turned(now.turn))

    def _look(
        self,
        position: Position,
        playouts: int | None,
        seconds: float | None,
        progress: Progress,
        left_out: frozenset[int],
    ) -> SearchReport:
        left_out |= self.board.barred(position.turn)
        if left_out:
            if left_out.issuperset(position.legal):
                raise UsageError("every legal move is left out")
            self.searcher.leave_out(left_out)
        if position is not self.board.position:
            self.searcher.drop_root()  # a turn was left out, which the tree does not know about
        self.searcher.seed = derive_seed(self._seed, self._games, len(position.moves))
        self._searched = True
        try:
            self._last = self.searcher.search(
                position, playouts=playouts, seconds=seconds, progress=progress
            )
            return self._last
        finally:
            if left_out:
                self.searcher.leave_out(frozenset())

    def _budget(self, player: int, position: Position) -> tuple[int | None, float | None]:
        """Playouts and seconds of the next search."""
        granted = self.clock.budget(player, moves_left(position))
        limits = [s for s in (self.options.seconds, granted) if s is not None]
        if self.options.playouts is None and not limits:
            limits = [DEFAULT_SECONDS]
        return self.options.playouts, min(limits, default=None)

    def _is_settled(self, left: int) -> bool:
        """Whether the most visited move stays ahead, whatever that many more playouts bring."""
        root = self.searcher.position
        if root is not None and len(root.legal) == 1:
            return True
        return self.agent.option("final") == "visits" and self.searcher.view().lead() > left


def _compile(searcher: Searcher) -> None:
    """Everything that a move needs, before any clock runs."""
    start = Position.start(searcher.game)
    searcher.search(start, playouts=1)
    moves_left(start.play(start.legal[0]))
    searcher.game.kernels.result(start.state)
