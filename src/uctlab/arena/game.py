"""One game of a match: the task that a device performs, and the record of the finished game."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, replace

from uctlab.arena.plan import MatchPlan
from uctlab.arena.player import Player, SearchPlayer, make_player
from uctlab.arena.playing_on import Dispute, disagree
from uctlab.errors import UsageError
from uctlab.games import Game, Position
from uctlab.protocol.gtp_client import EngineError

LENGTH_FACTOR = 2  # a game of more than this times game.max_length moves is a draw
PLAYERS_KEPT = 8
OPENING_TRIALS = 1000


@dataclass(frozen=True)
class GameTask:
    """One game of a match. Games 2i and 2i + 1 are a pair: same opening, colours swapped."""

    plan: MatchPlan
    number: int

    def __str__(self) -> str:
        return f"game {self.number} of {self.plan}"

    @property
    def a_first(self) -> bool:
        return self.number % 2 == 0

    @property
    def seed(self) -> int:
        return self.plan.derive_seed("game", self.number)

    def perform(self) -> GameRecord:
        """Play the game; its players stay ready for their next game."""
        return GameRunner(self.plan).play(self)

    def check(self, *, compiled: bool = True) -> None:
        """Report mistakes in the plan, and unless it is to be left out compile its kernels, before
        any game begins."""
        runner = GameRunner(self.plan)
        opening(self, runner.start)
        if compiled:
            runner.check()


@dataclass(frozen=True)
class GameRecord:
    """A finished game."""

    number: int
    """The game's number in its match; A moves first in even ones."""
    score: float
    """A's score: 1, 0.5 or 0."""
    moves: str
    """Names of all moves, including the opening."""
    opening: int
    """Number of opening moves."""
    length: int
    ending: str
    """played, resigned, limit (a draw since the game was too long), or forfeit with the reason."""
    seed: int
    playouts_a: int
    playouts_b: int
    seconds_a: float
    seconds_b: float
    """Wall time of the searches; for an external program, including communication."""
    finished: float
    """When the game ended, in seconds since 1970."""
    referee: str = ""
    """B+2.5: how the referee judged a game with an external program; empty if the rules decided it,
    or if it was not played to its end."""
    opinion: str = ""
    """The external program's own score, such as W+3.5; empty if it gives none."""
    settled: str = ""
    """agreed B+0.5: how the game was settled if the two named different winners, and the score that
    counts (see playing_on.py); empty if they did not, or if the game cannot be played on."""
    cleanup: str = ""
    """Names of the moves after the end of such a game."""


