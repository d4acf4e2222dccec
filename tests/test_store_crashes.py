"""The store: whatever happens, no reported game is lost and none counts twice.

Programs that are killed run with interpreted kernels: they start sooner, and their games, which
must be the compiled ones all the same, take long enough for a kill to hit them.
"""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
from dataclasses import asdict, replace

import pytest

from tests.patience import wait_until
from tests.processes import workers_of
from tests.stored_matches import (
    PLAN,
    RECORD,
    Program,
    match_command,
    sums,
    wait_for_end,
)
from uctlab.arena.match import play_matches
from uctlab.arena.store import Store
from uctlab.devices.cpu import Cpu

GAMES = 60
CLOCK = ("seconds_a", "seconds_b", "finished")


def timeless(records):
    """What does not depend on the clock, by number; a number that comes twice is an error."""
    facts = [{k: v for k, v in asdict(record).items() if k not in CLOCK} for record in records]
    numbered = {fact["number"]: fact for fact in facts}
    assert len(numbered) == len(facts)
    return numbered


def stored_games(path, plan=PLAN):
    """The games of an intact store, as above."""
    with Store(path) as store:  # which may be empty
        assert all(match.plan == plan for match in store.matches())
        games = timeless(store.records(store.match_id(plan)))
    database = sqlite3.connect(path)
    assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    database.close()
    return games


@pytest.fixture(scope="module")
def undisturbed():
    """The games of the match, from a run in this process without a store."""
    games = {}

    class Watched(Cpu):
        def run(self, tasks):
            for batch in super().run(tasks):
                games.update((record.number, record) for _, record in batch.outcomes)
                yield batch

    result = play_matches([PLAN], games=GAMES, device=Watched(1))[0]
    assert list(games) == list(range(GAMES))
    assert sums(result.as_json()) == sums_of(timeless(games.values()))
    return timeless(games.values())


def first(number, games):
    """Those of the match with that many games."""
    return {n: game for n, game in games.items() if n < number}


def sums_of(games):
    """The same, counted anew."""
    scores = [game["score"] for game in games.values()]
    return [len(scores), scores.count(1.0), scores.count(0.5), scores.count(0.0)]


