"""How long a move may take: main time, Canadian and Japanese byo-yomi, absolute time.

All times are in seconds. A budget is what a search may take. What comes on top of that (finishing a
slice of playouts, sending the answer to the controller) is held back here, so that time never runs
out. The controller's `time_left` is trusted; without it the clock adds up what moves took.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from uctlab.games import Position

LAG = 0.1  # per move in byo-yomi, besides the search: nothing makes up for a delay there
MAIN_LAG = 0.01  # per move in main time, which has a reserve
RESERVE = 1.0  # of main time, for moves made at once when it is nearly used up
SHARE_IN_RESERVE = 0.1  # at most this share of main time
SHORTEST = 0.001  # budget of a move that must be made at once
MIN_MOVES = 10  # that each player is always expected to have left
WATCHED_SECONDS = 0.1  # before the speed of a search is known
FASTER = 1.5  # a search may turn out this much faster than that


@dataclass(frozen=True)
class TimeControl:
    """What a player gets for a game."""

    main: float = 0.0
    period: float = 0.0
    """Length of a byo-yomi period; 0 for absolute time."""
    stones: int = 0
    """Moves per period of Canadian byo-yomi, or the number of Japanese periods."""
    japanese: bool = False
    """Whether every move starts a period afresh; a player who exceeds a period loses it."""

    @property
    def move_share(self) -> float:
        """What byo-yomi allows per move."""
        return self.share(self.period, self.stones)

    def share(self, period: float, stones: int) -> float:
        """What a move may take when that much of a period is left; nothing without stones."""
        if stones == 0:
            return 0.0
        return period if self.japanese else period / stones


class PlayerClock:
    """What one player has left."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.main = control.main
        self.period = control.period
        """What is left of the current byo-yomi period, or of the first one."""
        self.stones = control.stones
        """Moves left in the period, or Japanese periods left."""

    def tell(self, seconds: float, stones: int) -> None:
        """What the controller's clock says: main time if `stones` is 0."""
        if stones == 0:
            self.main = seconds
        else:
            self.main, self.period, self.stones = 0.0, seconds, stones

    def spend(self, seconds: float) -> None:
        """A move has been made."""
        over = seconds - self.main
        self.main = max(0.0, self.main - seconds)
        if over <= 0 or self.stones == 0:
            return
        if self.control.japanese:
            lost = int(over // self.control.period) if self.control.period > 0 else 0
            self.stones = max(0, self.stones - lost)
            self.period = self.control.period
            return
        self.period = max(0.0, self.period - over)
        self.stones -= 1
        if self.stones == 0:
            self.period, self.stones = self.control.period, self.control.stones

    def budget(self, moves_to_come: int) -> float:
        """What one search may take, given how many more moves this player may have to make."""
        if self.main <= 0:
            return _less(LAG, self.control.share(self.period, self.stones))
        reserve = min(RESERVE, SHARE_IN_RESERVE * self.control.main)
        share = (self.main - reserve) / max(MIN_MOVES, moves_to_come)
        # A move may go on from main time into byo-yomi, which allows it that share anyway.
        return max(_less(MAIN_LAG, share), _less(LAG, self.control.move_share))


class GameClock:
    """Both players' clocks; without a time control they do not run."""

    def __init__(self) -> None:
        self._control: TimeControl | None = None
        self._players: list[PlayerClock] | None = None

    def set(self, control: TimeControl | None) -> None:
        self._control = control
        self.restart()

    def restart(self) -> None:
        """A new game with the same time control."""
        control = self._control
        self._players = None if control is None else [PlayerClock(control), PlayerClock(control)]

    def tell(self, player: int, seconds: float, stones: int) -> None:
        if self._players is None:  # a controller that sends no settings
            self.set(
                TimeControl(seconds, 0.0, 0) if not stones else TimeControl(0, seconds, stones)
            )
        assert self._players is not None
        self._players[player].tell(seconds, stones)

    def spend(self, player: int, seconds: float) -> None:
        if self._players is not None:
            self._players[player].spend(seconds)

    def budget(self, player: int, moves_to_come: int) -> float | None:
        """None if time is not limited."""
        return None if self._players is None else self._players[player].budget(moves_to_come)


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


def moves_left(position: Position) -> int:
    """A guess for each player: a third of the empty cells; without a board, of the longest game."""
    diagram = position.game.diagram
    if diagram is None:
        return max(0, position.game.max_length - len(position.moves)) // 3
    cells = [cell for row in diagram.rows for cell in row]
    return int(np.count_nonzero(position.stones[cells] == 0)) // 3


def _less(lag: float, share: float) -> float:
    return max(SHORTEST, min(share - lag, 0.95 * share))
