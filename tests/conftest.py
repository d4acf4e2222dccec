"""What several test files share; and whatever tests start ends with them."""

import ctypes
import gc
import os
import signal
import sys
from contextlib import suppress
from functools import partial

import pytest

from tests import leftovers
from tests.fast_records import quick_fields
from uctlab.arena.player import START_VARIABLE
from uctlab.cli.main import main
from uctlab.kernels.seldom import compiling_at_once

# In a shell's background Ctrl-C is ignored, and under nohup the end of a terminal, here and by
# programs that are started.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

# A busy machine takes longer to start a program that plays.
os.environ[START_VARIABLE] = "600"

# Each of the many programs that tests start would compile all of its modules anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

quick_fields()

MARK, IS_OUTERMOST = leftovers.add_mark()
HAS_PROC = leftovers.PROC.is_dir()
WATCHDOG = leftovers.start_watchdog(MARK) if IS_OUTERMOST and HAS_PROC else None


# Files with single tests of many seconds, those that wait most first. They come first: begun last,
# one of them would keep one worker busy while the others have nothing left.
LONG = (
    *("test_ray", "test_cuda", "test_lab_page", "test_lab_browser", "test_check"),
    *("test_lab_learn", "test_store_crashes", "test_interpreted", "test_lab_game"),
    *("test_disk_cache", "test_rule_check", "test_cli", "test_workers", "test_papers"),
    *("test_match", "test_lab_server", "test_reproduce", "test_wheel", "test_parallel"),
)


@pytest.hookimpl(optionalhook=True)  # some runs are without xdist
def pytest_xdist_auto_num_workers():
    """For -n auto one more than there are cores: tests wait for browsers and other programs."""
    from uctlab.devices.cpu import cores  # noqa: PLC0415

    return cores() + 1


@pytest.fixture
def machine_code():
    """No kernel stays plain Python until it has been called often."""
    with compiling_at_once():
        yield


def pytest_collection_modifyitems(config, items):
    """At first xdist gives each worker an equal part of the list: each part begins with long ones.

    All workers must have the same list.
    """
    # The compiler makes many objects, and the collector would look at all those of pytest again and
    # again: a twentieth of the time to compile.
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    workers = getattr(config, "workerinput", {}).get("workercount", 1)
    if workers > 1:
        items[:] = long_ones_first(items, workers)


def long_ones_first(items, parts):
    by_file = {name: [item for item in items if item.path.stem == name] for name in LONG}
    rest = [item for item in items if item.path.stem not in by_file]
    ordered = []
    for part in range(parts):
        size = (len(items) - len(ordered)) // (parts - part)
        begin = [item for name in LONG[part::parts] for item in by_file[name]]
        more = max(0, size - len(begin))
        ordered += begin + rest[:more]
        del rest[:more]
    return ordered + rest


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item, nextitem):
    """At the end of each test file all that its tests have started must end, and its memory is
    given back."""
    result = yield
    if nextitem is None or nextitem.path != item.path:
        give_memory_back()
        if HAS_PROC:
            left = leftovers.wait_for_leftovers(MARK)
            assert not left, f"the tests of {item.path.name} have left these processes: {left}"
    return result


def give_memory_back():
    """Searchers are cycles of some megabytes, which the collector, called seldom, has not seen; and
    the C library keeps what the compiler has freed: half of a worker's memory in the end."""
    gc.collect(1)
    with suppress(OSError, AttributeError):  # another C library than Linux's has no such function
        ctypes.CDLL(None).malloc_trim(0)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session):
    """At the end of the run nothing is left: with xdist also nothing of its workers."""
    result = yield
    if WATCHDOG is not None:
        left = leftovers.wait_for_leftovers(MARK)
        if left:
            print(f"\nERROR: the tests have left these processes behind: {left}", file=sys.stderr)
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        WATCHDOG.close()
    return result


@pytest.fixture
def uctlab(capsys, monkeypatch):
    """Run the program; (exit code, standard output, standard error)."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["uctlab", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = stop.code or 0
        done = capsys.readouterr()
        return code, done.out, done.err

    return run


@pytest.fixture(scope="module")
def browser():
    """A browser for the tests of a file, which are skipped where there is none."""
    from tests.lab_browser import open_browser  # noqa: PLC0415

    with open_browser() as opened:
        yield opened


BLANK = {
    "svg": b'<svg xmlns="http://www.w3.org/2000/svg"/>',
    "png": b"\x89PNG\r\n\x1a\n",
}


@pytest.fixture
def blank_pictures(monkeypatch):
    """Figures are drawn, but what is saved is blank, which is most of their time."""
    from matplotlib.figure import Figure  # noqa: PLC0415

    def save(self, file, *, format, metadata):
        file.write(BLANK[format])

    monkeypatch.setattr(Figure, "savefig", save)


@pytest.fixture
def quick(monkeypatch):
    """Coarse pictures, and speeds measured once, for tests that look at neither."""
    from uctlab.drawing import style  # noqa: PLC0415
    from uctlab.papers import browne2013, yoshimoto2007  # noqa: PLC0415

    monkeypatch.setitem(style.STYLE, "savefig.dpi", 40)
    for paper in (browne2013, yoshimoto2007):
        measure = partial(paper.measure_rounds, round_seconds=1e-6)
        monkeypatch.setattr(paper, "measure_rounds", measure)
