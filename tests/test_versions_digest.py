"""The digest of what made a game: versions of uctlab's parts, and the code of the user's own."""

import json
import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

from tests.stored_matches import EXAMPLES
from uctlab.agents import make_agent, with_rules
from uctlab.games import Position, make_game
from uctlab.games.go import referee
from uctlab.kernels import hole, kernel
from uctlab.mcts import alphabeta, binding, loop, rules_digest
from uctlab.mcts.rules_digest import kernels_digest, searches_digest
from uctlab.mcts.searcher import Searcher
from uctlab.mcts.storage import load_tree, save_tree
from uctlab.parts import listing
from uctlab.rules.backup import mean
from uctlab.rules.playouts import mast
from uctlab.rules.select import best, ucb1

PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
CONNECT_FOUR = str(EXAMPLES / "connect_four.py")
value = hole("backup.value")
SCALE = 2.0


@kernel
def twice(x):
    return SCALE * x


@kernel
def my_score(nodes, child, parent, terms, params):
    return value(nodes, child) + twice(params.c)


def digest(game, agent, *, judged=False):
    """Without what is kept from earlier calls."""
    rules = make_game(game) if isinstance(game, str) else game
    return searches_digest(
        rules, [make_agent(agent) if isinstance(agent, str) else agent], judged=judged
    )


def own_agent():
    parts = {"node_terms": ucb1.node_terms, "untried_score": ucb1.untried_score}
    return with_rules(make_agent("uct"), select=SimpleNamespace(score=my_score, **parts))


def test_names_numbers_and_options_count_and_nothing_is_compiled(monkeypatch):
    monkeypatch.setattr(Dispatcher, "compile", lambda *_: pytest.fail("a kernel is compiled"))
    agents = ("uct", "uct(c=2)", "auct(k=3)", "uct(threads=2)", "uct(final=value)", "mc")
    agents += ("uct(solver=on)", "uct(playout=mast)", "uct(rave=fuego)", "uct(root=2)", "puct")
    digests = {agent: kernels_digest("hex:3", (agent,)) for agent in agents}
    assert len(set(digests.values())) == len(agents)
    assert kernels_digest("hex:4", ("uct",)) not in digests.values()
    assert kernels_digest("hex:3", ("uct", "mc")) != kernels_digest("hex:3", ("mc", "uct"))
    assert all(one.startswith("v1 ") for one in digests.values())
    assert digests["uct"] == digest("hex:3", "uct")


def test_kinds_with_the_same_numbers_count():
    """Depth-first UCT differs from UCT by a part alone, which belongs to its kind."""
    assert digest("hex:3", "uct") != digest("hex:3", "dfuct")
    assert digest("hex:3", "auct(k=3)") == digest("hex:3", "auct(lam=0.999)")
    assert digest("hex:3", "uct(rave=off,prior=1)") != digest("hex:3", "uct(rave=fuego,prior=1)")


def test_what_is_the_default_does_not_count():
    """So a new option of a game or an agent changes no digest."""
    assert digest("hex:3", "uct(c=1,rave=off,solver=off)") == digest("hex:3", "uct")
    assert digest("go:9,komi=7.5", "uct") == digest("go", "uct") != digest("go:9,komi=5.5", "uct")
    assert digest("go:19", "uct(preset=fuego)") != digest(
        "go:19", make_agent("uct(preset=fuego)").changed(open_numbers=frozenset())
    )


def test_the_last_digits_of_a_number_do_not_count():
    agent = make_agent("auct(k=3)")
    lam = float(np.nextafter(agent.params.lam, 1))
    same = agent.changed(params=agent.params._replace(lam=lam))
    assert lam != agent.params.lam and digest("hex:3", same) == digest("hex:3", agent)


def test_rewritten_code_of_uctlab_changes_nothing(monkeypatch):
    """Not even the digest of a rule of the user's own that calls it."""

    def same_value(nodes, node):
        mean_of = nodes[node].total / nodes[node].visits
        return mean_of

    before = [digest("hex:3", agent) for agent in ("uct", own_agent())]
    bytecode = binding.bind_for_cpu(make_game("hex:3"), make_agent("uct"))
    same_value.__module__ = mean.__name__
    monkeypatch.setattr(mean, "value", kernel(same_value))
    monkeypatch.setattr(best, "select", kernel(lambda tree, node, work, params: 0))
    monkeypatch.setattr(loop, "search", kernel(lambda tree, work, params, playouts: 0))
    assert bytecode.owners["backup"].value is mean.value
    assert [digest("hex:3", agent) for agent in ("uct", own_agent())] == before


