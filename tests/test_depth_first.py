"""Depth-first UCT: UCT's tree when all rivals are compared, UCT's choices when one is."""

import random
from functools import cache

import numpy as np
import pytest

from uctlab.agents import make_agent
from uctlab.games import Position, make_game
from uctlab.mcts.searcher import Searcher

GAMES = ["othello", "hex:4", "havannah:3", "go:4"]
POSITIONS = 50  # of each game
PLAYOUTS = 1_000


@pytest.mark.parametrize("options", ["c=0.3", "expand=4", "c=1"])
@pytest.mark.parametrize("spec", GAMES)
def test_comparing_all_rivals_gives_the_tree_of_uct(spec, options):
    game = make_game(spec)
    position = Position.start(game)
    position = position.play(position.legal[-1])  # the second player is to move at the root
    trees = []
    for name in (f"uct({options})", f"dfuct({options},rivals=all)"):
        searcher = Searcher(game, make_agent(name), seed=6)
        searcher.search(position, playouts=5_000)
        trees.append(searcher.tree.nodes[: searcher.tree.counters[0]])
    assert len(trees[0]) == len(trees[1])
    for field in trees[0].dtype.names:
        assert np.array_equal(trees[0][field], trees[1][field]), field


def middle_games(spec, count):
    game = make_game(spec)
    plies = {"othello": 20, "hex:4": 4, "havannah:3": 5, "go:4": 6}[spec]
    found = []
    seed = 0
    while len(found) < count:
        rng = random.Random(f"{spec} {seed}")
        seed += 1
        position = Position.start(game)
        for _ in range(plies):
            if not position.is_over:
                position = position.play(rng.choice(position.legal))
        if not position.is_over and len(position.legal) > 1:
            found.append(position)
    return found


@cache
def searcher_of(spec, agent, seed):
    """Each of its searches begins anew with the seed."""
    return Searcher(make_game(spec), make_agent(agent), seed=seed)


def choice(position, agent, seed):
    searcher = searcher_of(position.game.name, agent, seed)
    return searcher.search(position, playouts=PLAYOUTS).best


def test_it_agrees_with_uct_as_uct_with_itself(record_property):
    """Over 200 mid-game positions, at most three points less often."""
    agreed = {"dfuct": 0, "uct": 0}
    positions = [position for spec in GAMES for position in middle_games(spec, POSITIONS)]
    for position in positions:
        chosen = choice(position, "uct", 1)
        agreed["dfuct"] += choice(position, "dfuct", 1) == chosen
        agreed["uct"] += choice(position, "uct", 2) == chosen
    shares = {name: count / len(positions) for name, count in agreed.items()}
    record_property("agreement", shares)
    print(f"\nagreement with uct: dfuct {shares['dfuct']:.1%}, uct itself {shares['uct']:.1%}")
    assert len(positions) == 200
    assert shares["dfuct"] >= shares["uct"] - 0.03


def test_the_position_below_is_kept_between_slices():
    """One playout at a time or all at once: the same tree."""
    game = make_game("hex:4")
    trees = []
    for piece in (1, 7, 3000):
        searcher = Searcher(game, make_agent("dfuct"), seed=9)
        searcher.prepare(Position.start(game), 3000)
        made = 0
        while made < 3000:
            searcher.run(min(piece, 3000 - made))
            made += piece
        trees.append(searcher.tree.nodes[: searcher.tree.counters[0]])
    for other in trees[1:]:
        assert np.array_equal(trees[0].visits, other.visits)
        assert np.array_equal(trees[0].total, other.total)
