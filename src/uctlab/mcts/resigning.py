"""When a game is given up: decided by the move that would be played, and by nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.errors import UsageError
from uctlab.mcts.report import SearchReport

MIN_VISITS = 50  # of the chosen move; fewer decide nothing, whatever the limit
SEARCHES = 2  # in a row that find the game lost
Z = 1.96  # standard deviations: 95 % from both sides
MARGIN = 1e-9  # devices compute the last bits of a value in different ways


def check_limit(name: str, percent: float) -> None:
    """UsageError unless it is a percentage."""
    if not 0 <= percent <= 100:
        raise UsageError(f"{name} must be a percentage from 0 to 100, not {percent:g}")


def is_hopeless(value: Any, visits: Any, limit: Any) -> Any:
    """Whether a move is worth less than the limit beyond doubt.

    Its whole interval (Wilson's, 95 %) has to be below the limit, so that a value from few playouts
    never decides: with a limit of 5 % it takes 74 visits, all of them lost.

    Args:
        value: The mean result of the chosen move for the player who makes it, 0 to 1; None without
            visits. Arrays give arrays, with one element per search.
        visits: How many playouts went through that move.
        limit: What the player still wants to hope for, 0 to 1; 0 never gives up.

    Returns:
        Whether to give up, as far as this search can tell.

    Examples:
        >>> moves = (0.0, 1), (0.0, 74), (0.04, 74)
        >>> [bool(is_hopeless(value, visits, 0.05)) for value, visits in moves]
        [False, True, False]
    """
    if value is None:
        return False
    return (visits >= MIN_VISITS) & (upper_bound(value, visits) < limit - MARGIN)


def upper_bound(value: Any, visits: Any) -> Any:
    """The upper end of Wilson's 95 % interval for a mean result of that many playouts."""
    square = Z * Z / np.maximum(visits, 1)
    within = np.clip(value, 0.0, 1.0)
    spread = np.sqrt(square * (within * (1 - within) + square / 4))
    return (within + square / 2 + spread) / (1 + square)


class Resignation:
    """Counts the searches of one player in a row that find the game lost."""

    def __init__(self, limit: float) -> None:
        """The player resigns when its move is worth less than `limit`, 0 to 1; 0: never."""
        self._limit = limit
        self._lost = 0

    def begin(self) -> None:
        """A new game, or one that does not continue what was searched."""
        self._lost = 0

    def resigns(self, report: SearchReport) -> bool:
        """Whether the player resigns after this search instead of making its move."""
        best = next(move for move in report.moves if move.move == report.best)
        lost = not report.won and is_hopeless(best.value, best.visits, self._limit)
        self._lost = self._lost + 1 if lost else 0
        return self._lost >= SEARCHES
