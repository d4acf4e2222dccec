"""A watched search: exact steps, a duel in lockstep, and the bandit's score in its parts."""

import math

import pytest

from uctlab.agents import make_agent
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.lab import live
from uctlab.lab.catalog import catalog
from uctlab.lab.live import LiveSearch, Side
from uctlab.lab.messages import position_value
from uctlab.lab.requests import SearchRequest
from uctlab.mcts.searcher import Searcher

HEX = Position.start(make_game("hex:3").interpreted())
GO = Position.start(make_game("go:3").interpreted())


def side(agent, position=HEX, playouts=120):
    made = Side(position, agent, seed=1, memory=2**20)
    made.searcher.prepare(position, None)  # not begin(), which would compile
    made.advance(playouts)
    return made


def request(agents, playouts, position=None, **fields):
    value = position or {"game": "hex:5", "start": {"name": "browne2013"}, "moves": []}
    fields = {"seconds": 60.0, "paused": False, "seed": 0} | fields
    return SearchRequest(1, position_value(value), tuple(agents), playouts=playouts, **fields)


@pytest.fixture
def interpreted(monkeypatch):
    monkeypatch.setattr(live, "lab_game", lambda spec: make_game(spec).interpreted())


# What each rule's parts must be, by the formulas of the papers and not by the rules' own code.


def ucb(n, s, c):
    return c * math.sqrt(math.log(s) / n)


def parts_of(agent, row, s):
    """(mean, exploration, rave part, prior part) of a visited move of a node with s visits."""
    n, value, rave, samples = row["visits"], row["value"], row["rave"], row["samples"] or 0.0
    match agent:
        case "uct(c=0.7)" | "auct(k=2,c=0.7)":
            return value, ucb(n, s, 0.7), None, None
        case "duct(k=1,c=0.7)":
            discounted = (1 - 0.9**s) / 0.1
            return value, ucb(row["discounted"], discounted, 0.7), None, None
        case "tuned":  # results are 0 or 1, so that their squares have the same mean
            variance = value - value * value + math.sqrt(2 * math.log(s) / n)
            return value, math.sqrt(math.log(s) / n * min(0.25, variance)), None, None
        case "uct(rave=k,c=0.3)":
            b = math.sqrt(100 / (3 * n + 100)) if samples else 0.0
            return (1 - b) * value, ucb(n, s, 0.3), b * (rave or 0.0), None
        case "uct(rave=fuego)":
            w = samples / (1 + samples / 5000)
            return n * value / (n + w), 0.0, w * (rave or 0.0) / (n + w), None
        case "uct(prior=0.5,c=0.4)":
            weight = row["prior_weight"]
            total = n + weight
            return n * value / total, ucb(total, s, 0.4), None, weight * row["prior"] / total
        case "mc":
            return 0.0, -float(n), None, None
    raise AssertionError(agent)


@pytest.mark.parametrize(
    "agent",
    [
        "uct(c=0.7)",
        "auct(k=2,c=0.7)",
        "duct(k=1,c=0.7)",
        "tuned",
        "uct(rave=k,c=0.3)",
        "uct(rave=fuego)",
        "uct(prior=0.5,c=0.4)",
        "mc",
    ],
)
def test_the_parts_are_those_of_the_formula(agent):
    made = side(agent, GO if "prior" in agent else HEX)
    rows = made.tree(())["children"]
    visits = sum(row["visits"] for row in rows)
    tried = [row for row in rows if row["visits"]]
    assert tried
    for row in tried:
        expected = parts_of(agent, row, visits)
        found = (row["mean"], row["exploration"], row["rave_part"], row["prior_part"])
        assert [part is None for part in found] == [part is None for part in expected]
        for part, wanted in zip(found, expected, strict=True):
            assert part == pytest.approx(wanted, abs=3e-6) if wanted is not None else True
        assert row["score"] == pytest.approx(sum(filter(None, found)), abs=5e-6)


@pytest.mark.parametrize("agent", ["uct", "auct(k=1)", "uct(rave=fuego)", "tuned(fpu=0.9)", "mc"])
def test_the_highest_score_is_the_next_choice(agent):
    """At the root, playout after playout: what is shown is what selection does."""
    made = side(agent, playouts=30)
    for _ in range(40):
        rows = {row["move"]: row for row in made.children_of(0)}
        best = max(math.inf if r["score"] is None else r["score"] for r in rows.values())
        made.advance(1)
        after = {row["move"]: row["visits"] for row in made.children_of(0)}
        (chosen,) = [move for move, row in rows.items() if after[move] != row["visits"]]
        score = rows[chosen]["score"]
        assert (math.inf if score is None else score) == pytest.approx(best, abs=2e-6)


def test_moves_without_visits():
    first = side("uct", playouts=4).tree(())["children"]
    untried = [row for row in first if not row["visits"]]
    assert len(untried) == 5
    for row in untried:
        assert row["score"] is None and row["value"] is None and row["mean"] is None
    urgent = [r for r in side("tuned(fpu=1.1)", playouts=4).children_of(0) if not r["visits"]]
    assert urgent and all(row["score"] == 1.1 and row["mean"] is None for row in urgent)


