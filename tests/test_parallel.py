"""Threads that grow one tree: nothing is lost, whoever comes first."""

import json
import os
import signal
import sys
import time
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from tests.disturbed import disturbed
from tests.keyboard import ctrl_c
from tests.patience import PATIENCE, SearchClock
from tests.tree_invariants import check_tree
from uctlab.agents import make_agent, with_rules
from uctlab.bench import threads
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.games.hex import game as hex
from uctlab.kernels import kernel, seed_rng, specialise
from uctlab.kernels.atomics import add_field, yield_processor
from uctlab.mcts import parallel
from uctlab.mcts.binding import bind_for_gpu, bind_for_threads
from uctlab.mcts.budget import SearchStopped
from uctlab.mcts.parallel import Team
from uctlab.mcts.searcher import Searcher
from uctlab.mcts.storage import load_tree, save_tree
from uctlab.parts import local_copies
from uctlab.parts import threads as threads_part
from uctlab.parts.layout import FULL, LAST_DEPTH, USED
from uctlab.rules.backup import accelerated, mean
from uctlab.rules.backup.decay import geometric_sum as plain_sum

GAME = make_game("hex:4")
START = Position.start(GAME)
# Every operator once, some with a rule of selection, and what else nodes may hold.
AGENTS = ["uct", "tuned(p=1,fpu=1.1)", "auct(k=1)", "auct(k=auto)", "duct(k=2)", "dtuned(k=2)"]
AGENTS += ["bast(c=0.2)", "thompson(backup=power,power=3)", "muct"]
AGENTS += ["uct(backup=max,rave=fuego)"]


@kernel
def clear(nodes, node):
    nodes[node].total = 0.0
    nodes[node].own = 0.0
    nodes[node].own_total = 0.0


@kernel
def backup(nodes, path, depth, seen, params):
    add_field(nodes, path[depth], "own", 1.0)
    add_field(nodes, path[depth], "own_total", seen)
    mean_backup(nodes, path, depth, seen, params)


mean_backup = mean.backup
# Plain UCT that also counts the playouts that a node had as a leaf.
COUNTING = SimpleNamespace(
    FIELDS=[*mean.FIELDS, ("own_total", "f8"), ("own", "f8")],
    SUMS=("total", "own_total", "own"),
    clear=clear,
    backup=backup,
    value=mean.value,
    inverse_visits=mean.inverse_visits,
    parent_visits=mean.parent_visits,
)


def threaded(name, threads=4, sharing="lockfree"):
    agent = make_agent(name).with_options(threads=float(threads), sharing=sharing)
    return with_rules(agent, backup=COUNTING) if name == "uct" else agent


@pytest.mark.parametrize("name", AGENTS)
def test_nothing_is_lost_in_hundreds_of_searches(name):
    """Of all agents together; on two cores four threads are also stopped at any other point."""
    searcher = disturbed(GAME, threaded(name))
    for number in range(40):
        searcher.seed = number
        playouts = 1 + 37 * number % 200
        searcher.prepare(START, playouts)
        searcher.run(playouts)
        check_tree(searcher.tree, playouts)


@pytest.mark.parametrize("name", AGENTS)
def test_one_thread_of_a_team_builds_the_tree_of_the_plain_search(name):
    """Values to the last bit: virtual losses and latches change nothing where nobody else is."""
    alone = Searcher(GAME, make_agent(name), seed=3)
    alone.prepare(START, 3000)
    alone.run(3000)
    searcher = disturbed(GAME, threaded(name, 2).changed(backup=alone.agent.backup), seed=3)
    team = searcher.tree.grower
    team._threads = team._threads[:1]
    searcher.prepare(START, 3000)
    team._threads[0].work.rng[:] = searcher.tree.work.rng  # where the plain search goes on
    searcher.run(3000)
    used = int(alone.tree.counters[USED])
    assert searcher.tree.used == used
    for field in alone.tree.node_type.names:
        assert np.array_equal(searcher.tree.nodes[field][:used], alone.tree.nodes[field][:used]), (
            field
        )


def test_priors_and_heavy_playouts():
    game = make_game("go:4")
    agent = make_agent("auct(k=4,preset=fuego,knowledge=trained,bias=1,widen=1,threads=4)")
    searcher = Searcher(game, agent)
    for seed in range(20):
        searcher.seed = seed
        searcher.prepare(Position.start(game), 200)
        searcher.run(200)
        check_tree(searcher.tree, 200)
    inner = searcher.tree.nodes["first"][searcher.tree.nodes["count"] > 0]
    assert (searcher.tree.nodes["prior"][inner] > 0).any()


