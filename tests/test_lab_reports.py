"""How often a search of the page reports."""

from __future__ import annotations

from queue import SimpleQueue

import pytest

from uctlab.games import make_game
from uctlab.lab import limits, live, process
from uctlab.lab.messages import position_value
from uctlab.lab.requests import ControlRequest, SearchRequest, StepRequest

STOP = ControlRequest(9, "stop")


@pytest.fixture
def interpreted(monkeypatch):
    monkeypatch.setattr(live, "lab_game", lambda spec: make_game(spec).interpreted())
    prepare = lambda side, position: side.searcher.prepare(position, None)  # noqa: E731
    monkeypatch.setattr(live.Side, "begin", prepare)


def reports_of(playouts, *requests, paused=False):
    """(state, playouts) of each report of a search that hears a request whenever it rests."""
    inbox, said = SimpleQueue(), []
    position = position_value({"game": "hex:3", "start": None, "moves": []})
    wanted = SearchRequest(1, position, ("uct",), playouts, seconds=60.0, paused=paused, seed=0)

    waiting = list(requests)

    def say(message):
        said.append(message[1])
        if said[-1]["state"] in ("paused", "done"):
            inbox.put(waiting.pop(0) if waiting else STOP)

    process.SearcherProgram(inbox, say)._search(wanted)
    return [(one["state"], one["sides"][0]["playouts"]) for one in said if one["sides"]]


def test_a_search_that_takes_no_time_reports_its_begin_and_its_end(interpreted, monkeypatch):
    monkeypatch.setattr(limits, "REPORT_SECONDS", 1e9)
    assert reports_of(300) == [("running", 0), ("done", 300)]


def test_each_step_is_reported_once(interpreted):
    steps = [StepRequest(number, made) for number, made in enumerate((5, 20, 1))]
    found = reports_of(300, *steps, paused=True)
    assert found == [("paused", 0), ("paused", 5), ("paused", 25), ("paused", 26)]


def test_at_most_ten_reports_in_a_second():
    now = 0.0
    table = process.Timetable(lambda: now)
    made = 0
    for tick in range(5000):
        now = tick / 1000
        if table.due():
            made += 1
            table.note(0.001)
    assert 45 <= made <= 51
    table.note(1.0)  # so long a report leaves the search its time
    now += 3.9
    assert not table.due()
    now += 0.2
    assert table.due()
