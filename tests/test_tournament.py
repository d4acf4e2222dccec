"""Tournaments: who meets whom, what is added up, and who is called the best."""

import json
import re

import pytest

from uctlab.arena.match import play_matches
from uctlab.arena.plan import MatchPlan
from uctlab.arena.tournament import pairings, rate
from uctlab.devices.cpu import Cpu
from uctlab.errors import UsageError

# Without exploration, and content with a move that promises less and less.
BY_STRENGTH = ["uct(c=0.7)", "uct(c=0,fpu=0.6)", "uct(c=0,fpu=0.3)", "uct(c=0,fpu=0)"]
FIELD = (BY_STRENGTH[1], BY_STRENGTH[0], BY_STRENGTH[3], BY_STRENGTH[2])
ARGUMENTS = ("tournament", "hex:4", *FIELD, "--playouts", 100, "--workers", 1)


@pytest.fixture(scope="module")
def played():
    """A field from strong to random, not in that order."""
    plans = [MatchPlan("hex:4", a, b, playouts=100) for a, b in pairings("round-robin", FIELD)]
    return rate(play_matches(plans, games=10, device=Cpu(1)))


def test_everybody_meets_everybody():
    found = pairings("round-robin", ["uct", "mc", "ucb"])
    assert found == [("uct", "mc"), ("uct", "ucb"), ("mc", "ucb")]


def test_the_first_meets_the_others():
    found = pairings("gauntlet", ["uct", "mc", "gtp: 'a b'"])
    assert found == [("uct", "mc"), ("uct", 'gtp:"a b"')]


def test_ratings_order_a_field(played):
    assert [rating.name for rating in played.ratings] == BY_STRENGTH
    elos = [rating.elo for rating in played.ratings]
    assert elos == sorted(elos, reverse=True) and elos[0] > elos[-1] + 200
    assert sum(elos) == pytest.approx(0, abs=1e-6)
    for rating in played.ratings:
        assert rating.low < rating.elo < rating.high
        assert rating.games == 3 * 10


def test_the_cross_table_adds_up(played):
    points = played.points()
    for i, row in enumerate(points):
        assert row[i] is None
        for j in range(i):
            assert row[j] + points[j][i] == 10
    for rating in played.ratings:
        row = points[played.players.index(rating.name)]
        assert sum(cell for cell in row if cell is not None) == pytest.approx(30 * rating.score)
    for match in played.matches:
        a, b = played.players.index(match.plan.a), played.players.index(match.plan.b)
        assert points[a][b] == match.score.points


def test_json(uctlab, played):
    code, out, _ = uctlab(*ARGUMENTS, "--games", 10, "--json")
    facts = json.loads(out)
    assert code == 0 and facts["players"] == list(FIELD)
    assert facts["points"] == played.points()
    assert [rating["name"] for rating in facts["ratings"]] == BY_STRENGTH
    assert facts["ratings"] == [vars(rating) for rating in played.ratings]
    assert len(facts["matches"]) == 6
    assert {(match["a"], match["games"]) for match in facts["matches"]} == {
        (name, 10) for name in FIELD[:3]
    }


def test_the_printed_table(uctlab, played, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    code, out, _ = uctlab(*ARGUMENTS, "--games", 10)
    heading, *rows, about = out.rstrip("\n").splitlines()
    assert code == 0 and all(len(line) <= 80 for line in (heading, *rows, about))
    assert heading.split() == ["player", "Elo", "95", "%", "games", "score", "1", "2", "3", "4"]
    assert [row.split()[1] for row in rows] == BY_STRENGTH
    assert about == "Columns 1, 2, ...: points against the player in that place."
    # The columns stand in the order of the rows.
    best, second = (played.players.index(name) for name in BY_STRENGTH[:2])
    cells = re.search(r"%\s+(.*)$", rows[0]).group(1).split()
    assert float(cells[0]) == played.points()[best][second] and len(cells) == 3


def test_a_gauntlet_leaves_holes(uctlab):
    arguments = ("tournament", "hex:3", "uct", "mc", "ucb", "--kind", "gauntlet")
    options = ("--games", 4, "--playouts", 20, "--workers", 1, "--json")
    facts = json.loads(uctlab(*arguments, *options)[1])
    points = facts["points"]
    assert points[1][2] is None and points[2][1] is None
    assert points[0][1] + points[1][0] == 4 and points[0][2] + points[2][0] == 4
    assert [rating["games"] for rating in sorted(facts["ratings"], key=lambda r: r["name"])] == [
        *(4, 4, 8)  # mc, ucb, uct
    ]


def test_a_store(uctlab, tmp_path):
    """A tournament, then a longer one from its store: the same as the longer one at once."""
    arguments = ("tournament", "hex:3", "uct", "mc", "ucb", "--playouts", 20, "--json")
    stored = (*arguments, "--store", tmp_path / "games.sqlite")
    assert uctlab(*stored, "--games", 2, "--workers", 1)[0] == 0
    longer = json.loads(uctlab(*stored, "--games", 6, "--workers", 1)[1])
    once = json.loads(uctlab(*arguments, "--games", 6, "--workers", 1)[1])
    assert (longer["points"], longer["ratings"]) == (once["points"], once["ratings"])


def test_without_a_game():
    """As when Ctrl-C comes at once."""
    plan = MatchPlan("hex:3", "uct", "mc", playouts=5)
    result = rate(play_matches([plan], games=2, device=_Idle()))
    assert [rating.elo for rating in result.ratings] == [0, 0]
    assert all(rating.score is None and rating.games == 0 for rating in result.ratings)
    assert result.points() == [[None, None], [None, None]]


class _Idle:
    def run(self, tasks):
        raise KeyboardInterrupt
        yield


MISTAKES = [
    (("uct",), "a tournament needs at least two players"),
    (("uct", "mc", "uct"), "uct is listed twice"),
    (("uct", "uct( )"), "uct is listed twice"),
    (("uct", "mc", "--kind", "swiss"), "unknown tournament 'swiss'; known: round-robin, gauntlet"),
    (("uct", "nobody"), "unknown agent 'nobody'; known: uct"),
    (("uct", "mc", "--games", 0), "--games takes a whole number"),
    ((), "PLAYER is missing: write uctlab tournament GAME PLAYER..."),
]


@pytest.mark.parametrize(("arguments", "says"), MISTAKES, ids=[says for _, says in MISTAKES])
def test_mistakes_are_one_line_and_code_two(uctlab, arguments, says):
    code, out, err = uctlab("tournament", "hex:3", *arguments, "--playouts", 9)
    assert code == 2 and out == ""
    assert err.startswith("uctlab: ") and err.count("\n") == 1 and says in err


def test_the_same_player_in_other_words():
    with pytest.raises(UsageError, match=r"uct\(c=2\) is listed twice"):
        pairings("gauntlet", ["uct(c=2)", "uct( c = 2.0 )"])
