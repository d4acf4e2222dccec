"""PUCT, progressive bias and progressive widening against a twin that follows every playout."""

import math

import numpy as np
import pytest

from tests.naive.guided import Guided
from tests.searches import used_nodes
from uctlab.agents import make_agent
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.games.api import MOVE
from uctlab.lab.split import Split
from uctlab.mcts.binding import bind_for_gpu
from uctlab.mcts.searcher import Searcher
from uctlab.rules.backup import mean, packed_mean

# The agent and what the twin is to know about it.
GUIDED = [
    ("go:4", "puct(c=2)", {"rule": "puct", "c": 2, "fpu": 0.5}),
    ("go:4", "puct(fpu=inf,expand=3,c=1)", {"rule": "puct"}),
    ("hex:3", "puct(expand=0)", {"rule": "puct", "c": 2, "fpu": 0.5}),
    ("go:4", "uct(bias=2)", {"bias": 2, "fpu": 1}),
    ("go:4", "uct(bias=0.5,fpu=inf,c=0.5)", {"bias": 0.5, "c": 0.5}),
    ("go:4", "tuned(bias=1,p=0.7)", {"rule": "tuned", "p": 0.7, "bias": 1, "fpu": 1}),
    ("go:4", "uct(widen=1)", {"widen": (1, 0.5)}),
    ("hex:3", "uct(widen=0.7,widen_power=0.4)", {"widen": (0.7, 0.4)}),
    ("go:4", "uct(widen=2,widen_power=0.3,bias=1)", {"widen": (2, 0.3), "bias": 1, "fpu": 1}),
]


def opinions_of(game, position):
    """The value of each move after a line from the position, by the game's own kernels."""

    def ask(line):
        state = game.new_states(1)
        state[0] = position.state
        for move in line:
            game.kernels.play(state[0], MOVE.type(move))
        out = game.new_out()
        count = game.kernels.moves(state[0], out)
        worth, weights = (np.zeros(len(game.move_names), np.int64) for _ in range(2))
        if game.priors is None:
            return {int(move): 0.5 for move in out[:count]}
        game.kernels.priors(state[0], out, count, worth, weights)
        return {int(m): worth[m] / 1e6 if weights[m] > 0 else 0.5 for m in out[:count]}

    return ask


def interpreted(spec, agent, playouts):
    game = make_game(spec).interpreted()
    searcher = Searcher(game, make_agent(agent), seed=2)
    searcher.search(Position.start(game), playouts=playouts)
    return searcher


@pytest.mark.parametrize(("spec", "agent", "facts"), GUIDED)
def test_every_choice(spec, agent, facts):
    game = make_game(spec).interpreted()
    position = Position.start(game)
    position = position.play(position.legal[0])  # the second player is to move at the root
    searcher = Searcher(game, make_agent(agent), seed=4, record_last=True)
    searcher.prepare(position, 80)
    twin = Guided(position.turn, opinions_of(game, position), **facts)
    nodes = searcher.tree.nodes
    choices = 0
    for _ in range(80):
        searcher.run(1)
        path, _, outcome = searcher.tree.last_playout()
        line = tuple(int(nodes[node].move) for node in path[1:])
        for depth, node in enumerate(path[:-1]):
            order = [int(nodes[child].move) for child in searcher.tree.view().children(node)]
            choices += 1
            assert twin.may_choose(line[:depth], order, line[depth])
        twin.told(line, outcome)
    assert choices > 80


@pytest.mark.parametrize("spec", ["go:4", "hex:4"])
def test_children_are_in_the_order_of_their_priors(spec):
    searcher = interpreted(spec, "uct(widen=1)", 100)
    view, game = searcher.tree.view(), searcher.game
    ask = opinions_of(game, Position.start(game))
    children = list(view.children(0))
    values = [ask(())[int(view.nodes[child].move)] for child in children]
    assert values == sorted(values, reverse=True)
    deep = max(children, key=lambda child: view.nodes[child].visits)
    below = ask((int(view.nodes[deep].move),))
    values = [below[int(view.nodes[child].move)] for child in view.children(deep)]
    assert values == sorted(values, reverse=True) and len(values) > 1
    visited = [view.nodes[child].visits > 0 for child in children]
    assert visited == sorted(visited, reverse=True)


def test_probabilities_add_up():
    for spec in ("go:4", "hex:4"):
        searcher = interpreted(spec, "puct", 60)
        nodes, view = searcher.tree.nodes, searcher.tree.view()
        inner = np.flatnonzero(used_nodes(searcher)["count"] > 0)
        sums = [sum(nodes[child].probability for child in view.children(node)) for node in inner]
        assert len(sums) > 10 and sums == pytest.approx([1] * len(sums), abs=1e-5)
        shares = {float(nodes[child].probability) for child in view.children(0)}
        assert (len(shares) == 1) == (spec == "hex:4")


@pytest.mark.parametrize(
    "agents",
    [
        ("uct(bias=1,widen=1)", "auct(k=inf,bias=1,widen=1)"),
        ("uct(bias=1,widen=1)", "duct(k=inf,bias=1,widen=1)"),
        ("uct(widen=100)", "uct(widen=1000)"),
    ],
)
def test_equal_trees(agents):
    """Without decay there is one tree; and a node with room for all moves leaves none out."""
    one, other = (interpreted("go:4", agent, 60) for agent in agents)
    for field in ("visits", "first", "count", "move"):
        assert np.array_equal(used_nodes(one)[field], used_nodes(other)[field])


def test_what_is_refused():
    hexes = make_game("hex:3").interpreted()
    with pytest.raises(UsageError, match=r"hex:3 has no priors; use bias=0"):
        Searcher(hexes, make_agent("uct(bias=1)"))
    with pytest.raises(UsageError, match="widen_power= has no effect: it is for progressive wid"):
        make_agent("uct(widen_power=0.3)")
    Searcher(hexes, make_agent("uct(widen=1,widen_power=0.3)"))


def test_nodes_on_a_gpu():
    """Only nodes that nothing is added to are the small ones."""
    game = make_game("go:4").interpreted()
    assert bind_for_gpu(game, make_agent("uct")).agent.backup is packed_mean
    for agent in ("uct(bias=1)", "uct(widen=1)", "puct"):
        assert bind_for_gpu(game, make_agent(agent)).agent.backup is mean


@pytest.mark.parametrize("agent", ["puct", "uct(bias=2)"])
def test_the_lab_splits_the_scores(agent):
    searcher = interpreted("go:4", agent, 30)
    split = Split(searcher.game, searcher.agent)
    for child in searcher.tree.view().children(0):
        parts = split.parts(searcher.tree.nodes, 0, child)
        whole = sum(parts[name] or 0.0 for name in ("mean", "prior", "exploration"))
        assert parts["score"] == pytest.approx(whole)
        assert math.isfinite(whole) and (parts["prior"] is not None) == (agent != "puct")


def test_the_lab_splits_scores_of_moves_that_are_proven_lost():
    game = make_game("hex:3").interpreted()
    position = Position.from_moves(game, "a1 b2 b1 c1")
    searcher = Searcher(game, make_agent("uct(solver=on)"), seed=2)
    searcher.search(position, playouts=200)
    split = Split(game, searcher.agent)
    view = searcher.tree.view()
    parts = [split.parts(view.nodes, 0, child) for child in view.children(0)]
    assert searcher.visits < 200, "the position is proven"
    assert all(math.isfinite(part["score"]) for part in parts if part["mean"] is not None)
