"""Time in tests, on a machine of any speed: conditions that are waited for, clocks that are set.

No test asserts that something is fast. What takes a second on a quiet machine takes a minute on a
busy one, so a wait has a limit of minutes, which is reached only if what is awaited never comes.
"""

import time

from uctlab import sandbox
from uctlab.mcts import budget
from uctlab.mcts.searcher import Searcher
from uctlab.protocol import gtp_client

PATIENCE = 600.0  # seconds


def wait_until(condition, what="it has not come about", *, seconds=PATIENCE):
    """The first true value of the condition."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, what
        time.sleep(0.02)
    return value


class SearchClock:
    """The clock of all searches: every playout takes the same time, all else takes none."""

    def __init__(self, monkeypatch, playout=1e-4):
        self.now = 1000.0
        self.playout = playout
        """Seconds."""
        run = Searcher.run

        def timed_run(searcher, playouts):
            run(searcher, playouts)
            self.now += playouts * self.playout

        monkeypatch.setattr(budget, "clock", lambda: self.now)
        monkeypatch.setattr(Searcher, "run", timed_run)


def engine_clock(monkeypatch, hangs):
    """The clock of the GTP client stands still, and jumps by a day once `hangs` is true."""
    monkeypatch.setattr(gtp_client, "clock", lambda: 86400.0 if hangs() else 0.0)
    monkeypatch.setattr(gtp_client, "MAX_WAIT", 0.05)  # until it looks at the clock again


def jump_while(monkeypatch, doing):
    """The clock of sandboxes stands still, and jumps by a day while a process does that."""
    notes = []

    class Seen(sandbox.Note):
        def __init__(self):
            super().__init__()
            notes.append(self)

    monkeypatch.setattr(sandbox, "Note", Seen)
    monkeypatch.setattr(
        sandbox, "clock", lambda: 86400.0 if notes and doing in notes[-1].read() else 0.0
    )
