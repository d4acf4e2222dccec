"""An agent that plays over GTP: the game so far, how it chooses a move, and when it resigns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from uctlab.agents import Agent
from uctlab.errors import UsageError
from uctlab.games import Game, Position
from uctlab.mcts.budget import Progress, SearchStopped, read_clock
from uctlab.mcts.passing import move_or_pass, nothing_to_gain, wins_by_passing
from uctlab.mcts.report import SearchReport
from uctlab.mcts.searcher import DEFAULT_MEMORY, Searcher
from uctlab.protocol.gtp_board import Board, Names
from uctlab.protocol.gtp_time import GameClock

DEFAULT_SECONDS = 5.0  # per move, unless somebody says otherwise
RESIGN_VISITS = 100  # in a search; values from fewer visits decide nothing
RESIGN_SEARCHES = 2  # in a row that find the game lost
RESIGN = "resign"
ENDLESS = 1e9  # seconds
WATCHED_SECONDS = 0.1  # before the speed of a search is known
FASTER = 1.5  # a search may turn out this much faster than that


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


class Forecast:
    """Estimates how many playouts the rest of a budget allows."""

    def __init__(self, playouts: int | None, seconds: float | None) -> None:
        self._playouts = playouts
        self._seconds = seconds
        self._first: tuple[int, float] | None = None
        """Playouts and seconds at the first look: before it a kept tree was copied."""

    def playouts_left(self, made: int, spent: float) -> int | None:
        """None if it is too early to say."""
        left = [] if self._playouts is None else [self._playouts - made]
        if self._first is None:
            self._first = made, spent
        elif self._seconds is not None:
            begun, since = made - self._first[0], spent - self._first[1]
            if since >= min(WATCHED_SECONDS, self._seconds / 10):
                # Slices vary; a search that turns out faster than it looked must not be cut short.
                left.append(int(FASTER * begun / since * max(self._seconds - spent, 0.0)))
        return min(left, default=None)


class Engine:
    """One game at a time, between any two players."""

    def __init__(self, game: Game, agent: Agent, options: EngineOptions) -> None:
        self.agent = agent
        self.options = options
        self.seed = options.seed
        self.clock = GameClock()
        self.game = game
        self.names = Names(game)
        self.searcher = self._searcher(game)  # reports a mistake at once
        self._ready = False

    def prepare(self) -> None:
        """Compile, the first time; a controller that only asks for a name need not wait for it."""
        if not self._ready:
            _compile(self.searcher)
            self.clear()
            self._ready = True

    def _searcher(self, game: Game) -> Searcher:
        return Searcher(game, self.agent, memory=self.options.memory, reuse=self.options.reuse)

    def _use(self, game: Game) -> None:
        """Switch to other rules, once they are compiled."""
        searcher = self._searcher(game)
        _compile(searcher)
        self.game = game
        self.names = Names(game, gogui=self.names.gogui)
        self.searcher = searcher

    def begin(self, board: Board) -> None:
        """Continue with another game, or from another position."""
        if board.game is not self.game:
            self._use(board.game)
        self.board = board
        self.searcher.forget()
        self._hopeless = [0, 0]

    def clear(self) -> None:
        """A new game."""
        self.begin(Board(Position.start(self.game)))
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
            self.begin(self.board.under(game))

    def play(self, player: int, move: int) -> None:
        self.board.play(player, move)

    def undo(self, moves: int = 1) -> None:
        self.board.undo(moves)
        self._hopeless = [0, 0]

    def genmove(self, player: int, watch: Progress | None = None) -> str:
        """Choose a move and make it; its vertex, or "resign"."""
        begin = read_clock()
        now = self.board.turned(player)
        move, report = self.choose(player, now, watch)
        if report is not None and self._resigns(player, report):
            return RESIGN
        self.board.play(player, move)
        self.clock.spend(player, read_clock() - begin)
        return self.names.vertex(move)

    def choose(
        self, player: int, now: Position, watch: Progress | None = None
    ) -> tuple[int, SearchReport | None]:
        """A move, and the search that found it if there was one."""
        if wins_by_passing(now) or nothing_to_gain(now):
            return now.last_move, None
        report = self.search(player, now, watch)
        return move_or_pass(now, report), report

    def search(
        self, player: int, position: Position, watch: Progress | None = None
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
            if self.options.early and left is not None and self._is_settled(left):
                settled = True
                raise SearchStopped

        report = self._look(position, playouts, seconds, progress)
        if report.stopped and not settled:
            raise KeyboardInterrupt
        return report

    def observe(self, player: int, watch: Progress) -> None:
        """Search until `watch` raises SearchStopped, or the tree can count no more playouts."""
        seen_enough = False

        def progress(made: int, spent: float) -> None:
            nonlocal seen_enough
            try:
                watch(made, spent)
            except SearchStopped:
                seen_enough = True
                raise

        report = self._look(self.board.turned(player), None, ENDLESS, progress)
        if report.stopped and not seen_enough:
            raise KeyboardInterrupt

    def seen(self) -> SearchReport:
        """What a search of the current position has found; if there was none, it is made now."""
        now = self.board.position
        if self.searcher.position is now:
            return self.searcher.report()
        return self.search(now.turn, self.board.turned(now.turn))

    def _look(
        self, position: Position, playouts: int | None, seconds: float | None, progress: Progress
    ) -> SearchReport:
        if position is not self.board.position:
            self.searcher.drop_root()  # a turn was left out, which the tree does not know about
        self.searcher.seed = self.seed + len(position.moves)
        return self.searcher.search(position, playouts=playouts, seconds=seconds, progress=progress)

    def _budget(self, player: int, position: Position) -> tuple[int | None, float | None]:
        """Playouts and seconds of the next search."""
        granted = self.clock.budget(player, _moves_left(position))
        limits = [s for s in (self.options.seconds, granted) if s is not None]
        if self.options.playouts is None and not limits:
            limits = [DEFAULT_SECONDS]
        return self.options.playouts, min(limits, default=None)

    def _is_settled(self, left: int) -> bool:
        """Whether the most visited move stays ahead, whatever that many more playouts bring."""
        root = self.searcher.position
        if root is not None and len(root.legal) == 1:
            return True
        return self.agent.final == "visits" and self.searcher.view().lead() > left

    def _resigns(self, player: int, report: SearchReport) -> bool:
        best = next(move for move in report.moves if move.move == report.best)
        hopeless = (
            not report.won
            and sum(move.visits for move in report.moves) >= RESIGN_VISITS
            and best.value is not None
            and best.value < self.options.resign
        )
        self._hopeless[player] = self._hopeless[player] + 1 if hopeless else 0
        return self._hopeless[player] >= RESIGN_SEARCHES


def with_komi(game: Game, komi: float) -> Game:
    """The same game with another komi."""
    if "komi" not in game.options:
        raise UsageError(f"{game.name} has no komi")
    return game.with_options(komi=komi)


def _compile(searcher: Searcher) -> None:
    """Everything that a move needs, before any clock runs."""
    start = Position.start(searcher.game)
    searcher.search(start, playouts=1)
    _moves_left(start.play(start.legal[0]))
    searcher.game.kernels.result(start.state)


def _moves_left(position: Position) -> int:
    """A guess for each player: a third of the empty cells; without a board, of the longest game."""
    diagram = position.game.diagram
    if diagram is None:
        return max(0, position.game.max_length - len(position.moves)) // 3
    cells = [cell for row in diagram.rows for cell in row]
    return int(np.count_nonzero(position.stones[cells] == 0)) // 3
