"""Selection by sketches chooses what exact selection does, and the trees are the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.searches import leave_out
from uctlab.agents import make_agent
from uctlab.games import Position, make_game
from uctlab.kernels import kernel, specialise
from uctlab.kernels.vectors import LANES, highest_line, lines_from
from uctlab.mcts import binding
from uctlab.mcts.searcher import Searcher
from uctlab.mcts.storage import load_tree, save_tree
from uctlab.parts import sketches as sketch
from uctlab.rules.select import best


@kernel
def _best_of(lines, first, count, slope, limit):
    return highest_line(lines, first, count, slope), lines_from(lines, first, count, slope, limit)


@pytest.mark.parametrize("count", [*range(LANES, 20), 31, 33, 63, 64])
def test_lines_are_compared_as_in_plain_python(count: int) -> None:
    rng = np.random.default_rng(count)
    lines = rng.random((3 + count + LANES, 2)).astype(np.float32)
    lines[:3] = lines[3 + count :] = 9.0  # neighbours, which must not count
    slope = np.float32(0.5)
    scores = lines[3 : 3 + count, 0] + slope * lines[3 : 3 + count, 1]
    limit = np.float32(np.median(scores))
    highest, bits = specialise(_best_of)(lines, 3, count, slope, limit)
    plain = _best_of(lines, 3, count, slope, limit)
    assert abs(highest - scores.max()) < 1e-6 and abs(plain[0] - highest) < 1e-6
    clear = abs(scores - limit) > 1e-6  # a fused product may differ in the last digit
    for i in np.flatnonzero(clear):
        assert int(bits) >> int(i) & 1 == int(plain[1]) >> int(i) & 1 == (scores[i] > limit)
    assert int(bits) >> count == 0 == int(plain[1]) >> count


def both(game: str, agent: str, monkeypatch: pytest.MonkeyPatch, **options: bool) -> list[Searcher]:
    """The agent with sketches and without."""
    found = []
    for sketches in (True, False):
        with monkeypatch.context() as patch:
            if not sketches:
                leave_out(patch, "sketches", "shared_sketches")
            found.append(Searcher(make_game(game), make_agent(agent), seed=3, **options))
    assert not hasattr(found[1].tree.work, "sketch")
    return found


def assert_same_trees(one: Searcher, other: Searcher) -> None:
    used = one.tree.used
    assert used == other.tree.used
    for field in one.tree.nodes.dtype.names:
        np.testing.assert_array_equal(
            one.tree.nodes[field][:used], other.tree.nodes[field][:used], err_msg=field
        )


@pytest.mark.parametrize(
    ("game", "agent"),
    [
        ("hex:5", "uct"),
        ("hex:5", "uct(c=0)"),
        ("hex:5", "uct(fpu=1.1,c=0.3)"),
        ("hex:5", "auct(k=2)"),
        ("hex:5", "duct(k=1)"),  # weights get new units every thousand visits
        ("hex:5", "duct(lam=1)"),
        ("hex:9", "uct(expand=5)"),
        ("hex:5", "ucb"),  # never expands a node
        ("hex:5", "uct(rave=fuego)"),  # nodes with more visits than FEW
        ("hex:9", "uct(rave=fuego,c=0.4,fpu=0.3,expand=3)"),
        ("hex:5", "auct(k=2,rave=fuego,rave_initial=0.3,rave_final=40)"),
        ("havannah:5", "uct(rave=fuego,fpu=-1)"),
        ("go:5", "uct(rave=fuego,rave_final=1)"),
    ],
)
def test_trees_are_the_same(game: str, agent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sketched, exact = both(game, agent, monkeypatch)
    for searcher in (sketched, exact):
        searcher.search(Position.start(make_game(game)), playouts=12_000)
    assert len(sketched.tree.work.sketch) == len(sketched.tree.nodes) + LANES
    assert_same_trees(sketched, exact)


@pytest.mark.parametrize("agent", ["uct", "uct(rave=fuego)"])
def test_a_tree_that_is_kept_is_sketched_again(agent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.start(make_game("hex:5"))
    pair = both("hex:5", agent, monkeypatch, reuse=True)
    for searcher in pair:
        report = searcher.search(position, playouts=3000)
        searcher.search(position.play(report.best), playouts=3000)
        searcher.search(position.play(report.best), playouts=9000)
    assert_same_trees(*pair)


@pytest.mark.parametrize("agent", ["auct(k=3)", "auct(k=3,rave=fuego)"])
def test_a_tree_from_a_file_is_sketched_again(
    agent: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    position = Position.start(make_game("hex:5"))
    pair = both("hex:5", agent, monkeypatch, reuse=True)
    for searcher in pair:
        searcher.search(position, playouts=2000)
    save_tree(pair[0], tmp_path / "tree.npz")
    loaded = load_tree(tmp_path / "tree.npz", "hex:5")
    loaded.search(position, playouts=4000)
    pair[1].search(position, playouts=4000)
    assert_same_trees(loaded, pair[1])


def test_sketches_are_true_of_the_tree() -> None:
    searcher = Searcher(make_game("hex:5"), make_agent("duct(k=2)"), seed=1)
    searcher.search(Position.start(make_game("hex:5")), playouts=5000)
    nodes, drawn = searcher.tree.nodes, searcher.tree.work.sketch
    moves = np.flatnonzero(nodes.visits[1 : searcher.tree.used] > 0) + 1
    np.testing.assert_allclose(drawn[moves, 0], nodes.value[moves], rtol=2e-7, atol=1e-9)
    np.testing.assert_allclose(drawn[moves, 1], nodes.weight[moves] ** -0.5, rtol=2e-7)


def test_sketches_are_true_of_the_samples() -> None:
    game = make_game("hex:5")
    searcher = Searcher(game, make_agent("uct(rave=fuego,fpu=0.7,rave_final=80)"), seed=1)
    searcher.search(Position.start(game), playouts=3000)
    nodes, drawn = searcher.tree.nodes, searcher.tree.work.sketch[:, 0]
    nodes, drawn = nodes[1 : searcher.tree.used], drawn[1 : searcher.tree.used]
    visits, samples = nodes.visits.astype(float), nodes.samples
    weight = samples / (1 + samples / 80)
    tried, sampled = visits > 0, samples > 0
    mixed = (nodes.total + weight * nodes.rave)[tried] / (visits + weight)[tried]
    np.testing.assert_allclose(drawn[tried], mixed, rtol=1e-6)
    np.testing.assert_allclose(drawn[~tried & sampled], nodes.rave[~tried & sampled], rtol=1e-6)
    assert (drawn[~tried & ~sampled] == np.float32(0.7)).all()
    assert min(tried.sum(), (~tried & sampled).sum(), (~tried & ~sampled).sum()) > 50


@pytest.mark.parametrize(
    ("visits", "fpu", "close", "chosen"),
    [
        (4000, 1.0, 0.5 + 1e-9, 9),  # so many samples may have means that close
        (100, 0.5 - 1e-9, 0.5, 9),  # urgency that is no mean of results
        (100, 0.5, 0.5, 5),
    ],
)
def test_close_means_of_samples(visits: int, fpu: float, close: float, chosen: int) -> None:
    """Sketches are equal; move 5 has no samples where it has the urgency of the parameters."""
    agent = make_agent(f"uct(rave=fuego,fpu={fpu!r})")
    bound = binding.bind_for_cpu(make_game("hex:5"), agent)
    nodes = np.zeros(20, bound.node_type).view(np.recarray)
    nodes[0].first, nodes[0].count, nodes[0].visits = 1, 16, visits
    nodes.samples[1:17] = 10
    nodes.rave[1:17] = 0.25
    nodes.rave[[5, 9]] = 0.5, close
    nodes.samples[5] = 10 if fpu == 1 else 0
    drawn, slopes = np.zeros((20 + LANES, 2), np.float32), np.zeros(1, np.float32)
    bound.bind(sketch.draw_tree)(nodes, 17, drawn, agent.params)
    assert drawn[5, 0] == drawn[9, 0]
    assert bound.bind(sketch.select)(nodes, 0, drawn, slopes, agent.params) == chosen
    assert bound.bind(best.select)(nodes, 0, agent.params) == chosen


def test_close_scores_are_compared_exactly() -> None:
    """Sketches of two moves are equal; their values differ by far less than float32 can tell."""
    agent = make_agent("auct(k=3,c=0)")
    bound = binding.bind_for_cpu(make_game("hex:5"), agent)
    nodes = np.zeros(20, bound.node_type).view(np.recarray)
    nodes[0].first, nodes[0].count, nodes[0].visits = 1, 16, 160
    nodes.visits[1:17] = 10
    nodes.value[1:17] = 0.25
    nodes.value[[5, 9, 12]] = 0.5, 0.5 + 1e-9, 0.5 + 1.05e-9  # the last two are equal: TIE
    drawn = np.zeros((20 + LANES, 2), np.float32)
    slopes = np.zeros(1, np.float32)
    bound.bind(sketch.draw_tree)(nodes, 17, drawn, agent.params)
    assert drawn[5, 0] == drawn[9, 0] == drawn[12, 0]
    assert bound.bind(sketch.select)(nodes, 0, drawn, slopes, agent.params) == 9
    assert bound.bind(best.select)(nodes, 0, agent.params) == 9


@pytest.mark.parametrize(
    ("game", "agent"),
    [
        ("othello", "uct"),  # few moves
        ("hex:5", "tuned"),
        ("hex:5", "uct(rave=k)"),
        ("hex:5", "uct(rave=fuego,distance=on)"),
        ("hex:5", "uct(rave=fuego,ignore=20)"),
        ("hex:5", "uct(rave=fuego,fpu=inf)"),
        ("hex:5", "duct(k=3,rave=fuego)"),  # a visit to a node changes the weights of its moves
        ("go:5", "uct(rave=fuego,prior=1)"),
        ("hex:5", "uct(solver=on)"),
        ("hex:5", "uct(graph=on)"),
        ("hex:5", "uct(leaf=evaluate)"),
        ("hex:5", "dfuct"),
    ],
)
def test_where_sketches_would_not_tell_enough_there_are_none(game: str, agent: str) -> None:
    assert not binding.bind_for_cpu(make_game(game), make_agent(agent)).has("sketches")
