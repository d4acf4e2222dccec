"""gelly2006-threads: who meets whom, and what is said of it."""

import pytest

from uctlab.agents import make_agent
from uctlab.arena.game import GameTask
from uctlab.arena.tasks import Batch
from uctlab.papers import gelly2006_threads as paper
from uctlab.papers.experiment import NOTHING, ExperimentContext, Size

HEX = paper.Board("Hex", "hex:4", "uct", 1e5, 10.0)


class Here:
    """A device that plays in this process."""

    def run(self, tasks):
        for task in tasks:
            yield Batch([(task, task.perform())])


@pytest.mark.parametrize("by_time", [False, True])
def test_a_small_match(by_time):
    lab = ExperimentContext(Size(repeats=2, playouts=50), Here(), seed=1)
    pairings = [paper.Pairing(HEX, 2, "lockfree")]
    found = paper._run(lab, pairings, by_time=by_time)
    ((row),) = [
        dict(zip(table.columns, row, strict=True)) for table in found.tables for row in table.rows
    ]
    assert row["games"] == 2 == row["won"] + row["lost"] and row["threads"] == 2
    assert row["A"] == "uct(threads=2,sharing=lockfree)" and row["B"] == "uct"
    assert ("time" if by_time else "simulations") in found.summary[0]
    assert found.figures and not lab.stopped


def test_who_meets_whom():
    lab = ExperimentContext(Size(repeats=400, playouts=10_000), NOTHING, seed=3)
    plans = [pairing.plan(lab, by_time=False) for pairing in paper.EQUAL_PLAYOUTS]
    meetings = {
        (plan.game[:2], make_agent(plan.a).sharing, make_agent(plan.a).threads) for plan in plans
    }
    ways = [(way, threads) for way in ("locked", "lockfree") for threads in (2, 4)]
    assert meetings == {(game, *way) for game in ("go", "ot") for way in ways}
    assert all(plan.playouts == 10_000 and make_agent(plan.b).threads == 1 for plan in plans)
    go, othello = (pairing.plan(lab, by_time=True) for pairing in paper.EQUAL_TIME)
    assert go.seconds == 10_000 / 130_000 and othello.seconds == 10_000 / 460_000
    assert go.playouts is None and make_agent(go.a).threads == 2


def test_nothing_was_played(monkeypatch):
    monkeypatch.setattr(GameTask, "check", lambda *_, **__: None)  # which would compile for nothing
    lab = ExperimentContext(Size(repeats=2, playouts=50), NOTHING)
    for experiment in paper.EXPERIMENTS:
        found = experiment.run(lab)
        assert found.summary == ("No game was finished.",) and not found.figures
