"""The constant-time backups and the selection rules against the twin that decays every sibling."""

from typing import Any

import numpy as np
import pytest

from tests.naive import operators
from tests.naive import search as naive
from uctlab.agents import make_agent
from uctlab.games import Position, make_game
from uctlab.kernels import hole, kernel
from uctlab.mcts.binding import bind_for_cpu
from uctlab.mcts.searcher import Searcher
from uctlab.parts.layout import LAST_DEPTH, LAST_OUTCOME, OUTCOME_UNITS, USED

# A search that is looked at playout by playout is a kernel of its own: each backup has one game.
PLAYOUTS = 20_000
TOLD = 500  # playouts that the twin is told at once

# Bound to those of a searcher.
search: Any = hole("agent.loop")
value: Any = hole("backup.value")


@kernel
def run_one_by_one(tree, work, params, one, paths, depths, outcomes):
    counters = tree.counters
    for number in range(len(depths)):
        search(tree, work, params, one)
        depths[number] = counters[LAST_DEPTH]
        outcomes[number] = counters[LAST_OUTCOME] / OUTCOME_UNITS
        for level in range(depths[number] + 1):
            paths[number, level] = work.path[level]


@kernel
def all_values(nodes, values):
    for node in range(len(values)):
        if nodes[node].visits > 0:
            values[node] = value(nodes, node)


