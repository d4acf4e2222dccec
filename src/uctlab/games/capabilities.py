"""What a game can do besides its rules: judge a board that is not played out, habits over GTP.

Callers ask the game for these and never which game it is, so that your own game can have them too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from uctlab.games.position import Position

Status = Literal["alive", "seki", "dead"]


@dataclass(frozen=True)
class Verdict:
    """Who has won a game, as its referee sees it."""

    lead: float
    """Points of the first player minus those of the second, komi included."""
    chains: Mapping[frozenset[int], Status] = field(default_factory=dict)
    """The cells of each chain on the board, and whether it is alive, in seki or dead."""

    @property
    def result(self) -> float:
        """For the first player: 1, 0.5, 0."""
        return 0.5 + 0.5 * float(np.sign(self.lead))

    @property
    def dead(self) -> frozenset[int]:
        """Cells of the stones that are taken off before points are counted."""
        return frozenset().union(*(c for c, status in self.chains.items() if status == "dead"))


Referee = Callable[["Position"], Verdict]


@dataclass(frozen=True, kw_only=True)
class GtpHabits:
    """What a game does differently over GTP; the defaults suit a game without such habits."""

    turned: Callable[[Position, int], Position] | None = None
    """turned(position, player): the same board with `player` to move, although it is the other
    player's turn. Without it such a move is an error, unless a pass that is the only legal move has
    been left out."""
    reopens: bool = False
    """Whether moves may follow the end of the game, as they follow two passes in Go; `turned` then
    takes positions after the end too."""
    captures: Callable[[Position, frozenset[int]], frozenset[int]] | None = None
    """captures(position, dead): legal moves that go on to capture those dead stones."""
    rules_known: bool = False
    """Whether programs that speak GTP know the rules themselves, as they do those of Go; others are
    told by gogui-rules_* commands."""
    handicaps: Mapping[int, tuple[int, ...]] | None = None
    """Cells of the first player's stones in a fixed handicap, for every number of stones from 2 to
    the largest; empty on boards too small for one. Without it the game has no handicap at all."""
    commands: tuple[str, ...] = ()
    """Commands that tell an engine the rest of the rules after `clear_board`: "komi 7.5"."""
    settings: tuple[str, ...] = ()
    """The same for commands that few engines have: sent only to one that lists the command."""
    swap: int | None = None
    """The move by which the second player takes over the first stone. Programs do not agree on what
    it does to the board: some mirror the stone or change its colour, others leave the stone alone
    and exchange the colours of the players."""
