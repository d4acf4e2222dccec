"""How long a move may take: main time, Canadian and Japanese byo-yomi, absolute time.

All times are seconds. A budget is what a search may take; what comes on top of it (the end of a
slice of playouts, the way of the answer to the controller) is held back here, so that time is never
exceeded. The controller's `time_left` is believed; without it the clock runs by what moves took.
"""

from __future__ import annotations

from dataclasses import dataclass

LAG = 0.1  # of a move in byo-yomi, beside the search: nothing makes up for a delay there
MAIN_LAG = 0.01  # of a move in main time, which has a reserve
RESERVE = 1.0  # of main time, for moves that are made at once when it is nearly gone
SHARE_IN_RESERVE = 0.1  # of main time at the most
SHORTEST = 0.001  # budget of a move that is to be made at once
MIN_MOVES = 10  # that a game is expected to last for a player, as long as it does last


@dataclass(frozen=True)
class TimeControl:
    """What a player gets for a game."""

    main: float = 0.0
    period: float = 0.0
    """Of byo-yomi; 0 for absolute time."""
    stones: int = 0
    """Moves that a period of Canadian byo-yomi is for, or the number of Japanese periods."""
    japanese: bool = False
    """Whether a period begins anew with every move; a player who exceeds it loses it."""

    @property
    def move_share(self) -> float:
        """What byo-yomi grants for a move."""
        return self.share(self.period, self.stones)

    def share(self, period: float, stones: int) -> float:
        """Of a move, where so much of a period is left; without stones there is no byo-yomi."""
        if stones == 0:
            return 0.0
        return period if self.japanese else period / stones


class PlayerClock:
    """What one player has left."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.main = control.main
        self.period = control.period
        """Left of the byo-yomi period that runs, or that will be the first."""
        self.stones = control.stones
        """Left in the period, or Japanese periods left."""

    def tell(self, seconds: float, stones: int) -> None:
        """The controller's clock: main time where there are no stones."""
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
        """For one search, given how many moves of this player the game may still last."""
        if self.main <= 0:
            return _less(LAG, self.control.share(self.period, self.stones))
        reserve = min(RESERVE, SHARE_IN_RESERVE * self.control.main)
        share = (self.main - reserve) / max(MIN_MOVES, moves_to_come)
        # A move may run from main time into byo-yomi, which grants it that share anyway.
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
        """A new game by the same time control."""
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
        """Nothing where time is not limited."""
        return None if self._players is None else self._players[player].budget(moves_to_come)


def _less(lag: float, share: float) -> float:
    return max(SHORTEST, min(share - lag, 0.95 * share))
