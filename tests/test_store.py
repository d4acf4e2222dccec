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
import sys
import time
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from sgfmill import sgf

from tests.processes import processes, workers_of
from uctlab.arena import store as store_module
from uctlab.arena.game import GameRecord
from uctlab.arena.match import play_matches
from uctlab.arena.plan import MatchPlan
from uctlab.arena.store import APPLICATION, UPGRADES, VERSION, Store, summaries
from uctlab.bench.machine import machine_line
from uctlab.devices.cpu import Cpu
from uctlab.errors import LabError, UsageError
from uctlab.games import Position, make_game
from uctlab.protocol.sgf import read_sgf

# The program, with a progress bar that says on standard output how many games are finished.
PROGRAM = """
from contextlib import contextmanager
from uctlab.cli import match
from uctlab.cli.main import main
@contextmanager
def report(what):
    yield lambda finished, total, begun, status: print(finished, flush=True)
match.game_progress = report
main()
"""
EXAMPLES = Path(__file__).parents[1] / "examples"
PLAN = MatchPlan("hex:3", "uct(c=1)", "mc", playouts=15, openings=1, seed=3)
GAMES = 300
CLOCK = ("seconds_a", "seconds_b", "finished")
PATIENCE = 60.0  # seconds, on a machine that is busy with something else
SURVIVAL = 5.0  # seconds that a worker may outlive its program
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


def timeless(records):
    """What does not depend on the clock, by number; a number that comes twice is an error."""
    facts = [{k: v for k, v in asdict(record).items() if k not in CLOCK} for record in records]
    numbered = {fact["number"]: fact for fact in facts}
    assert len(numbered) == len(facts)
    return numbered


def stored_games(path, plan=PLAN):
    """The games of an intact store, as above."""
    with Store(path, create=False) as store:
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


def sums(facts):
    """Games, wins, draws, losses, as the program says."""
    return [facts[name] for name in ("games", "wins", "draws", "losses")]


def sums_of(games):
    """The same, counted anew."""
    scores = [game["score"] for game in games.values()]
    return [len(scores), scores.count(1.0), scores.count(0.5), scores.count(0.0)]


def match_command(store, games, *, plan=PLAN, workers=1):
    options = {"games": games, "playouts": plan.playouts, "openings": plan.openings}
    options |= {"seed": plan.seed, "workers": workers, "store": store}
    flags = [part for name, value in options.items() for part in (f"--{name}", str(value))]
    return ["match", plan.game, plan.a, plan.b, *flags, "--json"]


