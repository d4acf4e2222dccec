"""What an experiment is given: the searches and matches of its context, and their seeds."""

from functools import partial

import pytest

from uctlab.arena.plan import MatchPlan
from uctlab.arena.search_task import SearchTask
from uctlab.arena.store import Store
from uctlab.arena.tasks import Batch, _key
from uctlab.devices.cpu import Cpu
from uctlab.papers import gelly2006
from uctlab.papers.experiment import ExperimentContext, Findings, Size
from uctlab.papers.match_table import Cell, MatchTable


def test_a_table_without_a_game():
    """Stopped before anything was finished: sentences, no picture, no crash."""
    table = MatchTable(
        "hex:3",
        (Cell("", "1", "uct", "mc", None),),
        draw=lambda played: pytest.fail("there is nothing to draw"),
        tell=partial(gelly2006._tell, what="p"),
        heading="p",
        notes=(),
        seconds_per_game=lambda size: 1.0,
    )
    lab = ExperimentContext(Size(2, 10), _Idle())
    found = table.run(lab)
    assert isinstance(found, Findings) and lab.stopped and not found.figures
    assert found.summary[0] == "No game was finished."


class _Idle:
    def run(self, tasks):
        raise KeyboardInterrupt
        yield


def test_a_stopped_laboratory_does_nothing_more(tmp_path):
    class Stopping:
        def __init__(self):
            self.done = 0

        def run(self, tasks):
            self.done += 1
            yield Batch([(task := next(tasks), task.perform())])
            raise KeyboardInterrupt

    device = Stopping()
    with Store(tmp_path / "store") as store:
        lab = ExperimentContext(Size(2, 5), device, store=store)
        first = [SearchTask("hex:3", "mc", 2, seed) for seed in range(3)]
        assert len(lab.tasks(first)) == 1 and lab.stopped
        assert lab.tasks([SearchTask("hex:3", "mc", 2, 9)]) == {}
        assert len(lab.tasks(first)) == 1  # what is known is still there
        (result,) = lab.matches([MatchPlan("hex:3", "mc", "mc", playouts=2)])
        assert result.score.games == 0 and device.done == 1


def test_seeds_of_a_laboratory():
    labs = [ExperimentContext(Size(1, 1), Cpu(1), seed=seed) for seed in (0, 1)]
    drawn = {lab.derive_seed(i) for lab in labs for i in range(50)}
    assert len(drawn) == 100 and labs[0].derive_seed(3) == ExperimentContext(
        Size(1, 1), Cpu(1)
    ).derive_seed(3)


def test_a_store_finds_searches_by_the_name_they_were_kept_under():
    task = SearchTask("hex:3", "uct", 10, 1)
    assert _key(task).startswith("Choice(game='hex:3'")


def test_stored_results_may_be_all_there_are_to_be(tmp_path):
    tasks = [SearchTask("hex:3", "mc", 2, seed) for seed in range(2)]
    with Store(tmp_path / "store") as store:
        made = ExperimentContext(Size(2, 5), Cpu(1), store=store).tasks(tasks[:1])
        lab = ExperimentContext(Size(2, 5), _Idle(), store=store, stored=True)
        assert lab.tasks(tasks[:1]) == made and not lab.stopped
        assert lab.tasks(tasks) == made and lab.stopped