class GameRunner:
    """Plays games between the two players of a plan.

    If the game has a referee, it judges games with an external program. One of our agents then
    passes after the program's pass if it wins by the referee's count, instead of capturing the dead
    stones, and also if it has nothing to gain. If the program names another winner than the
    referee, the game is played on. Games between our own agents are scored by the rules, which is
    what searches play for.
    """

    def __init__(self, plan: MatchPlan) -> None:
        self.game = plan.load_game()
        self.start = Position.start(self.game)
        self.a = _seated(self.game, plan, "a")
        self.b = _seated(self.game, plan, "b")
        self._referee = self.game.referee if self.a.external or self.b.external else None

    def play(self, task: GameTask) -> GameRecord:
        first_a = task.a_first
        players = (self.a, self.b) if first_a else (self.b, self.a)
        position = opening(task, self.start)
        given = len(position.moves)
        first_scores, ending, position = self._play_on(task, players, position)
        referee = opinion = ""
        settled = None
        if ending == "played" and self._referee is not None:
            verdict = self._referee(position)
            first_scores, referee = verdict.result, self.game.score_text(verdict.lead)
            opinion = self.a.opinion(position) or self.b.opinion(position)
            if disagree(referee, opinion):
                settled = Dispute(players, self._referee, position, verdict).settle()
                first_scores = first_scores if settled is None else settled.result
        for player in players:
            player.rest()
        return GameRecord(
            number=task.number,
            score=first_scores if first_a else 1.0 - first_scores,
            moves=" ".join(self.game.move_name(move) for move in position.moves),
            opening=given,
            length=len(position.moves),
            ending=ending,
            seed=task.seed,
            playouts_a=self.a.playouts,
            playouts_b=self.b.playouts,
            seconds_a=self.a.seconds,
            seconds_b=self.b.seconds,
            finished=time.time(),
            referee=referee,
            opinion=opinion,
            settled=str(settled or ""),
            cleanup=" ".join(map(self.game.move_name, settled.moves)) if settled else "",
        )

    def _play_on(
        self, task: GameTask, players: tuple[Player, Player], position: Position
    ) -> tuple[float, str, Position]:
        """The first player's score, how the game ended, and the last position."""
        for player in players:
            player.playouts, player.seconds = 0, 0.0
        side = 0
        try:
            for side, player in enumerate(players):
                player.begin(self.start, task.plan.derive_seed(task.seed, side))
            while (result := position.result) is None:
                if len(position.moves) >= LENGTH_FACTOR * self.game.max_length:
                    return 0.5, "limit", position
                side = position.turn
                move = self._winning_pass(players[side], position)
                if move is None:
                    move = self._choice(players[side], position)
                if move is None:
                    return float(side), "resigned", position
                if move not in position.legal:
                    name = self.game.move_name(move)
                    raise EngineError("illegal", f"{players[side].name} played {name}")
                position = position.play(move)
        except EngineError as failure:
            players[side].close()
            return float(side), f"forfeit ({failure.reason}): {failure}", position
        return result, "played", position

    def _choice(self, player: Player, position: Position) -> int | None:
        """Between our own agents only the rules count, so that nobody passes out of courtesy."""
        if self._referee is not None and isinstance(player, SearchPlayer):
            return player.choose_or_pass(position)
        return player.choose(position)

    def _winning_pass(self, player: Player, position: Position) -> int | None:
        """The pass, if it ends the game and the referee then says that our agent has won."""
        if self._referee is None or player.external:
            return None
        ends = self.game.pass_move
        if position.last_move != ends or ends not in position.legal:
            return None
        end = position.play(ends)
        return ends if end.is_over and self._referee(end).result == 1.0 - position.turn else None

    def check(self) -> None:
        for player in sorted((self.a, self.b), key=lambda player: not player.external):
            player.check(self.start)  # other programs first: nothing has to be compiled for them
        if self._referee is not None:
            self._referee(self.start)  # this compiles its kernels before the first game


# Kept between games: a searcher with its memory, an external program while it runs.
_players: OrderedDict[tuple[MatchPlan, str], Player] = OrderedDict()


def _seated(game: Game, plan: MatchPlan, side: str) -> Player:
    """The player of that side, shared with other matches in which it plays the same side."""
    name, own = plan.player(side)
    key = replace(plan, a=name, b="", own_a=own, own_b=None), side
    player = _players.pop(key, None) or make_player(game, plan, side)
    _players[key] = player
    while len(_players) > PLAYERS_KEPT:
        _players.popitem(last=False)[1].close()
    return player


def dismiss_players() -> None:
    """Close all players: stop external programs and free trees."""
    while _players:
        _players.popitem()[1].close()


def opening(task: GameTask, start: Position) -> Position:
    """The position after the opening, where the players take over."""
    plan = task.plan
    pair = task.number // 2
    if isinstance(plan.openings, tuple):
        line = plan.openings[pair % len(plan.openings)]
        position = start.play_all(line)
        if position.is_over:
            raise UsageError(f"{plan.game}: the game is over after the opening {line}")
        return position
    assert isinstance(plan.openings, int)
    for trial in range(OPENING_TRIALS):
        position = start
        for ply in range(plan.openings):
            legal = position.legal
            if not legal:
                break
            position = position.play(
                legal[plan.derive_seed("opening", pair, trial, ply) % len(legal)]
            )
        if not position.is_over:
            return position
    raise UsageError(f"{plan.game}: the game is over after {plan.openings} random opening moves")
