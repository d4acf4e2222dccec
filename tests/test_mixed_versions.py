"""Stores that another version of uctlab has begun. No game is played and nothing is compiled."""

import json
import sys
from dataclasses import dataclass, replace

import pytest

from tests.stored_matches import PLAN, RECORD, edit_store, match_command
from uctlab.arena.game import GameTask
from uctlab.arena.player import plan_kernels
from uctlab.arena.search_task import SearchTask
from uctlab.arena.store import Store
from uctlab.arena.tasks import Batch, run_tasks
from uctlab.bench.machine import program_version
from uctlab.devices import checkpoint
from uctlab.devices.cpu import Cpu
from uctlab.devices.ray_pools import Origin, perform_on_node
from uctlab.errors import UsageError

NOW = program_version()
OLD = "0.1.9 (source 01234567)"


@pytest.fixture(autouse=True)
def pretended(monkeypatch):
    """Every game is the same, and every search finds a1."""

    def run(self, tasks):
        for task in tasks:
            game = isinstance(task, GameTask)
            yield Batch([(task, replace(RECORD, number=task.number) if game else "a1")])

    monkeypatch.setattr(Cpu, "run", run)
    monkeypatch.setattr(GameTask, "check", lambda self, **_: None)


@pytest.fixture
def begun(uctlab, tmp_path):
    """A store with 60 games, and a function that makes them another version's."""
    path = tmp_path / "store.db"
    assert uctlab(*match_command(path, 60))[0] == 0

    def mark(version, kernels=None):
        changes = [f"UPDATE runs SET version = '{version}'"]
        if kernels is not None:
            tables = ("games", "outcomes")
            changes += [f"UPDATE {table} SET kernels = '{kernels}'" for table in tables]
        edit_store(path, *changes)

    return path, mark


def test_the_same_kernels_go_on_and_the_versions_are_named(begun, uctlab):
    path, mark = begun
    mark(OLD)
    code, out, err = uctlab(*match_command(path, 80)[:-1])
    words = f"60 games by uctlab {OLD}, 20 games by uctlab {NOW}; same kernels"
    assert (code, err) == (0, f"60 games from {path}\n") and words in out.splitlines()
    facts = json.loads(uctlab(*match_command(path, 80))[1])
    assert facts["versions"] == [{"version": OLD, "games": 60}, {"version": NOW, "games": 20}]
    assert facts["games"] == 80 and facts["kernels"] == "same"
    assert words in uctlab("games", "stored", path)[1]
    # Of the first 60 games only one version has played any.
    assert "uctlab" not in uctlab(*match_command(path, 60)[:-1])[1]


@pytest.mark.parametrize(
    ("kernels", "why", "word"),
    [
        ("v1 0000000000000000", "had other kernels than", "different"),
        ("", "may have had other kernels", "unknown"),
        ("v1-2.7 0000000000000000", "had other kernels", "unknown"),  # a game made again told it
    ],
)
def test_other_kernels_are_refused_unless_told(begun, uctlab, kernels, why, word):
    path, mark = begun
    mark(OLD, kernels)
    command = match_command(path, 80)
    code, out, err = uctlab(*command)
    assert (code, out, err.count("\n")) == (2, "", 1)
    for part in (str(path), "60 games", OLD, NOW, why, "--mix-versions"):
        assert part in err
    assert json.loads(uctlab(*match_command(path, 60))[1])["games"] == 60  # none is added
    code, out, err = uctlab(*command, "--mix-versions")
    facts = json.loads(out)
    assert (code, err, facts["games"], facts["kernels"]) == (0, "", 80, word)


def test_the_same_version_needs_no_digest(begun, uctlab):
    path, mark = begun
    mark(NOW, "")
    code, out, _ = uctlab(*match_command(path, 80))
    assert code == 0 and "kernels" not in json.loads(out)


def test_a_tournament_names_versions(uctlab, begun):
    path, mark = begun
    mark(OLD, "")
    plan = ["tournament", PLAN.game, PLAN.a, PLAN.b, "--playouts", PLAN.playouts, "--openings", 1]
    plan += ["--seed", 3, "--workers", 1, "--store", path, "--games", 62]
    code, _, err = uctlab(*plan)
    assert code == 2 and "--mix-versions" in err
    code, out, _ = uctlab(*plan, "--mix-versions")
    assert code == 0 and f"60 games by uctlab {OLD}, 2 games by uctlab {NOW}; unknown" in out


def test_searches_follow_the_same_rule(begun):
    path, mark = begun
    tasks = [SearchTask("hex:3", "uct", 5, seed) for seed in range(4)]
    with Store(path) as store:
        run_tasks(tasks[:2], Cpu(1), store)
        mark(OLD)
        assert len(run_tasks(tasks[:3], Cpu(1), store)) == 3
        mark(OLD, "2.7 0000000000000000")
        with pytest.raises(UsageError, match=r"3 outcomes are by uctlab 0\.1\.9"):
            run_tasks(tasks, Cpu(1), store)
        assert len(run_tasks(tasks[:3], Cpu(1), store)) == 3
        assert len(run_tasks(tasks, Cpu(1), store, mix_versions=True)) == 4


OWN = """
from dataclasses import dataclass
from uctlab.papers.experiment import Experiment, Findings, Size

@dataclass(frozen=True)
class Nothing:
    number: int

def run(context):
    found = context.tasks([Nothing(number) for number in range(context.size.repeats)])
    return Findings((f"{len(found)} found",), (), ())

def experiment(repeats):
    size = Size(repeats, 1)
    return Experiment("own", "Own", "Nobody.", size, size, run, lambda size: 1.0, unit="searches")

EXPERIMENTS = [experiment(3)]
"""


def test_reproduce_follows_it_and_its_report_names_the_versions(uctlab, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", sys.path[:])
    path = tmp_path / "own_experiment.py"
    path.write_text(OWN)
    command = ("reproduce", path, "--workers", 1, "--out", tmp_path / "out")
    try:
        assert uctlab(*command)[0] == 0
        store = tmp_path / "out" / "own-quick" / "games.sqlite"
        edit_store(store, f"UPDATE runs SET version = '{OLD}'")
        assert uctlab(*command)[0] == 0  # a new report on the same results
        edit_store(store, "DELETE FROM outcomes WHERE task LIKE '%number=2%'")
        code, _, err = uctlab(*command)
        assert code == 2 and "2 outcomes are by uctlab" in err and "--mix-versions" in err
        assert uctlab(*command, "--mix-versions")[0] == 0
    finally:
        sys.modules.pop("own_experiment", None)
    report = (store.parent / "report.md").read_text()
    assert f"2 searches by uctlab {OLD}, 1 searches by uctlab {NOW}" in report


def test_a_checkpoint_of_other_kernels_is_not_continued(monkeypatch):
    before = checkpoint.keys_of([GameTask(PLAN, 0)])
    assert plan_kernels(PLAN) in before[0]
    monkeypatch.setattr(checkpoint, "plan_kernels", lambda plan: "other")
    assert checkpoint.keys_of([GameTask(PLAN, 0)]) != before


@dataclass(frozen=True)
class Seven:
    def perform(self):
        return 7


def test_a_node_of_another_version_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert perform_on_node(Seven(), Origin(".", NOW)) == 7
    with pytest.raises(UsageError, match="install the same version on all nodes"):
        perform_on_node(Seven(), Origin(".", OLD))
