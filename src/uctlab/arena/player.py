"""The players of a game: our own searches, and external programs that speak GTP."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from itertools import pairwise
from threading import Timer

from uctlab.agents import Agent, make_agent
from uctlab.arena.plan import MatchPlan
from uctlab.environment import seconds_of
from uctlab.errors import UsageError
from uctlab.games import Game, Position
from uctlab.mcts.budget import Budget
from uctlab.mcts.passing import move_or_pass, nothing_to_gain, useful_move, wins_as_it_stands
from uctlab.mcts.report import SearchReport
from uctlab.mcts.resigning import Resignation
from uctlab.mcts.rules_digest import kernels_digest, searches_digest
from uctlab.mcts.searcher import make_searcher
from uctlab.protocol.gtp_client import EngineError, GtpOpponent

LARGE_TREE = 2**28  # bytes; larger trees are freed after each game
GTP_TIMEOUT = 600.0  # seconds per command; an engine that is silent for longer loses the game
GTP_START_TIMEOUT = 10.0  # seconds for the first answer, before the match begins
NOTICE_SECONDS = 2.0  # of silence, after which the user is told who is waited for
MOVE_NOTICE_SECONDS = 30.0  # the same while a program thinks about a move
START_VARIABLE = "UCTLAB_GTP_START_SECONDS"  # allows more, to a program that takes long to load


class Player:
    """One side of a game; a player must at least choose moves."""

    name: str
    external = False
    """Whether it is another program."""
    playouts = 0
    """Number of playouts in this game; 0 if unknown."""
    seconds = 0.0
    """Wall time used in this game."""

    def check(self, start: Position) -> None:
        """Report mistakes and compile kernels before the first game."""

    def begin(self, start: Position, seed: int) -> None:
        """Start a new game; EngineError if the player fails."""

    def choose(self, position: Position) -> int | None:
        """The code of the chosen move, or None to resign; EngineError if the player fails."""
        raise NotImplementedError

    def opinion(self, position: Position) -> str:
        """The player's own score of the finished game, such as W+3.5; empty if it gives none."""
        return ""

    def dead_stones(self, position: Position) -> frozenset[int] | None:
        """The stones of the finished game that the player calls dead; None if it does not tell."""
        return None

    def clean_up(self, position: Position, targets: frozenset[int]) -> int | None:
        """A move after a disputed end, as `choose`; the player has to capture the targets."""
        return None

    def rest(self) -> None:
        """Called after a game: free memory that others may need."""

    def close(self) -> None:
        """Release all resources; `begin` acquires them again."""


class SearchPlayer(Player):
    """One of our agents."""

    def __init__(self, game: Game, agent: Agent, plan: MatchPlan) -> None:
        Budget(plan.playouts, plan.seconds)  # reports a mistake at once
        self.name = agent.name
        self._plan = plan
        self._searcher = make_searcher(game, agent, memory=plan.memory, reuse=plan.reuse)
        self._resignation = Resignation(plan.resign / 100)

    def check(self, start: Position) -> None:
        self._searcher.warm_up(start, timed=self._plan.seconds is not None)
        self._searcher.search(start, playouts=1)

    def begin(self, start: Position, seed: int) -> None:
        self._searcher.seed = seed
        self._searcher.drop_root()  # never reuse the tree of another game
        self._resignation.begin()

    def choose(self, position: Position) -> int | None:
        report = self._search(position)
        return None if self._resignation.resigns(report) else position.game.parse_move(report.best)

    def choose_or_pass(self, position: Position) -> int | None:
        """The same, but after the opponent's pass no move that gains nothing."""
        if nothing_to_gain(position):
            return position.last_move
        report = self._search(position)
        return None if self._resignation.resigns(report) else move_or_pass(position, report)

    def clean_up(self, position: Position, targets: frozenset[int]) -> int:
        """It answers moves while it wins as the stones stand, and captures targets otherwise.

        It need not be told how to capture: that is what wins when all stones count.
        """
        self._searcher.drop_root()  # a tree of the game itself ends with two passes
        passing = position.game.parse_move("pass")
        wins = wins_as_it_stands(position)
        if wins and position.last_move == passing:
            return passing
        if wins or not targets:
            if nothing_to_gain(position):
                return position.last_move
            return move_or_pass(position, self._search(position))
        found = useful_move(position, self._search(position))
        return passing if found is None else found

    def _search(self, position: Position) -> SearchReport:
        plan = self._plan
        report = self._searcher.search(position, playouts=plan.playouts, seconds=plan.seconds)
        if report.stopped:
            raise KeyboardInterrupt
        self._searcher.seed += 1  # different random numbers for the next move
        self.playouts += report.playouts
        self.seconds += report.seconds
        return report

    def rest(self) -> None:
        if self._searcher.bytes_held > LARGE_TREE:
            self.close()

    def close(self) -> None:
        self._searcher.forget()


