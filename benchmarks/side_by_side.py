"""Compares the speed of two checkouts, measured in turns: is the new code as fast as the old?

    python benchmarks/side_by_side.py ../old . --rounds 7

Each checkout runs in its own process, which waits while the other is measured. Speeds are playouts
per CPU second in the best round; the ratio is that of the times, old / new: above 1 the new code is
faster. The signatures, of the visits in the whole tree or of the playouts' results, must be equal.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

SEARCHES = [
    ("othello", "uct", 60_000),
    ("hex:5", "uct", 200_000),
    ("hex:5", "auct(k=3)", 200_000),
    ("hex:5", "duct(k=3)", 200_000),
    ("hex:5", "dfuct", 200_000),
    ("hex:11", "uct", 100_000),
    ("hex:11", "uct(rave=fuego)", 25_000),
    ("havannah:5", "uct", 60_000),
    ("havannah:8", "uct", 30_000),
    ("go:9", "uct", 15_000),
    ("go:9", "fuego", 4_000),
    ("go:9", "mogo", 15_000),
    ("othello", "auct(k=3,expand=10)", 60_000),
]
PLAYOUTS = [
    ("othello", 60_000),
    ("hex:5", 1_500_000),
    ("hex:11", 700_000),
    ("havannah:5", 100_000),
    ("havannah:8", 40_000),
    ("go:9", 15_000),
    ("go:19", 4_000),
]

CHILD = r"""
import hashlib, json, sys, time
import numpy as np
from uctlab.agents import make_agent
from uctlab.games import Position, make_game
from uctlab.games.sampling import PlayoutSampler
from uctlab.mcts.searcher import Searcher

made = {}
for line in sys.stdin:
    what, game, agent, count = json.loads(line)
    key = what, game, agent
    position = made[key][1] if key in made else Position.start(make_game(game))
    if what == "search":
        if key not in made:
            made[key] = Searcher(position.game, make_agent(agent), seed=1), position
            made[key][0].search(position, playouts=100)
        searcher = made[key][0]
        searcher.prepare(position, count)
        searcher.run(0)
        begin = time.thread_time()
        searcher.run(count)
        spent = time.thread_time() - begin
        tree = getattr(searcher, "tree", searcher)
        used = int(tree.counters[0])
        found = np.ascontiguousarray(tree.nodes["visits"][:used]).tobytes()
    else:
        if key not in made:
            PlayoutSampler(position, seed=1).run(10)
            made[key] = None, position
        sampler = PlayoutSampler(position, seed=1)
        begin = time.thread_time()
        sample = sampler.run(count)
        spent = time.thread_time() - begin
        found = repr((sample.result, sample.length)).encode()
    print(json.dumps([spent, hashlib.sha256(found).hexdigest()[:8]]), flush=True)
"""


class Checkout:
    """A process that runs one of the two checkouts and waits for tasks to measure."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", CHILD],
            env={**os.environ, "PYTHONPATH": str(folder.resolve() / "src")},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def measure(self, *task: object) -> tuple[float, str]:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps(task) + "\n")
        self.process.stdin.flush()
        spent, signature = json.loads(self.process.stdout.readline())
        return spent, signature

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("old", type=Path, help="folder of the old checkout")
    parser.add_argument("new", type=Path, help="folder of the new one")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", default="", help="measure only what contains this text")
    options = parser.parse_args()
    tasks = [("search", *task) for task in SEARCHES]
    tasks += [("playouts", game, "", count) for game, count in PLAYOUTS]
    checkouts = [Checkout(options.old), Checkout(options.new)]
    print("| what | old per second | new per second | old / new | signature |")
    print("| --- | ---: | ---: | ---: | --- |")
    try:
        for task in tasks:
            name = " ".join(str(part) for part in task[:3]).strip()
            if options.only not in name:
                continue
            for checkout in checkouts:
                checkout.measure(*task)
            times: list[list[float]] = [[], []]
            signatures = set()
            for turn in range(options.rounds):
                for i in (0, 1) if turn % 2 == 0 else (1, 0):
                    spent, signature = checkouts[i].measure(*task)
                    times[i].append(spent)
                    signatures.add(signature)
            old, new = (min(spent) for spent in times)
            same = signatures.pop() if len(signatures) == 1 else "DIFFERENT"
            speeds = f"{task[3] / old:,.0f} | {task[3] / new:,.0f}"
            print(f"| {name} | {speeds} | {old / new:.3f} | {same} |", flush=True)
    finally:
        for checkout in checkouts:
            checkout.close()


if __name__ == "__main__":
    main()
