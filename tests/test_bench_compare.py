"""uctlab bench --compare: two versions in turns."""

from pathlib import Path

import pytest

from uctlab.bench import revision
from uctlab.bench.revision import Task
from uctlab.errors import UsageError


@pytest.mark.parametrize(
    ("ratio", "low", "high", "same", "verdict"),
    [
        (1.2, 1.1, 1.3, True, "20% faster"),
        (0.8, 0.7, 0.9, True, "20% slower"),
        (1.02, 1.01, 1.03, True, "as fast"),
        (1.2, 0.9, 1.4, True, "as fast"),
        (0.8, 0.7, 0.9, False, "20% slower, results differ"),
    ],
)
def test_verdicts(ratio, low, high, same, verdict):
    assert revision._verdict(ratio, low, high, same) == verdict


class Fake:
    """A version whose searches take a fixed time."""

    def __init__(self, seconds, found="a"):
        self.seconds, self.found, self.asked = seconds, found, 0

    def measure(self, task):
        self.asked += 1
        if self.seconds is None:
            raise revision.NotMeasured("UsageError: unknown agent 'new'")
        return self.seconds, self.found


def test_rows_of_versions():
    task = Task("hex:3", "uct", 100)
    row = revision._row(task, [Fake(2.0), Fake(1.0)], 3)
    assert (row.old, row.new, row.ratio, row.verdict) == (50, 100, 2, "100% faster")
    assert revision._row(task, [Fake(1.0), Fake(1.0, "b")], 3).verdict == "as fast, results differ"
    lacking = revision._row(task, [Fake(None), Fake(1.0)], 3)
    assert lacking.ratio is None
    assert lacking.verdict == "old version: UsageError: unknown agent 'new'"


def test_two_folders():
    """Processes of their own, which find the same in the same sources."""
    here = revision.these_sources()
    tasks = (Task("hex:3", "uct", 200), Task("hex:3", "", 50), Task("hex:3", "nonsense", 50))
    rows = list(revision.compare(here, here, tasks, rounds=1))
    assert [row.same for row in rows] == [True, True, False]
    assert "unknown agent" in rows[2].verdict


def test_a_commit_that_does_not_exist():
    wrong = revision.sources_of("no-such-commit")
    with pytest.raises(UsageError, match="takes a commit of the git checkout"), wrong:
        pass


def test_sources_of_a_commit():
    with revision.sources_of("HEAD") as folder:
        assert (folder / "uctlab" / "__init__.py").is_file()
        kept = Path(folder)
    assert not kept.exists()