def test_threads_1_is_the_plain_search():
    def tree(name):
        searcher = Searcher(GAME, make_agent(name), seed=5)
        searcher.search(START, playouts=500)
        return searcher.tree.nodes[: searcher.tree.used].tobytes()

    assert tree("uct(threads=1,sharing=lockfree,root=1)") == tree("uct")


def test_one_mutex_around_the_tree():
    searcher = Searcher(GAME, threaded("auct(k=1)", sharing="locked"))
    for number in range(25):
        searcher.seed = number
        searcher.search(START, playouts=400)
        check_tree(searcher.tree, 400)


@kernel
def slow_sum(visits, params):
    yield_processor()  # between the look at a node and the change of it
    return plain_sum(visits, params)


@kernel
def no_lock(locks, index):
    pass


def test_without_the_mutex_the_invariants_break(monkeypatch):
    monkeypatch.setattr(threads_part, "acquire", no_lock)
    monkeypatch.setattr(threads_part, "release", no_lock)
    monkeypatch.setattr(accelerated, "geometric_sum", slow_sum)
    searcher = Searcher(GAME, threaded("auct(k=1)", sharing="locked"))
    with pytest.raises(AssertionError):
        for _ in range(100):
            searcher.prepare(START, 400)
            searcher.run(400)
            check_tree(searcher.tree, 400)


@pytest.mark.parametrize("name", ["auct(k=1)", "duct(k=2)"])
def test_a_playout_that_is_late(name):
    """Its leaf has got children meanwhile: the virtual child has one visit more."""
    searcher = disturbed(GAME, threaded(name, 2))
    searcher.search(START, playouts=300)
    nodes = searcher.tree.nodes
    threads = {"SHARED": True}
    backup = specialise(searcher.agent.backup.backup, interpret=True, threads=threads)
    late = [child for child in searcher.tree.view().children(0) if nodes[child].count > 0]
    path = np.zeros(2, np.int64)
    for number in range(200):
        path[1] = late[number % len(late)]
        for node in path:
            nodes[node].pending += 1
        backup(nodes, path, 1, float(number % 3 > 0), searcher.agent.params)
        check_tree(searcher.tree, 301 + number)


def test_interpreted_threads():
    """The same kernels as plain Python, with threads that are changed after every bytecode."""
    game = GAME.interpreted()
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for name in ("auct(k=1)", "uct"):
            searcher = Searcher(game, threaded(name, 3))
            searcher.prepare(Position.start(game), 40)
            searcher.run(40)
            check_tree(searcher.tree, 40)
    finally:
        sys.setswitchinterval(before)


@pytest.mark.parametrize(("room", "reserved"), [(4000, 500), (40, 4)])
def test_a_full_tree_goes_on(room, reserved):
    """The end of the array is for copies."""
    agent = threaded("uct")
    searcher = disturbed(GAME, agent, memory=room * Searcher(GAME, agent).tree.node_type.itemsize)
    searcher.prepare(START, 50_000)
    searcher.run(50_000)
    check_tree(searcher.tree, 50_000)
    assert searcher.tree.counters[FULL] == 1 and len(searcher.tree.nodes) == room
    left = room - reserved
    assert left - GAME.max_moves < searcher.tree.used <= left


def copied(tree):
    """The copies of each thread: where they are, and the nodes they are copies of."""
    for thread in tree.grower._threads:
        mine = int(thread.own[local_copies.COPIES]) + 2
        while mine < thread.own[local_copies.COPIES_USED]:
            header = tree.nodes[mine - 1]
            yield mine, int(header.first), int(header.count)
            mine += 2 * int(header.count) + 1


@pytest.mark.parametrize("name", ["uct", "tuned"])
def test_threads_have_copies_of_their_own(name):
    """What each has counted there is in the tree in the end."""
    searcher = disturbed(GAME, threaded(name))
    searcher.prepare(START, 20_000)
    tree, nodes = searcher.tree, searcher.tree.nodes
    tree.grow(20_000)
    check_tree(tree, 20_000)
    found = list(copied(tree))
    assert {first for _, first, _ in found} > {0, int(nodes[0].first)}
    for mine, first, count in found:
        at, were = nodes[mine : mine + count], nodes[mine + count : mine + 2 * count]
        assert np.array_equal(at.move, nodes.move[first : first + count])
        assert np.array_equal(at.visits, were.visits) and np.array_equal(at.total, were.total)
        assert np.all(at.visits <= nodes.visits[first : first + count])


