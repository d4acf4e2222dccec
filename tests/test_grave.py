"""GRAVE against a twin that keeps whole tables of moves and looks for the reference itself."""

import math
from itertools import pairwise

import pytest

from tests.naive.grave import GraveTwin
from uctlab.agents import make_agent
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.mcts.searcher import Searcher


@pytest.mark.parametrize(
    ("spec", "enough", "rest"),
    [
        ("hex:4", 20, "c=0,fpu=1,rave_bias=0.001"),
        ("hex:4", 60, "c=0.3,fpu=inf,expand=2"),
        ("hex:4", 0, "expand=0"),  # every node is its own reference: RAVE
        ("othello", 15, "c=0.2,fpu=0.6,rave_bias=0"),  # moves that the reference may not have
    ],
)
def test_every_choice(spec, enough, rest):
    position = Position.start(make_game(spec))
    position = position.play(position.legal[0])  # the second player is to move at the root
    agent = make_agent(f"uct(rave=grave,grave={enough},{rest})")
    searcher = Searcher(position.game, agent, seed=5, record_last=True)
    searcher.prepare(position, 700)
    params = agent.params
    twin = GraveTwin(
        position.turn, enough=enough, bias=params.rave_bias, c=params.c, fpu=params.fpu
    )
    offered = {}
    borrowed = 0
    for _ in range(700):
        searcher.run(1)
        path, playout, outcome = searcher.tree.last_playout()
        nodes, view = searcher.tree.nodes, searcher.tree.view()
        line = [int(nodes[node].move) for node in path[1:]]
        for level, (node, _) in enumerate(pairwise(path)):
            before = tuple(line[:level])
            if before not in offered:
                offered[before] = [int(nodes[child].move) for child in view.children(node)]
            may = twin.may_choose(before, offered[before], offered.__getitem__)
            assert line[level] in may
            borrowed += level > 1 and twin.at(before).visits < enough
        twin.tell(line, playout, outcome)
    assert borrowed > 200 or enough == 0


def test_numbers():
    agent = make_agent("uct(rave=grave)")
    assert (agent.params.grave, agent.params.rave_bias) == (50.0, 1e-5)
    assert (agent.params.c, agent.params.fpu) == (0.0, 1.0)
    assert make_agent("auct(k=3,rave=grave,fpu=inf)").params.fpu == math.inf
    with pytest.raises(UsageError, match="each has a selection rule of its own"):
        make_agent("uct(rave=grave,prior=1)")


def test_a_proof_and_threads():
    game = make_game("hex:4").interpreted()
    position = Position.from_moves(game, "b2 c3 b3 c2 a4")
    agent = make_agent("uct(rave=grave,solver=on,threads=4)")
    report = Searcher(game, agent, seed=2).search(position, playouts=4000)
    assert sum(move.visits for move in report.moves) == report.playouts
    assert report.proven
