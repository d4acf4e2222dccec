"""How jobs are handed out: what is lost begins again, and outcomes come before a failure."""

import pytest

from uctlab.devices.scheduler import News, Pool, Schedule, Tasks, perform_here
from uctlab.errors import LabError


class Places(Pool):
    """Takes two jobs at a time, and notes them."""

    def __init__(self):
        self.begun = []
        self.busy = set()

    def has_room(self):
        return len(self.busy) < 2

    def begin(self, job):
        self.begun.append(job)
        self.busy.add(job)

    def news(self, *facts):
        for job, kind, value in facts:
            self.busy.discard(job)
            yield News(job, kind, value)


def outcomes(batches):
    return [outcome for batch in batches for outcome in batch.outcomes]


def test_a_lost_job_begins_again_before_any_other():
    pool = Places()
    schedule = Schedule(Tasks(iter("abcd")), pool)
    schedule.begin()
    assert pool.begun == ["a", "b"]
    assert outcomes(schedule.take(pool.news(("a", "lost", "signal 9"), ("b", "last", 2)))) == [
        ("b", 2)
    ]
    schedule.begin()
    assert pool.begun == ["a", "b", "a", "c"]


def test_a_job_that_always_kills_its_worker_is_given_up():
    pool = Places()
    schedule = Schedule(Tasks(iter("a")), pool)
    for _ in range(pool.deaths - 1):
        schedule.begin()
        assert outcomes(schedule.take(pool.news(("a", "lost", "signal 9")))) == []
    schedule.begin()
    with pytest.raises(LabError, match=r"^a has killed 3 workers \(signal 9\)$"):
        outcomes(schedule.take(pool.news(("a", "lost", "signal 9"))))


def test_outcomes_are_told_before_a_failure():
    pool = Places()
    schedule = Schedule(Tasks(iter("ab")), pool)
    schedule.begin()
    batches = schedule.take(pool.news(("a", "failed", LabError("no")), ("b", "last", 2)))
    assert next(batches).outcomes == [("b", 2)]
    with pytest.raises(LabError, match="no"):
        next(batches)


def test_eager_schedules_begin_the_next_job_before_the_report():
    for eager, begun in ((True, "abc"), (False, "ab")):
        pool = Places()
        schedule = Schedule(Tasks(iter("abc")), pool)
        schedule.begin()
        next(schedule.take(pool.news(("a", "last", 1)), eager=eager))
        assert "".join(pool.begun) == begun


class Job:
    def perform(self):
        return 7


class Batch:
    def parts(self):
        yield from (1, 2)


def test_jobs_of_this_process_are_drawn_one_by_one():
    drawn = []

    def jobs():
        for job in (Job(), Batch()):
            drawn.append(job)
            yield job

    found = perform_here(Tasks(jobs()))
    assert next(found).outcomes == [(drawn[0], 7)] and len(drawn) == 1
    assert [value for _, value in outcomes(found)] == [1, 2]
