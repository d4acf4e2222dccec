"""Starts the program: Ctrl-C while modules are loaded ends it with a line, not with a traceback."""

from __future__ import annotations

import sys

from uctlab.stop_signals import interrupted_code, stop_signals


def main() -> None:
    with stop_signals():
        try:
            from uctlab.cli.main import load  # noqa: PLC0415 (slow; see below)
            from uctlab.cli.main import main as run  # noqa: PLC0415 (likewise)

            load()  # NumPy and more, which is slow
        except KeyboardInterrupt:
            print("uctlab: stopped while it was starting", file=sys.stderr)
            sys.exit(interrupted_code())
        run()
