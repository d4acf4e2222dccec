"""The tree that a search grows, and the mistakes of its callers."""

import numpy as np
import pytest

import uctlab
from tests.searches import (
    AGENTS,
    FLAT,
    PAIRS,
    grown,
    root_moves,
    same_tree,
    searcher_of,
    start,
    used_nodes,
)
from uctlab.agents import make_agent
from uctlab.errors import UsageError
from uctlab.parts import layout

WINS = [("a1 b1 a2 b2 a3 b3", "a4"), ("a1 a2 b1 b2 d1 c2 d4", "d2")]  # each player's fourth stone

# The same seed, the same tree.


@pytest.mark.parametrize(("spec", "agent"), [p for p in PAIRS if p[0] in ("hex:4", "othello")])
def test_a_seed_makes_one_tree(spec, agent):
    first, report = grown(spec, agent, 700, seed=5)
    again, same = grown(spec, agent, 700, seed=5)
    other, _ = grown(spec, agent, 700, seed=6)
    assert same_tree(first, again)
    assert report.moves == same.moves and report.pv == same.pv
    assert not same_tree(first, other)


@pytest.mark.parametrize("slices", [[1] * 700, [699, 1], [3, 0, 250, 447]])
@pytest.mark.parametrize("agent", AGENTS)
def test_slices_do_not_change_the_tree(agent, slices):
    whole, _ = grown("hex:4", agent, 700, seed=5)
    cut = searcher_of("hex:4", agent, seed=5)
    cut.prepare(start("hex:4"), 700)
    for playouts in slices:
        cut.run(playouts)
    assert same_tree(whole, cut)


def test_searching_again_without_reuse_is_the_same_tree_once_more():
    searcher, _ = grown("hex:4", "uct", 500)
    first = used_nodes(searcher).copy()
    report = searcher.search(start("hex:4"), playouts=500)
    assert report.reused == 0 and searcher.tree.nodes[0].visits == 500
    assert np.array_equal(first, used_nodes(searcher))


# What is true of every tree.


@pytest.mark.parametrize(("spec", "agent"), PAIRS)
def test_every_tree_is_sound(spec, agent):
    playouts = 600
    searcher, report = grown(spec, agent, playouts)
    used = int(searcher.tree.counters[layout.USED])
    nodes = used_nodes(searcher)
    assert report.playouts == playouts == nodes[0]["visits"]
    assert sum(move.visits for move in report.moves) == playouts
    assert sorted(root_moves(searcher)) == list(start(spec).legal)
    assert report.nodes == used and report.memory == used * searcher.tree.node_type.itemsize
    owned = np.zeros(used, np.int64)
    owned[0] = 1
    for node in nodes:
        if node["count"] > 0:
            block = slice(int(node["first"]), int(node["first"]) + int(node["count"]))
            assert block.stop <= used
            owned[block] += 1
            below = int(nodes[block]["visits"].sum())
            # What is left are the playouts that it had as a leaf: none at the root.
            assert 0 <= int(node["visits"]) - below <= 1
            assert len(set(nodes[block]["move"].tolist())) == node["count"]
    assert (owned == 1).all()
    for node in np.flatnonzero(nodes["visits"]):
        if node > 0 or "duct" not in agent:
            assert -1e-9 <= searcher.tree.view().value(int(node)) <= 1 + 1e-9
    if agent not in FLAT:
        assert report.depth == depth_of(nodes)


def depth_of(nodes, node=0):
    """Moves from a node to the deepest visited one below it."""
    first, count = int(nodes[node]["first"]), int(nodes[node]["count"])
    visited = [child for child in range(first, first + max(count, 0)) if nodes[child]["visits"]]
    return max((1 + depth_of(nodes, child) for child in visited), default=0)


@pytest.mark.parametrize("expand", [0, 1, 10])
def test_expand_is_the_playouts_of_a_leaf(expand):
    """With 0 a leaf has one playout or none: only the first child of a new node has one at once."""
    searcher, _ = grown("hex:4", f"uct(expand={expand})", 3000)
    nodes = used_nodes(searcher)
    inner = nodes[1:][nodes["count"][1:] > 0]
    assert len(inner) > 20
    for node in inner:
        below = nodes[int(node["first"]) : int(node["first"]) + int(node["count"])]
        own = int(node["visits"]) - int(below["visits"].sum())
        assert own in ((0, 1) if expand == 0 else (expand,))
    leaves = nodes[1:][nodes["count"][1:] == 0]
    assert leaves["visits"].max() <= max(expand, 1)


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize(("moves", "win"), WINS)
def test_a_win_on_the_spot_is_played(agent, moves, win):
    position = start("hex:4").play_all(moves)
    report = searcher_of("hex:4", agent).search(position, playouts=1)
    assert report.best == win and report.won and "wins at once" in str(report)
    assert not searcher_of("hex:4", agent).search(position.before, playouts=1).won


# Mistakes.


def test_mistakes():
    searcher = searcher_of("go:4")
    position = start("go:4")
    with pytest.raises(UsageError, match="the game is over"):
        searcher.search(position.play_all("pass pass"), playouts=10)
    with pytest.raises(UsageError, match=r"this search plays go:4.*, not hex:4"):
        searcher.search(start("hex:4"), playouts=10)
    with pytest.raises(UsageError, match=r"this search plays go:4.*, not go:4,komi=0.5"):
        searcher.search(start("go:4,komi=0.5"), playouts=10)
    with pytest.raises(UsageError, match="needs a budget"):
        searcher.search(position)
    for playouts in (0, -5):
        with pytest.raises(UsageError, match=f"playouts must be at least 1, not {playouts}"):
            searcher.search(position, playouts=playouts)
        with pytest.raises(UsageError, match="playouts"):
            searcher.search(position, playouts=playouts, seconds=1.0)
    for seconds in (0, -0.1, float("nan"), float("inf")):
        with pytest.raises(UsageError, match="seconds must be more than 0"):
            searcher.search(position, seconds=seconds)
    assert searcher.search(position, playouts=10).playouts == 10  # a mistake leaves no harm


def test_search_by_names():
    position = uctlab.Position.from_moves("othello", "f5 d6")
    report = uctlab.search(position, "auct(k=3)", playouts=500, seed=1)
    same = uctlab.search(position, make_agent("auct(k=3)"), playouts=500, seed=1)
    assert report.moves == same.moves and report.best in position.legal_moves
    assert report.agent == "auct(k=3)" and report.game == "othello" and report.seed == 1
    with pytest.raises(UsageError, match="a1, is illegal"):
        uctlab.Position.from_moves("othello", "f5 a1")


@pytest.mark.parametrize("agent", ["duct(k=1,c=0)", "duct(k=1,rave=fuego)"])
def test_a_move_that_was_long_forgotten_keeps_a_score(agent):
    """Weights shrink by 1e-45 in a thousand visits; none may become zero, and a score 0 * inf."""
    searcher, _ = grown("hex:4", agent, 30_000)
    nodes = used_nodes(searcher)
    visited = nodes["visits"] > 0
    assert (nodes["weight"][visited][1:] > 0).all()
    first, count = int(nodes["first"][0]), int(nodes["count"][0])
    weights = nodes["weight"][first : first + count][visited[first : first + count]]
    assert len(weights) > 1 and np.isfinite(nodes["unit"][0] / weights).all()
