"""Starts the program: Ctrl-C while modules are loaded ends it with a line, not with a traceback."""

from __future__ import annotations

import sys


def main() -> None:
    try:
        from uctlab.cli.main import load  # noqa: PLC0415
        from uctlab.cli.main import main as run  # noqa: PLC0415

        load()  # Numba, which is slow
    except KeyboardInterrupt:
        print("uctlab: stopped while it was starting", file=sys.stderr)
        sys.exit(130)
    run()