class Program:
    """`uctlab match` with a store, as a process of its own."""

    def __init__(self, store, games, *, plan=PLAN, workers=2, before=()):
        command = match_command(store, games, plan=plan, workers=workers)
        self.process = subprocess.Popen(
            [*before, sys.executable, "-c", PROGRAM, *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
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
    deadline = time.monotonic() + SURVIVAL
    while left := [pid for pid in workers if processes().get(pid, ("Z",))[0] != "Z"]:
        if time.monotonic() > deadline:
            for pid in left:
                os.kill(pid, signal.SIGKILL)
            pytest.fail(f"workers {left} outlive their program")
        time.sleep(0.02)


@pytest.fixture
def interpreted_workers(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


# Kills.


def test_a_match_that_is_killed_twenty_times(tmp_path, undisturbed, uctlab):
    """Some kills come at a random moment, some after a random number of games.

    Each program is to play 15 games more, so that even a fast one leaves some to the next.
    """
    path = tmp_path / "store.db"
    rng = random.Random(5)
    kept = {}
    busy = 0
    for kill in range(20):
        program = Program(path, len(kept) + GAMES // 20)
        if kill % 5 in (1, 3):
            program.wait_for_games(rng.randint(1, 5))
            time.sleep(rng.uniform(0, 0.03))
        else:
            time.sleep(rng.uniform(0.1, 1.0))
        workers = program.kill()
        busy += workers == 2 and len(program.reported) > 1
        if path.exists():
            now = stored_games(path)
            assert kept.items() <= now.items() and now.items() <= undisturbed.items()
            assert len(now) >= max(program.reported, default=0)
            kept = now
    assert busy >= 5 and kept
    code, out, err = uctlab(*match_command(path, GAMES))
    assert (code, err) == (0, "")
    assert sums(json.loads(out)) == sums_of(undisturbed)
    assert stored_games(path) == undisturbed


def test_a_writer_that_is_killed(tmp_path):
    """Only the store, so that most kills hit a write, or the making of the file."""
    rng = random.Random(6)
    written = 0
    for attempt in range(40):
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
        time.sleep(rng.uniform(0, 0.02) * (1 + attempt // 8))  # a busy machine writes slowly
        os.kill(writer, signal.SIGKILL)
        os.waitpid(writer, 0)
        with open(reading) as pipe:
            reported = [int(line) for line in pipe]
        written += len(reported)
        if path.exists():
            games = stored_games(path)
            assert set(reported) <= set(games)
            assert games == timeless(replace(RECORD, number=number) for number in range(len(games)))
    assert written >= 10


def test_two_programs_play_the_same_match_into_one_store(tmp_path, undisturbed):
    games = first(30, undisturbed)
    path = tmp_path / "store.db"
    programs = [Program(path, 30), Program(path, 30)]
    for program in programs:
        code, out, err = program.finish()
        assert (code, err) == (0, "")
        assert sums(json.loads(out)) == sums_of(games)
    assert stored_games(path) == games
    with Store(path) as store:
        assert len(store.matches()) == 1


def test_of_two_programs_the_first_game_counts(tmp_path):
    with Store(tmp_path / "store.db") as one, Store(tmp_path / "store.db") as other:
        match = one.match_id(PLAN)
        assert other.match_id(PLAN) == match
        assert one.add([(match, RECORD)]) == [RECORD]
        late, new = replace(RECORD, score=0.0, moves="b2"), replace(RECORD, number=1)
        assert other.add([(match, new), (match, late)]) == [new, RECORD]
        assert list(other.records(match)) == [RECORD, new]


def test_what_is_added_together_is_there_together_or_not_at_all(tmp_path):
    with Store(tmp_path / "store.db") as store:
        match = store.match_id(PLAN)
        with pytest.raises(UsageError, match="FOREIGN KEY"):
            store.add([(match, RECORD), (match + 1, RECORD)])
        with pytest.raises(TypeError):
            store.keep({"one": 1, "other": object()})
        assert list(store.records(match)) == [] and store.outcomes() == {}
        assert store._number("SELECT count(*) FROM runs") == 0
        new = replace(RECORD, number=1)
        assert store.add([(match, new), (match, RECORD)]) == [new, RECORD]
        store.keep({"one": 1, "other": [None, "x"]})
        store.keep({"one": 2})
        assert list(store.records(match)) == [RECORD, new] and len(store.runs()) == 1
        assert store.outcomes() == {"one": 1, "other": [None, "x"]}


def test_types_in_the_store(tmp_path):
    """Numbers of NumPy would be stored as bytes."""
    path = tmp_path / "store.db"
    with Store(path) as store:
        play_matches([PLAN], games=2, device=Cpu(1), store=store)
    database = sqlite3.connect(path)
    for field, kind in GameRecord.__annotations__.items():
        wanted = {"int": "integer", "float": "real", "str": "text"}[kind]
        assert set(database.execute(f"SELECT typeof({field}) FROM games")) == {(wanted,)}, field
    database.close()


# Ctrl-C.


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_ends_a_match_with_what_is_finished(tmp_path, undisturbed, uctlab, workers):
    games = first(30, undisturbed)
    path = tmp_path / "store.db"
    program = Program(path, 30, workers=workers)
    program.wait_for_games(5)
    os.killpg(program.process.pid, signal.SIGINT)
    busy = workers_of(program.process.pid)
    code, out, err = program.finish()
    result = json.loads(out)
    now = stored_games(path)
    assert (code, err) == (0, "")
    assert not result["complete"] and result["wanted"] == 30
    assert max(program.reported) <= result["games"] <= len(now) <= result["games"] + 1
    assert now.items() <= games.items()
    wait_for_end(busy)
    code, out, err = uctlab(*match_command(path, 30))
    assert (code, err) == (0, "")
    assert sums(json.loads(out)) == sums_of(games)
    assert stored_games(path) == games


# Workers that die.


def test_games_of_dead_workers_are_played_again(tmp_path, undisturbed, interpreted_workers):
    games = first(30, undisturbed)
    killed = []

    def kill_workers(finished, total, begun, status):
        if finished in (4, 15):
            killed.extend(workers_of(os.getpid()))
            for worker in workers_of(os.getpid()):
                os.kill(worker, signal.SIGKILL)

    path = tmp_path / "store.db"
    with Store(path) as store:
        result = play_matches([PLAN], games=30, device=Cpu(2), store=store, progress=kill_workers)[
            0
        ]
    assert len(set(killed)) == 4
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


@pytest.mark.parametrize("size, number", [("16k", 4), ("52k", 90)])
def test_a_full_disk(tmp_path, undisturbed, size, number):
    """Too small for the tables, or for all games."""
    games = first(number, undisturbed)
    disk = SmallDisk(tmp_path / "disk", size)
    store = disk.folder / "store.db"
    try:
        program = Program(store, number, before=disk.inside)
        code, out, err = program.finish()
        assert code == 1 and out == ""
        assert err.count("\n") == 1 and err.startswith(f"uctlab: the store {store} cannot be ")
        assert "All reported games are safe" in err and "make room" in err
        assert "start the same command again" in err
        now = stored_games(disk.copy_to(tmp_path / "full") / "store.db")
        assert now.items() <= games.items()
        assert len(now) >= max(program.reported, default=0)
        assert len(now) < number and bool(now) == (size == "52k")
        disk.grow("1m")
        code, out, err = Program(store, number, before=disk.inside).finish()
        assert (code, err) == (0, "")
        assert sums(json.loads(out)) == sums_of(games)
        assert stored_games(disk.copy_to(tmp_path / "grown") / "store.db") == games
    finally:
        disk.end()


# Files that are no stores.


def foreign(path, *statements):
    database = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        database.execute(statement)
    database.close()


def later_version(path):
    Store(path).close()
    foreign(path, f"PRAGMA user_version = {VERSION + 1}")


FOREIGN = {
    "is not a database": lambda path: path.write_bytes(b"once upon a time\n" * 100),
    "not a store of uctlab": lambda path: foreign(path, "CREATE TABLE t (x)"),
    "but not a store of uctlab": lambda path: foreign(
        path, "PRAGMA journal_mode = WAL", "CREATE TABLE runs (id)", "INSERT INTO runs VALUES (1)"
    ),
    "database, but not a store": lambda path: foreign(
        path, f"PRAGMA application_id = {APPLICATION + 1}"
    ),
    f"version {VERSION + 1}": later_version,
}


@pytest.mark.parametrize("message", FOREIGN)
def test_files_of_others_are_refused_and_left_alone(tmp_path, uctlab, message):
    path = tmp_path / "store.db"
    FOREIGN[message](path)
    before = path.read_bytes()
    commands = [
        ("match", "hex:3", "uct", "mc", "--playouts", 5, "--store", path),
        ("games", "stored", path),
        ("games", "export", path, "--out", tmp_path / "out"),
    ]
    for command in commands:
        code, out, err = uctlab(*command)
        assert code == 2 and out == ""
        assert err.count("\n") == 1 and message in err and str(path) in err
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


# As a store of version 1 was made: no word of a referee.
FIRST_VERSION = (
    "CREATE TABLE runs (id INTEGER PRIMARY KEY, started REAL NOT NULL, version TEXT NOT NULL,"
    " command TEXT NOT NULL, machine TEXT NOT NULL)",
    "CREATE TABLE matches (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, game TEXT NOT NULL,"
    " a TEXT NOT NULL, b TEXT NOT NULL, plan TEXT NOT NULL)",
    "CREATE TABLE games (match INTEGER NOT NULL REFERENCES matches(id), number INTEGER NOT NULL,"
    " run INTEGER NOT NULL REFERENCES runs(id), score REAL NOT NULL, moves TEXT NOT NULL,"
    " opening INTEGER NOT NULL, length INTEGER NOT NULL, ending TEXT NOT NULL,"
    " seed INTEGER NOT NULL, playouts_a INTEGER NOT NULL, playouts_b INTEGER NOT NULL,"
    " seconds_a REAL NOT NULL, seconds_b REAL NOT NULL, finished REAL NOT NULL,"
    " PRIMARY KEY (match, number)) WITHOUT ROWID",
    "CREATE TABLE outcomes (task TEXT PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs(id),"
    " outcome TEXT NOT NULL)",
    "INSERT INTO runs VALUES (1, 1.6e9, '0.1', 'uctlab match', '{}')",
    f"INSERT INTO matches VALUES (1, '{PLAN.key}', 'hex:3', 'uct(c=1)', 'mc',"
    f" '{json.dumps(asdict(PLAN))}')",
    "INSERT INTO games VALUES"
    " (1, 0, 1, 1.0, 'a1 b1 a2 b2 a3', 1, 5, 'played', 1, 30, 20, 0.25, 0.5, 1.7e9)",
    """INSERT INTO outcomes VALUES ('a task', 1, '[7]')""",
    "PRAGMA user_version = 1",
    f"PRAGMA application_id = {APPLICATION}",
)


def test_a_store_of_the_first_version_goes_on(tmp_path):
    path = tmp_path / "store.db"
    foreign(path, *FIRST_VERSION)
    later = replace(RECORD, number=1, referee="B+2.5", opinion="W+3.5")
    with Store(path) as store:
        assert store.find(PLAN) == [RECORD] and store.outcomes() == {"a task": [7]}
        store.add([(store.match_id(PLAN), later)])
    with Store(path) as store:
        assert store.find(PLAN) == [RECORD, later] and len(store.runs()) == 2
        assert store._number("PRAGMA user_version") == VERSION
    with Store(tmp_path / "new.db") as new, Store(path) as old:
        columns = "SELECT name, type, [notnull], dflt_value FROM pragma_table_info('games')"
        assert set(new._db.execute(columns)) == set(old._db.execute(columns))


def test_an_upgrade_is_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "store.db"
    foreign(path, *FIRST_VERSION)
    before = path.read_bytes()
    broken = {1: (*UPGRADES[1][:1], "ALTER TABLE missing ADD COLUMN x")}
    with monkeypatch.context() as patch, pytest.raises(UsageError, match="no such table"):
        patch.setattr(store_module, "UPGRADES", broken)
        Store(path)
    assert path.read_bytes() == before
    with Store(path) as store:
        assert store.find(PLAN) == [RECORD]


def test_two_programs_upgrade_together(tmp_path, monkeypatch):
    """The second one finds the work done when its turn has come."""
    path = tmp_path / "store.db"
    foreign(path, *FIRST_VERSION)
    upgrade = Store._upgrade

    def late(store):
        monkeypatch.setattr(Store, "_upgrade", upgrade)
        Store(path).close()  # the other program
        upgrade(store)

    monkeypatch.setattr(Store, "_upgrade", late)
    with Store(path) as store:
        assert store.find(PLAN) == [RECORD]


def test_places_without_a_store(tmp_path, uctlab):
    play = ("match", "hex:3", "uct", "mc", "--playouts", 5, "--store")
    places = {
        tmp_path: f"{tmp_path} is not a file",
        tmp_path
        / "missing"
        / "store.db": f"there is no folder {tmp_path / 'missing'} for the store",
        tmp_path / ("x" * 300): "unable to open",
        Path("/proc/store.db"): "/proc/store.db cannot be opened: unable to open",
    }
    for place, message in places.items():
        code, out, err = uctlab(*play, place)
        assert code == 2 and out == ""
        assert err.count("\n") == 1 and message in err
    for command in ("stored", "export"):
        code, _, err = uctlab("games", command, tmp_path / "store.db")
        assert code == 2 and "there is no store" in err
    assert list(tmp_path.iterdir()) == []


def test_a_store_that_may_only_be_read(tmp_path):
    """What is there is told; nothing can be added, and that is no full disk."""
    path = tmp_path / "store.db"
    with Store(path) as store:
        store.add([(store.match_id(PLAN), RECORD)])
    with Store(path) as store:
        store._db.execute("PRAGMA query_only = ON")  # root may write to every file
        assert [*store.records(1)] == [RECORD]
        with pytest.raises(UsageError, match=r"cannot be written: .*readonly"):
            store.add([(1, replace(RECORD, number=1))])


def test_a_power_cut_is_thought_of(tmp_path):
    with Store(tmp_path / "store.db") as store:
        assert store._number("PRAGMA synchronous") == 3  # a journal's end is on disk too


# What is in a store.


ODD = MatchPlan("hex:3", 'gtp:"engine [x] \\\\ ü"', "uct(c=1)", playouts=7)
ENDINGS = {
    0: (0.0, "a1 b2", "resigned", "W+"),
    1: (1.0, "b2 a1 a2", "forfeit (illegal): it [played] a2", "W+"),
    2: (0.5, "b2 a1", "limit", "0"),
    3: (0.0, "b1 a1 b2 a2 b3", "played", "B+"),
}


@pytest.fixture
def filled(tmp_path):
    """A store with two matches: one of odd games, one without any."""
    path = tmp_path / "store.db"
    with Store(path) as store:
        match = store.match_id(ODD)
        for number, (score, moves, ending, _) in ENDINGS.items():
            facts = {"score": score, "moves": moves, "ending": ending, "opening": 0}
            length = len(moves.split())
            store.add([(match, replace(RECORD, number=number, length=length, **facts))])
        store.match_id(PLAN)
    return path


def test_stored(filled, uctlab):
    code, out, _ = uctlab("games", "stored", filled, "--json")
    matches = json.loads(out)["matches"]
    assert code == 0 and [match["id"] for match in matches] == [1, 2]
    assert [sums(match) for match in matches] == [[4, 1, 1, 2], [0] * 4]
    odd = matches[0]
    assert odd["forfeits"] == odd["unfinished"] == 1
    assert odd["a"] == ODD.a and odd["playouts"] == 7
    code, out, _ = uctlab("games", "stored", filled)
    assert code == 0 and out.splitlines() == [
        f"   1  hex:3: {ODD.a} against uct(c=1)",
        "      7 playouts a move, seed 0; 4 games; A scores 37.5 % +- 48.4",
        "   2  hex:3: uct(c=1) against mc",
        f"      {PLAN.conditions}, seed 3; 0 games",
    ]


def test_export(filled, uctlab, tmp_path):
    out_folder = tmp_path / "out"
    code, out, err = uctlab("games", "export", filled, "--out", out_folder, "--match", 1)
    assert (code, err) == (0, "") and out.startswith("4 games written")
    (folder,) = out_folder.iterdir()
    files = sorted(folder.iterdir())
    game = make_game("hex:3")
    for (number, (_, moves, ending, result)), file in zip(ENDINGS.items(), files, strict=True):
        data = file.read_bytes()
        assert read_sgf(game, data).moves == Position.start(game).play_all(moves).moves
        root = sgf.Sgf_game.from_bytes(data).get_root()
        names = (ODD.a, ODD.b) if number % 2 == 0 else (ODD.b, ODD.a)
        assert (root.get("PB"), root.get("PW")) == names
        assert root.get("RE") == result and root.get("GC").endswith(ending)
    code, out, _ = uctlab("games", "export", filled, "--out", out_folder)
    assert code == 0 and out.startswith("4 games written")
    code, _, err = uctlab("games", "export", filled, "--out", out_folder, "--match", 7)
    assert code == 2 and "store.db has no such match; it has 1, 2" in err
    code, _, err = uctlab("games", "export", filled, "--out", filled / "out")
    assert code == 2 and err.count("\n") == 1 and "cannot be written" in err


# Which match it is.


def test_games_of_a_changed_file_are_not_continued(tmp_path):
    game = tmp_path / "my_connect_four.py"
    shutil.copy(EXAMPLES / "connect_four.py", game)
    plan = MatchPlan(str(game), "uct", "mc", playouts=3)
    path = tmp_path / "store.db"

    def play_to(games):
        code, out, err = Program(path, games, plan=plan, workers=1).finish()
        assert (code, err) == (0, "") and json.loads(out)["games"] == games
        with Store(path) as store:
            return [match.games for match in store.matches()]

    assert play_to(2) == [2]
    game.write_text(game.read_text() + "\n# changed\n")
    assert play_to(3) == [2, 3]


def test_keys(tmp_path):
    rule = tmp_path / "my_rule.py"
    rule.write_text("first = 1\n")
    plain = MatchPlan("hex:3", "uct", "mc", playouts=3)
    own = replace(plain, b=f"uct(c=2,select={rule})")
    key = own.key
    assert key == replace(own).key and key != plain.key
    rule.write_text("first = 2\n")
    assert own.key != key
    rule.write_text("first = 1\n")
    assert own.key == key
    others = [
        replace(plain, **change)
        for change in (
            {"game": "hex:4"},
            {"a": "mc", "b": "uct"},
            {"playouts": 4},
            {"seconds": 1.0},
            {"openings": 1},
            {"seed": 1},
            {"reuse": True},
            {"memory": 1000},
        )
    ]
    assert len({plan.key for plan in (plain, *others)}) == 1 + len(others)


def test_the_same_match_written_differently(tmp_path):
    with Store(tmp_path / "store.db") as store:
        ways = [
            *({"a": "uct(c=1)"}, {"a": "uct( c = 1 )"}, {"a": " uct(c=1.0)"}),
            *({"game": "hex:3,swap=off"}, {"game": "hex:size=3"}),
        ]
        for games, way in enumerate(ways, 2):
            plan = replace(PLAN, **way)
            result = play_matches([plan], games=games, device=Cpu(1), store=store)[0]
            assert result.score.games == games and result.plan == PLAN
            assert [match.games for match in store.matches()] == [games]
        default = play_matches([replace(PLAN, game="hex")], games=1, device=Cpu(1), store=store)[0]
        assert default.plan.game == store.matches()[1].plan.game == "hex:11"


def test_a_game_without_sgf_is_left_out_of_an_export(uctlab, tmp_path):
    path, out = tmp_path / "store", tmp_path / "sgf"
    for game in (str(EXAMPLES / "connect_four.py"), "hex:3"):
        plan = MatchPlan(game, "uct", "mc", playouts=3)
        with Store(path) as store:
            play_matches([plan], games=2, device=Cpu(1), store=store)
    code, text, err = uctlab("games", "export", path, "--out", out)
    assert code == 0 and text.startswith("2 games written") and "match 1 is left out" in err
    assert len(list(out.iterdir())) == 1


def test_a_mistake_leaves_no_match_behind(uctlab, tmp_path):
    path = tmp_path / "store"
    command = ("match", "go:9", "uct", "gtp:no-such-program", "--playouts", 1, "--store", path)
    code, _, err = uctlab(*command)
    assert code == 2 and "no-such-program" in err
    with Store(path) as store:
        assert store.matches() == []


def test_summaries_are_read_without_touching_the_file(tmp_path):
    path = tmp_path / "store"
    with Store(path) as store:
        play_matches([PLAN], games=3, device=Cpu(1), store=store)
        (stored,) = store.matches()
        scores = [record.score for record in store.records(stored.id)]
    before = path.read_bytes()
    (found,) = summaries(path, limit=5, patience=0.0)
    assert (found.id, found.game, found.a, found.b) == (1, PLAN.game, PLAN.a, PLAN.b)
    assert (found.playouts, found.seconds, found.seed) == (PLAN.playouts, None, PLAN.seed)
    assert found.score.games == 3 and found.score.wins == scores.count(1.0)
    assert found.finished is not None and path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("BEGIN EXCLUSIVE")
        with pytest.raises(LabError, match="in use"):
            summaries(path, limit=5, patience=0.0)
    with pytest.raises(UsageError, match="cannot be read"):
        summaries(tmp_path / "none", limit=5, patience=0.0)


def test_the_gpu_that_did_the_work_is_noted(tmp_path):
    for gpu in ("", "A GPU"):
        with Store(tmp_path / f"store{gpu}", gpu=gpu) as store:
            store.keep({"task": 1})
            (run,) = store.runs()
        assert run["machine"].get("gpu", "") == gpu
        assert machine_line(run["machine"]).startswith("A GPU; ") == bool(gpu)
