"""Ctrl-C that waits until work is done."""

import signal
import threading
import time

import pytest

from uctlab.mcts import parallel
from uctlab.sigint import defer_sigint


@pytest.fixture(autouse=True)
def heard():
    """As usual before every test, whatever a command has done, and after it again."""
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    assert signal.signal(signal.SIGINT, usual) is signal.default_int_handler


def test_it_comes_at_the_end():
    held = False
    with pytest.raises(KeyboardInterrupt), defer_sigint():
        signal.raise_signal(signal.SIGINT)
        held = True
    assert held


def test_one_that_is_ignored_stays_so():
    usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
    with defer_sigint():
        signal.raise_signal(signal.SIGINT)
    assert signal.signal(signal.SIGINT, usual) is signal.SIG_IGN


def test_other_threads_do_not_hear_it():
    done = []

    def work():
        with defer_sigint():
            done.append(1)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [1]


def test_all_threads_end_their_work_first():
    done = []

    def work(number):
        if number == 0:
            signal.raise_signal(signal.SIGINT)
        else:
            time.sleep(0.1)
        done.append(number)

    with pytest.raises(KeyboardInterrupt):
        parallel.work_together(work, [(0,), (1,), (2,)])
    assert sorted(done) == [0, 1, 2]


class Interrupted:
    """A pool whose owner hears Ctrl-C, or gets no thread, when it has handed over a job."""

    def __init__(self, pool, trouble):
        self._pool, self._trouble = pool, trouble

    def submit(self, *job):
        future = self._pool.submit(*job)
        self._trouble()
        return future


def no_thread():
    raise RuntimeError("can't start new thread")


@pytest.mark.parametrize(
    ("trouble", "error"),
    [(lambda: signal.raise_signal(signal.SIGINT), KeyboardInterrupt), (no_thread, RuntimeError)],
)
def test_a_job_that_was_just_handed_over_is_known(trouble, error, monkeypatch):
    running = []

    def work(number):
        running.append(number)
        time.sleep(0.1)
        running.remove(number)

    pool = parallel._pool()
    monkeypatch.setattr(parallel, "_pool", lambda: Interrupted(pool, trouble))
    with pytest.raises(error):
        parallel.work_together(work, [(0,), (1,)])
    assert running == []
    time.sleep(0.05)
    assert running == [], "it has begun after all"
