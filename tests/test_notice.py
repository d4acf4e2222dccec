"""The line on a terminal that says what is being compiled."""

import io

import numpy as np

from tests.patience import wait_until
from uctlab.agents import make_agent
from uctlab.games import Position, make_game
from uctlab.kernels import kernel, notice, specialise
from uctlab.kernels.holes import hole
from uctlab.mcts import searcher
from uctlab.mcts.searcher import Searcher

AMOUNT: int = hole("game.AMOUNT")


class Terminal(io.StringIO):
    def isatty(self):
        return True


def on_a_terminal(monkeypatch):
    """No fixture: pytest puts its own stream there between a fixture and the test."""
    monkeypatch.setattr(notice, "DELAY", 0.0)
    monkeypatch.setattr(notice, "INTERVAL", 0.001)
    shown = Terminal()
    monkeypatch.setattr("sys.stderr", shown)
    return shown


def test_the_line_is_updated_and_erased(monkeypatch):
    terminal = on_a_terminal(monkeypatch)
    with notice.preparing("the search of go:9 for fuego"), notice.compiling("search"):
        wait_until(lambda: terminal.getvalue().count("compiling") >= 3)
    lines = terminal.getvalue().split("\r")
    said = [line for line in lines if line.strip()]
    assert said[0].startswith("compiling the search of go:9 for fuego … 0 s")
    assert len(lines[-2]) > len(said[-1]) and not lines[-2].strip() and lines[-1] == ""


def test_a_kernel_that_is_part_of_nothing_has_its_own_name(monkeypatch):
    terminal = on_a_terminal(monkeypatch)
    with notice.compiling("legal_moves"):
        wait_until(terminal.getvalue)
    assert "compiling legal_moves … 0 s" in terminal.getvalue()


def test_a_progress_bar_shows_it_instead(monkeypatch):
    terminal = on_a_terminal(monkeypatch)
    said = []
    with notice.shown_by(said.append), notice.compiling("search"):
        wait_until(lambda: said)
    assert said[0] == "compiling search … 0 s"
    assert said[-1] == ""
    assert terminal.getvalue() == ""


def test_a_notebook_shows_it_too(monkeypatch):
    terminal = on_a_terminal(monkeypatch)
    monkeypatch.setattr(Terminal, "isatty", lambda self: False)
    monkeypatch.setattr(Terminal, "__module__", "ipykernel.iostream")
    with notice.compiling("search"):
        wait_until(terminal.getvalue)
    assert "compiling search" in terminal.getvalue()


def test_nothing_is_said_without_a_terminal(capsys, monkeypatch):
    monkeypatch.setattr(notice, "DELAY", 0.0)
    with notice.compiling("search"):
        pass
    assert capsys.readouterr() == ("", "")


@kernel
def add(x):
    return x + AMOUNT


def test_compiling_is_noticed(monkeypatch):
    names = []
    real = notice.compiling
    monkeypatch.setattr(notice, "compiling", lambda name: names.append(name) or real(name))
    assert specialise(add, game={"AMOUNT": int(np.random.default_rng().integers(2**60))})(0) > 0
    assert names == ["add"]


def test_a_search_says_what_it_prepares(monkeypatch):
    names = []
    real = notice.preparing
    monkeypatch.setattr(searcher, "preparing", lambda what: names.append(what) or real(what))
    game = make_game("hex:3").interpreted()
    Searcher(game, make_agent("uct(c=0.5)")).search(Position.start(game), playouts=2)
    assert names == ["the search of hex:3 for uct(c=0.5)"]
