"""MCTS-Solver: what a search calls proven is true, and it stops there."""

import random
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tests.disturbed import disturbed
from tests.naive.solver import SolverTwin
from uctlab import solve
from uctlab.agents import make_agent
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.mcts.binding import bind_for_cpu
from uctlab.mcts.searcher import Searcher
from uctlab.mcts.storage import load_tree, save_tree
from uctlab.parts.layout import OVER, USED
from uctlab.parts.solver import best_proven

EXAMPLES = Path(__file__).parents[1] / "examples"
TIC_TAC_TOE = str(EXAMPLES / "tic_tac_toe.py")
CONNECT_FOUR = str(EXAMPLES / "connect_four.py")
NAMES = {1.0: "win", 0.5: "draw", 0.0: "loss"}


@cache
def game_of(spec):
    return make_game(spec).interpreted()


def late_position(game, moves, seed):
    """After random moves; the game goes on there."""
    draw = random.Random(seed)
    while True:
        position = Position.start(game)
        while not position.is_over and len(position.moves) < moves:
            position = position.play(draw.choice(position.legal_moves))
        if not position.is_over:
            return position


@cache
def solved(spec, moves, seed):
    """A late position and what is true of it, for all agents that are asked."""
    position = late_position(game_of(spec), moves, seed)
    return position, solve(position)


def children(nodes, node):
    return list(range(int(nodes[node].first), int(nodes[node].first) + int(nodes[node].count)))


@pytest.mark.parametrize("expand", [0, 1, 3])
@pytest.mark.parametrize(("spec", "moves"), [("hex:3", 3), (TIC_TAC_TOE, 3)])
def test_the_search_is_the_twins(spec, moves, expand):
    """Every choice, every bound, and the playout at which it ends."""
    position = late_position(game_of(spec), moves, seed=expand)
    agent = make_agent(f"uct(c=0.6,expand={expand},solver=on)")
    searcher = Searcher(position.game, agent, record_last=True, seed=3)
    searcher.prepare(position, 3000)
    twin = SolverTwin(0.6)
    twin.expand(0, children(searcher.tree.nodes, 0))
    for _ in range(3000):
        if twin.proven():
            break
        searcher.run(1)
        nodes = searcher.tree.nodes
        path, _, outcome = searcher.tree.last_playout()
        for at, chosen in pairwise(path):
            twin.expand(at, children(nodes, at))
            assert chosen in twin.may_choose(at)
        reward = outcome if (position.turn + len(path)) % 2 == 0 else 1 - outcome
        twin.tell(path, reward, nodes[path[-1]].count == OVER)
        for at in path:
            assert (nodes[at].low / 2, nodes[at].high / 2) == twin.bounds(at)
    made = searcher.visits
    assert twin.proven() and searcher.proven and made < 3000
    searcher.run(10)
    assert searcher.visits == made


@pytest.mark.parametrize(
    "agent",
    [
        *("uct", "auct(k=3)", "duct(k=3)", "tuned", "uct(rave=k)", "uct(rave=fuego)"),
        *("uct(backup=max)", "uct(length_cost=0.01)", "uct(fpu=0.8)"),
    ],
)
@pytest.mark.parametrize(("spec", "moves"), [("hex:3", 4), (TIC_TAC_TOE, 4)])
def test_what_is_proven_is_true(spec, moves, agent):
    text = agent.replace(")", ",solver=on)") if "(" in agent else f"{agent}(solver=on)"
    for seed in range(3):
        position, truth = solved(spec, moves, seed)
        report = Searcher(position.game, text, seed=seed).search(position, playouts=1500)
        assert report.proven == NAMES[truth.value] and report.playouts < 1500
        assert report.best in truth.best
        for move in report.moves:
            assert move.proven in (None, NAMES[truth.moves[move.move]])


def test_endings_of_connect_four():
    """With draws; a search that proves nothing says so."""
    game = make_game(CONNECT_FOUR)
    proven = 0
    for seed in range(6):
        position = late_position(game, 30, seed)
        report = Searcher(game, "uct(solver=on)", seed=seed).search(position, playouts=20_000)
        truth = solve(position)
        assert report.proven in (None, NAMES[truth.value])
        assert all(move.proven in (None, NAMES[truth.moves[move.move]]) for move in report.moves)
        proven += report.proven is not None
        assert report.proven is None or report.best in truth.best
    assert proven >= 3


