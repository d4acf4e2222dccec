"""gelly2006-threads: who meets whom, and what is said of it."""

from dataclasses import replace

import pytest

from uctlab.agents import make_agent
from uctlab.arena.game import GameTask
from uctlab.arena.tasks import Batch
from uctlab.papers import gelly2006_threads as paper
from uctlab.papers.experiment import NOTHING, ExperimentContext, Size

HEX = paper.Board("Hex", "hex:4", "uct", 1e5, 10.0, "Hex: uct.")
TABLES = [experiment.run.__self__ for experiment in paper.EXPERIMENTS]


class Here:
    """A device that plays in this process."""

    def run(self, tasks):
        for task in tasks:
            yield Batch([(task, task.perform())])


@pytest.mark.parametrize("by_time", [False, True])
def test_a_small_match(by_time):
    lab = ExperimentContext(Size(repeats=2, playouts=50), Here(), seed=1)
    cell = HEX.cell("lockfree", 2, by_time=by_time)
    found = replace(TABLES[by_time], cells=(cell,)).run(lab)
    ((row),) = [
        dict(zip(table.columns, row, strict=True)) for table in found.tables for row in table.rows
    ]
    assert row["games"] == 2 == row["won"] + row["lost"] and row["threads"] == 2
    assert row["A"] == "uct(threads=2,sharing=lockfree)" and row["B"] == "uct"
    assert ("time" if by_time else "simulations") in found.summary[0]
    assert found.figures and not lab.stopped
    assert not any("locked: one mutex" in note for note in found.notes)  # which has not been played


def test_who_meets_whom():
    size = Size(repeats=400, playouts=10_000)
    plans, timed = ([table.plan(cell, size, 3) for cell in table.cells] for table in TABLES)
    meetings = {
        (plan.game[:2], *map(make_agent(plan.a).option, ("sharing", "threads"))) for plan in plans
    }
    ways = [(way, threads) for way in ("locked", "lockfree") for threads in (2, 4)]
    assert meetings == {(game, *way) for game in ("go", "ot") for way in ways}
    assert all(
        plan.playouts == 10_000 and make_agent(plan.b).option("threads") == 1 for plan in plans
    )
    go, othello = timed
    assert go.seconds == 10_000 / 130_000 and othello.seconds == 10_000 / 460_000
    assert go.playouts is None and make_agent(go.a).option("threads") == 2


def test_nothing_was_played(monkeypatch):
    monkeypatch.setattr(GameTask, "check", lambda *_, **__: None)  # which would compile for nothing
    lab = ExperimentContext(Size(repeats=2, playouts=50), NOTHING)
    for experiment in paper.EXPERIMENTS:
        found = experiment.run(lab)
        assert found.summary == ("No game was finished.",) and not found.figures
