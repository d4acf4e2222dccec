"""What a search reports of its moves."""

import copy
import json
import pickle

import pytest

from tests.searches import (
    AGENTS,
    PAIRS,
    by_name,
    grown,
    start,
)
from uctlab.mcts.report import MoveReport
from uctlab.mcts.view import TreeView


def test_values_stay_within_their_range(monkeypatch):
    """Though the sums of Accelerated UCT may leave it by a rounding."""
    searcher, _ = grown("othello", "uct", 100)
    for beyond, within in ((-1e-16, 0.0), (1 + 1e-15, 1.0)):
        monkeypatch.setattr(TreeView, "value", lambda _, node, beyond=beyond: beyond)
        assert {move.value for move in searcher.report().moves} == {within}


@pytest.mark.parametrize(("spec", "agent"), PAIRS)
def test_report(spec, agent):
    _, report = grown(spec, agent, 600)
    position = start(spec)
    visits = [move.visits for move in report.moves]
    assert report.best in by_name(report) and visits == sorted(visits, reverse=True)
    assert set(by_name(report)) == set(position.legal_moves)
    assert report.pv[0] == report.best
    for name in report.pv:
        position = position.play(name)  # an illegal one raises
    assert report.agent == agent and report.game == position.game.name
    assert report.seconds > 0 and report.playouts_per_second == 600 / report.seconds
    text = str(report)
    assert f"best {report.best}\n" in text and "600 playouts" in text
    facts = json.loads(json.dumps(report.as_json()))
    assert {"best", "playouts", "moves", "pv", "nodes", "seconds"} <= set(facts)
    assert facts["best"] == report.best and facts["pv"] == list(report.pv)
    assert [move["visits"] for move in facts["moves"]] == visits
    assert all({"move", "visits", "value"} <= set(m) for m in facts["moves"] if m["visits"])


@pytest.mark.parametrize("agent", [*AGENTS, "auct(k=3,rave=k)", "duct(k=5,final=visits)"])
def test_numbers_only_where_they_exist(agent):
    _, report = grown("hex:4", agent, 600)
    for move in report.moves:
        assert (move.velocity is not None) == agent.startswith("auct")
        assert (move.discounted_visits is not None) == agent.startswith("duct")
        if "rave" not in agent:
            assert move.rave is None and move.samples is None
        else:
            assert (move.rave is None) == (move.samples is None)
        assert (move.value is None) == (move.visits == 0)
    if "rave" in agent:
        sampled = [move for move in report.moves if move.rave is not None]
        assert len(sampled) > 12 and all(0 <= move.rave <= 1 for move in sampled)
    words = str(report).splitlines()[0]
    assert ("velocity" in words, "disc. visits" in words, "rave" in words) == (
        agent.startswith("auct"),
        agent.startswith("duct"),
        "rave" in agent,
    )


def test_weights_add_up():
    """1 + lambda + ... over the root's visits, all of which went to its moves (eq. 4 and 6)."""
    for agent in ("auct(lam=0.99)", "duct(lam=0.99)"):
        _, report = grown("hex:4", agent, 500)
        weights = [move.velocity or move.discounted_visits or 0.0 for move in report.moves]
        assert sum(weights) == pytest.approx((1 - 0.99**500) / 0.01)


def test_an_unvisited_move_has_no_value():
    _, report = grown("hex:4", "uct", 3)
    assert [move.visits for move in report.moves] == [1, 1, 1] + [0] * 13
    assert all(move["value"] is None for move in report.as_json()["moves"][3:])
    assert "and 4 more moves" in str(report)


def test_a_move_shows_what_is_known_of_it():
    own = MoveReport("a1", 3, 0.5, {"freshness": 0.25})  # from a backup operator of one's own
    assert own.freshness == 0.25 and own.rave is None and own.facts()["freshness"] == 0.25
    assert {own, copy.deepcopy(own), pickle.loads(pickle.dumps(own))} == {own}
    with pytest.raises(AttributeError, match="a MoveReport has no 'visit'"):
        _ = own.visit
    assert repr(MoveReport("a1", 3, 0.5)) == "MoveReport(move='a1', visits=3, value=0.5)"
