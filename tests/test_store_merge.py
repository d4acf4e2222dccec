"""`uctlab games merge`: the games of a table, played on several machines, in one store."""

import json
import os
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from tests.stored_matches import PLAN, RECORD, age_store, edit_store
from uctlab.arena import store_merge
from uctlab.arena.store import Store
from uctlab.arena.store_merge import merge_store
from uctlab.errors import LabError, UsageError

OTHER_PLAN = replace(PLAN, seed=PLAN.seed + 1)


def numbered(*numbers, **changes):
    return [replace(RECORD, number=number, **changes) for number in numbers]


def fill(path, plan, records, *, outcomes=(), kernels="3.11 same"):
    """A run that adds these, with kernels of that digest."""
    with Store(path) as store:
        match = store.match_id(plan)
        store.add([(match, record) for record in records], {match: kernels})
        store.keep(dict(outcomes), dict.fromkeys(dict(outcomes), kernels))


def contents(path):
    with closing(sqlite3.connect(path)) as database:
        return list(database.iterdump())


@pytest.fixture
def two(tmp_path, monkeypatch):
    """Two stores: one of two matches, the other of the second, with one game in both."""
    one, other = tmp_path / "one.sqlite", tmp_path / "other.sqlite"
    for path, plan, records, command, outcomes in (
        (one, OTHER_PLAN, numbered(0), "first", {}),
        (one, PLAN, numbered(0, 2), "here", {}),
        (other, PLAN, numbered(1, 2, 3), "there", {"task": [1, None]}),
    ):
        monkeypatch.setattr("sys.argv", ["uctlab", "match", command])
        fill(path, plan, records, outcomes=outcomes)
    edit_store(one, "UPDATE runs SET seconds = 2")
    edit_store(other, "UPDATE runs SET seconds = 40")
    return one, other


def test_every_game_once_with_its_origin(two, uctlab):
    one, other = two
    before = other.read_bytes()
    line = f"{other}: games added: 2, other results added: 1, there already: 1\n"
    assert uctlab("games", "merge", one, other) == (0, line, "")
    assert other.read_bytes() == before
    with Store(one) as store:
        assert store.records(PLAN) == numbered(0, 1, 2, 3)
        assert store.records(OTHER_PLAN) == numbered(0)
        assert store.outcomes() == {"task": [1, None]}
        commands = [run["command"] for run in store.runs()]
        assert commands == [f"uctlab match {where}" for where in ("first", "here", "there")]
        assert store.run_seconds() == 2 + 2 + 40
        origin = store.origins()["task"]
        assert (origin.run, origin.kernels) == (3, "3.11 same")
    whole = contents(one)
    line = f"{other}: games added: 0, there already: 4\n"
    assert uctlab("games", "merge", one, other) == (0, line, "")
    assert contents(one) == whole, "merged again, nothing changes"


def test_several_into_a_new_store(two, tmp_path, uctlab):
    one, other = two
    code, out, _ = uctlab("games", "merge", tmp_path / "new.sqlite", other, one, other, "--json")
    told = [("from", "games", "outcomes", "known", "different")]
    told += [(str(other), 3, 1, 0, 0), (str(one), 2, 0, 1, 0), (str(other), 0, 0, 4, 0)]
    merged = [dict(zip(told[0], row, strict=True)) for row in told[1:]]
    assert (code, json.loads(out)) == (0, {"merged": merged, "mixed_matches": 0})
    with Store(tmp_path / "new.sqlite") as store:
        assert store.records(PLAN) == numbered(0, 1, 2, 3)
        assert store.records(OTHER_PLAN) == numbered(0)


def test_a_run_that_went_on_elsewhere(two, tmp_path):
    """A store is copied during a run, the run goes on in one of the two, and they are merged."""
    _, other = two
    copy = tmp_path / "copy.sqlite"
    copy.write_bytes(other.read_bytes())
    edit_store(copy, "DELETE FROM games WHERE number > 1", "UPDATE runs SET seconds = 7")
    for into, source, added in ((copy, other, 2), (other, copy, 0)):
        with Store(into) as store:
            assert merge_store(store, source).games == added
            assert store.records(PLAN) == numbered(1, 2, 3)
            assert len(store.runs()) == 1 and store.run_seconds() == 40


