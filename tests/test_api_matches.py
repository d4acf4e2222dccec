"""match, tournament and sweep as people call them from Python."""

import numpy as np
import pytest

from tests.cells import RULE
from tests.matches import WEAK
from uctlab.agents import make_agent, with_rules
from uctlab.api.matches import match, sweep, tournament
from uctlab.arena.sprt import Sprt
from uctlab.arena.sweep import combinations, vary
from uctlab.errors import UsageError

HERE = {"workers": 1, "progress": False}


@pytest.fixture(scope="module")
def rule():
    cell = {"__name__": "__main__"}
    exec(RULE, cell)
    return cell["Mine"]


def test_a_match_and_its_store(tmp_path):
    kept = {"store": tmp_path / "games.sqlite", "playouts": 20, **HERE}
    first = match("hex:3", "uct", "mc", games=2, **kept)
    more = match("hex:3", "uct", "mc", games=np.int64(4), **kept)
    assert first.score.games == 2 and more.score.games == 4
    assert more.records[:2] == first.records
    assert [record.number for record in more.records] == [0, 1, 2, 3]


def test_an_sprt_by_its_bounds():
    found = match("hex:3", "uct", WEAK, games=400, playouts=100, sprt=(0, 60), openings=1, **HERE)
    assert found.sprt == Sprt(0.0, 60.0) and found.verdict == "elo1"
    assert found.score.games < 400 and found.complete
    assert found.strength() == (found.adjusted.elo, found.adjusted.low, found.adjusted.high)


def test_a_tournament():
    found = tournament(
        "hex:3", ["uct", WEAK, make_agent("uct(c=30)")], games=2, playouts=40, **HERE
    )
    assert found.players == ("uct", WEAK, "uct(c=30)") and len(found.matches) == 3
    heading, *rows, about = str(found).splitlines()
    assert heading.split()[:2] == ["player", "Elo"] and len(rows) == 3
    assert [row.split()[1] for row in rows] == [rating.name for rating in found.ratings]
    assert about.startswith("Columns 1, 2")
    gauntlet = tournament(
        "hex:3", ("uct", "mc", "ucb"), kind="gauntlet", games=1, playouts=9, **HERE
    )
    assert len(gauntlet.matches) == 2


def test_a_sweep_plays_every_combination_against_the_base():
    grid = {"c": [0.5, 1], "expand": [1, 5]}
    found = sweep("hex:3", WEAK, grid, agent="uct", games=2, playouts=30, **HERE)
    assert found.parameters == ("c", "expand") and found.base == WEAK and found.agent == "uct"
    assert [row.options for row in found.rows] == [
        {"c": c, "expand": expand} for c in (0.5, 1) for expand in (1, 5)
    ]
    plans = [row.result.plan for row in found.rows]
    assert [plan.a for plan in plans] == [
        *("uct(c=0.5,expand=1)", "uct(c=0.5,expand=5)", "uct(c=1,expand=1)", "uct(c=1,expand=5)")
    ]
    assert {plan.b for plan in plans} == {WEAK}
    alone = match("hex:3", "uct(c=1,expand=5)", WEAK, games=2, playouts=30, **HERE)
    assert found.rows[3].result.score == alone.score
    title, heading, *rows, about = str(found).splitlines()
    assert title == f"hex:3: uct against {WEAK}, 30 playouts per move, seed 0"
    assert heading.split()[:3] == ["c", "expand", "games"] and "LOS" in about
    assert [row.split()[:3] for row in rows] == [
        *(["0.5", "1", "2"], ["0.5", "5", "2"], ["1", "1", "2"], ["1", "5", "2"])
    ]
    best = max(row.result.score.percent for row in found.rows)
    assert found.best.result.score.percent == best


def test_a_sweep_of_the_base_itself_with_an_sprt():
    found = sweep("hex:3", "uct(c=30)", {"c": [30, 0.7]}, games=2, playouts=9, sprt=(0, 9), **HERE)
    assert [row.result.plan.a for row in found.rows] == ["uct(c=30)", "uct(c=0.7)"]
    assert "no verdict" in str(found) and "adjusted for the SPRT" in str(found)


