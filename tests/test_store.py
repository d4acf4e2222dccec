"""What is in a store, and how it is shown and exported."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest
from sgfmill import sgf

from tests.stored_matches import EXAMPLES, PLAN, RECORD, sums
from uctlab.arena.game import GameRecord
from uctlab.arena.match import play_matches
from uctlab.arena.plan import MatchPlan
from uctlab.arena.store import Store
from uctlab.arena.store_peek import summaries
from uctlab.bench.machine import machine_line
from uctlab.devices.cpu import Cpu
from uctlab.errors import LabError, UsageError
from uctlab.games import Position, make_game
from uctlab.games.sgf import read_sgf


def records(games):
    return [game.record for game in games]


def test_of_two_programs_the_first_game_counts(tmp_path):
    with Store(tmp_path / "store.db") as one, Store(tmp_path / "store.db") as other:
        match = one.match_id(PLAN)
        assert other.match_id(PLAN) == match
        assert records(one.add([(match, RECORD)])) == [RECORD]
        late, new = replace(RECORD, score=0.0, moves="b2"), replace(RECORD, number=1)
        assert records(other.add([(match, new), (match, late)])) == [new, RECORD]
        assert other.records(match) == [RECORD, new]


def test_what_is_added_together_is_there_together_or_not_at_all(tmp_path):
    with Store(tmp_path / "store.db") as store:
        match = store.match_id(PLAN)
        with pytest.raises(UsageError, match="FOREIGN KEY"):
            store.add([(match, RECORD), (match + 1, RECORD)])
        with pytest.raises(TypeError):
            store.keep({"one": 1, "other": object()})
        assert list(store.records(match)) == [] and store.outcomes() == {}
        assert store.runs() == []
        new = replace(RECORD, number=1)
        assert records(store.add([(match, new), (match, RECORD)])) == [new, RECORD]
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


def test_a_power_cut_is_thought_of(tmp_path):
    with Store(tmp_path / "store.db") as store:
        synchronous = store._db.execute("PRAGMA synchronous").fetchone()
        assert synchronous == (3,)  # a journal's end is on disk too


ODD = MatchPlan("hex:3", 'gtp:"engine [x] \\\\ ü"', "uct(c=1)", playouts=7)
ENDINGS = {
    0: (0.0, "a1 b2", "resigned", "W+Resign"),
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
        "      7 playouts per move, seed 0; 4 games; A scores 37.5 % +- 48.4",
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


def test_a_game_without_sgf_is_left_out_of_an_export(uctlab, tmp_path):
    path, out = tmp_path / "store", tmp_path / "sgf"
    for game in (str(EXAMPLES / "connect_four.py"), "hex:3"):
        plan = MatchPlan(game, "uct", "mc", playouts=3)
        with Store(path) as store:
            play_matches([plan], games=2, device=Cpu(1), store=store)
    code, text, err = uctlab("games", "export", path, "--out", out, "--trust")
    assert code == 0 and text.startswith("2 games written") and "match 1 is skipped" in err
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
    (found,), damage = summaries(path, limit=5, patience=0.0)
    assert (found.id, found.plan, damage) == (1, PLAN, ())
    assert found.score.games == 3 and found.score.wins == scores.count(1.0)
    assert found.finished is not None and path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("BEGIN EXCLUSIVE")
        with pytest.raises(LabError, match="in use"):
            summaries(path, limit=5, patience=0.0)
    with pytest.raises(UsageError, match="there is no store"):
        summaries(tmp_path / "none", limit=5, patience=0.0)


def test_the_gpu_that_did_the_work_is_noted(tmp_path):
    for gpu in ("", "A GPU"):
        with Store(tmp_path / f"store{gpu}", gpu=gpu) as store:
            store.keep({"task": 1})
            (run,) = store.runs()
        assert run["machine"].get("gpu", "") == gpu
        assert machine_line(run["machine"]).startswith("A GPU; ") == bool(gpu)
