"""The deceptive tree has the shape of the figure, and it deceives."""

import pytest

from uctlab.agents import make_agent
from uctlab.errors import UsageError
from uctlab.games import Position, check, make_game
from uctlab.games.sampling import PlayoutSampler
from uctlab.mcts.searcher import Searcher


def shape(position, node="A"):
    """Names and players of all inner nodes, and the results of the leaves."""
    if position.is_over:
        return {node: position.result}
    below = {node: (position.turn, " ".join(position.legal_moves))}
    for name in position.legal_moves:
        below |= shape(position.play(name), name)
    return below


def test_the_figure():
    assert make_game("deceptive").name == "deceptive:2"
    assert shape(Position.start(make_game("deceptive"))) == {
        "A": (0, "B C"),
        "B": (1, "D E F"),
        "C": (1, "G"),
        "G": (0, "H I"),
        **{"D": 1.0, "E": 1.0, "F": 0.0, "H": 1.0, "I": 0.0},
    }


def test_other_sizes():
    tree = shape(Position.start(make_game("deceptive:3")))
    assert tree["B"] == (1, "D1 D2 D3 F") and tree["G"] == (0, "H I")
    assert [tree[leaf] for leaf in ("D1", "D2", "D3", "F")] == [1.0, 1.0, 1.0, 0.0]
    assert shape(Position.start(make_game("deceptive:1")))["B"] == (1, "D1 F")
    for wins in (0, 61):
        with pytest.raises(UsageError, match=f"wins {wins} is out of range; accepted: 1 to 60"):
            make_game(f"deceptive:{wins}")


@pytest.mark.parametrize("wins", [1, 2, 20, 60])
def test_it_keeps_the_contract(wins):
    report = check(make_game(f"deceptive:{wins}"), compiled=wins == 2)
    assert report.games == (20 if report.compiled else 4)


@pytest.mark.parametrize("wins", [2, 20])
def test_what_it_looks_like(wins):
    """Four standard errors of 20,000 playouts are less than 0.015."""
    root = Position.start(make_game(f"deceptive:{wins}"))
    seen = {move: PlayoutSampler(root.play(move), seed=1).run(20_000).result for move in "BC"}
    assert seen == pytest.approx({"B": wins / (wins + 1), "C": 0.5}, abs=0.015)


@pytest.mark.parametrize("wins", [2, 20])
def test_it_deceives_playouts_but_not_a_tree(wins):
    game = make_game(f"deceptive:{wins}")
    chosen = {
        name: Searcher(game, make_agent(name)).search(Position.start(game), playouts=20_000).best
        for name in ("mc", "uct")
    }
    assert chosen == {"mc": "B", "uct": "C"}