def test_a_thread_exchanges_what_it_has_counted():
    """It adds its share to the tree's move, and has what the others have added."""
    bound = bind_for_threads(GAME, make_agent("tuned(threads=2)"))
    team = Team(bound)
    nodes = np.zeros(3, bound.node_type).view(np.recarray)
    node, mine, before = 0, 1, 2
    nodes.visits[:], nodes.total[:], nodes.squares[:] = (10, 7, 4), (5.0, 4.5, 2.5), (4.0, 3.0, 1.5)
    nodes.pending[:] = 9, 1, 0
    words, places = team._sums_in(nodes)
    work = team._threads[0].work._replace(words=words, places=places)
    bound.bind(local_copies.exchange)(nodes, node, mine, before, work)
    assert nodes.visits.tolist() == [13, 13, 13]
    assert nodes.total.tolist() == [7.0, 7.0, 7.0]
    assert nodes.squares.tolist() == [5.5, 5.5, 5.5]
    assert nodes.pending.tolist() == [9, 1, 0]


def test_the_path_of_a_playout_names_no_copies():
    searcher = Searcher(GAME, make_agent("uct(threads=4)"))
    searcher.tree.grower = Team(bind_for_threads(GAME, searcher.agent, record_last=True))
    searcher.prepare(START, 20_000)
    searcher.tree.grow(20_000)
    depths = []
    for thread in searcher.tree.grower._threads:  # one that came too late has made none
        depths.append(int(thread.own[LAST_DEPTH]))
        path = thread.work.path[: depths[-1] + 1].tolist()
        assert path[0] == 0
        for parent, child in pairwise(path):
            assert child in searcher.tree.view().children(parent)
    assert max(depths) > 2


def test_blocks_leave_no_room_unknown():
    """Every node is in the tree, unused, or left behind."""
    searcher = disturbed(GAME, threaded("uct"))
    for searcher.seed in range(2):  # the second tree is where the first one was
        searcher.prepare(START, 6000)
        searcher.run(6000)
        check_tree(searcher.tree, 6000)
    nodes = searcher.tree.nodes[: int(searcher.tree.counters[USED])]
    children = int(nodes["count"][nodes["count"] > 0].astype(int).sum())
    # Mostly less: but the threads may just have filled their blocks.
    assert searcher.tree.used == 1 + children <= searcher.tree.counters[USED]
    assert searcher.report().nodes == 1 + children


def test_the_tree_is_kept_from_move_to_move():
    searcher = disturbed(GAME, threaded("duct(k=2)"), reuse=True)
    position = START
    for _ in range(3):
        report = searcher.search(position, playouts=2000)
        check_tree(searcher.tree, report.reused + 2000)
        position = position.play(report.best)
    assert report.reused > 0


def test_a_tree_of_threads_in_a_file(tmp_path):
    """Blocks leave holes, which are no nodes."""
    searcher = Searcher(GAME, make_agent("auct(k=1,threads=4)"))
    searcher.search(START, playouts=20_000)
    save_tree(searcher, tmp_path / "tree")
    loaded = load_tree(tmp_path / "tree", GAME.name)
    assert loaded.search(START, playouts=3000).reused == 20_000
    check_tree(loaded.tree, 23_000)


@pytest.mark.parametrize("name", ["auct(k=1,threads=2,final=both)", "auct(k=1,root=2,final=both)"])
def test_a_search_goes_on_while_visits_and_values_disagree(name):
    searcher = Searcher(GAME, make_agent(name))
    made = {searcher.search(START, playouts=150).playouts for searcher.seed in range(40)}
    assert min(made) == 150 and 150 < max(made) <= 300


def test_the_program_takes_threads(uctlab):
    arguments = ("analyze", "hex:4", "--agent", "auct(k=1)", "--playouts", 100, "--json")
    code, out, _ = uctlab(*arguments, "--threads", 2)
    report = json.loads(out)
    assert code == 0 and report["agent"] == "auct(k=1,threads=2)" and report["playouts"] == 100
    for agent, mistake in (
        ("dfuct", "dfuct searches with one thread; threads= is for uct, tuned, duct, auct"),
        ("uct(threads=2)", "leave out --threads"),
    ):
        command = ("analyze", "hex:4", "--playouts", 9, "--threads", 2, "--agent", agent)
        code, _, err = uctlab(*command)
        assert code == 2 and mistake in " ".join(err.split())


