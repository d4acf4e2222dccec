"""Sketches in a tree that threads share: they stay true, and the choice is that of exact scores."""

import numpy as np
import pytest

from tests.disturbed import disturbed
from tests.tree_invariants import check_tree
from uctlab.agents import make_agent
from uctlab.games import Position, make_game
from uctlab.kernels.vectors import LANES
from uctlab.mcts.binding import bind_for_threads
from uctlab.mcts.searcher import Searcher
from uctlab.parts import shared_sketches as shared_sketch
from uctlab.parts.layout import USED
from uctlab.rules.select import best

GAME = make_game("hex:8")
START = Position.start(GAME)
AGENTS = ["uct(threads=4)", "auct(k=auto,threads=4)", "uct(threads=4,sharing=locked)"]


@pytest.mark.parametrize("agent", AGENTS)
def test_no_sketch_is_out_of_date_in_the_end(agent):
    searcher = disturbed(GAME, make_agent(agent))
    value = searcher.tree._value
    for seed in range(20):
        searcher.seed = seed
        searcher.prepare(START, 400)
        searcher.run(400)
        check_tree(searcher.tree, 400)
        nodes, drawn = searcher.tree.nodes, searcher.tree.work.sketch
        visited = np.flatnonzero(nodes.visits[1 : searcher.tree.used] > 0) + 1
        values = np.array([value(nodes, node) for node in visited], np.float32)
        assert len(visited) > 64
        np.testing.assert_array_equal(drawn[visited, 0], values)
        np.testing.assert_allclose(drawn[visited, 1], nodes.visits[visited] ** -0.5, rtol=2e-7)


@pytest.mark.parametrize("agent", AGENTS)
def test_one_thread_of_a_team_builds_the_tree_of_the_plain_search(agent):
    team = disturbed(GAME, make_agent(agent), seed=3)
    alone = Searcher(GAME, team.agent.with_options(threads=1.0, sharing="lockfree"), seed=3)
    team.tree.grower._threads = team.tree.grower._threads[:1]
    for searcher in (alone, team):
        searcher.prepare(START, 5000)
        team.tree.grower._threads[0].work.rng[:] = team.tree.work.rng
        searcher.run(5000)
    used = int(alone.tree.counters[USED])
    assert team.tree.used == used
    for field in alone.tree.node_type.names:
        ours, plain = team.tree.nodes[field][:used], alone.tree.nodes[field][:used]
        assert np.array_equal(ours, plain), field


@pytest.mark.parametrize("c", [0.0, 0.3, 1.0])
def test_playouts_under_way_count_as_lost(c):
    agent = make_agent(f"uct(threads=4,c={c})")
    bound = bind_for_threads(GAME, agent)
    by_sketch, exactly = bound.bind(shared_sketch.select), bound.bind(best.select)
    draw_moves = bound.bind(shared_sketch.draw_moves)
    rng = np.random.default_rng(1)
    moves, chosen = 30, set()
    drawn = np.zeros((1 + moves + LANES, 2), np.float32)
    for trial in range(3000):
        nodes = np.zeros(1 + moves, bound.node_type).view(np.recarray)
        # As after a few visits to each move, and while some have their first one.
        nodes.visits[1:] = rng.integers(trial % 2, 4, moves)
        nodes.total[1:] = rng.binomial(2 * nodes.visits[1:], 0.5) / 2
        nodes.pending[1:] = rng.binomial(3, rng.random(), moves)
        untried = np.flatnonzero(nodes.visits + nodes.pending == 0)[1:]
        if trial % 4:  # else some are untried, which are then the last ones
            nodes.pending[untried] = 1
        else:
            nodes[1:] = nodes[1:][np.argsort(nodes.visits[1:] + nodes.pending[1:] == 0)]
        nodes[0].first, nodes[0].count = 1, moves
        nodes[0].visits = nodes.visits[1:].sum()
        nodes[0].pending = nodes.pending[1:].sum() + 1
        draw_moves(nodes, 0, len(nodes), drawn)
        chosen.add(found := by_sketch(nodes, 0, drawn, agent.params))
        assert found == exactly(nodes, 0, agent.params), trial
    assert len(chosen) > 20


@pytest.mark.parametrize(
    "agent", ["duct(k=2,threads=2)", "uct(fpu=1.1,threads=2)", "uct(rave=k,threads=2)"]
)
def test_where_they_would_not_tell_enough_there_are_none(agent):
    assert not bind_for_threads(GAME, make_agent(agent)).has("shared_sketches")
    assert not bind_for_threads(make_game("hex:7"), make_agent("uct(threads=2)")).has(
        "shared_sketches"
    )
