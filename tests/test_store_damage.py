"""Damaged stores: nothing that was changed counts, and nothing goes unnoticed."""

import json
import os
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from tests.damage import Ready, build, record_of, trial
from tests.stored_matches import PLAN, RECORD, age_store, match_command
from uctlab.arena.game import GameRecord
from uctlab.arena.match import play_matches
from uctlab.arena.store import Store
from uctlab.arena.store_reader import StoreReader
from uctlab.arena.store_rows import COLUMNS, SCHEMA, checksum
from uctlab.lab.results import Results


def test_flipped_bits_and_cut_ends():
    """A sample; docs/matches.md has the figures of a larger one, and tests/damage.py makes it."""
    counts, failures = trial(flips=60, cuts=12)
    assert failures == []
    outcomes = {(kind, outcome) for kind, _, outcome in counts}
    assert {("flip", "reported"), ("flip", "no effect"), ("cut", "refused")} <= outcomes


def change(path, *statements):
    """As nobody should: the checksums stay, and constraints do not hold."""
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA ignore_check_constraints = ON")
        db.execute("PRAGMA writable_schema = ON")
        for statement in statements:
            db.execute(statement)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "store.sqlite"
    with Store(path) as store:
        match = store.match_id(PLAN)
        store.add([(match, record_of(PLAN, number)) for number in range(6)])
        store.keep({"one": 1, "other": 2})
    return path


DAMAGED = {
    "score = 0.7 WHERE number = 2": "match 1, game 2 is damaged and does not count",
    "score = 1 - score WHERE number = 3": "match 1, game 3 is damaged and does not count",
    "moves = 'b1 a2' WHERE number = 0": "match 1, game 0 is damaged and does not count",
    "finished = x'00ff' WHERE number = 5": "match 1, game 5 is damaged and does not count",
    "ending = CAST(x'fe' AS TEXT) WHERE number = 5": "match 1, game 5 is damaged and",
    "kernels = 'other' WHERE number = 1": "match 1, game 1 is damaged and does not count",
    "number = 77 WHERE number = 1": "match 1, game 77 is damaged and does not count",
    "checksum = 0 WHERE number = 1": "match 1, game 1 is damaged and does not count",
}


@pytest.mark.parametrize("what", DAMAGED)
def test_a_damaged_game_is_reported_and_played_again(path, uctlab, capsys, what):
    change(path, f"UPDATE games SET {what}")
    said = f"uctlab: {path}: {DAMAGED[what]}"
    code, out, err = uctlab("games", "stored", path, "--json")
    told = json.loads(out)
    assert code == 0 and err.startswith(said) and err.count("\n") == 1
    assert told["matches"][0]["games"] == 5 and DAMAGED[what] in told["damage"][0]
    with Store(path) as store:
        (result,) = play_matches([PLAN], games=6, device=Ready(), store=store)
        assert [*result.records] == [record_of(PLAN, number) for number in range(6)]
        assert store.damage == []
    capsys.readouterr()
    assert uctlab("games", "stored", path)[2] == ""
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def test_missing_games_and_outcomes_are_noticed(path, capsys):
    change(path, "DELETE FROM games WHERE number IN (1, 4)")
    change(path, "DELETE FROM outcomes WHERE task = 'one'")
    with StoreReader(path) as store:
        assert len(store.games(1)) == 4 and store.outcomes() == {"other": 2}
        missing = ["games of match 1: 4 of 6 are there", "outcomes: 1 of 2 are there"]
        assert store.damage == missing
    assert capsys.readouterr().err == "".join(f"uctlab: {path}: {line}\n" for line in missing)
    with Store(path) as store:
        play_matches([PLAN], games=6, device=Ready(), store=store)
        assert set(store.outcomes()) == {"other"}
        store.keep({"one": 1})
    with StoreReader(path) as store:
        assert len(store.games(1)) == 6 and store.sums().results == 8 and store.damage == []


def test_a_damaged_outcome_is_found_again(path):
    change(path, "UPDATE outcomes SET outcome = '3' WHERE task = 'one'")
    with Store(path) as store:
        assert store.outcomes() == {"other": 2}
        assert store.damage == ["task 'one' is damaged and does not count"]
        store.keep({"one": 1})
        assert store.outcomes() == {"one": 1, "other": 2} and store.damage == []


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("UPDATE matches SET plan = replace(plan, '5', '6')", "match 1 of the store {} is damaged"),
        ("UPDATE runs SET version = '0.0.1'", "run 1 of the store {} is damaged"),
        ("DELETE FROM runs", "the store {} is damaged; runs: 0 of 1 are there"),
        ("DELETE FROM matches", "the store {} is damaged; matches: 0 of 1 are there"),
        ("DROP TABLE totals", "the store {} is damaged: its tables are not those of a store"),
        ("ALTER TABLE games RENAME score TO scope", "the store {} is damaged: its tables are not"),
        (
            "UPDATE sqlite_master SET sql = replace(sql, 'score REAL', 'score RDAL')",
            "the store {} is damaged: its tables are not those of a store",
        ),
        ("PRAGMA user_version = 4", "the store {} is damaged: its tables are not those of a store"),
        ("PRAGMA application_id = 7", "the store {} is damaged: its tables are not those of a"),
    ],
)
def test_a_store_that_cannot_be_trusted_is_refused(path, uctlab, statement, why):
    change(path, statement)
    for command in (["games", "stored", path], match_command(path, 6), ["games", "judge", path]):
        code, out, err = uctlab(*command)
        assert (code, out) == (2, "") and err.startswith(f"uctlab: {why.format(path)}"), err


