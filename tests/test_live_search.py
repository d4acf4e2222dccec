"""Searches that are advanced step by step, and the trees they leave, as a script uses them."""

import pickle
from types import SimpleNamespace

import networkx
import numpy as np
import pytest

import uctlab
from examples import ucb_sqrt
from uctlab import UsageError


@pytest.fixture(scope="module")
def searcher():
    return uctlab.Searcher("hex:4", "uct", seed=1)


@pytest.fixture(scope="module")
def report():
    return uctlab.search("hex:4", "uct", playouts=600, seed=1)


# A search step by step


def test_steps_make_the_tree_of_one_search(searcher, report):
    with searcher.start() as search:
        for snapshot in search.every(250, playouts=600):
            assert snapshot.playouts == search.playouts
    assert search.playouts == 600
    assert search.report().moves == report.moves and search.report().pv == report.pv


def test_the_history_has_a_row_for_every_look(searcher):
    with searcher.start() as search:
        search.step()
        list(search.every(100, playouts=350))
    history = search.history
    assert history.playouts.tolist() == [1, 101, 201, 301, 350]
    assert history.visits.shape == history.values.shape == (5, 16) == (5, len(history.moves))
    assert history.visits.sum(axis=1).tolist() == history.playouts.tolist()
    assert np.isnan(history.values[0]).sum() == 15  # one move has been tried
    last = {move.move: move for move in search.report().moves}
    for move, visits, value in zip(
        history.moves, history.visits[-1], history.values[-1], strict=True
    ):
        assert (last[move].visits, last[move].value) == (visits, pytest.approx(value))
    frame = history.to_frame()
    assert len(frame) == 5 * 16 and frame["visits"].sum() == history.visits.sum()


@pytest.mark.parametrize("what", ["value", "visits"])
def test_the_history_can_be_drawn(searcher, what):
    search = searcher.start()
    list(search.every(50, playouts=100))
    axes = search.history.plot(what)
    assert len(axes.lines) == 16
    with pytest.raises(UsageError, match="value or visits, not 'length'"):
        search.history.plot("length")


def test_a_search_ends_when_it_is_told(searcher):
    search = searcher.start()
    seen = 0
    for _ in search.every(10):
        seen += 1
        if seen == 3:
            search.stop()
    assert (seen, search.playouts, search.stopped) == (3, 30, True)
    with pytest.raises(UsageError, match="has been stopped"):
        search.step()


def test_ctrl_c_keeps_what_is_known(searcher):
    with searcher.start() as search:
        for snapshot in search.every(100):
            if snapshot.playouts >= 300:
                raise KeyboardInterrupt
    assert search.stopped and search.report().playouts == 300 and len(search.history) == 3


def test_ctrl_c_in_the_middle_of_a_step(searcher, monkeypatch):
    search = searcher.start()
    run = searcher.run

    def interrupted(playouts):
        run(playouts)
        raise KeyboardInterrupt

    monkeypatch.setattr(searcher._slices, "_run", interrupted)
    (snapshot,) = search.every(100)
    assert snapshot.stopped and snapshot.playouts == search.history.playouts[-1] > 0


