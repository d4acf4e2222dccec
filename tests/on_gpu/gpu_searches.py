"""Single searches on a GPU."""

from functools import cache

from tests.on_gpu.tasks import HEX, bytes_for, tasks_of
from uctlab.agents import make_agent
from uctlab.arena.search_task import SearchTask
from uctlab.arena.store import Store
from uctlab.arena.tasks import _key, run_tasks
from uctlab.devices import cuda_trees
from uctlab.devices.cuda import Cuda
from uctlab.devices.cuda_driver import simulated
from uctlab.papers import deception

SEEDS = 1 if simulated() else 2
SEARCHES = [
    SearchTask("hex:3", agent, playouts, seed, moves=moves)
    for agent in (
        *("uct", "uct(c=0.5)", "uct(playout=bridge)", "uct(rave=k,playout=bridge)", "mc"),
        *("uct(length_cost=0.02)", "uct(leaf=evaluate)", "uct(alpha=0.3)", "uctmax"),
        *("uct(widen=1)", "puct", "thompson", "bast"),
        "uct(rave=grave,grave=4,solver=on,backup=mix)",
    )
    for playouts in (10, 25)
    for seed in range(SEEDS)
    for moves in ("", "b2 a1 c2")
]


@cache
def wanted():
    """The moves that are found on the CPU."""
    return {task: task.perform() for task in SEARCHES}


def test_which_agents_have_kernels_of_their_own():
    """Those with priors, a cost of length, a bias or widening."""
    plain = cuda_trees.rules_of(make_agent("uct(rave=fuego)"))
    for number in ("prior=1", "length_cost=0.1", "bias=1", "widen=1"):
        assert cuda_trees.rules_of(make_agent(f"uct(rave=fuego,{number})")) != plain
    assert cuda_trees.rules_of(make_agent("uct(rave=fuego,c=0.3)")) == plain


def test_single_searches(tmp_path, launches):
    """The same moves as on the CPU, kept in the store; a launch for each kind and budget."""
    assert len(set(wanted().values())) > 3
    with Store(tmp_path / "store") as store:
        assert run_tasks(SEARCHES, Cuda(1), store) == wanted()
        assert store.outcomes() == {_key(task): move for task, move in wanted().items()}
    assert sorted(number for _, number in launches) == 24 * [2 * SEEDS] + 2 * [4 * SEEDS]


def test_single_searches_in_parts(memory_of, launches):
    memory_of(int(1.5 * bytes_for("hex:3", "uct(rave=k)", 25 * 10 + 20)))
    assert run_tasks(SEARCHES, Cuda(1)) == wanted()
    assert len(launches) > 26, "more than kinds and budgets"


def test_other_tasks_are_done_by_the_cpu():
    turns = [deception.Turn("deceptive:2,depth=2", "uct", seed, 50) for seed in range(2)]
    mixed = [SEARCHES[0], *tasks_of([HEX], 1), *turns]
    outcomes = dict(outcome for batch in Cuda(1).run(iter(mixed)) for outcome in batch.outcomes)
    assert outcomes[SEARCHES[0]] == SEARCHES[0].perform() and len(outcomes) == 4
    assert [outcomes[turn] for turn in turns] == [turn.perform() for turn in turns]
