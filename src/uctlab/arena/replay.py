"""Plays a stored game again, to see whether this version plays as the one that stored it."""

from __future__ import annotations

from collections.abc import Iterable

from uctlab.arena.game import GameRecord, GameRunner, GameTask
from uctlab.arena.plan import MatchPlan
from uctlab.arena.player import gtp_command
from uctlab.games import Position


class StoredPlayer:
    """An external program, as it played and spoke in a stored game."""

    external = True
    playouts, seconds = 0, 0.0

    def __init__(self, name: str, record: GameRecord) -> None:
        self.name = name
        self._moves = record.moves.split()
        self._opinion = "" if record.settled else record.opinion

    def check(self, start: Position) -> None:
        """Accept every start: the moves are those of a stored game."""

    def begin(self, start: Position, seed: int) -> None:
        """Every game is the stored one."""

    def choose(self, position: Position) -> int | None:
        made = len(position.moves)
        return position.game.parse_move(self._moves[made]) if made < len(self._moves) else None

    def opinion(self, position: Position) -> str:
        """None of a game that was played on: what was said of dead stones is not stored."""
        return self._opinion

    def dead_stones(self, position: Position) -> None:
        return None

    def clean_up(self, position: Position, targets: frozenset[int]) -> None:
        return None

    def rest(self) -> None:
        """There is nothing to free."""

    def close(self) -> None:
        """There is nothing to close."""


def shortest_game(plan: MatchPlan, records: Iterable[GameRecord]) -> GameRecord | None:
    """The game that tells soonest whether our agents still play alike; None if none can tell.

    Budgets in seconds and threads that share a tree give another game each time, and a forfeit may
    have come from outside.
    """
    game = plan.load_game()
    ours = [side for side in "ab" if gtp_command(getattr(plan, side)) is None]
    if plan.seconds or any(plan.load_agent(side, game).option("threads") > 1 for side in ours):
        return None
    telling = [
        record
        for record in records
        if record.playouts_a + record.playouts_b > 0 and not record.ending.startswith("forfeit")
    ]
    return min(telling, key=lambda record: (record.length, record.number), default=None)


def plays_alike(plan: MatchPlan, record: GameRecord) -> bool:
    """Whether our agents make the same moves again, and the game ends in the same way.

    The moves of an external program are those of the record.
    """
    runner = GameRunner(plan)
    for side in "ab":
        if getattr(runner, side).external:
            setattr(runner, side, StoredPlayer(getattr(plan, side), record))
    again = runner.play(GameTask(plan, record.number))
    same_score = record.settled or again.score == record.score
    alike = (again.moves, again.ending, again.referee) == (
        *(record.moves, record.ending, record.referee),
    )
    return bool(alike and same_score)
