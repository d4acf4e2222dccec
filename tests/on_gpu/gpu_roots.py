"""Many trees of one position on a GPU: N searches of a CPU, added up."""

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import uctlab as lab
from tests.on_gpu.tasks import TIMES, bytes_for
from uctlab.agents import make_agent
from uctlab.devices import cuda_driver, cuda_roots, cuda_trees
from uctlab.devices.cuda_driver import load_cuda, simulated
from uctlab.errors import UsageError
from uctlab.games import Position
from uctlab.mcts.parallel_root import seed_of_tree, shares
from uctlab.rules.backup import packed_mean

START = Position.start("hex:3")
LATER = START.play_all("b2 a1")
WON = START.play_all("a1 c1 a2 c2")
LAST = WON.play_all("b1 b2 b3")
TREES = 5 if simulated() else 60
PLAYOUTS = (12 * TREES + 3) * TIMES
"""Not a multiple of the trees: some have one more."""
MANY = 5 * PLAYOUTS


def added_up(position, agent, playouts, trees, seed):
    """{move: (visits, sum of results)} and sizes, of one search after the other on the CPU."""
    visits, results, nodes, depth = Counter(), Counter(), 0, 0
    for number in range(trees):
        share = playouts // trees + (number < playouts % trees)
        if share == 0:
            continue
        own = lab.search(position, agent, playouts=share, seed=seed_of_tree(seed, number))
        for move in own.moves:
            visits[move.move] += move.visits
            results[move.move] += move.visits * (move.value or 0.0)
        nodes += own.nodes
        depth = max(depth, own.depth)
    return visits, results, nodes, depth


@pytest.mark.parametrize("position", [START, LATER], ids=["start", "later"])
@pytest.mark.parametrize("agent", ["uct", "auct(k=2)", "tuned", "mc", "uct(rave=k)", "dfuct"])
def test_the_sum_of_searches_on_a_cpu(agent, position):
    visits, results, nodes, depth = added_up(position, agent, PLAYOUTS, TREES, seed=3)
    found = lab.search(position, agent, playouts=PLAYOUTS, seed=3, device="cuda", trees=TREES)
    assert {move.move: move.visits for move in found.moves} == dict(visits)
    for move in found.moves:
        if move.visits:
            assert move.value == pytest.approx(results[move.move] / move.visits, abs=1e-9)
    assert (found.playouts, found.nodes, found.depth) == (PLAYOUTS, nodes, depth)
    assert found.trees == TREES and not found.stopped and found.tree is None
    again = lab.search(position, agent, playouts=PLAYOUTS, seed=3, device="cuda", trees=TREES)
    assert again.moves == found.moves and again.pv == found.pv


@pytest.mark.skipif(not simulated(), reason="what conftest.py adds to the simulator")
def test_the_simulator_refuses_nodes_as_a_gpu_does():
    """Otherwise only a GPU would show that nodes are moved as records instead of bytes."""
    with pytest.raises(ValueError, match="overlapping"):
        load_cuda().to_device(np.zeros(2, packed_mean.NODE))


@pytest.mark.parametrize("agent", ["uct", "uct(rave=fuego)", "duct(k=2)", "uct(final=value)"])
def test_the_report_of_an_agent_with_as_many_trees(agent):
    """root= on the CPU: the same moves, best move and variation."""
    name = agent.rstrip(")") + ("," if "(" in agent else "(") + f"root={TREES})"
    wanted = lab.search(LATER, name, playouts=PLAYOUTS, seed=7)
    found = lab.search(LATER, agent, playouts=PLAYOUTS, seed=7, device="cuda", trees=TREES)
    assert [(m.move, m.visits) for m in found.moves] == [(m.move, m.visits) for m in wanted.moves]
    assert [m.value for m in found.moves] == pytest.approx([m.value for m in wanted.moves])
    assert (found.best, found.won, found.pv) == (wanted.best, wanted.won, wanted.pv)
    assert (found.nodes, found.depth, found.trees) == (wanted.nodes, wanted.depth, TREES)


