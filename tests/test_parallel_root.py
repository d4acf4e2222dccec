"""Root parallelism: independent trees, and the sum of their roots."""

import numpy as np
import pytest

from tests.tree_invariants import check_tree
from uctlab.agents import make_agent
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.mcts.binding import node_dtype, node_fields
from uctlab.mcts.parallel_root import merge_roots, shares
from uctlab.mcts.searcher import Searcher
from uctlab.mcts.storage import save_tree

GAME = make_game("hex:4")
START = Position.start(GAME)


def grown(name, playouts=601, **options):
    searcher = Searcher(GAME, make_agent(name), seed=2, **options)
    return searcher, searcher.search(START, playouts=playouts)


def moves_of(tree):
    view = tree.view()
    return {view.move_name(child): child for child in view.children(0)}


@pytest.mark.parametrize("name", ["uct", "uct(rave=fuego)", "auct(k=1)", "duct(k=2)"])
def test_the_report_adds_up_the_trees(name):
    searcher, report = grown(name.rstrip(")") + ("," if "(" in name else "(") + "root=3)")
    trees = searcher.trees
    assert report.playouts == 601 == searcher.visits == sum(move.visits for move in report.moves)
    for tree, playouts in zip(trees, (201, 200, 200), strict=True):
        check_tree(tree, playouts)
    for move in report.moves:
        children = [(tree, moves_of(tree)[move.move]) for tree in trees]
        visits = np.array([int(tree.nodes[child].visits) for tree, child in children])
        assert move.visits == visits.sum()
        if move.visits == 0:
            assert move.value is None
            continue
        values = [
            tree.view().value(child) if tree.nodes[child].visits else 0 for tree, child in children
        ]
        assert move.value == pytest.approx(visits @ values / visits.sum())
        if (weight := move.velocity or move.discounted_visits) is not None:
            each = [tree.nodes[child].weight / tree.nodes[0].unit for tree, child in children]
            assert weight == pytest.approx(sum(each))
        if move.samples is not None:
            samples = np.array([tree.nodes[child].samples for tree, child in children])
            assert move.samples == samples.sum()
            rave = [tree.nodes[child].rave for tree, child in children]
            assert move.rave == pytest.approx(samples @ rave / samples.sum())


@pytest.mark.parametrize("moves", [1, 2, 60])
def test_trees_are_added_one_after_the_other(moves):
    """To the last bit, though NumPy could add in another order; each has its own order of moves."""
    rng = np.random.default_rng(moves)
    agent = make_agent("uct(rave=k)")
    rows = np.zeros((1000, 1 + moves), node_dtype(agent))
    for name in ("total", "rave", "samples"):
        rows[name] = rng.random(rows.shape) * 10.0 ** rng.integers(-8, 8, rows.shape)
    rows["move"][:, 1:] = rng.permuted(np.tile(np.arange(moves), (1000, 1)), axis=1)
    merged = merge_roots(rows, node_fields(agent))
    assert merged.move[1:].tolist() == list(range(moves))
    for move in range(moves):
        own = [row[1:][row["move"][1:] == move][0] for row in rows]
        assert merged[1 + move].total == sum(node["total"] for node in own)
        samples = sum(node["samples"] for node in own)
        assert merged[1 + move].samples == samples
        assert (
            merged[1 + move].rave == sum(node["rave"] * node["samples"] for node in own) / samples
        )


def test_the_trees_are_independent_and_repeatable():
    searcher, report = grown("uct(root=3)")
    trees = {tree.nodes[:100].tobytes() for tree in searcher.trees}
    assert len(trees) == 3
    _, same = grown("uct(root=3)")
    assert same.moves == report.moves and same.best == report.best


def test_what_is_played_is_decided_by_all_trees():
    searcher, report = grown("uct(root=3)")
    assert report.best == report.moves[0].move == searcher.best_move() == report.pv[0]
    assert searcher.view().lead() == report.moves[0].visits - report.moves[1].visits
    assert report.nodes == sum(tree.used for tree in searcher.trees)
    assert len(report.pv) > 1


def test_all_trees_are_kept_from_move_to_move():
    searcher, report = grown("uct(root=3)", 3000, reuse=True)
    best = {tree: moves_of(tree)[report.best] for tree in searcher.trees}
    visits = sum(int(tree.nodes[child].visits) for tree, child in best.items())
    after = START.play(report.best)
    assert searcher.search(after, playouts=30).reused == visits
    searcher.drop_root()  # as when another game begins
    assert searcher.search(after, playouts=30).reused == 0


def test_fewer_playouts_than_trees():
    _, report = grown("uct(root=3)", 2)
    assert report.playouts == 2
    assert shares(7, 3) == [3, 2, 2]


def test_what_cannot_be_added_up(tmp_path):
    searcher, _ = grown("uct(root=2)", 10)
    with pytest.raises(UsageError, match="several trees"):
        save_tree(searcher, tmp_path / "tree")
    with pytest.raises(UsageError, match="several trees"):
        searcher.tree.view().export(1)
    with pytest.raises(UsageError, match="cannot merge"):
        Searcher(GAME, make_agent("uct(backup=examples/minimax_backup.py,root=2)"))
