"""Progress bars of functions that people call: where they appear and how they are turned off."""

import io
import sys
import warnings
from contextlib import redirect_stderr
from types import SimpleNamespace

import pytest

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


def seen(**options):
    """What a match writes to a terminal."""
    with redirect_stderr(_Terminal()) as screen:
        match("hex:3", "uct", "mc", **FEW, **options)
    return screen.getvalue()


def test_a_bar_in_a_terminal():
    assert "games:   0%" in seen() and "0/2" in seen()


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
    with redirect_stderr(_Terminal()), shown_progress(True, "games") as tell:
        tell(1, 4, 0.0, "")
        bar = tell._bar
        assert (bar.initial, bar.n, bar.total) == (1, 1, 4)
        tell(1, 4, 0.54, "1e6 simulations per second")
        assert bar.n == pytest.approx(1.5) and bar.postfix == "1e6 simulations per second"
        tell(8, 8, 0.0, "2e6 simulations per second")
        assert (bar.n, bar.total) == (8, 8)


def test_a_notebook_without_widgets_gets_a_bar_without_a_warning(monkeypatch):
    shell = SimpleNamespace(config={"IPKernelApp": {}})
    ipython = SimpleNamespace(get_ipython=lambda: shell, version_info=(9, 0))
    assert not in_notebook()
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    for name in [name for name in sys.modules if name.startswith("tqdm")]:
        monkeypatch.delitem(sys.modules, name)
    assert in_notebook()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "0/2" in seen()
