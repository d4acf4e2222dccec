"""The budget of a search, and the short slices in which it is spent.

A kernel makes a number of playouts and returns, and Python reads the clock. Slices do not influence
the tree, not even that of a depth-first search, which keeps its place in the counters.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from uctlab.errors import NoBudget, UsageError
from uctlab.rules.fields import MAX_VISITS

SLICE_SECONDS = 0.005  # how often the clock is read; Ctrl-C waits at most this long
THREADS_SLICE_SECONDS = 0.02  # longer, since threads are started again for each slice
FIRST_SLICE = 16  # playouts

clock = time.perf_counter
"""What limits in seconds are measured with; tests put another one here."""

Progress = Callable[[int, float], None]
"""Called with the playouts and the seconds spent so far."""


def read_clock() -> float:
    """The time now, in seconds since any moment."""
    return clock()


class SearchStopped(Exception):  # noqa: N818 (it is no error)
    """Raised by a `progress` that has seen enough."""


@dataclass(frozen=True)
class Budget:
    """Playouts, seconds, or both; the first to be spent ends the search."""

    playouts: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.playouts is None and self.seconds is None:
            raise NoBudget("a search needs a budget: playouts=, seconds=, or both")
        if self.playouts is not None and self.playouts < 1:
            raise UsageError(f"playouts must be at least 1, not {self.playouts}")
        if self.playouts is not None and self.playouts > MAX_VISITS:
            raise UsageError(f"playouts must be at most {MAX_VISITS:,}, not {self.playouts:,}")
        if self.seconds is not None and not 0 < self.seconds < math.inf:
            raise UsageError(f"seconds must be more than 0, not {self.seconds}")


class Slices:
    """Makes playouts in slices short enough to watch the clock and to react to Ctrl-C."""

    def __init__(
        self, run: Callable[[int], None], *, threads: bool, done: Callable[[], bool]
    ) -> None:
        self._run = run
        self._done = done
        """Whether there is nothing left to find."""
        self._threads = threads
        self._longest = THREADS_SLICE_SECONDS if threads else SLICE_SECONDS
        self._pace = 0.0
        """Playouts per second of the last slice."""

    def spend(
        self, playouts: int, seconds: float | None, begin: float, progress: Progress | None = None
    ) -> None:
        """Up to that many playouts, until `seconds` have passed since `begin`."""
        made = 0
        limit = math.inf if seconds is None else seconds
        batch = FIRST_SLICE
        if self._threads and self._pace > 0:
            batch = max(1, int(self._pace * min(self._longest, limit / 2)))
        while made < playouts and not self._done():
            left = limit - (read_clock() - begin)
            if left <= 0 and made > 0:  # no move is chosen without at least one playout
                break
            batch = min(batch, playouts - made)
            start = read_clock()
            self._run(batch)
            spent = read_clock() - start
            made += batch
            if progress is not None:
                progress(made, start + spent - begin)
            self._pace = batch / max(spent, 1e-9)
            goal = min(self._longest, max(left - spent, 0.0))
            batch = max(1, min(8 * batch, int(batch * goal / max(spent, 1e-9))))