def replay(spec, agent_name, kind, lam, playouts, seed=3):
    """Run a search playout by playout and tell the twin each path; the searcher and the twin.

    The twin would have chosen the same move at every level of every playout.
    """
    game = make_game(spec)
    searcher = Searcher(game, make_agent(agent_name), seed=seed)
    position = Position.start(game)
    searcher.prepare(position, playouts)
    run = bind_for_cpu(game, searcher.agent, record_last=True).bind(run_one_by_one)
    twin = naive.make_twin(len(searcher.tree.nodes))
    paths = np.zeros((TOLD, len(searcher.tree.work.path)), np.int32)
    depths, outcomes = np.zeros(TOLD, np.int64), np.zeros(TOLD)
    for _ in range(playouts // TOLD):
        tree = searcher.tree
        run(tree.arrays, tree.work, searcher.agent.params, 1, paths, depths, outcomes)
        first_moved = (position.turn + depths) % 2 == 1  # into the leaf
        results = np.where(first_moved, outcomes, 1 - outcomes)
        blocks = searcher.tree.nodes["first"], searcher.tree.nodes["count"]
        c = searcher.agent.params.c
        assert naive.replay(kind, twin, paths, depths, results, *blocks, lam, c) == 0
    return searcher, twin


def largest_gaps(searcher, twin):
    """The largest differences of values and of weights over all nodes of the tree."""
    used = int(searcher.tree.counters[USED])
    nodes = searcher.tree.nodes[:used]
    assert np.array_equal(nodes.visits, twin.visits[:used])
    visited = np.flatnonzero(nodes.visits)[1:]
    assert len(visited) > 1000
    values = np.zeros(used)
    bind_for_cpu(searcher.game, searcher.agent).bind(all_values)(searcher.tree.nodes, values)
    value_gap = np.abs(values - twin.value[:used])[visited].max()
    if "weight" not in nodes.dtype.names:
        return value_gap, 0.0
    weights = twin.weight[visited]
    fast = nodes.weight[visited] / nodes.unit[parents(nodes)[visited]]
    return value_gap, (np.abs(weights - fast) / np.maximum(1.0, weights)).max()


def parents(nodes):
    """Of each node; the root is its own."""
    inner = np.flatnonzero(nodes["count"] > 0)
    inner = inner[np.argsort(nodes.first[inner])]
    found = np.concatenate([[0], np.repeat(inner, nodes["count"][inner])])
    assert len(found) == len(nodes)
    return found


@pytest.mark.parametrize("k", range(1, 8))
def test_accelerated(k):
    expand = (0, 1, 9)[k % 3]
    agent = f"auct(k={k},expand={expand})"
    searcher, twin = replay("go:4", agent, naive.ACCELERATED, 1 - 0.1**k, PLAYOUTS)
    value_gap, weight_gap = largest_gaps(searcher, twin)
    assert value_gap < 1e-6 and weight_gap < 1e-6
    if k == 1:
        assert searcher.tree.nodes[0].visits > 1000  # lambda**-1000 is 1e45: units were rescaled


@pytest.mark.parametrize("expand", [0, 9])
def test_automatic_decay(expand):
    searcher, twin = replay(
        "hex:4", f"auct(k=auto,c=0.5,expand={expand})", naive.AUTOMATIC, 1.0, PLAYOUTS
    )
    value_gap, weight_gap = largest_gaps(searcher, twin)
    assert value_gap < 1e-6 and weight_gap < 1e-6
    nodes = searcher.tree.nodes
    assert nodes["unit"].max() > 2.0, "nothing was forgotten"
    assert nodes[0].mass / nodes[0].unit < nodes[0].visits


@pytest.mark.parametrize("k", range(1, 8))
def test_discounted(k):
    expand = (0, 1, 9)[k % 3]
    agent = f"duct(k={k},expand={expand})"
    searcher, twin = replay("hex:4", agent, naive.DISCOUNTED, 1 - 0.1**k, PLAYOUTS)
    value_gap, weight_gap = largest_gaps(searcher, twin)
    assert value_gap < 1e-6 and weight_gap < 1e-6


def test_plain():
    searcher, twin = replay("othello", "uct(c=0.7,expand=3)", naive.PLAIN, 1.0, PLAYOUTS)
    assert largest_gaps(searcher, twin)[0] < 1e-12


OPERATORS = [
    ("max", operators.MAX, 1.0),
    ("robust_max", operators.ROBUST_MAX, 1.0),
    ("mix", operators.MIX, 1.0),
    ("power,power=1.5", operators.POWER, 1.5),
    ("power,power=8", operators.POWER, 8.0),
]


@pytest.mark.parametrize(("name", "kind", "power"), OPERATORS)
def test_operators_that_look_at_the_answers(name, kind, power):
    agent = f"uct(c=0.7,expand=2,backup={name})"
    searcher, twin = replay("hex:4", agent, kind, power, PLAYOUTS)
    assert largest_gaps(searcher, twin)[0] < 1e-9


def test_the_power_mean_with_exponent_one_is_uct_along_its_paths():
    searcher, twin = replay("othello", "uct(expand=2)", operators.POWER, 1.0, 10_000)
    assert largest_gaps(searcher, twin)[0] < 1e-9


@pytest.mark.parametrize("kind", [naive.ACCELERATED, naive.DISCOUNTED], ids=["auct", "duct"])
def test_lambda_one_is_uct_along_its_paths(kind):
    """uct's paths through the twin with lambda = 1: the same value at every node."""
    searcher, twin = replay("othello", "uct(expand=2)", kind, 1.0, 10_000)
    assert largest_gaps(searcher, twin)[0] < 1e-9


@pytest.mark.parametrize("expand", [0, 5])
@pytest.mark.parametrize("agent", ["auct", "duct"])
@pytest.mark.parametrize("spec", ["othello", "hex:4"])
def test_lambda_one_builds_the_tree_of_uct(spec, agent, expand):
    """Run freely with the same seed: equal node for node, since rounding decides no tie."""
    game = make_game(spec)
    position = Position.start(game)
    trees = []
    for name in (f"uct(expand={expand})", f"{agent}(k=inf,expand={expand})"):
        searcher = Searcher(game, make_agent(name), seed=11)
        searcher.search(position, playouts=10_000)
        trees.append(searcher)
    plain, other = trees
    used = plain.tree.counters[0]
    assert other.tree.counters[0] == used
    for field in ("visits", "first", "count", "move"):
        assert np.array_equal(plain.tree.nodes[field][:used], other.tree.nodes[field][:used]), field
    visited = np.flatnonzero(plain.tree.nodes.visits[:used])[1:]
    values = plain.tree.nodes.total[visited] / plain.tree.nodes.visits[visited]
    assert np.abs(values - other.tree.nodes.value[visited]).max() < 1e-9