def test_many_damaged_games_are_not_all_named(path):
    change(path, "UPDATE games SET seed = seed + 1")
    with StoreReader(path) as store:
        assert store.games(1) == [] and len(store.damage) == 6
        assert store.damage[-1] == "games of match 1: 1 more are damaged and do not count"


def test_checks_keep_impossible_games_out(path):
    with closing(sqlite3.connect(path)) as db:
        for wrong in ("score = 0.7", "number = -1", "length = -1", "playouts_b = -1"):
            with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
                db.execute(f"UPDATE games SET {wrong} WHERE number = 0")
    with Store(path) as store, pytest.raises(ValueError, match="cannot have the row"):
        store.add([(1, replace(RECORD, number=9, score=0.7))])


def test_a_store_of_an_earlier_version_is_checked_as_far_as_it_can_be(path, uctlab):
    """It has no checksums: only what is impossible is seen. It gets them when it is written to."""
    age_store(path)
    change(path, "UPDATE games SET score = 0.7 WHERE number = 2")
    before = path.read_bytes()
    _, out, err = uctlab("games", "stored", path, "--json")
    assert json.loads(out)["matches"][0]["games"] == 5 and path.read_bytes() == before
    assert err == f"uctlab: {path}: match 1, game 2 is damaged and does not count\n"
    with Store(path) as store:
        play_matches([PLAN], games=6, device=Ready(), store=store)
    with StoreReader(path) as store:
        assert store.records(PLAN) == [record_of(PLAN, number) for number in range(6)]
        assert store.outcomes() == {"one": 1, "other": 2} and store.damage == []
    change(path, "UPDATE games SET score = 1 - score WHERE number = 3")
    assert "game 3 is damaged" in uctlab("games", "stored", path)[2]


def test_what_is_intact_is_merged(path, tmp_path, uctlab):
    change(path, "UPDATE games SET seed = 1 WHERE number = 2")
    code, out, err = uctlab("games", "merge", tmp_path / "new", path)
    assert code == 0 and "games added: 5" in out and "game 2 is damaged" in err
    assert uctlab("games", "stored", tmp_path / "new")[2] == ""


def test_an_empty_file_is_no_store_to_read(tmp_path, uctlab):
    path = tmp_path / "q.sqlite"
    path.touch()
    for command in ("stored", "export", "judge"):
        code, out, err = uctlab("games", command, path)
        assert (code, out, err) == (2, "", f"uctlab: {path} is empty, and not a store\n")
    assert path.stat().st_size == 0
    with Store(path) as store:  # a program that was killed at its start has left it
        assert store.matches() == []


def test_a_name_that_is_not_text(tmp_path, monkeypatch, uctlab):
    odd = os.fsdecode(b"\xfe.sqlite")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["uctlab", "match", "--store", odd])
    with Store(odd) as store:
        play_matches([PLAN], games=2, device=Ready(), store=store)
        assert r"\xfe.sqlite" in store.runs()[0]["command"]
    for command in (["stored", odd], ["merge", "new", odd], ["export", odd, "--out", "sgf"]):
        code, _, err = uctlab("games", *command)
        assert (code, err) == (0, "")


def test_the_page_isolates_damage(tmp_path):
    folders = [tmp_path / name for name in ("here", "results", "results/report")]
    for folder in folders:
        folder.mkdir()
        build(folder / "games.sqlite")
    for name in ("refused", "game", "empty", "not_ours"):
        build(tmp_path / "here" / f"{name}.sqlite")
    change(tmp_path / "here" / "refused.sqlite", "DELETE FROM runs")
    game = "UPDATE games SET finished = x'00ff' WHERE number = 3 AND match = 1"
    change(tmp_path / "here" / "game.sqlite", game)
    (tmp_path / "here" / "empty.sqlite").write_bytes(b"")
    (tmp_path / "here" / "not_ours.sqlite").write_bytes(b"text, and no database at all\n" * 9)
    results = Results(tmp_path / "results", tmp_path / "here")
    told = results.matches()
    reasons = {one["store"]: one["reason"] for one in told["troubles"]}
    assert reasons.keys() == {"refused.sqlite", "game.sqlite", "empty.sqlite"}
    assert "game 3 is damaged" in reasons["game.sqlite"]
    names = {"games.sqlite", "results/games.sqlite", "results/report/games.sqlite", "game.sqlite"}
    assert told["totals"] == dict.fromkeys(names, 2)
    assert len({match["id"] for match in told["matches"]}) == 8
    for match in told["matches"]:
        assert results.games(match["id"])["total"] == match["games"]
    games = {match["games"] for match in told["matches"] if match["store"] == "game.sqlite"}
    assert games == {19, 20}


def test_columns_are_those_of_records_and_tables():
    assert [*COLUMNS["games"]][3:] == [*GameRecord.__annotations__]
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(SCHEMA)
        for table, columns in COLUMNS.items():
            found = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
            assert found == [*columns, "checksum"]


def test_the_checksum_stays_what_it_is():
    """Another one would make every store there is a damaged one."""
    assert checksum((1, 0.5, "a1 \u00fc", -(2**63))) == 2576203705906562398
