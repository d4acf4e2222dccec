"""Several playouts per leaf: their mean counts as one simulation."""

from __future__ import annotations

import numpy as np
import pytest

from uctlab.agents import make_agent
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.games.api import same_position
from uctlab.kernels import seed_rng
from uctlab.mcts.binding import bind_for_cpu, bind_for_gpu
from uctlab.mcts.searcher import Searcher
from uctlab.parts.several_playouts import mean_playout


@pytest.mark.parametrize("spec", ["hex:4", "othello", "go:4"])
@pytest.mark.parametrize("number", [2, 7])
def test_the_mean_of_playouts_from_the_same_position(spec: str, number: int) -> None:
    game, agent = make_game(spec), make_agent(f"uct(playouts_per_leaf={number})")
    position = Position.start(game).state
    bound = bind_for_cpu(game, agent)
    playout = bound.owners["game"]["playout"]
    states = game.new_states(3)
    states[1] = position
    out, trace = np.zeros(game.max_moves, np.int16), np.zeros(game.max_length, np.int16)
    rng, own = (np.array(seed_rng(5), np.uint64).reshape(1) for _ in range(2))
    mean, length = bound.bind(mean_playout)(states, rng, out, trace, agent.params)
    results = []
    for _ in range(number):
        one = game.new_states(1)
        one[0] = position
        results.append(playout(one[0], own, out, trace))
    assert mean == sum(result for result, _ in results) / number
    assert length == results[-1][1] and rng == own
    assert same_position(states[1], position)


def tree_of(agent: str, playouts: int = 400) -> Searcher:
    game = make_game("hex:4")
    searcher = Searcher(game, make_agent(agent), seed=2)
    searcher.search(Position.start(game), playouts=playouts)
    return searcher


def test_a_simulation_counts_once() -> None:
    nodes = tree_of("uct(playouts_per_leaf=8)").tree.nodes
    assert nodes[0].visits == 400
    eighths = nodes.total[nodes.visits > 0] * 8
    np.testing.assert_allclose(eighths, np.round(eighths), atol=1e-6)
    assert (np.round(eighths) % 8 > 0).any()  # and not only wins and losses


def test_one_playout_per_leaf_is_plain_uct() -> None:
    plain, one = tree_of("uct").tree, tree_of("uct(playouts_per_leaf=1)").tree
    assert one.nodes[: one.used].tobytes() == plain.nodes[: plain.used].tobytes()


def test_its_results_vary_less() -> None:
    """Flat search: the mean of n results of 9 playouts is as sure as that of 9 n."""
    one, nine = (
        np.array([_value(f"mc({option})", seed) for seed in range(60)])
        for option in ("", "playouts_per_leaf=9")
    )
    assert nine.std() < 0.6 * one.std()


def _value(agent: str, seed: int) -> float:
    game = make_game("hex:4")
    report = Searcher(game, make_agent(agent), seed=seed).search(Position.start(game), playouts=160)
    return next(move.value for move in report.moves if move.move == "a1")


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("uct(playouts_per_leaf=1.5)", "must be a whole number, not 1.5"),
        ("uct(playouts_per_leaf=0)", "must be at least 1"),
        ("dfuct(playouts_per_leaf=2)", "^dfuct does not go with playouts_per_leaf=2: depth-first"),
        ("uct(playouts_per_leaf=2,rave=k)", "does not go with rave=k"),
        ("uct(playouts_per_leaf=2,playout=mast)", "does not go with playout=mast"),
        ("uct(playouts_per_leaf=2,length_cost=0.1)", "does not go with length_cost=0.1"),
        ("uct(playouts_per_leaf=2,leaf=evaluate)", "there are no playouts"),
    ],
)
def test_what_it_does_not_go_with(agent: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        make_agent(agent)


def test_a_gpu_has_no_room_for_it() -> None:
    with pytest.raises(UsageError, match="has room for two positions"):
        bind_for_gpu(make_game("hex:4"), make_agent("uct(playouts_per_leaf=2)"))
