"""Tasks for a GPU and their outcomes, as several of its test files use them."""

from dataclasses import asdict

from uctlab.agents import make_agent
from uctlab.arena.game import GameTask
from uctlab.arena.plan import MatchPlan
from uctlab.arena.store import Store
from uctlab.devices.cpu import Cpu
from uctlab.devices.cuda_driver import simulated
from uctlab.devices.cuda_search import CudaSearch
from uctlab.games import make_game

CLOCK = {"seconds_a", "seconds_b", "finished"}
# The simulator is plain Python.
GAMES = 2 if simulated() else 65
TIMES = 1 if simulated() else 30
"""How many times the playouts that are written here."""


def plan(game, a="uct", b="uct(c=0.5)", playouts=10, **options):
    return MatchPlan(game, a, b, playouts=playouts * TIMES, **options)


HEX = plan("hex:3")


def timeless(record):
    return {name: fact for name, fact in asdict(record).items() if name not in CLOCK}


def tasks_of(plans, games=GAMES):
    return [GameTask(plan, number) for number in range(games) for plan in plans]


def records(device, tasks):
    """By task, without what the clock said; no task comes twice."""
    outcomes = [outcome for batch in device.run(iter(tasks)) for outcome in batch.outcomes]
    assert len(outcomes) == len(dict(outcomes))
    return {task: timeless(record) for task, record in outcomes}


_ON_CPU = {}


def on_cpu(tasks):
    """As records, with each game played once for all tests."""
    _ON_CPU.update(records(Cpu(1), [task for task in tasks if task not in _ON_CPU]))
    return {task: _ON_CPU[task] for task in tasks}


def in_store(path):
    with Store(path, create=False) as store:
        return {
            (match.plan, record.number): timeless(record)
            for match in store.matches()
            for record in store.records(match.id)
        }


def finished_by(tasks):
    return {(task.plan, task.number): record for task, record in on_cpu(tasks).items()}


def bytes_for(game, agent, nodes):
    return CudaSearch(make_game(game), make_agent(agent)).bytes_for(nodes)


TABLE = [
    plan("hex:3", "uct(final=both)", "auct(k=1)"),
    plan("hex:3", "mc", "uct", 5, openings=3),
    plan("hex:3", "dfuct", "mc", 5, openings=2),
]
