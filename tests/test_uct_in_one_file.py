"""examples/uct_in_one_file.py grows the kernel's trees, node for node, from its random numbers."""

import re
import sys
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np
import pytest

from examples import uct_in_one_file
from examples.uct_in_one_file import RAVE, UCT, AcceleratedUCT, random_playout
from uctlab.games import Position, make_game
from uctlab.games.uniform import uniform
from uctlab.kernels import below, seed_rng
from uctlab.mcts.searcher import Searcher

EXAMPLES = Path(uct_in_one_file.__file__).parent
TIC_TAC_TOE = str(EXAMPLES / "tic_tac_toe.py")
CONNECT_FOUR = str(EXAMPLES / "connect_four.py")
AGENTS = {"uct": UCT, "uct(rave=fuego)": RAVE, "auct(k=3)": AcceleratedUCT}
SEED = 3


class KernelNumbers:
    """The random numbers of a search with that seed."""

    def __init__(self, seed):
        self.state = seed_rng(seed)

    def randrange(self, n):
        with np.errstate(over="ignore"):
            return int(below(self.state, n))


class AsInTheTree(Position):
    """Has the moves as kernels list them below the root: in any order, and without superko."""

    @cached_property
    def legal(self):
        out = self.game.new_out()
        count = self.game.kernels.moves(self.state, out)
        moves = out[:count].tolist()
        return tuple(moves if self.before else sorted(moves))

    def play(self, move):
        after = super().play(move)
        return AsInTheTree(self.game, after.state, self, after.last_move)


class OwnPlayout:
    """The playout of a game that draws its moves in a way of its own."""

    def __init__(self, game, *, trace):
        self.game = game
        self.kernel = game.playout(trace=trace)
        self.ended = set()

    def __call__(self, position, rng):
        if position.is_over:
            # The kernel plays from the end of a game too, the first time.
            if position.moves in self.ended:
                return position.result, []
            self.ended.add(position.moves)
        states, trace = self.game.new_states(1), self.game.new_trace()
        states[0] = position.state
        result, length = self.kernel(states[0], rng.state, self.game.new_out(), trace)
        # A negative code is a move that gives no samples.
        return result, [self.game.move_name(move) if move >= 0 else "" for move in trace[:length]]


def assert_same_trees(position, agent, simulations, playout=random_playout):
    kernel = Searcher(position.game, agent, seed=SEED)
    kernel.search(position, playouts=simulations)
    if position.game.family in ("havannah", "go"):
        position = AsInTheTree(position.game, position.state)
    plain = AGENTS[agent](position, KernelNumbers(SEED), playout)
    plain.best_move(simulations)
    view = kernel.view()
    pairs = [(plain.root, 0)]
    for node, number in pairs:
        fast = view.nodes[number]
        assert node.visits == fast.visits
        if node.visits > 0:
            assert node.value == pytest.approx(view.value(number), abs=1e-9)
        if agent == "uct(rave=fuego)":
            assert (node.samples, node.rave) == pytest.approx((fast.samples, fast.rave), abs=1e-9)
        children = view.children(number)
        assert [child.move for child in node.children] == [view.move_name(i) for i in children]
        if agent == "auct(k=3)" and children:
            weights = [view.nodes[i].weight / fast.unit for i in children]
            assert [child.velocity for child in node.children] == pytest.approx(weights, abs=1e-9)
        pairs += zip(node.children, children, strict=True)
    assert plain.root.visits == simulations
    assert len(pairs) == kernel.tree.used


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize(
    ("spec", "moves", "simulations"),
    [
        ("deceptive:4,depth=3", "", 400),
        (TIC_TAC_TOE, "b2 a1 c3", 300),
        (CONNECT_FOUR, "d d d", 200),
        ("othello", "f5", 40),
        ("hex:4", "b2", 200),
        ("kalah:3", "", 200),
        ("havannah:3", "c3", 60),
    ],
)
def test_trees_with_random_moves(spec, moves, simulations, agent):
    """Games with playouts of their own get random moves too."""
    game = replace(make_game(spec).interpreted(), playouts={"uniform": uniform})
    assert_same_trees(Position.from_moves(game, moves), agent, simulations)


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize(
    ("spec", "moves", "simulations"),
    [
        ("hex:4", "b2", 200),
        ("hex:4", "b2 c3 c1 a4 b3", 150),
        ("othello", "f5", 100),
        ("kalah:3", "", 200),
        ("havannah:3", "c3", 60),
        ("go:3", "b2", 60),
    ],
)
def test_trees_with_a_games_own_playout(spec, moves, simulations, agent):
    game = make_game(spec).interpreted()
    playout = OwnPlayout(game, trace=agent == "uct(rave=fuego)")
    assert_same_trees(Position.from_moves(game, moves), agent, simulations, playout)


def test_the_table_that_it_prints(capsys):
    uct_in_one_file.main("deceptive:2", "200")
    head, *rows = (line.split() for line in capsys.readouterr().out.splitlines())
    assert head == ["move", "UCT", "RAVE", "AcceleratedUCT"]
    assert [row[0] for row in rows] == ["B", "C"]
    visits = [[int(word) for word in row if word.isdigit()] for row in rows]
    assert [sum(column) for column in zip(*visits, strict=True)] == [200] * 3
    assert sum(row.count("*") for row in rows) == 3


def test_it_is_short_and_plain():
    text = Path(uct_in_one_file.__file__).read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 200
    assert set(re.findall(r"^(?:from|import) (\w+)", text, re.M)) - sys.stdlib_module_names == {
        "uctlab"
    }
