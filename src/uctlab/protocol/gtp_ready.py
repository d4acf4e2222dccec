"""Compiles the rules and the search of a game in the background, while commands are answered.

The rules come first: positions are made by interpreted rules until then, which is slow in Go.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread

from uctlab.games import Game, Position
from uctlab.kernels.seldom import compiling_at_once
from uctlab.mcts.searcher import Searcher

QUIET = 0.2  # seconds to wait before compiling: controllers send size, komi and set-up in one go


class Preparation:
    """The compilation for one searcher, in a thread of its own.

    Args:
        searcher: Whose kernels are compiled.
        search: Compiles everything that a search needs.
    """

    def __init__(self, searcher: Searcher, search: Callable[[Searcher], None]) -> None:
        self._searcher = searcher
        self._search = search
        self._urgent, self._rules, self._done = Event(), Event(), Event()
        self._dropped = False
        self._failure: Exception | None = None
        self._thread = Thread(target=self._run, name="compilation", daemon=True)
        self._thread.start()

    @property
    def rules_ready(self) -> bool:
        """Whether positions can be made by machine code."""
        return self._rules.is_set()

    @property
    def busy(self) -> bool:
        """Whether something is being compiled."""
        return self._thread.is_alive()

    def wait_for_rules(self) -> None:
        self._wait(self._rules)

    def wait(self) -> None:
        """Until a search can begin; raises what went wrong."""
        self._wait(self._done)
        if self._failure is not None:
            raise self._failure

    def drop(self) -> None:
        """It is not needed any more; what is being compiled just now cannot be stopped."""
        self._dropped = True
        self._urgent.set()

    def _wait(self, event: Event) -> None:
        self._urgent.set()
        event.wait()

    def _run(self) -> None:
        try:
            self._urgent.wait(QUIET)
            with compiling_at_once():
                if not self._dropped:
                    compile_rules(self._searcher.game)
                self._rules.set()
                if not self._dropped:
                    self._search(self._searcher)
        except Exception as failure:  # told to whoever waits
            self._failure = failure
        finally:
            self._rules.set()
            self._done.set()


def compile_rules(game: Game) -> None:
    """What `play`, `undo` and set-ups need."""
    start = Position.start(game)
    after = start.play(start.legal[0])
    assert after.legal is not None
    game.kernels.result(after.state)
    if game.diagram is not None:
        stones = after.stones
        if game.setup is not None:
            Position.from_stones(game, stones, after.turn)