class GtpPlayer(Player):
    """An external program, which keeps running from game to game until it fails."""

    external = True

    def __init__(self, game: Game, command: str) -> None:
        self.name = f'gtp:"{command}"'
        self._game = game
        self._command = command
        self._engine: GtpOpponent | None = None
        self._told: tuple[int, ...] = ()
        """The moves that have been sent to the program."""
        self._slow = False
        """Whether the user knows that its moves take long."""

    def check(self, start: Position) -> None:
        seconds = start_timeout()
        try:
            self._engine = self._start(seconds)
            with _notice(f"waiting for {self.name} to answer, at most {seconds:g} s"):
                self._greet(self._engine)
            self.begin(start, 0)
        except EngineError as failure:
            slow = failure.reason == "timeout" and self._engine and not self._engine.engine.answered
            hint = f" {START_VARIABLE} allows more time." if slow else ""
            raise UsageError(f"{self.name} cannot play: {failure}{hint}") from None
        finally:
            self.close()

    def begin(self, start: Position, seed: int) -> None:
        self._told = ()
        if self._engine is None:
            self._engine = self._start(GTP_TIMEOUT)
        self._engine.new_game(start, seed % 2**31)

    def _start(self, seconds: float) -> GtpOpponent:
        """Start the program, which has that long for its first answer."""
        return GtpOpponent(self._game, self._command, timeout=GTP_TIMEOUT, start_timeout=seconds)

    @staticmethod
    def _greet(engine: GtpOpponent) -> None:
        """A question that takes no time: what comes after it may have to be compiled or loaded."""
        try:
            engine.engine.send("protocol_version")
        except EngineError as failure:
            if failure.reason != "refused":
                raise

    def choose(self, position: Position) -> int | None:
        return self._ask(position, cleanup=False)

    def clean_up(self, position: Position, targets: frozenset[int]) -> int | None:
        return self._ask(position, cleanup=True)

    def _ask(self, position: Position, *, cleanup: bool) -> int | None:
        if self._engine is None:
            raise EngineError("died", f"{self._command} did not start")
        begin = time.perf_counter()
        self._tell(self._engine, position)
        text = f"waiting for {self.name} to make a move, at most {GTP_TIMEOUT:g} s"
        with nullcontext() if self._slow else _notice(text, MOVE_NOTICE_SECONDS):
            answer = self._engine.genmove(position.turn, cleanup=cleanup)
        spent = time.perf_counter() - begin
        self._slow |= spent >= MOVE_NOTICE_SECONDS
        self.seconds += spent
        if answer == "resign":
            return None
        move = self._game.parse_move(answer)
        # Nobody knows what a swap has done to the program's board; `_tell` places it anew.
        self._told = position.moves if move == self._game.gtp.swap else (*position.moves, move)
        return move

    def opinion(self, position: Position) -> str:
        """The program's final score; an engine that fails now does not lose the game."""
        with self._forgiven():
            if self._engine is not None:
                self._tell(self._engine, position)
                return self._engine.final_score()
        return ""

    def dead_stones(self, position: Position) -> frozenset[int] | None:
        with self._forgiven():
            if self._engine is not None:
                self._tell(self._engine, position)
                return self._engine.dead_stones()
        return None

    @contextmanager
    def _forgiven(self) -> Iterator[None]:
        """A program that refuses gives no answer; one that fails is stopped as well."""
        try:
            yield
        except EngineError as failure:
            if failure.reason != "refused":
                self.close()

    def _tell(self, engine: GtpOpponent, position: Position) -> None:
        """Send the program the moves that it does not know yet."""
        for before, after in pairwise(position.line[len(self._told) :]):
            move = after.last_move
            if move == self._game.gtp.swap:
                engine.place(after)
                continue
            forced = move == self._game.pass_move and before.legal == (move,)
            engine.play(before.turn, self._game.move_name(move), forced=forced)
        self._told = position.moves

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()
            self._engine = None


@contextmanager
def _notice(text: str, after: float | None = None) -> Iterator[None]:
    """Tell the user on standard error what takes so long, if it does."""
    wait = NOTICE_SECONDS if after is None else after
    timer = Timer(wait, lambda: print(text, file=sys.stderr, flush=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


def start_timeout() -> float:
    """Seconds that a program has for its first answer."""
    return seconds_of(START_VARIABLE, GTP_START_TIMEOUT)


def make_player(game: Game, plan: MatchPlan, side: str) -> Player:
    """The player of side "a" or "b"; mistakes in its name are reported at once."""
    command = gtp_command(plan.player(side)[0])
    if command is None:
        return SearchPlayer(game, plan.load_agent(side, game), plan)
    return GtpPlayer(game, command)


def gtp_command(text: str) -> str | None:
    """The command in gtp:"program --options", or None if the text names an agent."""
    match = re.fullmatch(r"\s*gtp:\s*(.*?)\s*", text)
    if match is None:
        return None
    command = match.group(1)
    if len(command) > 1 and command[0] == command[-1] and command[0] in "\"'":
        command = command[1:-1]
    if not command:
        raise UsageError('gtp: needs a program, such as gtp:"gnugo --mode gtp --level 10"')
    return command


def player_name(text: str) -> str:
    """The canonical name of a player."""
    command = gtp_command(text)
    return make_agent(text).name if command is None else f'gtp:"{command}"'


def own_sides(plan: MatchPlan) -> list[str]:
    """The sides, "a" and "b", that are agents and not external programs."""
    return [side for side in "ab" if gtp_command(plan.player(side)[0]) is None]


def plan_kernels(plan: MatchPlan) -> str:
    """Digest of the kernels of the plan's game and agents; what another program computes is
    unknown."""
    ours = own_sides(plan)
    judged = len(ours) < 2
    if not plan.given():
        names = tuple(plan.player(side)[0] for side in ours)
        return kernels_digest(plan.game, names, judged=judged)
    game = plan.load_game()
    return searches_digest(game, [plan.load_agent(side, game) for side in ours], judged=judged)
