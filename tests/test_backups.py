"""The constant-time backups and the selection rules against the twin that decays every sibling."""

from itertools import pairwise

import numpy as np
import pytest

from tests.naive import search as naive
from uctlab.agents import make_agent
from uctlab.games import Position, make_game
from uctlab.mcts.searcher import Searcher

GAMES = ["othello", "hex:5", "havannah:3", "go:4"]
PLAYOUTS = 50_000
WATCH = 97  # every so many playouts the choice at each level is compared too


def replay(spec, agent_name, twin, playouts, seed=3, moves=""):
    """Run a search playout by playout and tell the twin each path; the searcher."""
    game = make_game(spec)
    searcher = Searcher(game, make_agent(agent_name), seed=seed)
    position = Position.start(game).play_all(moves)
    searcher.prepare(position, playouts)

    def block(node):
        return int(searcher.nodes[node].first), int(searcher.nodes[node].count)

    for number in range(playouts):
        searcher.run(1)
        path, _, outcome = searcher.last_playout()
        mover = (position.turn + len(path)) & 1  # who moved into the leaf
        if number % WATCH == 0:
            for parent, chosen in pairwise(path):
                known = twin.nodes.get(parent)
                if known is not None and known.children is not None:
                    assert chosen in twin.best_moves(parent), (number, path)
        twin.add(path, block, outcome if mover == 0 else 1 - outcome)
    return searcher


def largest_gaps(searcher, twin):
    """The largest differences of values and of weights over all nodes of the tree."""
    nodes = searcher.nodes
    value_gap = weight_gap = 0.0
    compared = 0
    for index, node in twin.nodes.items():
        assert nodes[index].visits == node.visits
        if node.children is None:
            continue
        for chosen, child in enumerate(node.children):
            if nodes[child].visits == 0:
                continue
            value = twin.value(child) if hasattr(twin, "value") else node.ratio[chosen]
            value_gap = max(value_gap, abs(value - searcher.value(child)))
            weight = twin.weight(node, chosen)
            if weight is not None and "weight" in nodes.dtype.names:
                fast = nodes[child].weight / nodes[index].unit
                weight_gap = max(weight_gap, abs(weight - fast) / max(1.0, weight))
            compared += 1
    assert compared > 1000
    return value_gap, weight_gap


@pytest.mark.parametrize("k", range(1, 8))
@pytest.mark.parametrize("spec", GAMES)
def test_accelerated(spec, k):
    twin = naive.Accelerated(1 - 0.1**k, 1.0)
    expand = 1 + k % 3 * 4  # 1, 5 or 9
    searcher = replay(spec, f"auct(k={k},expand={expand})", twin, PLAYOUTS)
    value_gap, weight_gap = largest_gaps(searcher, twin)
    assert value_gap < 1e-6 and weight_gap < 1e-6
    if k == 1:
        assert searcher.nodes[0].visits > 1000  # lambda**-1000 is 1e45: units were rescaled


@pytest.mark.parametrize("k", range(1, 8))
@pytest.mark.parametrize("spec", GAMES)
def test_discounted(spec, k):
    twin = naive.Discounted(1 - 0.1**k, 1.0)
    expand = 1 + k % 3 * 4
    searcher = replay(spec, f"duct(k={k},expand={expand})", twin, PLAYOUTS)
    value_gap, weight_gap = largest_gaps(searcher, twin)
    assert value_gap < 1e-6 and weight_gap < 1e-6


@pytest.mark.parametrize("spec", GAMES)
def test_plain(spec):
    twin = naive.Plain(1.0, 0.7)
    searcher = replay(spec, "uct(c=0.7,expand=3)", twin, PLAYOUTS // 2)
    assert largest_gaps(searcher, twin)[0] < 1e-12


@pytest.mark.parametrize("agent", ["auct", "duct"])
@pytest.mark.parametrize("spec", GAMES)
def test_lambda_one_is_uct_along_its_paths(spec, agent):
    """uct's paths through the twin with lambda = 1: the same value at every node."""
    twin = naive.Accelerated(1.0, 1.0) if agent == "auct" else naive.Discounted(1.0, 1.0)
    searcher = replay(spec, "uct(expand=2)", twin, 20_000)
    assert largest_gaps(searcher, twin)[0] < 1e-9


@pytest.mark.parametrize("expand", [1, 5])
@pytest.mark.parametrize("agent", ["auct", "duct"])
@pytest.mark.parametrize("spec", GAMES)
def test_lambda_one_builds_the_tree_of_uct(spec, agent, expand):
    """Run freely with the same seed: equal node for node, since rounding decides no tie."""
    game = make_game(spec)
    position = Position.start(game)
    trees = []
    for name in (f"uct(expand={expand})", f"{agent}(k=inf,expand={expand})"):
        searcher = Searcher(game, make_agent(name), seed=11)
        searcher.search(position, playouts=20_000)
        trees.append(searcher)
    plain, other = trees
    used = plain.counters[0]
    assert other.counters[0] == used
    for field in ("visits", "first", "count", "move"):
        assert np.array_equal(plain.nodes[field][:used], other.nodes[field][:used]), field
    visited = np.flatnonzero(plain.nodes.visits[:used])[1:]
    values = plain.nodes.total[visited] / plain.nodes.visits[visited]
    assert np.abs(values - other.nodes.value[visited]).max() < 1e-9
