"""Playouts that learn, against twins that remember every simulation."""

import numpy as np
import pytest

from tests.naive.learned import Twin
from tests.searches import same_tree, searcher_of
from tests.tree_invariants import check_tree
from uctlab.agents import make_agent
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.games.api import MOVE
from uctlab.mcts.binding import bind_for_gpu
from uctlab.mcts.searcher import Searcher
from uctlab.rules.playouts import nst


def follow(spec, agent, policy, simulations):
    """The searcher, the twin, and how many choices were made and were not the twin's."""
    game = make_game(spec).interpreted()
    position = Position.start(game)
    position = position.play(position.legal[0])  # the second player is to move at the root
    searcher = Searcher(game, make_agent(agent), seed=6, record_last=True)
    searcher.prepare(position, simulations)
    twin, made, others = Twin(), 0, 0
    state, out = game.new_states(1), game.new_out()
    candidates = getattr(game.kernels, "playout_moves", game.kernels.moves)
    for _ in range(simulations):
        searcher.run(1)
        path, playout, outcome = searcher.tree.last_playout()
        line = [int(searcher.tree.nodes[node].move) for node in path[1:]]
        state[0] = position.state
        for move in line:
            game.kernels.play(state[0], MOVE.type(move))
        for before, move in zip([line[-1], *playout], playout, strict=False):
            count = candidates(state[0], out)
            moves = [int(code) for code in out[:count]]
            made += 1
            others += move not in twin.accepted(policy, int(state[0].turn), before, moves)
            game.kernels.play(state[0], MOVE.type(move))
        assert candidates(state[0], out) == 0 or len(playout) == game.max_length
        assert game.kernels.result(state[0]) == outcome
        twin.told([*line, *playout], position.turn, outcome, forgets=policy == "lgrf")
    return searcher, twin, made, others


@pytest.mark.parametrize("spec", ["hex:4", "go:4"])
@pytest.mark.parametrize("policy", ["mast", "nst", "lgr", "lgrf"])
def test_every_choice_and_what_is_learned(policy, spec):
    greedy = ",epsilon=0" if policy in ("mast", "nst") else ""
    agent = f"uct(playout={policy}{greedy})"
    searcher, twin, made, others = follow(spec, agent, policy, 40)
    assert made > 300 and others == 0
    tables, codes = searcher.tree.work.learned, len(searcher.game.move_names)
    wanted = np.zeros_like(tables)
    if policy in ("lgr", "lgrf"):
        for (player, before), move in twin.replies.items():
            wanted[player, before, 0] = move + 1
    else:
        for (player, *moves), results in twin.results.items():
            if len(moves) == 1:
                wanted[player, moves[0]] = sum(results), len(results)
            elif policy == "nst":
                wanted[player, codes * (moves[0] + 1) + moves[1]] = sum(results), len(results)
    assert np.allclose(tables, wanted, atol=1e-9)


def test_random_moves_now_and_then():
    _, _, made, others = follow("hex:4", "uct(playout=mast,epsilon=0.3)", "mast", 100)
    assert 0.1 < others / made < 0.3


def test_depth_first():
    _, _, made, others = follow("hex:4", "dfuct(playout=nst,epsilon=0)", "nst", 100)
    assert made > 300 and others == 0


@pytest.mark.parametrize("agent", ["uct(playout=nst,rave=fuego)", "uct(playout=lgrf)"])
def test_compiled_is_interpreted(agent):
    compiled = searcher_of("hex:4", agent, seed=2)
    plain = Searcher(make_game("hex:4").interpreted(), make_agent(agent), seed=2)
    for searcher in (compiled, plain):
        searcher.search(Position.start(searcher.game), playouts=300)
    assert same_tree(compiled, plain)
    assert np.array_equal(compiled.tree.work.learned, plain.tree.work.learned)


def test_threads_learn_apart():
    game = make_game("hex:4").interpreted()
    searcher = Searcher(game, make_agent("uct(playout=mast,threads=2)"))
    searcher.search(Position.start(game), playouts=500)
    check_tree(searcher.tree, 500)
    assert not searcher.tree.work.learned.any()  # each thread has tables of its own


def test_tables_live_as_long_as_the_tree():
    game = make_game("hex:3").interpreted()
    start = Position.start(game)
    for reuse in (False, True):
        searcher = Searcher(game, make_agent("uct(playout=mast)"), seed=1, reuse=reuse)
        report = searcher.search(start, playouts=50)
        assert searcher.tree.work.learned.any()
        after = start.play(game.parse_move(report.best))
        searcher.prepare(after.play(after.legal[0]), 50)
        assert searcher.tree.work.learned.any() == reuse


def test_what_is_refused():
    with pytest.raises(UsageError, match="epsilon= has no effect: it is for playout=mast and"):
        make_agent("uct(playout=lgr,epsilon=0.1)")
    with pytest.raises(UsageError, match="playouts on a GPU do not learn"):
        bind_for_gpu(make_game("hex:3").interpreted(), make_agent("uct(playout=mast)"))
    with pytest.raises(UsageError, match="pairs of up to 1,000 moves, and this game has 1,001"):
        nst.rows(1001)
