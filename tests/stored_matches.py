"""A match with a store as several test files play it, in this process or in one of its own."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.processes import processes, workers_of
from uctlab.arena.game import GameRecord
from uctlab.arena.plan import MatchPlan
from uctlab.arena.store_rows import COLUMNS, SINCE, into, part_of, sealed

# The program, with a progress bar that says on standard output how many games are finished. It
# stops at the report whose number is HOLD_AT, so that a kill does not come too late.
PROGRAM = """
import itertools, os, time
from contextlib import contextmanager
from uctlab.cli import match
from uctlab.cli.main import main
@contextmanager
def report(what):
    numbers = itertools.count(1)
    def progress(finished, total, begun, status):
        print(finished, flush=True)
        if next(numbers) == int(os.environ.get("HOLD_AT", 0)):
            time.sleep(3600)
    yield progress
match.game_progress = report
main()
"""
EXAMPLES = Path(__file__).parents[1] / "examples"
PLAN = MatchPlan("hex:3", "uct(c=1)", "mc", playouts=5, openings=1, seed=3)
RECORD = GameRecord(
    number=0,
    score=1.0,
    moves="a1 b1 a2 b2 a3",
    opening=1,
    length=5,
    ending="played",
    seed=1,
    playouts_a=30,
    playouts_b=20,
    seconds_a=0.25,
    seconds_b=0.5,
    finished=1.7e9,
)


def sums(facts):
    """Games, wins, draws, losses, as the program says."""
    return [facts[name] for name in ("games", "wins", "draws", "losses")]


def match_command(store, games, *, plan=PLAN, workers=1):
    options = {"games": games, "playouts": plan.playouts, "openings": plan.openings}
    options |= {"seed": plan.seed, "workers": workers, "store": store}
    flags = [part for name, value in options.items() for part in (f"--{name}", str(value))]
    return ["match", plan.game, plan.a, plan.b, *flags, "--json"]


def edit_store(path, *statements):
    """Change a store by SQL, and its checksums so that it is not damaged."""
    with closing(sqlite3.connect(path)) as db, db:
        for statement in statements:
            db.execute(statement)
        totals = {}
        for table, columns in COLUMNS.items():
            rows = db.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall()
            db.execute(f"DELETE FROM {table}")
            for row in rows:
                part = part_of(table, row[0])
                count, digest = totals.get(part, (0, 0))
                *_, seal = new = sealed(table, row)
                totals[part] = count + 1, digest ^ seal
                db.execute(f"INSERT {into(table)}", new)
        db.execute("DELETE FROM totals")
        rows = [(part, *total) for part, total in totals.items()]
        db.executemany("INSERT INTO totals VALUES (?, ?, ?)", rows)


def age_store(path, version=5):
    """Give a store the form of an earlier version, which has no checksums."""
    later = [column for since, columns in SINCE.items() if since > version for column in columns]
    with closing(sqlite3.connect(path)) as db, db:
        for table, column in [*((table, "checksum") for table in COLUMNS), *later]:
            db.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        db.execute("DROP TABLE totals")
        db.execute(f"PRAGMA user_version = {version}")


class Program:
    """`uctlab match` with a store, as a process of its own."""

    def __init__(self, store, games, *, plan=PLAN, workers=2, before=(), hold_at=0):
        command = match_command(store, games, plan=plan, workers=workers)
        self.process = subprocess.Popen(
            [*before, sys.executable, "-c", PROGRAM, *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"NUMBA_DISABLE_JIT": "1", "HOLD_AT": str(hold_at)},
            start_new_session=True,
        )
        self.reported = []

    def wait_for_games(self, number):
        """Until that many games were reported, or the program has come to its end.

        The first report comes before the first game.
        """
        while len(self.reported) <= number and (line := self.process.stdout.readline().strip()):
            if not line.isdigit():
                return
            self.reported.append(int(line))

    def finish(self):
        """(exit code, what it printed last, standard error)."""
        out, err = self.process.communicate(timeout=PATIENCE)
        lines = out.splitlines()
        reports = [line for line in lines if line.isdigit()]
        self.reported += map(int, reports)
        return self.process.returncode, "\n".join(lines[len(reports) :]), err

    def kill(self):
        """Stop it wherever it is, see who works for it, and kill it alone; how many workers end."""
        os.kill(self.process.pid, signal.SIGSTOP)
        workers = workers_of(self.process.pid)
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
        wait_for_end(workers)
        self.finish()
        return len(workers)


def wait_for_end(workers):
    deadline = time.monotonic() + PATIENCE
    while left := [pid for pid in workers if processes().get(pid, ("Z",))[0] != "Z"]:
        if time.monotonic() > deadline:
            for pid in left:
                os.kill(pid, signal.SIGKILL)
            pytest.fail(f"workers {left} outlive their program")
        time.sleep(0.02)
