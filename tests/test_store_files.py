"""Files that are opened as stores: those of others, of earlier versions, without permission."""

import json
import sqlite3
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from tests.stored_matches import PLAN, RECORD
from uctlab.arena.store import Store
from uctlab.arena.store_rows import APPLICATION, VERSION, OutcomeRow
from uctlab.errors import UsageError


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
        assert store.records(PLAN) == [RECORD] and store.outcomes() == {"a task": [7]}
        store.add([(store.match_id(PLAN), later)])
    with Store(path) as store:
        assert store.records(PLAN) == [RECORD, later] and len(store.runs()) == 2
    Store(tmp_path / "new.db").close()
    schemas = []
    for one in (path, tmp_path / "new.db"):
        with closing(sqlite3.connect(one)) as db:
            assert db.execute("PRAGMA user_version").fetchone() == (VERSION,)
            schemas.append(db.execute("SELECT name, sql FROM sqlite_master").fetchall())
    assert schemas[0] == schemas[1]


def test_a_store_of_an_earlier_version_is_not_changed_by_reading(tmp_path, uctlab):
    path = tmp_path / "store.db"
    foreign(path, *FIRST_VERSION)
    before = path.read_bytes()
    assert json.loads(uctlab("games", "stored", path, "--json")[1])["matches"][0]["wins"] == 1
    assert uctlab("games", "export", path, "--out", tmp_path / "out")[0] == 0
    assert uctlab("games", "judge", path)[0] == 0
    with Store(path) as store:
        assert store.outcomes() == {"a task": [7]} and store.sums().results == 2
    assert path.read_bytes() == before


def test_an_upgrade_is_whole_or_not_at_all(tmp_path):
    path = tmp_path / "store.db"
    foreign(path, *FIRST_VERSION)
    before = path.read_bytes()
    with Store(path) as store:
        fail = "SELECT raise(ABORT, 'full');"
        with pytest.raises(UsageError, match="cannot be written: full"), store.writing():
            store._db.execute(
                f"CREATE TEMP TRIGGER stop BEFORE INSERT ON outcomes BEGIN {fail} END"
            )
            store.insert_outcome(OutcomeRow("another", 1, "1", ""))
        assert path.read_bytes() == before and store.records(PLAN) == [RECORD]
        store.keep({"another": 1})
        assert store.outcomes() == {"a task": [7], "another": 1}


def test_two_programs_upgrade_together(tmp_path):
    """The second one finds the work done when its turn has come."""
    path = tmp_path / "store.db"
    foreign(path, *FIRST_VERSION)
    with Store(path) as one, Store(path) as other:
        for number, store in enumerate((one, other, one), 1):
            store.add([(store.match_id(PLAN), replace(RECORD, number=number))])
            assert len(store.records(PLAN)) == number + 1


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
