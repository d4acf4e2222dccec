"""Searches that evaluate leaves, minimax values and implicit minimax, against a slow twin."""

from dataclasses import replace

import numpy as np
import pytest

from tests.naive.evaluated import Search
from tests.searches import grown, searcher_of, start, used_nodes
from uctlab.agents import make_agent
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.mcts.binding import bind_for_gpu
from uctlab.mcts.searcher import Searcher
from uctlab.mcts.storage import load_tree, save_tree
from uctlab.parts.layout import LAST_DEPTH, LAST_OUTCOME, OUTCOME_UNITS
from uctlab.rules.backup import implicit

GAMES = ["hex:2", "kalah:3,seeds=2"]
ALPHA = 0.3
# Agent, and what its selection rule sees of a node.
AGENTS = {
    "uct(c=0.4,leaf=evaluate)": lambda node: node.mean(),
    "uctmax(c=0.4)": lambda node: node.minimax(),
    f"uct(c=0.4,alpha={ALPHA})": lambda node: (1 - ALPHA) * node.mean() + ALPHA * node.minimax(),
    f"uct(c=0.4,alpha={ALPHA},leaf=evaluate)": lambda node: (
        (1 - ALPHA) * node.mean() + ALPHA * node.minimax()
    ),
}


def told(spec, agent, simulations=120):
    """A search in plain Python, simulation by simulation, and the twin that was told of each."""
    game = make_game(spec).interpreted()
    searcher = Searcher(game, make_agent(agent), seed=5, record_last=True)
    position = Position.start(game)
    searcher.prepare(position, simulations)
    twin = Search(position, AGENTS[agent], 0.4)
    tree = searcher.tree
    for _ in range(simulations):
        searcher.run(1)
        depth = int(tree.counters[LAST_DEPTH])
        path = tree.work.path[1 : depth + 1]
        outcome = tree.counters[LAST_OUTCOME] / OUTCOME_UNITS
        reward = None
        if "leaf=evaluate" not in agent and "uctmax" not in agent:
            reward = outcome if depth % 2 == 1 else 1 - outcome
        twin.tell([int(tree.nodes[node].move) for node in path], reward)
    return searcher, twin


def compare(node, ours, value):
    assert ours.visits == node.visits
    assert ours.depth == 0 or ours.value == pytest.approx(value(node), abs=1e-9)
    below = {child.position.moves[-1]: child for child in ours.children if child.visits}
    assert set(below) == set(node.children)
    for move, child in node.children.items():
        compare(child, below[move], value)


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("spec", GAMES)
def test_choices_and_values(spec, agent):
    searcher, twin = told(spec, agent)
    assert searcher.report().depth > 2
    compare(twin.root, searcher.report().tree.root, AGENTS[agent])


@pytest.mark.parametrize(
    "agent", ["uctmax(threads=3,sharing=locked)", "uct(alpha=0.3,threads=3,sharing=lockfree)"]
)
def test_threads_leave_the_same_values(agent):
    """Whichever thread comes first: a node's minimax value is that of its moves."""
    locked = "locked" in agent
    game = replace(make_game("hex:4"), interpret=locked)
    playouts = 600 if locked else 3000
    searcher = Searcher(game, make_agent(agent))
    report = searcher.search(Position.start(game), playouts=playouts)
    assert report.playouts == playouts
    nodes = used_nodes(searcher)
    assert not nodes["pending"].any()
    inner = np.flatnonzero(nodes["count"] > 0)
    for node in inner:
        first = int(nodes["first"][node])
        moves = nodes[first : first + int(nodes["count"][node])]
        visited = moves[moves["visits"] > 0]
        if len(visited):
            assert nodes["minimax"][node] == 1 - visited["minimax"].max()


def test_minimax_finds_a_win_that_the_evaluation_cannot_see():
    """With enough simulations uctmax solves a small board; hex:3 is won in the centre."""
    report = grown("hex:3", "uctmax(c=1)", 20_000)[1]
    assert report.best == "b2" and report.moves[0].value > 0.9


@pytest.mark.parametrize(
    ("agent", "game", "says"),
    [
        ("uct(leaf=evaluate)", "go:4", "go:4 has no evaluation; othello, hex and kalah have one"),
        ("uctmax", "havannah:3", "havannah:3 has no evaluation"),
        ("uct(alpha=0.1)", "deceptive", "has no evaluation"),
        ("uctmax(root=2)", "hex:3", "with several trees cannot merge these fields"),
        ("uct(leaf=evaluate,playout=bridge)", "hex:3", "playout= has no effect: with leaf=eval"),
        ("uct(leaf=evaluate,rave=k)", "hex:3", "rave= has no effect: with leaf=evaluate there are"),
        ("uct(leaf=evaluate,length_cost=0.1)", "hex:3", "length_cost= has no effect"),
        ("uctmax(playout=bridge)", "hex:3", "unknown parameter"),
        ("dfuct(leaf=evaluate)", "hex:3", "unknown parameter"),
    ],
)
def test_what_is_refused(agent, game, says):
    with pytest.raises(UsageError) as mistake:
        Searcher(make_game(game), make_agent(agent))
    assert says in str(mistake.value) and "\n" not in str(mistake.value)


def test_alpha_without_its_operator_is_refused(tmp_path):
    with pytest.raises(UsageError, match="alpha= has no effect"):
        make_agent("uct(alpha=0.2,backup=examples/minimax_backup.py)")
    assert make_agent("uct(alpha=0)").backup is not implicit
    assert make_agent("uct(alpha=0.2)").backup is implicit


def test_a_gpu_keeps_whole_nodes_for_evaluations():
    """Nodes of 16 bytes count in halves."""
    binding = bind_for_gpu(make_game("hex:3"), make_agent("uct(leaf=evaluate)"))
    assert "total" in binding.node_type.names and binding.node_type.itemsize > 16


@pytest.mark.parametrize(("agent", "field"), [("uctmax", "minimax"), ("uct(alpha=0.3)", "guess")])
def test_trees_in_files(agent, field, tmp_path):
    """They go on where they were; a value that cannot be is refused."""
    searcher = searcher_of("hex:4", agent, seed=2)
    searcher.search(start("hex:4"), playouts=500)
    save_tree(searcher, tmp_path / "tree")
    loaded = load_tree(tmp_path / "tree", "hex:4")
    assert np.array_equal(used_nodes(loaded), used_nodes(searcher))
    searcher.tree.nodes[field][1] = 1.5
    save_tree(searcher, tmp_path / "tree")
    with pytest.raises(UsageError, match=f"a number in {field}"):
        load_tree(tmp_path / "tree", "hex:4")