def test_the_report_says_so(uctlab):
    code, out, _ = uctlab("analyze", "hex:3", "--agent", "uct(solver=on)", "--playouts", 9000)
    assert code == 0 and "proven: a win for the player to move, so the search ended" in out
    assert "9,000 playouts" not in out and "proven\n" in out and "best b2" in out


def test_every_node_that_is_proven_is_true():
    position = Position.start(make_game("hex:3"))
    report = Searcher(position.game, "uct(solver=on)", seed=1).search(position, playouts=9000)
    assert report.proven == "win" and report.moves[0].proven == "win"
    nodes = report.tree.filter(lambda node: node.report() is not None and node.report().proven)
    draw = random.Random(1)
    for node in draw.sample(nodes, 30):
        if not node.position.is_over:
            value = 1 - solve(node.position).value
            assert node.report().proven == NAMES[value]
    assert "proven" in report.tree.to_frame().columns


@pytest.mark.parametrize("sharing", ["lockfree", "locked"])
def test_threads(sharing):
    """All bounds follow from those below, whoever came first, and the proof is true."""
    game = make_game("hex:4")
    agent = make_agent(f"uct(solver=on,threads=4,sharing={sharing})")
    searcher = disturbed(game, agent)
    for seed in range(4):
        position = late_position(game, 7, seed)
        report = searcher.search(position, playouts=30_000)
        assert report.proven == NAMES[solve(position).value] and report.playouts < 30_000
        nodes = searcher.tree.nodes[: int(searcher.tree.counters[USED])]
        assert not nodes.pending.any() and nodes["count"].min() >= OVER
        for node in np.flatnonzero(nodes["count"] > 0):
            below = children(nodes, node)
            assert nodes[node].low == 2 - max(int(nodes[child].high) for child in below)
            assert nodes[node].high == 2 - max(int(nodes[child].low) for child in below)


def test_a_tree_that_is_kept_may_be_proven_already(tmp_path):
    game = game_of("hex:3")
    position = Position.from_moves(game, "b2 a1")
    searcher = Searcher(game, "uct(solver=on)", reuse=True)
    report = searcher.search(position, playouts=3000)
    assert report.proven == "win"
    save_tree(searcher, tmp_path / "tree")
    loaded = load_tree(tmp_path / "tree", "hex:3")
    assert loaded.visits == report.playouts and loaded.proven == "win"
    after = position.play(report.best)
    again = searcher.search(after, playouts=100)
    assert again.proven == "loss" and again.playouts == 0
    with searcher.start(after) as live:
        assert list(live.every(10)) == []


def leader(bounds, visits, values):
    """What is played if the moves have those bounds, in half points."""
    agent = make_agent("uct(solver=on)")
    binding = bind_for_cpu(game_of("hex:3"), agent)
    nodes = np.zeros(1 + len(bounds), binding.node_type).view(np.recarray)
    nodes[0].first, nodes[0].count = 1, len(bounds)
    for child, ((low, high), n, value) in enumerate(zip(bounds, visits, values, strict=True), 1):
        nodes[child].low, nodes[child].high = low, high
        nodes[child].visits, nodes[child].total = n, n * value
    return binding.bind(best_proven)(nodes) - 1


def test_the_move_to_play():
    assert leader([(0, 2), (2, 2)], [900, 1], [0.9, 1]) == 1  # a win
    assert leader([(0, 0), (0, 2)], [900, 1], [0.9, 0]) == 1  # not a loss
    assert leader([(0, 2), (1, 1)], [900, 1], [0.4, 0.5]) == 1  # a draw rather than that
    assert leader([(0, 2), (1, 1)], [900, 1], [0.6, 0.5]) == 0
    assert leader([(0, 1), (1, 1)], [900, 1], [0.6, 0.5]) == 1  # no more than a draw
    assert leader([(0, 0), (0, 0)], [1, 9], [0.6, 0.5]) == 1  # all lost
    assert leader([(0, 2), (1, 2)], [900, 901], [0.6, 0.6]) == 1


@pytest.mark.parametrize(
    ("game", "agent", "says"),
    [
        ("go:4", "uct(solver=on)", "go:4 has a rule against repetition"),
        ("go:4", "uct(solver=on,prune=on)", "solver=on does not go with prune="),
        ("hex:3", "uct(solver=on,root=2)", "solver=on does not go with root="),
        ("hex:3", "dfuct(solver=on)", "unknown parameter"),
    ],
)
def test_what_is_refused(game, agent, says):
    with pytest.raises(UsageError, match=says):
        Searcher(game, agent)
