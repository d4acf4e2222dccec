"""The tree that is kept from move to move."""

import random

import pytest

from tests.searches import grown, root_moves, searcher_of, start
from uctlab.agents import make_agent
from uctlab.games import Position, make_game
from uctlab.mcts.searcher import Searcher


def child_of(exported, name):
    return next(child for child in exported["children"] if child["move"] == name)


def likely_line(searcher, plies):
    """The most visited moves from the root."""
    names, at = [], searcher.tree.view().export(plies)
    for _ in range(plies):
        at = max(at["children"], key=lambda child: child["visits"])
        names.append(at["move"])
    return names


@pytest.mark.parametrize("plies", [1, 2, 3])
@pytest.mark.parametrize("agent", ["uct", "auct(k=3)", "duct(k=5)", "uct(rave=k)", "dfuct"])
def test_the_subtree_is_kept(agent, plies):
    searcher, _ = grown("othello", agent, 3000, reuse=True)
    position, old = searcher.position, searcher.tree.view().export(plies + 2)
    for name in likely_line(searcher, plies):
        position, old = position.play(name), child_of(old, name)
    searcher.prepare(position, 1)
    assert old["visits"] > 10
    assert searcher.tree.nodes[0].visits == old["visits"]
    assert searcher.tree.view().export(2)["children"] == old["children"]
    report = searcher.search(position, playouts=100)
    assert (report.reused, report.playouts) == (old["visits"], 100)
    assert searcher.tree.nodes[0].visits == old["visits"] + 100
    assert f"{old['visits']:,} visits from earlier searches" in str(report)


@pytest.mark.parametrize("reuse", [True, False])
def test_a_game_with_and_without_reuse(reuse):
    searcher = searcher_of("othello", "auct(k=3)", reuse=reuse)
    position = start("othello")
    reused = []
    for _ in range(6):
        report = searcher.search(position, playouts=300)
        reused.append(report.reused)
        position = position.play(report.best)
    assert reused[0] == 0 and (min(reused[1:]) > 10 if reuse else max(reused) == 0)


def test_what_does_not_follow_starts_afresh():
    here = start("othello").play_all("f5 d6")
    for elsewhere in (here.before, here.before.play("f4"), start("othello").play_all("c4 c3 d3")):
        searcher = searcher_of("othello", reuse=True)
        searcher.search(here, playouts=500)
        report = searcher.search(elsewhere, playouts=200)
        assert report.reused == 0 and searcher.tree.nodes[0].visits == 200
        assert sorted(root_moves(searcher)) == list(elsewhere.legal)


def test_superko_at_the_root():
    """A move that would repeat a board is in the tree, which knows no history, but not its root."""
    game = make_game("go:4")
    searcher = Searcher(game, make_agent("uct"), reuse=True)
    out = game.new_out()
    forbidden = kept = 0
    for seed in (1, 15):
        rng = random.Random(seed)
        position = Position.start(game)
        while not position.is_over and len(position.moves) < 39:
            report = searcher.search(position, playouts=300)
            assert sorted(root_moves(searcher)) == list(position.legal), position.moves
            assert {move.move for move in report.moves} == set(position.legal_moves)
            if game.kernels.moves(position.state, out) > len(position.legal):
                forbidden += 1
                kept += report.reused > 0
            choices = [move for move in position.legal if game.move_name(move) != "pass"]
            position = position.play(rng.choice(choices or position.legal))
    assert forbidden > 0 and kept > 0