@pytest.fixture
def interpreted_workers(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


# Kills.


# What is waited for before each kill: a number of games, or one of these.
THE_FILE, A_WORKER = "the file", "a worker"
KILLS = (THE_FILE, 3, A_WORKER, 2)


def test_a_match_that_is_killed_again_and_again(tmp_path, undisturbed, uctlab):
    """While it makes its store, while workers start, and soon after some games.

    Each program is to play some games more, and would wait for its end before the last of them.
    """
    path = tmp_path / "store.db"
    more = GAMES // len(KILLS)
    rng = random.Random(5)
    kept = {}
    for moment in KILLS:
        program = Program(path, len(kept) + more, hold_at=1 + more // 2)
        pid = program.process.pid
        if moment == THE_FILE:
            wait_until(path.exists)
        elif moment == A_WORKER:
            wait_until(lambda pid=pid: workers_of(pid))
        else:
            program.wait_for_games(moment)
        time.sleep(rng.uniform(0, 0.03))  # wherever it then is
        workers = program.kill()
        if isinstance(moment, int):
            assert workers == 2 and max(program.reported) >= len(kept) + moment
        now = stored_games(path)
        assert kept.items() <= now.items() and now.items() <= undisturbed.items()
        assert len(now) >= max(program.reported, default=0)
        kept = now
    assert 3 + 2 <= len(kept) < GAMES
    code, out, err = uctlab(*match_command(path, GAMES))
    assert (code, err) == (0, "")
    assert sums(json.loads(out)) == sums_of(undisturbed)
    assert stored_games(path) == undisturbed


def test_a_writer_that_is_killed(tmp_path):
    """Only the store, so that most kills hit a write, or the making of the file."""
    rng = random.Random(6)
    for attempt in range(32):
        path = tmp_path / f"{attempt // 4}.db"
        reading, writing = os.pipe()
        writer = os.fork()
        if writer == 0:
            try:
                with Store(path) as store:
                    match = store.match_id(PLAN)
                    for number in range(len(list(store.records(match))), 1000):
                        store.add([(match, replace(RECORD, number=number))])
                        os.write(writing, f"{number}\n".encode())
            finally:
                os._exit(1)
        os.close(writing)
        with open(reading) as pipe:
            awaited = rng.randrange(4) if attempt % 4 else 0
            reported = [int(pipe.readline()) for _ in range(awaited)]
            time.sleep(rng.uniform(0, 0.01))  # wherever it then is
            os.kill(writer, signal.SIGKILL)
            os.waitpid(writer, 0)
            reported += map(int, pipe)
        if path.exists():
            games = stored_games(path)
            assert set(reported) <= set(games)
            assert games == timeless(replace(RECORD, number=number) for number in range(len(games)))


def test_two_programs_play_the_same_match_into_one_store(tmp_path, undisturbed):
    games = first(16, undisturbed)
    path = tmp_path / "store.db"
    programs = [Program(path, 16, workers=1) for _ in range(2)]
    for program in programs:
        code, out, err = program.finish()
        assert (code, err) == (0, "")
        assert sums(json.loads(out)) == sums_of(games)
    assert stored_games(path) == games
    with Store(path) as store:
        assert len(store.matches()) == 1


# Ctrl-C.


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_ends_a_match_with_what_is_finished(tmp_path, undisturbed, uctlab, workers):
    games = first(20, undisturbed)
    path = tmp_path / "store.db"
    program = Program(path, 20, workers=workers, hold_at=10)
    program.wait_for_games(3)
    os.killpg(program.process.pid, signal.SIGINT)
    busy = workers_of(program.process.pid)
    code, out, err = program.finish()
    result = json.loads(out)
    now = stored_games(path)
    assert (code, err) == (0, "")
    assert not result["complete"] and result["wanted"] == 20
    # Games that ended together are stored together, maybe just before Ctrl-C and their report.
    assert max(program.reported) <= result["games"] <= len(now) <= result["games"] + workers
    assert now.items() <= games.items()
    wait_for_end(busy)
    code, out, err = uctlab(*match_command(path, 20))
    assert (code, err) == (0, "")
    assert sums(json.loads(out)) == sums_of(games)
    assert stored_games(path) == games


# Workers that die.


def test_games_of_dead_workers_are_played_again(tmp_path, undisturbed, interpreted_workers):
    games = first(10, undisturbed)
    killed = []

    def kill_workers(finished, total, begun, status):
        if finished and not killed:  # by twos where both workers finish together
            killed.extend(workers_of(os.getpid()))
            for worker in killed:
                os.kill(worker, signal.SIGKILL)

    path = tmp_path / "store.db"
    with Store(path) as store:
        (result,) = play_matches(
            [PLAN], games=10, device=Cpu(2), store=store, progress=kill_workers
        )
    assert len(set(killed)) == 2
    assert stored_games(path) == games
    assert sums(result.as_json()) == sums_of(games)
    wait_for_end(killed)


# A full disk.


class SmallDisk:
    """A file system in memory, in a mount namespace that ends with its only process."""

    def __init__(self, folder, size):
        self.folder = folder
        self.folder.mkdir()
        for tool in ("unshare", "nsenter", "mount"):
            if shutil.which(tool) is None:
                pytest.skip(f"a small disk needs {tool}, which is not installed")
        self.holder = subprocess.Popen(
            ["unshare", "-rm", "sh", "-c", "echo ready; read wait"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        if not self.holder.stdout.readline():
            self.holder.communicate()
            pytest.skip("a small disk needs a namespace of its own, which is not allowed here")
        target = str(self.holder.pid)
        self.inside = ["nsenter", "-t", target, "-U", "-m", "--preserve-credentials"]
        self._mount("-t", "tmpfs", "-o", f"size={size}", "tmpfs")

    def _mount(self, *options):
        done = subprocess.run(
            [*self.inside, "mount", *options, self.folder], capture_output=True, check=False
        )
        if done.returncode:
            self.end()
            pytest.skip(f"a small disk cannot be mounted here: {done.stderr.decode().strip()}")

    def grow(self, size):
        self._mount("-o", f"remount,size={size}")

    def copy_to(self, folder):
        """What is on it; SQLite would take its path for one outside."""
        shutil.copytree(f"/proc/{self.holder.pid}/root{self.folder}", folder)
        return folder

    def end(self):
        self.holder.communicate()


@pytest.mark.parametrize("size, number", [("16k", 4), ("56k", 60)])
def test_a_full_disk(tmp_path, undisturbed, size, number):
    """Too small for the tables, or for all games: 52k to 64k take some of them."""
    games = first(number, undisturbed)
    disk = SmallDisk(tmp_path / "disk", size)
    store = disk.folder / "store.db"
    try:
        program = Program(store, number, workers=1, before=disk.inside)
        code, out, err = program.finish()
        assert code == 1 and out == ""
        assert err.count("\n") == 1 and err.startswith(f"uctlab: the store {store} cannot be ")
        assert "All reported games are safe" in err and "free some space" in err
        assert "run the same command again" in err
        now = stored_games(disk.copy_to(tmp_path / "full") / "store.db")
        assert now.items() <= games.items()
        assert len(now) >= max(program.reported, default=0)
        assert len(now) < number and bool(now) == (size == "56k")
        disk.grow("1m")
        code, out, err = Program(store, number, workers=1, before=disk.inside).finish()
        assert (code, err) == (0, "")
        assert sums(json.loads(out)) == sums_of(games)
        assert stored_games(disk.copy_to(tmp_path / "grown") / "store.db") == games
    finally:
        disk.end()
