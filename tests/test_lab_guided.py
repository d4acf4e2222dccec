"""Guided searches of the course: what a playout did, checked by the papers' formulas."""

import math

import pytest

from tests.lab_server import fetch, start_lab
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.lab.formulas import formulas
from uctlab.lab.guided import GuidedSearch
from uctlab.lab.live import Side
from uctlab.lab.messages import read_request

LAMBDA = 0.9  # of auct(k=1)


def guided(game, *agents, seed=3, **more):
    message = {"type": "search", "id": 1, "position": {"game": game, "moves": []}}
    request = read_request(
        {**message, "agents": list(agents), "playouts": 900, "seed": seed, "guided": True, **more}
    )
    search = GuidedSearch(request)
    for side in search.sides:
        search.begin(side)
    return search


def chosen(level):
    return next(one for one in level["moves"] if one["move"] == level["chosen"])


def check_selection(level):
    """The highest score is chosen, and it is value + sqrt(ln s / n); untried moves come first."""
    scores = {
        one["move"]: math.inf if one["before"]["score"] is None else one["before"]["score"]
        for one in level["moves"]
    }
    assert scores[level["chosen"]] == pytest.approx(max(scores.values()), abs=2e-6)
    for one in level["moves"]:
        row = one["before"]
        if row["visits"]:
            bonus = math.sqrt(math.log(level["visits"][0]) / row["visits"])
            assert row["score"] == pytest.approx(row["value"] + bonus, abs=3e-6)
        else:
            assert scores[one["move"]] == math.inf


def check_visits(level):
    assert level["visits"][1] == level["visits"][0] + 1
    for one in level["moves"]:
        before = one["before"]["visits"] if one["before"] else 0
        assert one["after"]["visits"] - before == (one["move"] == level["chosen"])


def check_means(walk, level):
    """Plain UCT: the mean moves towards the result of the player who made the move."""
    one = chosen(level)
    before = one["before"] or {"visits": 0, "value": None}
    n, mean = before["visits"], before["value"] or 0.0
    reward = walk["result"] if level["turn"] == 0 else 1 - walk["result"]
    assert one["after"]["value"] == pytest.approx((n * mean + reward) / (n + 1), abs=3e-6)


def check_velocities(walk, depth):
    """hashimoto2012, eq. 6 and 7; the first playout of a position counts as one more answer."""
    level = walk["levels"][depth]
    for one in level["moves"]:
        old = one["before"]["velocity"] if one["before"] else 0.0
        new = LAMBDA * old + (one["move"] == level["chosen"])
        assert one["after"]["velocity"] == pytest.approx(new, abs=5e-6)
    if depth + 1 < len(walk["levels"]):
        below = walk["levels"][depth + 1]
        answers = [one["after"] for one in below["moves"] if one["after"]["visits"]]
        total = (1 - LAMBDA ** below["visits"][1]) / (1 - LAMBDA)
        own = total - sum(row["velocity"] for row in answers)
        weighted = sum(row["velocity"] * row["value"] for row in answers)
        first = ((1 - chosen(level)["after"]["value"]) * total - weighted) / own
        assert min(abs(first), abs(first - 1)) < 2e-3  # won or lost


@pytest.mark.parametrize("game", ["deceptive:2", "hex:3"])
@pytest.mark.parametrize("agent", ["uct", "auct(k=1)"])
def test_a_playout_is_told_as_it_was(game, agent):
    search = guided(game, agent)
    start = Position.start(make_game(game).interpreted())
    kinds = set()
    for number in range(1, 31):
        (walk,) = search.playout()
        assert walk["number"] == number == search.made
        assert len(walk["levels"]) == len(walk["path"]) > 0
        leaf = start.play_all(" ".join(walk["path"]))
        end = leaf.play_all(" ".join(walk["random"]))
        assert end.is_over and end.result == walk["result"] and leaf.is_over == walk["over"]
        assert bool(walk["win"]) == (game == "hex:3")
        for depth, level in enumerate(walk["levels"]):
            new = walk["expanded"] and depth == len(walk["levels"]) - 1
            assert level["chosen"] == walk["path"][depth] and level["turn"] == depth % 2
            assert all((one["before"] is None) == new for one in level["moves"])
            if not new:
                check_selection(level)
            check_visits(level)
            if agent == "uct":
                check_means(walk, level)
            else:
                check_velocities(walk, depth)
        assert walk["leaf"]["visits"][1] == walk["leaf"]["visits"][0] + 1
        kinds.add((walk["expanded"], walk["over"]))
    assert {expanded for expanded, _ in kinds} == {True, False}


def test_a_guided_search_is_the_same_search():
    search = guided("deceptive:2", "uct")
    search.step(40)
    while not search.resting:
        search.run_slice()
    position = Position.start(make_game("deceptive:2").interpreted())
    plain = Side(position, "uct", seed=3, memory=2**20)
    plain.searcher.prepare(position, None)
    plain.advance(40)
    told = search.snapshot()[0]
    assert told["root"] == plain.snapshot()["root"]
    assert (told["turns"], told["changes"]) == ([(1, "C"), (2, "B"), (18, "C")], 2)