def test_the_tree_by_moves():
    made = side("uct", playouts=300)
    best = made.tree(())["children"][0]["move"]
    below = made.tree((best.upper(),))
    assert below["path"] == [best] and below["node"]["move"] == best
    assert 0 < sum(row["visits"] for row in below["children"]) <= below["node"]["visits"]
    assert len(below["children"]) == 8
    for path in (("a1", "a1"), ("z9",)):
        with pytest.raises(UsageError):
            made.tree(path)


def test_a_snapshot_is_the_report():
    made = side("auct(k=2)", playouts=200)
    plain = Searcher(HEX.game, make_agent("auct(k=2)"), seed=1)
    plain.prepare(HEX, 200)
    plain.run(200)
    report, shown = plain.report(playouts=200), made.snapshot()
    assert (shown["choice"], shown["pv"]) == (report.best, list(report.pv))
    assert (shown["nodes"], shown["depth"], shown["playouts"]) == (report.nodes, report.depth, 200)
    assert {(r["move"], r["visits"]) for r in shown["root"]} == {
        (move.move, move.visits) for move in report.moves
    }
    assert sum(row["share"] for row in shown["root"]) == pytest.approx(1, abs=1e-5)
    best = next(row for row in shown["root"] if row["move"] == report.best)
    assert shown["value"] == best["value"] and best["velocity"] > 0


def grow(search):
    while not search.resting:
        search.run_slice()


def test_steps_are_exact_and_sides_are_in_lockstep(interpreted, monkeypatch):
    monkeypatch.setattr(Side, "begin", lambda self, position: self.searcher.prepare(position, None))
    search = LiveSearch(request(["uct", "auct(k=2)"], 300))
    for one in search.sides:
        search.begin(one)
    made = 0
    for step in (1, 10, 1, 137):
        search.step(step)
        grow(search)
        made += step
        assert [one.made for one in search.sides] == [made, made] and search.why_done == ""
    search.go_on()
    grow(search)
    assert [one.made for one in search.sides] == [300, 300] and search.why_done == "playouts"
    # In slices or in one piece, it is the same tree.
    whole = LiveSearch(request(["uct"], 300)).sides[0]
    whole.searcher.prepare(search._position, None)
    whole.advance(300)
    first = search.sides[0].snapshot()
    assert first["root"] == whole.snapshot()["root"]
    search.step(5)  # also after the end
    grow(search)
    assert [one.made for one in search.sides] == [305, 305]


def test_a_search_of_one_move(interpreted, monkeypatch):
    """Also of a move that the agent's filter leaves out otherwise."""
    monkeypatch.setattr(Side, "begin", lambda self, position: self.searcher.prepare(position, None))
    go = {"game": "go:9", "start": None, "moves": []}
    for agent, position, move in (("auct(k=2)", None, "d2"), ("fuego(knowledge=rules)", go, "A1")):
        search = LiveSearch(request([agent], 3, position, only=move))
        search.begin(search.sides[0])
        grow(search)
        (row,) = search.snapshot()[0]["root"]
        assert (row["move"], row["visits"]) == (move, 3)
    assert make_game("go:9").parse_move("A1") in make_game("go:9").root_filter(search._position)
    with pytest.raises(UsageError, match="no move 'a9'"):
        LiveSearch(request(["uct"], 3, only="a9"))
    with pytest.raises(UsageError, match="c4 is not a legal move"):
        LiveSearch(
            request(["uct"], 3, {"game": "hex:5", "start": None, "moves": ["c4"]}, only="c4")
        )


def test_the_clock_ends_a_search(interpreted, monkeypatch):
    monkeypatch.setattr(Side, "begin", lambda self, position: self.searcher.prepare(position, None))
    search = LiveSearch(request(["uct"], 10**6, seconds=0.05))
    search.begin(search.sides[0])
    grow(search)
    assert search.why_done == "seconds" and 0 < search.made < 10**6


def test_a_game_that_is_over_is_not_searched(interpreted):
    moves = ["b1", "a1", "b2", "a2", "b3"]
    with pytest.raises(UsageError, match="over"):
        LiveSearch(request(["uct"], 10, {"game": "hex:3", "moves": moves}))


@pytest.mark.parametrize("case", ["browne2013", "deceptive-deep"])
def test_the_gallery_shows_what_it_says(case):
    """Compiled, with the default seed and the gallery's own budget."""
    shown = next(found for found in catalog()["gallery"] if found["id"] == case)
    search = LiveSearch(request(shown["agents"], shown["playouts"], shown["position"]))
    for one in search.sides:
        search.begin(one)
    if case == "browne2013":
        grow(search)
        letters = {"e1": "b", "c2": "d", "d2": "e"}
        left, right = (letters[found["choice"]] for found in search.snapshot())
        assert left in "bd" and right == "e" and search.made == 16_000
    else:
        search.step(330)
        grow(search)
        assert [found["choice"] for found in search.snapshot()] == ["B", "C"]
