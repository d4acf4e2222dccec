"""Equal positions share their results, against a twin that looks every position up."""

import numpy as np
import pytest

from tests.naive.graph import Twin
from tests.searches import CONNECT_FOUR, grown, same_tree, searcher_of, used_nodes
from uctlab.agents import make_agent
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.games.api import MOVE
from uctlab.lab.split import Split
from uctlab.mcts.binding import bind_for_gpu
from uctlab.mcts.searcher import Searcher
from uctlab.mcts.storage import save_tree
from uctlab.parts import graph
from uctlab.parts.graph import MAX_SLOTS, slots_for


def positions_after(game, position):
    """The board and the player to move after a line, from the game's own rules."""
    known = {}

    def after(line):
        if line not in known:
            state = game.new_states(1)
            state[0] = position.state
            for move in line:
                game.kernels.play(state[0], MOVE.type(move))
            facts = [state[0][name] for name in game.state.names if not name.startswith("scratch")]
            if game.diagram is not None:
                owners = np.zeros(game.diagram.cells, np.int8)
                game.kernels.stones(state[0], owners)
                facts = [owners, state[0].turn]
            known[line] = b"".join(np.asarray(fact).tobytes() for fact in facts)
        return known[line]

    return after


@pytest.mark.parametrize("spec", ["hex:3", CONNECT_FOUR])
def test_every_choice_and_every_value(spec):
    game = make_game(spec).interpreted()
    position = Position.start(game)
    position = position.play(position.legal[0])  # the second player is to move at the root
    searcher = Searcher(game, make_agent("uct(graph=on,c=0.5)"), seed=4, record_last=True)
    searcher.prepare(position, 250)
    twin = Twin(position.turn, positions_after(game, position), 0.5)
    nodes, view = searcher.tree.nodes, searcher.tree.view()
    for _ in range(250):
        searcher.run(1)
        path, _, outcome = searcher.tree.last_playout()
        line = tuple(int(nodes[node].move) for node in path[1:])
        for depth, node in enumerate(path[:-1]):
            order = [int(nodes[child].move) for child in view.children(node)]
            assert twin.may_choose(line[:depth], order, line[depth])
        twin.told(line, outcome)
        for depth, node in enumerate(path):
            assert view.value(node) == pytest.approx(twin.value(line[:depth]), abs=1e-12)
    shared = sum(nodes["same"][: searcher.tree.used] != np.arange(searcher.tree.used))
    assert shared > 5, "there are transpositions"
    assert shared == sum(visits > 0 for visits in twin.visits.values()) - len(twin.results)


def test_a_table_that_grows_with_the_tree_finds_the_same_positions():
    """As in a search by time, which does not know how many playouts there will be."""
    at_once, bit_by_bit = (searcher_of("hex:4", "uct(graph=on)", seed=2) for _ in range(2))
    for searcher, playouts in ((at_once, 2000), (bit_by_bit, None)):
        searcher.prepare(Position.start(searcher.game), playouts)
    at_once.run(2000)
    for part in (10, 90, 900, 1000):
        bit_by_bit.run(part)
    tables = [searcher.tree.work.positions for searcher in (at_once, bit_by_bit)]
    assert len(tables[0]) == len(tables[1]) == slots_for(2000)
    assert same_tree(at_once, bit_by_bit)
    assert sorted(tables[0].tolist()) == sorted(tables[1].tolist())


def test_a_full_table_shares_less_and_loses_nothing(monkeypatch):
    searcher, _ = grown("hex:4", "uct(graph=on)", 2000)
    monkeypatch.setattr("uctlab.parts.graph.slots_for", lambda playouts: 1024)
    small, report = grown("hex:4", "uct(graph=on)", 2000)
    shared = [
        sum(used_nodes(each)["same"] != np.arange(each.tree.used)) for each in (searcher, small)
    ]
    assert 0 < shared[1] < shared[0]
    for each in (searcher, small):
        nodes = used_nodes(each)
        assert nodes["all_visits"].sum() == nodes["visits"].sum()
        assert nodes["all_total"].sum() == nodes["total"].sum()
    assert report.playouts == 2000


def test_the_size_of_the_table():
    assert slots_for(10**9) == MAX_SLOTS
    assert slots_for(1000) == 4096 and slots_for(1) > graph.PROBES


def test_the_next_position_begins_anew():
    game = make_game("hex:3").interpreted()
    searcher = Searcher(game, make_agent("uct(graph=on)"), seed=1, reuse=True)
    start = Position.start(game)
    searcher.search(start, playouts=60)
    assert searcher.search(start, playouts=60).playouts == 60 and searcher.visits == 120
    searcher.search(start.play(start.legal[0]), playouts=30)
    assert searcher.visits == 30


def test_the_lab_splits_the_scores():
    game = make_game("hex:3").interpreted()
    searcher = Searcher(game, make_agent("uct(graph=on)"), seed=1)
    searcher.search(Position.start(game), playouts=200)
    view, split = searcher.tree.view(), Split(game, searcher.agent)
    for child in view.children(0):
        for below in view.children(child):
            if view.nodes[below].visits > 0:
                parts = split.parts(view.nodes, child, below)
                assert parts["mean"] == pytest.approx(view.value(below))


def test_what_is_refused(tmp_path):
    for text in ("uct(graph=on,threads=2)", "uct(graph=on,root=2)"):
        with pytest.raises(UsageError, match="it has one thread and one tree"):
            make_agent(text)
    agent = make_agent("uct(graph=on)")
    with pytest.raises(UsageError, match="its rule against repetition looks at earlier boards"):
        Searcher(make_game("go:4").interpreted(), agent)
    game = make_game("hex:3").interpreted()
    with pytest.raises(UsageError, match="a search on a GPU has no table of positions"):
        bind_for_gpu(game, agent)
    searcher = Searcher(game, agent)
    searcher.search(Position.start(game), playouts=5)
    with pytest.raises(UsageError, match="its tree cannot be saved; leave out graph=on"):
        save_tree(searcher, tmp_path / "tree")


def test_a_third_position_is_no_part_of_the_key():
    """Kalah has no diagram: the key of a position is its own memory, and no other's."""
    game = make_game("kalah:4,seeds=1").interpreted()
    for option in ("", "playouts_per_leaf=2,"):
        searcher = Searcher(game, make_agent(f"uct({option}graph=on,expand=0)"), seed=1)
        searcher.search(Position.start(game), playouts=3000)
        nodes = used_nodes(searcher)
        assert (nodes["same"] != np.arange(len(nodes))).sum() > 30