def test_the_course_shows_what_it_says():
    """Chapter 5: Accelerated UCT with a short memory turns earlier than UCT, Discounted UCT comes
    back to B again and again, and with a long memory both are near UCT."""
    turned = {}
    for agent in ("uct", "duct(k=1)", "auct(k=1)", "duct(k=3)", "auct(k=3)"):
        side = guided("deceptive:2,depth=3", agent, seed=0).sides[0]
        side.advance(320)
        told = side.snapshot()
        turned[agent] = (told["choice"], told["turns"][-1][0], told["changes"])
    assert turned["uct"] == ("C", 204, 2)
    assert turned["auct(k=1)"] == ("C", 118, 2)
    assert turned["duct(k=1)"][2] > 20
    for agent in ("duct(k=3)", "auct(k=3)"):
        assert turned[agent][0] == "C" and abs(turned[agent][1] - 204) < 20


def test_the_most_visited_part_of_a_tree():
    search = guided("hex:3", "uct")
    search.sides[0].advance(60)
    nodes = search.subtree(0, (), 25, 60)["nodes"]
    assert len(nodes) == 25 and nodes[0]["visits"] == 60 and nodes[0]["parent"] is None
    full = search.subtree(0, (), 400, 60)["nodes"]
    assert nodes == [
        {**one, "more": small["more"]} for one, small in zip(full, nodes, strict=False)
    ]
    for index, node in enumerate(nodes[1:], 1):
        assert node["parent"] < index and node["visits"] <= nodes[node["parent"]]["visits"]
        below = sum(one["parent"] == index for one in full)
        shown = sum(one["parent"] == index for one in nodes)
        assert node["more"] == below - shown
    assert all(node["more"] == 0 for node in full) and len(full) < 400
    move = nodes[1]["move"]
    branch = search.subtree(0, (move,), 5, 60)
    children = search.subtree(0, (), 400, 1)["nodes"][1:]
    assert len(children) == 9 and all(child["parent"] == 0 for child in children)
    assert branch["path"] == [move] and branch["nodes"][0]["visits"] == nodes[1]["visits"]


def test_what_cannot_be_guided():
    for game, agents in (("go:9", ["uct"]), ("hex:11", ["uct"]), ("hex:3", ["dfuct"])):
        with pytest.raises(UsageError, match="guided"):
            guided(game, *agents)
    search = guided("deceptive:2", "uct")
    search.step(10**6)
    assert search.goal == 5000


def test_messages_of_the_course_are_checked():
    search = {"type": "search", "id": 1, "position": {"game": "hex:3", "moves": []}}
    search |= {"agents": ["uct"], "playouts": 5}
    subtree = {"type": "subtree", "id": 1, "side": 0, "path": ["a1"], "nodes": 10}
    assert read_request(search).guided is False
    assert read_request(subtree).nodes == 10
    for wrong in (
        {**search, "guided": 1},
        {**subtree, "nodes": 0},
        {**subtree, "nodes": 401},
        {**subtree, "nodes": True},
        {**subtree, "depth": 0},
        {**subtree, "path": ["a b"]},
        {**subtree, "side": 2},
        {**subtree, "more": 1},
        {"type": "playout", "id": 1, "side": 0},
    ):
        with pytest.raises(UsageError):
            read_request(wrong)


def test_the_course_over_the_wire(tmp_path):
    with start_lab(results=tmp_path) as lab, lab.visitor() as talk:
        position = {"game": "deceptive:2", "start": None, "moves": []}
        talk.search(("uct", "auct(k=1)"), position, paused=True, guided=True, seed=3)
        talk.until("paused")
        answer = talk.ask("playout")
        assert answer["type"] == "playout" and len(answer["walks"]) == 2
        assert talk.until("paused")["sides"][1]["playouts"] == 1
        answer = talk.ask("subtree", side=1, path=[], nodes=5)
        assert [node["visits"] for node in answer["nodes"]] == [1, 1]
        assert "no node" in talk.ask("subtree", side=0, path=["G"], nodes=5)["message"]
        talk.search(("uct",), {**position, "game": "go:9"}, guided=True)
        assert "too large" in talk.until()["message"]
        talk.ask("stop")
        assert "no search" in talk.ask("playout")["message"]
        status, headers, body = fetch(f"{lab.url}/api/math.woff")
        assert (status, headers["content-type"], body[:4]) == (200, "font/woff", b"wOFF")
        assert fetch(f"{lab.url}/api/formulas")[0] == 200


def letters(element, inside=""):
    """The identifiers of a formula, each with the symbol that it is part of."""
    symbol = element[1] or inside
    for part in element[2:]:
        if isinstance(part, list):
            yield from letters(part, symbol)
        elif element[0] == "mi":
            yield part, symbol


def test_every_symbol_of_a_formula_is_explained():
    made = formulas()
    used = set()
    for name, formula in made["formulas"].items():
        for letter, symbol in letters(formula):
            assert symbol or letter in ("ln", "j"), (name, letter)  # j runs below a sum
            used.add(symbol)
    assert used - {""} == set(made["symbols"])
