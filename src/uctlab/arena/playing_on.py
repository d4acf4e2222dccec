"""Games that are played on, since the referee and an external program name different winners.

The players capture what they call dead, and defend what they call alive. As soon as stones are
captured, or both have passed again, both are asked again: if they agree, that is the result. If
they still disagree when both have passed, or after many moves, the board is counted as it stands:
only stones that both call dead are taken off.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from uctlab.arena.player import Player
from uctlab.games import Position
from uctlab.games.capabilities import Referee, Verdict
from uctlab.protocol.gtp_client import EngineError

How = Literal["agreed", "counted", "limit", "resigned", "failed"]

WORDS: dict[How, str] = {
    "agreed": "settled by playing on until both agreed",
    "counted": "played on and counted as they stood",
    "limit": "played on for too long and counted as they stood",
    "resigned": "resigned while playing on",
    "failed": "left to the referee, since the program failed",
}


@dataclass(frozen=True)
class Settlement:
    """How a dispute was settled."""

    how: How
    result: float
    """For the first player: 1, 0.5, 0."""
    score: str
    """B+2.5; empty after a resignation."""
    moves: tuple[int, ...] = ()
    """The moves after the end of the game."""

    def __str__(self) -> str:
        return f"{self.how} {self.score}".strip()


def disagree(score: str, opinion: str) -> bool:
    """Whether both are known and name different winners; a draw is a winner of its own."""
    return bool(score and opinion) and score[0] != opinion[0]


class Dispute:
    """The end of a game, what both sides think of it, and the moves that follow."""

    def __init__(
        self, players: tuple[Player, Player], referee: Referee, end: Position, verdict: Verdict
    ) -> None:
        self._players = players
        self._referee = referee
        self._end = end
        self._verdict = verdict
        self._game = end.game

    def settle(self) -> Settlement | None:
        """None if the game cannot be played on."""
        if self._game.gtp.turned is None or self._game.stones is None:
            return None
        position = self._game.gtp.turned(self._end, self._end.turn)
        targets = self._targets()
        try:
            return self._play(position, targets)
        except EngineError:
            for player in self._players:
                if player.external:
                    player.close()
            return self._settled("failed", self._verdict, self._end)

    def _play(self, position: Position, targets: tuple[frozenset[int], ...]) -> Settlement:
        for _ in range(self._game.max_moves):
            side = position.turn
            owners = position.stones
            left = frozenset(cell for cell in targets[side] if owners[cell] == 2 - side)
            move = self._players[side].clean_up(position, left)
            if move is None:
                return Settlement("resigned", float(side), "", self._moves(position))
            if move not in position.legal:
                raise EngineError("illegal", self._game.move_name(move))
            after = position.play(move)
            if after.is_over or np.any((owners > 0) & (after.stones == 0)):
                verdict = self._referee(after)
                if self._agreed(after, verdict):
                    return self._settled("agreed", verdict, after)
            if after.is_over:
                return self._counted("counted", after)
            position = after
        return self._counted("limit", position)

    def _targets(self) -> tuple[frozenset[int], ...]:
        """For each player, the other's stones that the referee calls dead, but the other does not.

        Where a player does not say which stones are dead, all of them.
        """
        owners, dead = self._end.stones, self._verdict.dead
        told = [player.dead_stones(self._end) or frozenset() for player in self._players]
        return tuple(
            frozenset(cell for cell in dead - told[1 - side] if owners[cell] == 2 - side)
            for side in (0, 1)
        )

    def _agreed(self, position: Position, verdict: Verdict) -> bool:
        score = self._game.score_text(verdict.lead)
        opinions = [player.opinion(position) for player in self._players]
        given = [opinion for opinion in opinions if opinion]
        return bool(given) and not any(disagree(score, opinion) for opinion in given)

    def _counted(self, how: How, position: Position) -> Settlement:
        """All stones on the board count, but those that both sides call dead."""
        end = self._without(position, self._undisputed(position))
        result = end.result
        assert result is not None  # it has been played to its end
        if self._game.point_lead is not None:
            score = self._game.score_text(self._game.point_lead(end))
        else:
            score = "0" if result == 0.5 else f"{self._game.colours[int(result == 0.0)]}+"
        return Settlement(how, result, score, self._moves(position))

    def _undisputed(self, position: Position) -> frozenset[int]:
        """What the referee and every player that tells call dead; nothing if none of them tells."""
        told = [dead for p in self._players if (dead := p.dead_stones(position)) is not None]
        return self._referee(position).dead.intersection(*told) if told else frozenset()

    @staticmethod
    def _without(position: Position, dead: frozenset[int]) -> Position:
        """The board without those stones, at the end of the game."""
        end = position
        if dead and position.game.setup is not None:
            owners = position.stones
            owners[list(dead)] = 0
            end = Position.from_stones(position.game, owners, position.turn)
        while not end.is_over:
            end = end.play("pass")
        return end

    def _settled(self, how: How, verdict: Verdict, position: Position) -> Settlement:
        score = self._game.score_text(verdict.lead)
        return Settlement(how, verdict.result, score, self._moves(position))

    def _moves(self, position: Position) -> tuple[int, ...]:
        return position.moves[len(self._end.moves) :]


def judged_in_words(results: Sequence[Any]) -> str:
    """How often a referee has judged, how often the program disagreed, and how that was settled;
    `results` are those of matches."""
    judged, disputed = (sum(getattr(r, what) for r in results) for what in ("judged", "disputed"))
    settled = Counter[str]()
    for result in results:
        settled.update(result.settled)
    ways = [f"{settled[how]} {words}" for how, words in WORDS.items() if settled[how]]
    if disputed > sum(settled.values()):
        ways.append(f"{disputed - sum(settled.values())} left to the referee")
    return (
        f"{judged} games were played to the end and judged by the referee; in {disputed} of them "
        f"the opponent named a different winner{': ' if ways else ''}{', '.join(ways)}"
    )
