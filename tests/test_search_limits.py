"""What ends or bounds a search: playouts, time, Ctrl-C, memory."""

import json
import time

import pytest

from tests.keyboard import ctrl_c
from tests.patience import SearchClock
from tests.searches import AGENTS, FLAT, PAIRS, grown, searcher_of, start
from uctlab.agents import make_agent
from uctlab.cli.main import main
from uctlab.errors import UsageError
from uctlab.games import make_game
from uctlab.mcts.budget import Budget
from uctlab.mcts.searcher import Searcher

SLACK = 0.02  # seconds: what the last slice of playouts may take

# Budgets.


@pytest.mark.parametrize(
    ("spec", "agent"),
    [("othello", "uct"), ("go:4", "uct"), ("hex:4", "uct"), ("othello", "dfuct")],
)
def test_time_limits_hold(spec, agent, monkeypatch):
    SearchClock(monkeypatch)
    searcher, _ = grown(spec, agent, 100)
    report = searcher.search(start(spec), seconds=0.3)
    assert 0.3 <= report.seconds < 0.3 + SLACK and not report.stopped
    assert report.playouts == searcher.tree.nodes[0].visits == round(report.seconds / 1e-4)


def test_the_first_budget_spent_ends_the_search(monkeypatch):
    SearchClock(monkeypatch)
    searcher, _ = grown("othello", "uct", 100)
    few = searcher.search(start("othello"), playouts=200, seconds=30)
    assert few.playouts == 200 and few.seconds == pytest.approx(200 * 1e-4)
    short = searcher.search(start("othello"), playouts=10**9, seconds=0.1)
    assert 0.1 <= short.seconds < 0.1 + SLACK
    assert short.playouts == round(short.seconds / 1e-4)


def test_a_real_clock_ends_a_search():
    """However slow the machine is."""
    searcher, _ = grown("othello", "uct", 100)
    report = searcher.search(start("othello"), playouts=10**9, seconds=0.1)
    assert 0 < report.playouts < 10**9 and report.seconds >= 0.1


@pytest.mark.parametrize("playouts", [2**32 - 1, 10**23])
def test_more_playouts_than_a_tree_can_count_are_refused(playouts):
    with pytest.raises(UsageError, match=f"at most 4,294,967,294, not {playouts:,}$"):
        Budget(playouts)
    assert Budget(2**32 - 2).playouts == 2**32 - 2


def test_progress_is_told():
    told = []
    searcher = searcher_of("hex:4")
    searcher.search(
        start("hex:4"), playouts=20_000, progress=lambda made, spent: told.append((made, spent))
    )
    assert len(told) > 2 and told == sorted(told) and told[-1][0] == 20_000


@pytest.mark.parametrize("agent", ["uct", "dfuct", "uct(final=both)"])
def test_ctrl_c_ends_a_search_with_what_is_known(agent):
    searcher, _ = grown("othello", agent, 100)
    position = start("othello")
    with ctrl_c(0.2) as begun:
        report = searcher.search(position, seconds=3600, progress=begun)
    assert report.stopped and report.best in position.legal_moves and report.playouts > 0
    assert "stopped early" in str(report)
    assert searcher.search(position, playouts=100).playouts >= 100  # it can go on


def test_a_move_is_never_chosen_without_a_playout():
    searcher, _ = grown("othello", "uct", 100)
    assert searcher.search(start("othello"), seconds=1e-9).playouts > 0


def test_ctrl_c_in_the_program(monkeypatch, capsys):
    grown("othello", "uct", 100)
    arguments = ["uctlab", "analyze", "othello", "--seconds", "3600", "--json"]
    monkeypatch.setattr("sys.argv", arguments)
    search = Searcher.search

    def interrupted(*arguments, **options):
        with ctrl_c(0.2) as begun:
            return search(*arguments, **options | {"progress": begun})

    monkeypatch.setattr(Searcher, "search", interrupted)
    with pytest.raises(SystemExit) as end:
        main()
    report = json.loads(capsys.readouterr().out)
    assert not end.value.code and report["stopped"]
    assert report["best"] in start("othello").legal_moves


