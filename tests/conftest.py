"""What several test files share."""

import signal
import sys

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
