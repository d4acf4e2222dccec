"""Judges the games of a store again, with the referee as it is now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from uctlab.arena.game import GameRecord
from uctlab.arena.playing_on import disagree
from uctlab.games import Position


@dataclass(frozen=True)
class SecondVerdict:
    """What the referee of today says of a game that a referee has judged."""

    record: GameRecord
    """The game as it is stored."""
    referee: str
    """The new verdict, such as B+2.5."""
    score: float
    """A's score by the new verdict; that of a game that was played on stays as it was settled."""

    @property
    def change(self) -> str:
        """winner, points, or empty if the verdict is the same."""
        if self.referee == self.record.referee:
            return ""
        return "winner" if disagree(self.referee, self.record.referee) else "points"

    @property
    def revised(self) -> GameRecord:
        """The game with the new verdict."""
        return replace(self.record, referee=self.referee, score=self.score)


def judge_again(start: Position, records: Iterable[GameRecord]) -> Iterator[SecondVerdict]:
    """Second verdicts on those of the games that a referee has judged."""
    referee = start.game.referee
    for record in records:
        if referee is None or not record.referee:
            continue
        verdict = referee(start.play_all(record.moves))
        score = verdict.result if record.number % 2 == 0 else 1.0 - verdict.result
        text = start.game.score_text(verdict.lead)
        yield SecondVerdict(record, text, record.score if record.settled else score)


def in_words(verdicts: Sequence[SecondVerdict]) -> str:
    """How many games keep their verdict, and how often the external program disagrees."""
    known = [one for one in verdicts if one.record.opinion]
    before = sum(disagree(one.record.referee, one.record.opinion) for one in known)
    now = sum(disagree(one.referee, one.record.opinion) for one in known)
    winners, points = (sum(v.change == what for v in verdicts) for what in ("winner", "points"))
    same = len(verdicts) - winners - points
    return (
        f"{len(verdicts)} games judged again: {same} keep their verdict, "
        f"{points} have another score, {winners} another winner; the opponent named a different "
        f"winner in {before} of {len(known)} before, in {now} now"
    )
