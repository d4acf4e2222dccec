"""Workers: tasks that fail, kill or print; what they see, and what ends with them."""

import os
import resource
import subprocess
import sys
import time
from contextlib import closing
from itertools import count

import pytest

from tests.patience import PATIENCE, wait_until
from tests.processes import processes, workers_of
from uctlab.arena.tasks import Batch
from uctlab.devices.cpu import Cpu, WorkerPool
from uctlab.errors import LabError, UsageError

TASKS = """
import os, signal
from dataclasses import dataclass
from pathlib import Path
from uctlab.errors import UsageError

@dataclass(frozen=True)
class Deadly:
    lives: str = ""  # a file with a letter for each worker that may die
    def perform(self):
        left = Path(self.lives).read_text() if self.lives else "x"
        if left:
            if self.lives:
                Path(self.lives).write_text(left[1:])
            os.kill(os.getpid(), signal.SIGKILL)
        return "survived"

@dataclass(frozen=True)
class Raising:
    mistake: bool
    def perform(self):
        if self.mistake:
            raise UsageError("the board is too small")
        raise ZeroDivisionError("in the game of a user")

@dataclass(frozen=True)
class Large:
    number: int
    text: str
    def perform(self):
        print("what a game prints")
        return self.number * self.text

@dataclass(frozen=True)
class Unreadable:
    def __reduce__(self):
        return int, ("no number",)
"""


@pytest.fixture
def tasks(tmp_path, monkeypatch):
    """A module that the workers find as well."""
    (tmp_path / "tasks_of_a_test.py").write_text(TASKS)
    monkeypatch.syspath_prepend(tmp_path)
    yield __import__("tasks_of_a_test")
    del sys.modules["tasks_of_a_test"]


def test_a_task_that_kills_three_workers_is_given_up(tasks, tmp_path):
    with pytest.raises(LabError, match=r"Deadly\(.*killed 3 workers \(signal 9\)"):
        list(Cpu(2).run(iter([tasks.Deadly(), tasks.Large(1, "x")])))
    lives = tmp_path / "lives"
    lives.write_text("xx")
    task = tasks.Deadly(str(lives))
    assert list(Cpu(2).run(iter([task]))) == [Batch([(task, "survived")])]
    assert not workers_of(os.getpid())


def test_errors_of_tasks_come_back(tasks):
    with pytest.raises(LabError, match=r"(?s)Traceback.*in perform.*in the game of a user"):
        list(Cpu(2).run(iter([tasks.Raising(False)])))
    with pytest.raises(UsageError, match=r"^the board is too small$"):
        list(Cpu(2).run(iter([tasks.Raising(True)])))
    with pytest.raises(LabError, match=r"(?s)Traceback.*no number"):
        list(Cpu(2).run(iter([tasks.Unreadable()])))
    assert not workers_of(os.getpid())


def test_long_tasks_and_replies(tasks):
    """Longer than a pipe holds; each comes back once, whatever is printed on the way."""
    work = [tasks.Large(number, "x" * 150_000) for number in range(7)]
    finished = [one for batch in Cpu(3).run(iter(work)) for one in batch.outcomes]
    assert len(finished) == 7
    assert dict(finished) == {task: task.number * task.text for task in work}


def test_workers_that_cannot_be_started(tasks):
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    free = os.dup(0)
    os.close(free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (free + 12, limits[1]))
    try:
        with pytest.raises(LabError, match=r"^worker .* cannot be started: Too many open files$"):
            list(Cpu(40).run(tasks.Large(number, "x") for number in range(40)))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert not workers_of(os.getpid())


def test_a_script_without_a_guard_in_a_folder_with_a_file_named_like_pythons_own(tmp_path):
    """Workers do not run the script again, and do not take that file for a module of Python's."""
    (tmp_path / "queue.py").write_text("raise SystemExit('not me')\n")
    script = tmp_path / "two_workers.py"
    script.write_text(
        "import uctlab\n"
        "print('once')\n"
        "print(uctlab.match('hex:2', 'mc', 'mc', games=2, playouts=2, workers=2).score.games)\n"
    )
    command = [sys.executable, "-P", script.name]
    options = {"cwd": tmp_path, "capture_output": True, "text": True, "timeout": PATIENCE}
    options["env"] = os.environ | {"NUMBA_DISABLE_JIT": "1"}  # nothing is worth compiling
    done = subprocess.run(command, check=False, **options)
    assert (done.stdout, done.stderr, done.returncode) == ("once\n2\n", "", 0)


ENGINE = """
import os, sys, time
out = open(sys.argv[1], "a")
print(os.getpid(), os.environ.get("PYTHONPATH", "none"), file=out, flush=True)
for line in sys.stdin:
    number, *words = line.split()
    if words[0] == "genmove":
        print(os.getpid(), "thinks", file=out, flush=True)
        time.sleep(3600)
    print(f"={number} \\n", flush=True)
"""


def count_of_thinking(pids):
    return pids.read_text().count("thinks\n") if pids.exists() else 0


def alive():
    """A zombie is not: here nobody may wait for it."""
    return {pid for pid, (state, _) in processes().items() if state != "Z"}


def test_external_programs_end_with_the_program(tmp_path):
    """Also those that are thinking, and they see nothing of our search path."""
    engine, pids = tmp_path / "engine.py", tmp_path / "pids"
    engine.write_text(ENGINE)
    player = f'gtp:"{sys.executable} {engine} {pids}"'
    command = [sys.executable, "-c", "from uctlab.cli.main import main; main()"]
    command += ["match", "hex:3", player, "mc", "--games", "4", "--playouts", "2", "--workers", "2"]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    program = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment | {"NUMBA_DISABLE_JIT": "1"},  # nothing is worth compiling
    )
    try:
        # The check before the match, and one engine in each worker, which are thinking.
        wait_until(lambda: count_of_thinking(pids) >= 2 or program.poll() is not None)
        assert program.poll() is None, "the match has ended before its engines were asked"
    finally:
        program.kill()
        program.wait()
    begun = [line.split() for line in pids.read_text().splitlines() if not line.endswith("thinks")]
    assert len(begun) >= 3 and all(path == "none" for _, path in begun)
    wait_until(lambda: not {int(pid) for pid, _ in begun} & alive())


def test_what_ends_while_nobody_asks_comes_together(tasks):
    """One transaction of a store is then enough for all of it."""
    work = (tasks.Large(number, "x") for number in count())
    with closing(Cpu(2).run(work)) as finished:
        next(finished)

        def both():
            time.sleep(0.02)  # as a commit would take
            return len(next(finished).outcomes) == 2

        wait_until(both)
    assert not workers_of(os.getpid())


def test_what_has_ended_before_a_failure_is_told_first(tasks, monkeypatch):
    """Both replies are there when they are read."""
    ready = WorkerPool.ready

    def together(pool):
        return wait_until(lambda: len(some := ready(pool)) == len(pool.workers) and some)

    monkeypatch.setattr(WorkerPool, "ready", together)
    finished = Cpu(2).run(iter([tasks.Large(1, "x"), tasks.Raising(True)]))
    assert next(finished).outcomes == [(tasks.Large(1, "x"), "x")]
    with pytest.raises(UsageError, match="too small"):
        next(finished)