def test_other_errors_are_not_hidden(searcher):
    with pytest.raises(ZeroDivisionError), searcher.start() as search:
        search.step(1 // 0)


def test_a_search_whose_searcher_went_elsewhere(searcher):
    search = searcher.start()
    searcher.search(uctlab.Position.from_moves("hex:4", "a1"), playouts=10)
    with pytest.raises(UsageError, match="gone on to another position"):
        search.step()


def test_kept_visits_are_not_counted():
    searcher = uctlab.Searcher("hex:4", "uct", seed=1, reuse=True)
    start = uctlab.Position.start("hex:4")
    best = searcher.search(start, playouts=300).best
    reply = start.play(best)
    searcher.prepare(reply, 1)
    search = searcher.start(reply)
    assert search.step(5).playouts == 5 and search.report().reused > 0


@pytest.mark.parametrize(
    ("step", "limits", "said"),
    [
        (0, {}, "playouts must be at least 1"),
        (1, {"playouts": 0}, "playouts must be at least 1"),
        (1, {"seconds": -1}, "seconds must be more than 0"),
    ],
)
def test_wrong_steps(searcher, step, limits, said):
    with pytest.raises(UsageError, match=said):
        next(searcher.start().every(step, **limits))


# The tree


def test_the_tree_adds_up(report):
    tree = report.tree
    assert len(tree) == report.nodes and tree.root.visits == 600 and tree.root.value is not None
    for node in tree.walk(min_visits=20):
        assert node.visits >= 20
        if node.children:
            below = sum(child.visits for child in node.children)
            assert below in (node.visits, node.visits - 1)  # the playout before it was expanded
        assert node.position.moves == tuple(map(node.position.game.parse_move, node.line.split()))
        assert node.depth == len(node.line.split())


def test_children_are_the_moves_of_the_report(report):
    told = [(move.move, move.visits, move.value) for move in report.moves]
    assert [(n.move, n.visits, n.value) for n in report.tree.root.children] == told


def test_a_walk_goes_down_the_most_visited_line_first(report):
    nodes = report.tree.walk()
    assert next(nodes).move is None
    assert tuple(next(nodes).move for _ in report.pv) == report.pv


def test_nodes_are_found_and_filtered(report):
    node = report.tree.find(" ".join(report.pv[:2]))
    assert (node.depth, node.move, node.parent.move) == (2, report.pv[1], report.pv[0])
    assert node in report.tree.filter(lambda one: one.depth == 2 and one.visits == node.visits)
    with pytest.raises(UsageError, match="the tree has no z9 after ''; it has: "):
        report.tree.find("z9")


def test_the_tree_as_a_frame_and_as_a_graph(report):
    frame = report.tree.to_frame(max_depth=1)
    assert frame["visits"].tolist() == [600, *(move.visits for move in report.moves)]
    graph = report.tree.to_networkx(min_visits=5)
    assert networkx.is_arborescence(graph) and graph.nodes[0]["visits"] == 600
    best = next(to for _, to, move in graph.out_edges(0, data="move") if move == report.best)
    assert graph.nodes[best]["visits"] == report.moves[0].visits


def test_velocities_are_in_the_frame():
    tree = uctlab.search("hex:4", "auct(k=3)", playouts=200, seed=1).tree
    assert "velocity" in tree.to_frame() and "rave" not in tree.to_frame()


def test_a_tree_that_has_grown_on_is_not_read():
    searcher = uctlab.Searcher("hex:4", "uct", seed=1)
    search = searcher.start()
    early = search.step(10).tree
    search.step(10)
    with pytest.raises(UsageError, match="its search has gone on"):
        _ = early.root.visits


def test_several_trees_have_no_tree():
    assert uctlab.search("hex:4", "uct(root=2)", playouts=100).tree is None


def test_a_report_travels_without_its_tree(report):
    arrived = pickle.loads(pickle.dumps(report))
    assert arrived == report and arrived.tree is None and "tree" not in report.as_json()


def test_a_report_as_a_frame_and_as_a_picture(report):
    frame = report.to_frame()
    assert list(frame.columns) == ["move", "visits", "value"]
    assert frame["move"].tolist() == [move.move for move in report.moves]
    assert len(report.plot().patches) == 12


# What is given


def test_objects_and_names_give_the_same_search(report):
    game = uctlab.make_game("hex:4")
    start = uctlab.Position.start(game)
    for what in (game, start):
        again = uctlab.search(what, uctlab.Agent("uct"), playouts=600, seed=1)
        assert again.moves == report.moves


@pytest.mark.parametrize(
    ("kind", "options", "said"),
    [
        ("uct", {"c": [1]}, "uct: c must be a number or a text, not a list"),
        ("uct", {"d": 1}, "uct: unknown parameter 'd=1'; accepted: "),
        ("auct(k=3)", {}, "'auct(k=3)' is no kind of agent; did you mean auct?"),
        ("uct", {"select": SimpleNamespace()}, "SimpleNamespace is not a selection rule"),
    ],
)
def test_wrong_agents(kind, options, said):
    with pytest.raises(UsageError) as told:
        uctlab.Agent(kind, **options)
    assert said in str(told.value) and "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("arguments", "options", "said"),
    [
        ((3, "uct"), {"playouts": 1}, "position must be a Position, a Game or the name of a game"),
        (("hex:4", 3), {"playouts": 1}, "agent must be an Agent or a text such as auct"),
        (("hex:4",), {}, "a search needs a budget: playouts=, seconds=, or both"),
        (("hex:4",), {"playouts": 10.5}, "playouts must be a whole number"),
        (("hex:4",), {"seconds": "two"}, "seconds must be a number"),
        (("chess",), {"playouts": 1}, "unknown game 'chess'; known: "),
    ],
)
def test_wrong_searches(arguments, options, said):
    with pytest.raises(UsageError) as told:
        uctlab.search(*arguments, **options)
    assert said in str(told.value) and "\n" not in str(told.value)


def test_options_are_texts_numbers_and_switches():
    agent = uctlab.Agent("uct", rave="fuego", prune=True, c=np.float32(0.5), expand=2)
    assert agent == uctlab.make_agent("uct(rave=fuego,prune=on,c=0.5,expand=2)")
    assert repr(agent) == "uctlab.make_agent('uct(rave=fuego,prune=on,c=0.5,expand=2)')"


def test_rules_of_ones_own_are_checked():
    assert "keeps the contract" in str(uctlab.check(ucb_sqrt, compiled=False))
    agent = uctlab.Agent("uct", select=ucb_sqrt)
    assert "keeps the contract" in str(uctlab.check(agent, compiled=False))
    with pytest.raises(UsageError, match="has no rule of your own to check"):
        uctlab.check(uctlab.Agent("uct"))
    with pytest.raises(UsageError, match="SimpleNamespace is no rule"):
        uctlab.check(SimpleNamespace())


def test_everything_public_is_there_and_documented():
    for name in uctlab.__all__:
        thing = getattr(uctlab, name)
        assert thing.__doc__, name
        assert name in uctlab.__doc__, name
    with pytest.raises(AttributeError):
        _ = uctlab.nothing
    assert dir(uctlab) == sorted(uctlab.__all__)