# Memory.


@pytest.mark.parametrize("agent", AGENTS)
def test_node_sizes(agent):
    size = searcher_of("hex:4", agent).tree.node_type.itemsize
    assert size <= (24 if agent in ("uct", "dfuct", *FLAT) else 40)
    assert searcher_of("hex:4", "auct(k=3,rave=k)").tree.node_type.itemsize <= 56


@pytest.mark.parametrize(
    ("spec", "agent"), [p for p in PAIRS if p[0] in ("hex:4", "go:4") and p[1] not in FLAT]
)
def test_a_full_tree_is_searched_on(spec, agent):
    memory = 200 * searcher_of(spec, agent).tree.node_type.itemsize + 7
    full, report = grown(spec, agent, 5000, memory=memory)
    assert report.full and report.playouts == 5000 == full.tree.nodes[0].visits
    assert report.memory <= memory and full.tree.nodes.nbytes <= memory
    assert 100 < report.nodes <= 200
    assert "full" in str(report)
    _, free = grown(spec, agent, 5000)
    assert not free.full and free.nodes > 200 and "full" not in str(free)


@pytest.mark.parametrize("agent", ["uct", "auct(k=3)", "uct(rave=k)", "dfuct"])
def test_a_full_tree_is_not_slow(agent):
    memory = 2000 * searcher_of("hex:4", agent).tree.node_type.itemsize

    def seconds(limit):
        """Of the processor, of which other programs take none."""
        searcher = searcher_of("hex:4", agent, memory=limit)
        searcher.search(start("hex:4"), playouts=100)
        times = []
        for _ in range(5):
            begin = time.thread_time()
            searcher.search(start("hex:4"), playouts=10_000)
            times.append(time.thread_time() - begin)
        return min(times)

    assert seconds(memory) <= 3 * seconds(2**30)


def test_memory_bounds_a_reused_tree():
    memory = 1000 * 24
    searcher, report = grown("hex:4", "uct", 3000, memory=memory, reuse=True)
    position = start("hex:4")
    while not position.is_over:
        report = searcher.search(position, playouts=500)
        assert report.memory <= memory and report.best in position.legal_moves
        position = position.play(report.best)


def test_a_tree_of_no_size():
    size = searcher_of("hex:4").tree.node_type.itemsize
    exact, report = grown("hex:4", "uct", 50, memory=17 * size)
    assert report.full and report.nodes == 17 == len(exact.tree.nodes)
    for memory in (1, size, 17 * size - 1):
        with pytest.raises(UsageError, match=f"which needs at least {17 * size}"):
            grown("hex:4", "uct", 50, memory=memory)
    for memory in (0, -1):
        with pytest.raises(UsageError, match="memory must be more than 0"):
            searcher_of("hex:4", memory=memory)


@pytest.mark.parametrize("spec", ["go:4", "hex:4"])
def test_the_limit_covers_preparation(spec, monkeypatch):
    """A tree that takes long to clear or to copy leaves less time for playouts."""
    clock = SearchClock(monkeypatch)
    searcher = Searcher(make_game(spec), make_agent("uct"), reuse=True)
    position = start(spec)
    prepare = Searcher.prepare

    def slow_prepare(*arguments):
        prepare(*arguments)
        clock.now += 0.15

    searcher.search(position, seconds=0.2)
    monkeypatch.setattr(Searcher, "prepare", slow_prepare)
    for _ in range(2):
        report = searcher.search(position, seconds=0.2)
        assert 0.2 <= report.seconds < 0.2 + SLACK
        assert report.playouts == round((report.seconds - 0.15) / 1e-4)


def test_no_memory_is_told(monkeypatch):
    searcher = Searcher(make_game("hex:4"), make_agent("uct"))
    position = start("hex:4")
    assert not position.is_over  # which is remembered, and takes memory too

    def refuse(*arguments):
        raise MemoryError

    monkeypatch.setattr("uctlab.mcts.searcher.np.zeros", refuse)
    with pytest.raises(UsageError, match="not enough memory for a tree of 1,024 MiB"):
        searcher.prepare(position, None)
