"""How long the first search of a game takes, when nothing is compiled yet: CPU seconds.

    python benchmarks/cold_start.py                             all cells, once
    python benchmarks/cold_start.py --old /tmp/old/src --rounds 3     two checkouts, in turns

Every cell is `uctlab analyze GAME --agent AGENT --playouts 1000` with an empty cache, in a process
of its own; its user and system time is measured, so other work on the machine matters little.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

CELLS = [
    *(
        (game, agent)
        for game in ("othello", "hex:11", "havannah:8")
        for agent in ("uct", "auct(k=3)")
    ),
    *(("go:9", agent) for agent in ("uct", "auct(k=3)", "fuego")),
]
HERE = Path(__file__).resolve().parent.parent / "src"


def cold(source: Path, game: str, agent: str) -> float:
    """CPU seconds of one first search."""
    command = [sys.executable, "-m", "uctlab", "analyze", game, "--agent", agent]
    with tempfile.TemporaryDirectory() as cache:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [*command, "--playouts", "1000"],
            env=os.environ | {"PYTHONPATH": str(source), "UCTLAB_CACHE": cache},
            stdout=subprocess.DEVNULL,
            check=True,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--old", type=Path, metavar="SRC", help="the src folder of another checkout"
    )
    parser.add_argument(
        "--rounds", type=int, default=1, metavar="N", help="of which the best counts"
    )
    parser.add_argument("--only", default="", metavar="TEXT", help="cells whose name contains this")
    given = parser.parse_args()
    sources = {"old": given.old, "new": HERE} if given.old else {"new": HERE}
    print("| search | " + " | ".join(sources) + " |")
    print("| --- |" + " ---: |" * len(sources))
    totals = dict.fromkeys(sources, 0.0)
    for game, agent in CELLS:
        if given.only not in f"{game} {agent}":
            continue
        best = dict.fromkeys(sources, float("inf"))
        for _ in range(given.rounds):
            for name, source in sources.items():
                best[name] = min(best[name], cold(source, game, agent))
        for name, seconds in best.items():
            totals[name] += seconds
        print(
            f"| {game} {agent} | " + " | ".join(f"{s:.1f}" for s in best.values()) + " |",
            flush=True,
        )
    print("| sum | " + " | ".join(f"{total:.1f}" for total in totals.values()) + " |")


if __name__ == "__main__":
    main()
