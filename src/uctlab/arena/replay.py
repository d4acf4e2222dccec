"""Plays a stored game again, to see whether this version plays as the one that stored it."""

from __future__ import annotations

from collections.abc import Iterable

from uctlab.arena.game import GameRecord, GameRunner, GameTask
from uctlab.arena.plan import MatchPlan
from uctlab.arena.player import Player, own_sides
from uctlab.games import Position


class StoredPlayer(Player):
    """An external program, as it played and spoke in a stored game.

    It says nothing of dead stones, since that is not stored, and so has no opinion of a game that
    was played on.
    """

    external = True

    def __init__(self, name: str, record: GameRecord) -> None:
        self.name = name
        self._moves = record.moves.split()
        self._opinion = "" if record.settled else record.opinion

    def choose(self, position: Position) -> int | None:
        made = len(position.moves)
        return position.game.parse_move(self._moves[made]) if made < len(self._moves) else None

    def opinion(self, position: Position) -> str:
        return self._opinion


def shortest_game(plan: MatchPlan, records: Iterable[GameRecord]) -> GameRecord | None:
    """The game that tells soonest whether our agents still play alike; None if none can tell.

    Budgets in seconds and threads that share a tree give another game each time, and a forfeit may
    have come from outside.
    """
    game = plan.load_game()
    agents = [plan.load_agent(side, game) for side in own_sides(plan)]
    if plan.seconds or any(agent.option("threads") > 1 for agent in agents):
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