def test_trees_that_do_not_fit_go_in_parts(memory_of, launches):
    """Also when the tree of the principal variation is no longer in memory."""
    options = {"playouts": PLAYOUTS, "seed": 3, "device": "cuda", "trees": TREES}
    whole = lab.search(START, "uct", **options)
    del launches[:]
    memory_of(int(1.5 * bytes_for("hex:3", "uct", 40 * 10 * TIMES)))
    parts = lab.search(START, "uct", **options)
    assert parts.moves == whole.moves and parts.pv == whole.pv
    assert len(launches) > 3


def without_clock(report):
    return replace(report, seconds=0.0)


@pytest.mark.parametrize("agent", ["uct", "auct(k=2)", "dfuct"])
def test_one_searcher_for_many_positions(agent):
    """What is kept from search to search, the memory and its room, leaves no trace in a report."""
    wanted = [
        (START, PLAYOUTS),
        (LATER, 3 * PLAYOUTS),
        (WON, PLAYOUTS),
        (START, PLAYOUTS),
        (LATER, 2),
    ]
    options = {"device": "cuda", "trees": TREES}
    fresh = [lab.search(at, agent, playouts=number, seed=5, **options) for at, number in wanted]
    one = cuda_roots.CudaRoots(START.game, make_agent(agent), seed=5, trees=TREES)
    for report, (position, playouts) in zip(fresh, wanted, strict=True):
        found = one.search(position, playouts=playouts)
        assert without_clock(found) == without_clock(report)


def test_an_interrupted_search_leaves_nothing():
    def interrupt(playouts, seconds):
        raise KeyboardInterrupt

    one = cuda_roots.CudaRoots(START.game, make_agent("uct"), seed=5, trees=TREES)
    with pytest.raises(KeyboardInterrupt):
        one.search(LATER, playouts=2 * PLAYOUTS, progress=interrupt)
    found = one.search(START, playouts=PLAYOUTS)
    fresh = lab.search(START, "uct", playouts=PLAYOUTS, seed=5, device="cuda", trees=TREES)
    assert without_clock(found) == without_clock(fresh)


@pytest.fixture
def runs(monkeypatch):
    """The numbers of trees that were asked for at once, without those that had no room at first."""
    made = []
    run = cuda_trees.TreeSearches.run

    def counted(self, waiting, given):
        made.append(sum(len(members) for _, members in waiting))
        return run(self, waiting, given)

    monkeypatch.setattr(cuda_trees.TreeSearches, "run", counted)
    return made


@pytest.fixture
def memories(monkeypatch):
    """The sizes of all blocks of memory that were taken."""
    made = []

    class Noted(cuda_driver.TreeMemory):
        def __init__(self):
            super().__init__()
            made.append(self.size)

    monkeypatch.setattr(cuda_trees, "TreeMemory", Noted)
    return made


@pytest.mark.parametrize("nodes", [11, 20, "between"])
def test_trees_that_had_no_room(nodes, monkeypatch, launches, runs):
    """All of them, or some: these alone are searched again, and the next search knows better."""
    wanted = lab.search(START, "uct", playouts=MANY, seed=3, device="cuda", trees=TREES)
    if nodes == "between":
        sizes = [
            lab.search(START, "uct", playouts=share, seed=seed_of_tree(3, number)).nodes
            for number, share in enumerate(shares(MANY, TREES))
        ]
        assert min(sizes) < max(sizes)
        nodes = (max(sizes) - 1) // 2
    monkeypatch.setattr(cuda_roots, "nodes_needed", lambda *_: nodes)
    one = cuda_roots.CudaRoots(START.game, make_agent("uct"), seed=3, trees=TREES)
    one.warm_up(START)
    del launches[:], runs[:]
    assert without_clock(one.search(START, playouts=MANY)) == without_clock(wanted)
    assert len(launches) > 1
    assert runs == [TREES], "the tree of the variation is still there"
    del launches[:]
    assert without_clock(one.search(START, playouts=MANY)) == without_clock(wanted)
    assert len(launches) == 1
    one.search(LAST, playouts=MANY)  # its trees are small
    assert without_clock(one.search(START, playouts=MANY)) == without_clock(wanted)
    assert len(launches) == 3


