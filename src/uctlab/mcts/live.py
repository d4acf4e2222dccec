"""A search that goes on step by step, while you look at it."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING

from uctlab.errors import UsageError
from uctlab.games import Position
from uctlab.mcts.budget import Budget, read_clock
from uctlab.mcts.history import History
from uctlab.mcts.report import SearchReport
from uctlab.rules.fields import MAX_VISITS

if TYPE_CHECKING:
    from uctlab.mcts.searcher import Searcher


class LiveSearch:
    """A search that you advance yourself: `Searcher.start` begins one.

    In a `with` block Ctrl-C, or the stop button of a notebook, ends the search and keeps what is
    known: `report()` and `history` stay.

    Examples:
        >>> with uctlab.Searcher("hex:4", "auct(k=3)", seed=1).start() as search:
        ...     for snapshot in search.every(1000, playouts=3000):
        ...         print(snapshot.playouts, len(snapshot.moves))
        1000 16
        2000 16
        3000 16
        >>> search.report().playouts
        3000
    """

    def __init__(self, searcher: Searcher, position: Position) -> None:
        self._searcher = searcher
        searcher.warm_up(position)
        searcher.prepare(position, None)
        self._reused = searcher.visits
        self._spent = 0.0
        self.position = position
        """What is being searched."""
        self.stopped = False
        """Whether the search has ended, by `stop` or by Ctrl-C."""
        view = searcher.view()
        self.history = History(tuple(view.move_name(child) for child in view.children(0)))
        """Visits and values of every move, one row for each step."""

    @property
    def playouts(self) -> int:
        """Playouts so far."""
        return self._searcher.visits - self._reused

    @property
    def best(self) -> str:
        """The move to play, according to the tree as it is now; cheaper than a report."""
        return self._searcher.best_move()

    def step(self, playouts: int = 1) -> SearchReport:
        """Make that many playouts, look at the tree, and report.

        Args:
            playouts: How many.

        Returns:
            A report on the search so far.

        Examples:
            >>> search = uctlab.Searcher("hex:4", "uct", seed=1).start()
            >>> search.step().playouts, search.step(9).playouts
            (1, 10)
        """
        if self.stopped:
            raise UsageError("this search has been stopped; start another one")
        self._advance(Budget(playouts=playouts), None)
        return self.report()

    def every(
        self, step: int, *, playouts: int | None = None, seconds: float | None = None
    ) -> Iterator[SearchReport]:
        """Report again and again, after every `step` playouts.

        Args:
            step: Playouts between two reports.
            playouts: End after that many in all; by default the search goes on until the loop is
                left, `stop` is called or Ctrl-C is pressed.
            seconds: End after that many seconds of search in all.

        Returns:
            An iterator over the reports.
        """
        Budget(playouts=step)
        if playouts is not None or seconds is not None:
            Budget(playouts, seconds)
        while not self.stopped and self._searcher.proven is None:
            left = MAX_VISITS - self._searcher.visits
            if playouts is not None:
                left = min(left, playouts - self.playouts)
            if left <= 0 or (seconds is not None and self._spent >= seconds):
                return
            until = None if seconds is None else seconds - self._spent
            try:
                self._advance(Budget(playouts=min(step, left)), until)
            except KeyboardInterrupt:
                self.stop()
            yield self.report()

    def stop(self) -> None:
        """End the search; what is known stays."""
        self.stopped = True

    def report(self) -> SearchReport:
        """A report on the tree as it is now."""
        return self._searcher.report(
            playouts=self.playouts, seconds=self._spent, reused=self._reused, stopped=self.stopped
        )

    def _advance(self, budget: Budget, seconds: float | None) -> None:
        """Playouts in short slices, so that Ctrl-C is heard; the history gets a row even then."""
        begin = read_clock()
        before = self.playouts
        if self._searcher.position is not self.position:
            raise UsageError("the searcher has gone on to another position; start the search again")
        try:
            self._searcher.spend(budget.playouts or 1, seconds, begin)
        finally:
            self._spent += read_clock() - begin
            if self.playouts > before:
                self.history.add(self.playouts, self._searcher.view())

    def __enter__(self) -> LiveSearch:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        self.stop()
        return kind is not None and issubclass(kind, KeyboardInterrupt)

    def __repr__(self) -> str:
        state = "stopped" if self.stopped else "running"
        return f"<search of {self.position!r}: {self.playouts:,} playouts, {state}>"