@pytest.mark.parametrize("change", [{"score": 0.0}, {"moves": "b2"}, {"referee": "B+2.5"}])
def test_a_game_that_is_another_there_stays(change, two, uctlab):
    one, other = two
    fill(one, PLAN, numbered(1, **change))
    code, out, _ = uctlab("games", "merge", one, other)
    line = f", there already: 2; 1 of these are different there, those of {one} stay\n"
    assert code == 0 and out.endswith(line)
    with Store(one) as store:
        assert store.records(PLAN)[1] == numbered(1, **change)[0]


def test_versions_with_other_kernels_are_told(two, uctlab):
    one, other = two
    kernels = "UPDATE games SET kernels = '3.11 other'"
    edit_store(other, kernels, "UPDATE runs SET version = '0.0.1'")
    code, out, _ = uctlab("games", "merge", one, other)
    assert code == 0 and out.splitlines()[1] == (
        "matches with games by versions whose kernels differ or cannot be compared: 1; "
        f"uctlab games stored {one} names the versions"
    )


def test_a_store_in_use_is_only_read(two, tmp_path, monkeypatch):
    """A reader and a writer that has not committed yet are no obstacle; a commit is waited for."""
    one, other = two
    with closing(sqlite3.connect(other, isolation_level=None)) as user:
        user.execute("BEGIN")
        user.execute("SELECT count(*) FROM games").fetchone()
        with Store(one) as store:
            assert merge_store(store, other).games == 2
        user.execute("COMMIT")
        user.execute("BEGIN IMMEDIATE")
        user.execute("DELETE FROM games")
        with Store(tmp_path / "new.sqlite") as store:
            assert merge_store(store, other).games == 3
        user.execute("ROLLBACK")
        user.execute("BEGIN EXCLUSIVE")
        monkeypatch.setattr(store_merge, "BUSY_SECONDS", 0.0)
        with Store(one) as store, pytest.raises(LabError, match=f"{other} is in use"):
            merge_store(store, other)


def test_a_store_of_an_earlier_version_stays_as_it_is(two, uctlab):
    one, other = two
    age_store(other, 4)
    os.chmod(other, 0o400)
    before = other.read_bytes()
    assert uctlab("games", "merge", one, other)[0] == 0
    assert other.read_bytes() == before
    with Store(one) as store:
        assert store.records(PLAN) == numbered(0, 1, 2, 3)


@pytest.mark.parametrize("name", [":memory:", "file:q.sqlite", "a ?#%.sqlite", b"\xff.sqlite"])
def test_names_of_files(name, two, tmp_path, monkeypatch):
    one, other = two
    monkeypatch.chdir(tmp_path)
    odd = os.fsdecode(name)
    os.rename(other, odd)
    with Store(one) as store:
        assert merge_store(store, store_merge.Path(odd)).games == 2


def test_what_cannot_be_merged(two, tmp_path, uctlab):
    one, other = two
    before = contents(one)
    code, out, err = uctlab("games", "merge", one, other, one)
    assert (code, out, err) == (2, "", f"uctlab: {one} cannot be merged into itself\n")
    (tmp_path / "text.sqlite").write_text("text, not a database, and long enough for SQLite to see")
    (tmp_path / "empty.sqlite").touch()
    (tmp_path / "later.sqlite").write_bytes(other.read_bytes())
    edit_store(tmp_path / "later.sqlite", "PRAGMA user_version = 99")
    for name, why in (
        ("none.sqlite", "there is no store {}"),
        ("text.sqlite", "the store {} cannot be read: file is not a database"),
        ("empty.sqlite", "{} is empty, and not a store"),
        ("later.sqlite", "{} is a store of version 99; this uctlab"),
    ):
        code, _, err = uctlab("games", "merge", one, tmp_path / name)
        assert code == 2 and err.startswith("uctlab: " + why.format(tmp_path / name)), err
    assert (tmp_path / "empty.sqlite").stat().st_size == 0
    assert contents(one) == before


def test_all_or_nothing(two):
    one, other = two
    before = contents(one)
    with Store(one) as store:
        fail = "SELECT raise(ABORT, 'full');"
        store._db.execute(f"CREATE TEMP TRIGGER stop BEFORE INSERT ON outcomes BEGIN {fail} END")
        with pytest.raises(UsageError, match="cannot be written: full"):
            merge_store(store, other)
        assert contents(one) == before
        store._db.execute("DROP TRIGGER stop")
        assert merge_store(store, other).games == 2
