"""What several test files share."""

import signal
import sys
from functools import partial

import pytest

from uctlab.cli.main import main

# In a shell's background Ctrl-C is ignored, here and by programs that are started.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def uctlab(capsys, monkeypatch):
    """Run the program; (exit code, standard output, standard error)."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["uctlab", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = stop.code or 0
        done = capsys.readouterr()
        return code, done.out, done.err

    return run


@pytest.fixture
def quick(monkeypatch):
    """Coarse pictures, and speeds measured once, for tests that look at neither."""
    from uctlab.papers import browne2013, drawing, yoshimoto2007  # noqa: PLC0415

    monkeypatch.setitem(drawing.STYLE, "savefig.dpi", 40)
    for paper in (browne2013, yoshimoto2007):
        measure = partial(paper.measure_rounds, round_seconds=1e-6)
        monkeypatch.setattr(paper, "measure_rounds", measure)