def test_speeds_of_threads(uctlab, monkeypatch):
    monkeypatch.setattr(threads, "ROUNDS", 1)
    command = ("bench", "threads", "hex:4", "--agent", "auct(k=1)", "--threads", "1,2", "--json")
    code, out, _ = uctlab(*command, "--playouts", 100)
    rows = json.loads(out)["threads"]
    assert code == 0
    assert [(row["sharing"], row["threads"]) for row in rows] == [
        ("", 1),
        ("lockfree", 2),
        ("locked", 2),
        ("a tree each", 2),
    ]
    assert all(row["per_second"] > 0 for row in rows)
    assert uctlab("bench", "threads", "--threads", "0")[0] == 2


def test_time_ends_a_search_of_threads(monkeypatch):
    SearchClock(monkeypatch)
    searcher = disturbed(GAME, threaded("uct", 2))
    report = searcher.search(START, seconds=0.1)
    assert 0.1 <= report.seconds < 0.15 and report.playouts == round(report.seconds / 1e-4)
    check_tree(searcher.tree, report.playouts)


def test_ctrl_c_ends_a_search_of_threads():
    searcher = disturbed(GAME, threaded("uct", 2))
    searcher.search(START, playouts=10)
    with ctrl_c(0.2) as begun:
        report = searcher.search(START, seconds=3600, progress=begun)
    assert report.stopped
    check_tree(searcher.tree, report.playouts)


def test_progress_sees_a_tree_at_rest():
    searcher = disturbed(GAME, threaded("uct"))

    def look(made, spent):
        check_tree(searcher.tree, made)
        if made > 2000:
            raise SearchStopped

    assert searcher.search(START, seconds=3600, progress=look).stopped


def test_a_helper_that_fails_is_heard():
    def work(number):
        if number == 2:
            raise ValueError("two")

    with pytest.raises(ValueError, match="two"):
        parallel.work_together(work, [(1,), (2,), (3,)])


def wait_for(process):
    """Its exit code; none if it hangs."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return None


@pytest.mark.filterwarnings("ignore:.*fork")
def test_a_fork_has_threads_of_its_own():
    searcher = disturbed(GAME, threaded("uct", 2))
    searcher.search(START, playouts=100)
    process = os.fork()
    if process == 0:
        os._exit(searcher.search(START, playouts=100).playouts)
    assert wait_for(process) == 100


@kernel
def play_or_raise(s, move):
    if move == 5:
        raise ValueError("five")
    plain_play(s, move)


plain_play = hex.play


@pytest.mark.parametrize("interpret", [False, True])
@pytest.mark.parametrize("sharing", ["locked", "lockfree"])
def test_a_game_that_raises_stops_all_threads(sharing, interpret):
    """In a process of its own, since a thread that waits for ever cannot be stopped."""
    game = replace(GAME, name="raising", play=play_or_raise, interpret=interpret)
    position = Position.start(game)
    searcher = Searcher(game, threaded("uct", 2, sharing))
    searcher.prepare(position, 500)
    process = os.fork()
    if process == 0:
        try:
            searcher.run(500)
        except ValueError as failure:
            check_tree(searcher.tree, searcher.visits)
            os._exit(5 if str(failure) == "five" else 1)
        finally:
            os._exit(1)
    assert wait_for(process) == 5


def test_threads_draw_different_numbers():
    team = Team(bind_for_threads(GAME, threaded("uct")))
    team.begin(1)
    states = {int(thread.work.rng[0]) for thread in team._threads}
    assert len(states | {int(seed_rng(1)[0])}) == 5


@pytest.mark.parametrize(
    ("name", "mistake"),
    [
        ("dfuct(threads=2)", "dfuct searches with one thread"),
        ("mc(root=2)", "mc searches with one thread"),
        ("uct(threads=0)", "at least 1"),
        ("uct(threads=1.5)", "whole number"),
        ("uct(sharing=none)", "accepted: lockfree, locked"),
        ("uct(threads=2,root=2)", "root=2 does not go with threads=2"),
    ],
)
def test_mistakes_are_named(name, mistake):
    with pytest.raises(UsageError, match=mistake):
        make_agent(name)


@pytest.mark.parametrize("sharing", ["lockfree", "locked"])
def test_an_operator_that_knows_nothing_of_threads(sharing):
    """It counts visits itself; threads run it one after the other."""
    agent = make_agent(f"uct(backup=examples/minimax_backup.py,threads=4,sharing={sharing})")
    searcher = disturbed(GAME, agent)
    for number in range(10):
        searcher.seed = number
        searcher.prepare(START, 300)
        searcher.run(300)
        check_tree(searcher.tree, 300)


def test_no_threads_on_a_gpu():
    with pytest.raises(UsageError, match="GPU"):
        bind_for_gpu(GAME, make_agent("uct(threads=2)"))
