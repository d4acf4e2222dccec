"""Trees in a GPU's memory: in parts, again with more room, or not at all."""

from contextlib import closing

import pytest

from tests.on_gpu.tasks import HEX, TIMES, bytes_for, on_cpu, plan, records, tasks_of
from uctlab.agents import make_agent
from uctlab.arena.plan import MatchPlan
from uctlab.devices import cuda_trees
from uctlab.devices.cuda import Cuda
from uctlab.devices.cuda_driver import simulated
from uctlab.errors import LabError, UsageError
from uctlab.games import Position, make_game
from uctlab.mcts.searcher import Searcher


def test_trees_that_fit_together_are_searched_at_once(launches):
    tasks = tasks_of([HEX, plan("hex:3", "uct(c=2)", "mc", 5)], 4)
    found = records(Cuda(1), tasks)
    longest = max(record["length"] for record in found.values())
    assert len(launches) <= 2 * longest  # uct is one kind whatever its c, mc another


@pytest.mark.parametrize(
    ("a", "b", "trees"), [("uct", "duct(k=1)", 1), ("uct", "auct(k=1)", 2.5), ("dfuct", "mc", 1)]
)
def test_trees_that_do_not_fit_go_in_parts(a, b, trees, launches, memory_of, first_guess):
    tasks = tasks_of([plan("hex:3", a, b), plan("hex:3", a, a, openings=1)], 3)
    wanted = on_cpu(tasks)
    nodes = 10 * 10 * TIMES  # more than any of the trees has
    first_guess(nodes)
    # On a GPU a node of uct is smaller than those of others: their trees are not the measure.
    sizes = [bytes_for("hex:3", agent, nodes) for agent in (a, b)]
    memory_of(max(*sizes, int(trees * sizes[0])))
    assert records(Cuda(1), tasks) == wanted
    searches = sum(record["length"] - record["opening"] for record in wanted.values())
    # Once trees have been grown, room is what they took and a half more: hardly any goes twice.
    assert searches <= sum(number for _, number in launches) <= 1.1 * searches
    first_round = next(n for n in range(9) if sum(many for _, many in launches[:n]) >= len(tasks))
    assert first_round > 2  # kinds of player
    assert launches[0][0] >= nodes > launches[-1][0]


@pytest.mark.parametrize(
    ("guess", "size"),
    [(2, 2**23), (2, 40_000 * TIMES), (11, 40_000 * TIMES), (25, 2**23)],
)
def test_a_tree_without_room_is_searched_again(guess, size, launches, memory_of, first_guess):
    """With room for less than the root's children, for no more than these, and for some more."""
    plans = [
        plan("hex:3", "auct(k=1)", "uct(rave=k,final=both)", 20, openings=1),
        plan("hex:3", "auct(k=2)", "uct(rave=k,final=both)", 8),
    ]
    tasks = tasks_of(plans)
    wanted = on_cpu(tasks)
    first_guess(guess)
    memory_of(size)
    assert records(Cuda(1), tasks) == wanted
    searches = sum(record["length"] - record["opening"] for record in wanted.values())
    assert sum(number for _, number in launches) > searches
    rooms = [room for room, _ in launches]
    assert rooms[0] <= cuda_trees.MAX_SPREAD * guess < max(rooms)


@pytest.mark.skipif(not simulated(), reason="there is much to compile, and no more to see")
def test_many_kinds_of_player_in_a_memory_that_is_full(memory_of, first_guess):
    """What lies between their parts of the memory, and a large position of each, has room too."""
    agents = ["uct", "mc", "duct(k=1)", "auct(k=1)", "uct(rave=fuego)"]
    agents += [f"{name[:-1]},final=value)" for name in agents if name.endswith(")")]
    tasks = tasks_of([MatchPlan("go:5", name, name, playouts=1) for name in agents], 1)
    first_guess(40)
    memory_of(sum(bytes_for("go:5", name, 40) for name in agents))
    with closing(Cuda(1).run(iter(tasks))) as batches:
        next(batches)
        assert next(batches).outcomes == []


def test_a_tree_larger_than_the_memory(memory_of):
    memory_of(300)
    with pytest.raises(LabError, match="one tree takes more than the GPU has"):
        records(Cuda(1), tasks_of([HEX]))


def test_a_tree_that_only_just_fits_the_memory(memory_of, first_guess):
    """The room is not made so much larger after a failure that the memory seems too small."""
    game, agent, playouts = make_game("hex:3"), make_agent("uct"), 40 * TIMES
    start = Position.start(game)
    trees = [Searcher(game, agent, seed=n).search(start, playouts=playouts) for n in range(5)]
    nodes = int(1.2 * max(report.nodes for report in trees))
    tasks = tasks_of([plan("hex:3", "uct", "uct(c=0.9)", 40)], 2)
    memory_of(bytes_for("hex:3", "uct", nodes))
    first_guess(nodes // 7)
    assert records(Cuda(1), tasks) == on_cpu(tasks)


def test_another_memory_than_usual_is_refused():
    """A tree that is full after so many bytes would make another game of it."""
    with pytest.raises(UsageError, match="does not support a limit on the memory of a tree"):
        records(Cuda(1), tasks_of([plan("hex:3", playouts=60, memory=480)]))