@pytest.mark.parametrize(
    ("part", "changed", "same"),
    [
        (ucb1, "uct", "mc"),
        (mean, "uct", "auct(k=3)"),
        (mast, "uct(playout=mast)", "uct(playout=nst)"),
        (rules_digest, "mc", "alphabeta"),
        (alphabeta, "alphabeta", "uct"),
    ],
)
def test_a_raised_version_changes_the_digests_of_its_part(monkeypatch, part, changed, same):
    before = digest("othello", changed), digest("othello", same)
    monkeypatch.setattr(part, "VERSION", 2, raising=False)
    assert digest("othello", changed) != before[0]
    assert digest("othello", same) == before[1]


def test_a_raised_version_of_a_part_of_the_search(monkeypatch):
    agents = ("uct(rave=fuego)", "fuego", "uct", "uct(solver=on)")
    before = [digest("go:5", agent) for agent in agents]
    parts = [replace(p, version=2) if p.name == "rave" else p for p in listing.PARTS]
    monkeypatch.setattr(listing, "PARTS", tuple(parts))
    after = [digest("go:5", agent) for agent in agents]
    assert [a == b for a, b in zip(after, before, strict=True)] == [False, False, True, True]


def test_a_part_of_the_search_that_is_new_changes_nothing(monkeypatch):
    before = digest("hex:3", "uct")
    new = replace(listing.PARTS[0], name="new")
    monkeypatch.setattr(listing, "PARTS", (*listing.PARTS, new))
    assert digest("hex:3", "uct") == before


def test_a_rule_keeps_its_name_in_stores(monkeypatch):
    before = digest("hex:3", "uct")
    monkeypatch.setattr(ucb1, "__name__", "uctlab.rules.select.renamed")
    assert digest("hex:3", "uct") != before
    monkeypatch.setattr(ucb1, "STORED_AS", "ucb1", raising=False)
    assert digest("hex:3", "uct") == before


def test_versions_of_games_and_referees(monkeypatch):
    hex3 = make_game("hex:3")
    assert digest(replace(hex3, version=2), "uct") != digest(hex3, "uct")
    before = digest("go:5", "uct"), digest("go:5", "uct", judged=True)
    assert before[0] != before[1]
    monkeypatch.setattr(referee, "VERSION", 2, raising=False)
    assert digest("go:5", "uct") == before[0]
    assert digest("go:5", "uct", judged=True) != before[1]


def test_a_rule_of_ones_own_counts_by_its_code(monkeypatch):
    before = digest("hex:3", own_agent())
    assert before.startswith(f"v1-{PYTHON} ")
    monkeypatch.setitem(globals(), "SCALE", 3.0)  # which a kernel below the rule's own reads
    assert digest("hex:3", own_agent()) != before
    monkeypatch.undo()
    assert digest("hex:3", own_agent()) == before
    monkeypatch.setattr(ucb1, "VERSION", 2, raising=False)  # it uses two kernels of UCB1
    assert digest("hex:3", own_agent()) != before


def test_a_game_in_a_file_counts_by_its_code(tmp_path):
    """It sees an edited kernel and no edited comment."""
    path = tmp_path / "edited_game.py"
    source = (EXAMPLES / "connect_four.py").read_text()
    edited = source.replace("1.0 if s.turn == 1", "1.0 if s.turn == 0")
    digests = []
    for text in (source, f"{source}\n# The end.\n", edited):
        path.write_text(text)
        try:
            digests.append(digest(str(path), "uct"))
        finally:
            sys.modules.pop("edited_game", None)
    assert digests[0] == digests[1] != digests[2] and digests[0].startswith(f"v1-{PYTHON} ")


def test_a_game_with_a_kernel_of_ones_own_counts_by_it():
    hex3 = make_game("hex:3")
    game = replace(hex3, result=kernel(lambda s: 1.0))
    assert digest(game, "uct").startswith(f"v1-{PYTHON} ")
    assert digest(game, "uct") != digest(replace(hex3, result=kernel(lambda s: 0.5)), "uct")


@pytest.mark.parametrize("game", ["hex:3", CONNECT_FOUR])
def test_trees_that_earlier_versions_saved(tmp_path, game):
    """Their digest is of bytecode; files of the user's own are compared by their contents."""
    path = tmp_path / "tree"
    searcher = Searcher(make_game(game), make_agent("uct"))
    searcher.search(Position.start(searcher.game), playouts=20)
    save_tree(searcher, path)
    arrays = dict(np.load(path))
    facts = json.loads(str(arrays["facts"]))
    assert facts["rules"]["kernels"] == digest(game, "uct")
    facts["rules"] |= {"kernels": 64 * "0", "versions": "3.11 0.2.0"}
    with path.open("wb") as file:
        np.savez(file, **arrays | {"facts": np.array(json.dumps(facts))})
    assert load_tree(path, game).visits == 20
