"""The move that is played after a search."""

import pytest

from tests.searches import AGENTS, by_name, grown, same_tree
from uctlab.agents import make_agent
from uctlab.errors import UsageError
from uctlab.games import make_game
from uctlab.mcts.searcher import Searcher
from uctlab.rules.backup import mean

NUMBER = {"visits": "visits", "value": "value", "discounted": "discounted_visits"}


@pytest.mark.parametrize(
    ("agent", "rules"),
    [
        ("mc({})", ("visits", "value")),
        ("uct({})", ("visits", "value")),
        ("auct(k=1,{})", ("visits", "value")),
        ("duct(k=1,{})", ("discounted", "visits", "value")),
    ],
)
def test_final_rules(agent, rules):
    told_apart = set()
    for seed in range(25):
        trees = {}
        for rule in rules:
            trees[rule], report = grown("hex:4", agent.format(f"final={rule}"), 210, seed=seed)
            numbers = {m.move: getattr(m, NUMBER[rule]) for m in report.moves if m.visits}
            assert numbers[report.best] == max(numbers.values())
            told_apart |= {
                (rule, other)
                for other in rules
                if getattr(by_name(report)[report.best], NUMBER[other])
                < max(getattr(m, NUMBER[other]) for m in report.moves)
            }
        assert all(same_tree(searcher, trees[rules[0]]) for searcher in trees.values())
    assert told_apart == {(one, other) for one in rules for other in rules if one != other}


def test_default_final_rules():
    finals = {agent: make_agent(agent).option("final") for agent in AGENTS}
    assert finals["mc"] == "value" and finals["duct(k=5)"] == "discounted"
    assert {finals[agent] for agent in finals if agent not in ("mc", "duct(k=5)")} == {"visits"}


def test_both_goes_on_until_visits_and_value_agree():
    made = []
    for seed in range(20):
        searcher, report = grown("hex:4", "uct(final=both)", 200, seed=seed)
        made.append(report.playouts)
        assert report.playouts == searcher.tree.nodes[0].visits
        moves = by_name(report)
        best = moves[report.best]
        assert best.visits == max(move.visits for move in report.moves)
        if report.playouts < 400:
            assert best.value == max(move.value for move in report.moves if move.visits)
        if report.playouts > 200:
            plain = grown("hex:4", "uct", 200, seed=seed)[1]
            top = max(plain.moves, key=lambda move: move.visits)
            assert top.value < max(move.value for move in plain.moves)
    assert min(made) == 200 and max(made) <= 400
    assert any(200 < playouts < 400 for playouts in made)


def test_discounted_choice_needs_weights():
    with pytest.raises(UsageError, match="needs a backup operator with weights"):
        Searcher(make_game("hex:4"), make_agent("duct(k=3)").changed(backup=mean))
