"""`uctlab games judge`: the games of a store, judged again."""

import json
from dataclasses import replace

import pytest

from tests.stored_matches import RECORD
from uctlab.arena.plan import MatchPlan
from uctlab.arena.store import Store

PROGRAM = 'gtp:"gnugo --mode gtp"'
PLAN = MatchPlan("go:9", "uct", PROGRAM, playouts=10)
# Black's wall leaves White nothing but the komi: all 81 points are Black's.
WALL = "E1 pass E2 pass E3 pass E4 pass E5 pass E6 pass E7 pass E8 pass E9 pass pass"


def game(number, **facts):
    record = replace(RECORD, number=number, moves=WALL, length=len(WALL.split()), opening=0)
    return replace(record, **facts)


GAMES = [
    game(0, referee="B+73.5", opinion="B+73.5", score=1.0),  # as it is
    game(1, referee="B+70.5", opinion="B+73.5", score=0.0),  # another score
    game(2, referee="W+7.5", opinion="B+73.5", score=0.0),  # A, who was Black, has won
    game(3, referee="W+7.5", opinion="", score=1.0),  # B, who was Black, has won
    game(4, referee="W+7.5", opinion="B+73.5", settled="counted W+7.5", score=0.0),
    game(5, ending="resigned", score=1.0),
]


@pytest.fixture
def store(tmp_path):
    path = tmp_path / "store.db"
    with Store(path) as opened:
        number = opened.match_id(PLAN)
        opened.add([(number, record) for record in GAMES])
        opened.add([(opened.match_id(MatchPlan("hex:3", "uct", "mc", playouts=9)), RECORD)])
    return path


def records(path):
    with Store(path) as opened:
        return opened.records(PLAN)


def test_what_changes(store, uctlab):
    code, out, err = uctlab("games", "judge", store)
    assert (code, err) == (0, "")
    assert " ".join(out.split()).startswith(
        f"1 {PLAN} 5 games judged again: 1 keep their verdict, 1 have another score, 3 another "
        "winner; the opponent named a different winner in 2 of 4 before, in 0 now"
    )
    rows = {words[0]: words[1:] for words in map(str.split, out.splitlines()[3:-1])}
    assert rows["1"] == ["B+70.5", "B+73.5", "B+73.5", "0", "0"]
    assert rows["2"] == ["W+7.5", "B+73.5", "B+73.5", "0", "1"]
    assert rows["3"] == ["W+7.5", "B+73.5", "-", "1", "0"]
    assert rows["4"][:5] == ["W+7.5", "B+73.5", "B+73.5", "0", "0"]
    assert " ".join(rows["4"][5:]) == "played on: counted W+7.5"
    assert out.endswith("nothing was stored; --write does that\n")
    assert records(store) == GAMES


def test_new_verdicts_are_stored_when_that_is_wanted(store, uctlab):
    code, out, _ = uctlab("games", "judge", store, "--write")
    assert code == 0 and "nothing was stored" not in out
    stored = records(store)
    assert [record.referee for record in stored] == ["B+73.5"] * 5 + [""]
    assert [record.score for record in stored] == [1.0, 0.0, 1.0, 0.0, 0.0, 1.0]
    kept = [
        replace(r, referee=g.referee, score=g.score) for r, g in zip(stored, GAMES, strict=True)
    ]
    assert kept == GAMES
    assert "5 keep their verdict" in uctlab("games", "judge", store)[1]


def test_json_and_one_match(store, uctlab):
    (match,) = json.loads(uctlab("games", "judge", store, "--match", 1, "--json")[1])["matches"]
    assert (match["judged"], match["a"], match["b"]) == (5, "uct", PROGRAM)
    kinds = {change["number"]: change["change"] for change in match["changes"]}
    assert kinds == {1: "points", 2: "winner", 3: "winner", 4: "winner"}
    code, out, _ = uctlab("games", "judge", store, "--match", 2)
    assert (code, out) == (0, f"{store} has no game that a referee has judged\n")
    code, _, err = uctlab("games", "judge", store, "--match", 9)
    assert code == 2 and "no such match; it has 1, 2" in err


def test_a_game_that_was_played_on_is_exported_with_its_end(store, uctlab, tmp_path):
    assert uctlab("games", "export", store, "--out", tmp_path / "sgf")[0] == 0
    (found,) = (tmp_path / "sgf").glob("*/00004.sgf")
    assert "played on: counted W+7.5" in found.read_text()