def test_options_of_agents_with_own_rules(rule):
    mine = with_rules(make_agent("uct(c=0.5)"), select=rule)
    varied = vary(mine, {"c": 0.9})
    assert varied.name == "uct(c=0.9)*Mine" and varied.select is rule
    assert vary("uct", {"select": rule, "expand": 3}).select is rule
    assert vary(mine, {"select": rule}).name == "uct(c=0.5)*Mine"
    assert vary("fuego", {"prune": False}) == make_agent("fuego(prune=off)")
    assert vary("auct(k=2)", {"k": np.float64(3)}) == make_agent("auct(k=3)")
    assert vary("fuego(wi=1)", {"rave_initial": 2}).name == "fuego(rave_initial=2)"
    assert combinations({"k": np.arange(2)}) == [{"k": 0}, {"k": 1}]


GRID = {"c": [1]}
MISTAKES = [
    (
        lambda: match(3, "uct", "mc"),
        "the game must be a name such as 'hex:7' or a Game, not a",
    ),
    (lambda: match("hex:3", 3, "mc"), r"a player must be a name such as 'auct\(k=3\)' or an Agent"),
    (lambda: match("chess", "uct", "mc", playouts=9), "unknown game 'chess'; known: othello"),
    (lambda: match("hex:3", "uct", "nobody", playouts=9), "unknown agent 'nobody'; known: uct"),
    (lambda: match("hex:3", "uct", "mc"), "needs a budget per move: playouts=, seconds=, or both"),
    (lambda: _match(games="many"), "games must be a whole number, at least 1, not 'many'"),
    (lambda: _match(games=True), "games must be a whole number, at least 1, not True"),
    (lambda: _match(playouts=0), "playouts must be a whole number, at least 1, not 0"),
    (lambda: _match(playouts=1.5), "playouts must be a whole number, at least 1, not 1.5"),
    (lambda: _match(seconds="1"), "seconds must be a number, more than 0, not '1'"),
    (lambda: _match(openings=-1), "openings must be a whole number, at least 0, not -1"),
    (lambda: _match(reuse="on"), "reuse must be True or False, not 'on'"),
    (lambda: _match(seed=None), "seed must be a whole number, at least 0, not None"),
    (
        lambda: _match(sprt=5),
        r"sprt must be two bounds in normalized Elo, such as \(0, 20\)",
    ),
    (lambda: _match(sprt=(5, 0)), "the first bound must be less than the second"),
    (lambda: _match(store=5), "store must be a path or None, not a int"),
    (lambda: _match(device="tpu"), "unknown device 'tpu'; known: cpu, cuda, ray"),
    (lambda: _match(device=None), "device must be a text, not a NoneType"),
    (lambda: _match(workers=0), "workers must be a whole number, at least 1, not 0"),
    (lambda: _match(progress=3), "progress must be True, False or a function, not a int"),
    (lambda: tournament("hex:3", "uct", playouts=9), "players must be a list, such as"),
    (lambda: tournament("hex:3", ["uct"], playouts=9), "needs at least two players"),
    (lambda: tournament("hex:3", ["uct", "mc"], kind="swiss", playouts=9), "known: round-robin"),
    (lambda: sweep("hex:3", "uct", {}, playouts=9), "a grid maps options to lists of values"),
    (lambda: sweep("hex:3", "uct", {"c": 1}, playouts=9), "the values of c must be a list"),
    (lambda: sweep("hex:3", "uct", {"c": []}, playouts=9), "c has no values"),
    (lambda: sweep("hex:3", "uct", {"kk": [1]}, playouts=9), "uct: unknown parameter 'kk=1'"),
    (lambda: sweep("hex:3", "uct", {"c": [[1]]}, playouts=9), "c cannot be a list; accepted: num"),
    (lambda: sweep("hex:3", "uct", GRID, agent=3, playouts=9), "agent must be a name or an Agent"),
    (lambda: sweep("hex:3", "uct", {"c": [1, 1.0]}, playouts=9), "the same match is listed twice"),
]


def _match(**options):
    return match("hex:3", "uct", "mc", **{"playouts": 9, "progress": False, **options})


@pytest.mark.parametrize(("call", "says"), MISTAKES, ids=[says for _, says in MISTAKES])
def test_mistakes_are_told_in_one_line(call, says):
    with pytest.raises(UsageError, match=says) as mistake:
        call()
    assert "\n" not in str(mistake.value)