def test_memory_is_taken_once(memories):
    one = cuda_roots.CudaRoots(START.game, make_agent("uct"), trees=2)
    for playouts in (2, 20, 40):
        one.search(START, playouts=playouts)
    assert len(memories) == 1


def test_fewer_playouts_than_trees():
    found = lab.search(START, "uct", playouts=2, seed=1, device="cuda", trees=4)
    visits, *_ = added_up(START, "uct", 2, 4, seed=1)
    assert {move.move: move.visits for move in found.moves} == dict(visits)


def test_a_move_that_wins_at_once():
    found = lab.search(WON, "uct", playouts=20, device="cuda", trees=2)
    assert found.won and found.best == "a3"


def test_on_the_command_line(uctlab):
    command = ["analyze", "hex:3", "--playouts", 40, "--device", "cuda", "--trees", 4, "--seed", 2]
    code, out, err = uctlab(*command, "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert (found["playouts"], found["trees"]) == (40, 4)
    assert sum(move["visits"] for move in found["moves"]) == 40
    assert ", 4 trees" in uctlab(*command)[1]


def test_a_thousand_trees_unless_told(monkeypatch):
    made = []

    class Noted(cuda_roots.CudaRoots):
        def __init__(self, *arguments, **options):
            made.append(options["trees"])
            raise UsageError("enough")

    monkeypatch.setattr(cuda_roots, "CudaRoots", Noted)
    with pytest.raises(UsageError, match="enough"):
        lab.search(START, "uct", playouts=10, device="cuda")
    assert made == [1000]


REFUSED = [
    ({"agent": "uct(threads=2)"}, "leave out threads= and root="),
    ({"agent": "uct(root=2)"}, "leave out threads= and root="),
    ({"agent": "uct(playout=mast)"}, "playouts on a GPU do not learn"),
    ({"agent": "uct(graph=on)"}, "use graph=off"),
    ({"agent": "uct(solver=on)"}, "cannot merge these fields of its nodes: high, low"),
    ({"agent": "uct(final=both)"}, "use another final="),
    ({"agent": "alphabeta"}, "builds no tree"),
    ({"agent": "uct(backup=examples/minimax_backup.py)"}, "cannot merge"),
    ({"seconds": 1.0}, "a budget in seconds: give --playouts"),
    ({"memory": 2**20}, "a limit on the memory of a tree"),
    ({"trees": 10**7}, "1 to 1,000,000 trees"),
    ({"trees": 1, "playouts": 2**30}, "1,073,741,824 playouts in a tree"),
    ({"device": "ray"}, "a single search runs on cpu or cuda, not on 'ray'"),
    ({"device": "cpu", "trees": 4}, "--trees is for --device cuda"),
]


@pytest.mark.parametrize(("changes", "why"), REFUSED)
def test_what_is_refused(changes, why, launches):
    options = {"agent": "uct", "playouts": 10, "device": "cuda"} | changes
    with pytest.raises(UsageError) as refused:
        lab.search(START, options.pop("agent"), **options)
    assert why in str(refused.value) and "\n" not in str(refused.value)
    assert launches == []


def test_what_is_refused_on_the_command_line(uctlab, tmp_path):
    base = ["analyze", "hex:3", "--playouts", 40, "--device", "cuda"]
    for more in (["--save", tmp_path / "tree"], ["--export", tmp_path / "json"]):
        code, out, err = uctlab(*base, *more)
        assert (code, out, err.count("\n")) == (2, "", 1) and "several trees" in err
    code, _, err = uctlab(*base, "--load", tmp_path / "tree")
    assert code == 2 and "a saved tree grows on a CPU" in err
