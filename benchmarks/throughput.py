"""How many games per second pass through the store, the bookkeeping of matches and the devices.

    python benchmarks/throughput.py --folder FOLDER --seconds 5

FOLDER is on the disk that is measured. Games are made up: no move is searched. With --ray also
through a Ray cluster of this machine.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path

from uctlab.arena.game import GameRecord, GameTask
from uctlab.arena.match import play_matches
from uctlab.arena.plan import MatchPlan
from uctlab.arena.store import Store
from uctlab.arena.tasks import Batch, Device
from uctlab.devices.cpu import Cpu, cores

HERE = Path(__file__).resolve().parent
SIZES = (1, 10, 100, 1000, 10_000)  # games of one transaction
MOVES = " ".join(f"{'abcdefgh'[i % 8]}{i // 8 + 1}" for i in range(60))  # as long as Othello's
PLAN = MatchPlan("hex:3", "uct", "mc", playouts=50_000)


@dataclass(frozen=True)
class Nothing:
    """A task that takes no time."""

    number: int

    def perform(self) -> int:
        return self.number


def record(number: int) -> GameRecord:
    return GameRecord(
        number=number,
        score=0.5,
        moves=f"{MOVES} {number}",  # as in real games, no two of them share the memory
        opening=0,
        length=60,
        ending="played",
        seed=number,
        playouts_a=1_500_000,
        playouts_b=1_500_000,
        seconds_a=0.1,
        seconds_b=0.1,
        finished=1e9,
    )


def store_speed(path: Path, size: int, seconds: float) -> tuple[float, float]:
    """Games per second into a new store, and its bytes per game."""
    path.unlink(missing_ok=True)
    with Store(path) as store:
        match = store.match_id(PLAN)
        numbers, made = count(), 0
        begin = time.perf_counter()
        while (spent := time.perf_counter() - begin) < seconds:
            store.add([(match, record(number)) for number in islice(numbers, size)])
            made += size
    return made / spent, path.stat().st_size / made


class Ready:
    """A device whose games are over when they begin, and end so many at a time."""

    def __init__(self, size: int) -> None:
        self._size = size

    def run(self, tasks: Iterator[GameTask]) -> Iterator[Batch[GameTask]]:
        while some := list(islice(tasks, self._size)):
            yield Batch([(task, record(task.number)) for task in some])


def match_speed(path: Path | None, size: int, games: int) -> float:
    """Games per second of a whole match of ready games."""
    begin = time.perf_counter()
    if path is None:
        play_matches([PLAN], games=games, device=Ready(size), progress=lambda *_: None)
    else:
        path.unlink(missing_ok=True)
        with Store(path) as store:
            play_matches([PLAN], games=games, device=Ready(size), store=store)
    return games / (time.perf_counter() - begin)


def memory_of_a_record() -> float:
    """Bytes that a finished game takes in the main program."""
    number = 10_000
    tracemalloc.start()
    kept = {i: record(i) for i in range(number)}
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size / len(kept)


def device_speed(device: Device, seconds: float, path: Path | None = None) -> tuple[float, float]:
    """Tasks per second through a device, from the first outcome on, and the CPU seconds that one
    takes in this process; with a path each is stored."""
    finished = device.run(map(Nothing, count()))
    next(finished)
    made, begin, used = 0, time.perf_counter(), time.process_time()
    if path is not None:
        path.unlink(missing_ok=True)
    with Store(path or ":memory:") as store:
        match = store.match_id(PLAN)
        while (spent := time.perf_counter() - begin) < seconds:
            batch = next(finished)
            if path is not None:
                store.add([(match, record(number)) for _, number in batch.outcomes])
            made += len(batch.outcomes)
    used = time.process_time() - used
    finished.close()
    return made / spent, used / made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=None)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--games", type=int, default=100_000, help="of the match of ready games")
    parser.add_argument("--workers", type=int, default=max(2, cores()))
    parser.add_argument("--ray", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        path = Path(folder) / "games.db"
        for size in SIZES:
            speed, size_on_disk = store_speed(path, size, options.seconds)
            print(
                f"store, {size:>6,} games a commit: {speed:>9,.0f} games/s, "
                f"{size_on_disk:,.0f} bytes a game"
            )
        for size in (1, 1000):
            speed = match_speed(None, size, options.games)
            print(f"match without a store, {size:>5,} at a time: {speed:>9,.0f} games/s")
        speed = match_speed(path, 1000, options.games)
        print(f"match with a store, 1,000 at a time: {speed:>9,.0f} games/s")
        print(f"memory: {memory_of_a_record():,.0f} bytes a game")
        devices: dict[str, Device] = {f"cpu, {options.workers} workers": Cpu(options.workers)}
        if options.ray:
            from uctlab.devices.ray import RayCluster  # noqa: PLC0415 (slow to load)

            devices[f"ray, {options.workers} cores"] = RayCluster(workers=options.workers)
        for name, device in devices.items():
            for how, place in (("", None), (", stored", path)):
                speed, used = device_speed(device, options.seconds, place)
                print(f"{name}{how}: {speed:,.0f} tasks/s, {1e6 * used:,.0f} us of CPU time a task")


if __name__ == "__main__":
    # Workers and nodes import the task from here.
    sys.path.insert(0, str(HERE))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(HERE), os.getenv("PYTHONPATH"))))
    from throughput import main as importable_main

    importable_main()
