"""Progress bars of functions that people call: where they appear and how they are turned off."""

import io
import sys
import warnings
from contextlib import redirect_stderr
from types import SimpleNamespace

import pytest

from tests.patience import wait_until
from uctlab.api import progress
from uctlab.api.matches import match
from uctlab.api.progress import in_notebook, shown_progress

FEW = {"games": 2, "playouts": 10, "workers": 1}


class _Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(progress, "DELAY", 0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("NO_COLOR", "1")


def seen(**options):
    """What a match writes to a terminal."""
    with redirect_stderr(_Terminal()) as screen:
        match("hex:3", "uct", "mc", **FEW, **options)
    return screen.getvalue()


def test_a_bar_in_a_terminal():
    shown = seen()
    assert "games" in shown and "0 of 2" in shown


def test_none_for_short_work(monkeypatch):
    monkeypatch.setattr(progress, "DELAY", 3600)
    assert "games" not in seen()


def test_none_if_it_is_turned_off():
    assert seen(progress=False) == ""


def test_none_without_a_terminal(capfd):
    match("hex:3", "uct", "mc", **FEW)
    assert capfd.readouterr() == ("", "")


def test_a_function_is_called():
    calls = []
    assert seen(progress=lambda *told: calls.append(told)) == ""
    assert [told[:2] for told in calls] == [(0, 2), (1, 2), (2, 2)]


def test_games_in_progress_and_a_speed_in_words():
    with redirect_stderr(_Terminal()) as screen, shown_progress(True, "games") as tell:
        tell(1, 4, 0.0, "")
        tell(1, 4, 0.54, "1e6 simulations per second")
        wait_until(lambda: "1 of 4 1e6 simulations per second" in screen.getvalue())
        tell(8, 8, 0.0, "2e6 simulations per second")
        wait_until(lambda: "8 of 8 2e6 simulations per second" in screen.getvalue())


def test_a_notebook_without_widgets_gets_a_bar_without_a_warning(monkeypatch):
    shell = SimpleNamespace(config={"IPKernelApp": {}})
    ipython = SimpleNamespace(get_ipython=lambda: shell, version_info=(9, 0))
    assert not in_notebook()
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    assert in_notebook()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with redirect_stderr(io.StringIO()) as cell:  # which is no terminal
            match("hex:3", "uct", "mc", **FEW)
    assert "0 of 2" in cell.getvalue()
