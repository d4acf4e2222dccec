"""The table of automatic decay: what is asked of it, and a tiny run."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from tests.paper_runs import check_report, read_csv
from uctlab.arena.plan import MatchSettings
from uctlab.arena.statistics import Score
from uctlab.games import make_game
from uctlab.papers import auto_decay, auto_decay_asked
from uctlab.papers.auto_decay import Row
from uctlab.papers.experiment import Size
from uctlab.papers.match_table import Played
from uctlab.papers.registry import EXPERIMENTS
from uctlab.papers.reproduce import reproduce
from uctlab.papers.shares import quotient_interval

HERE = MatchSettings(workers=1)
AUTO, FIXED = "k=auto", ("k=2", "k=3")


def score(percent, games=2000):
    wins = round(games * percent / 100)
    return Score(wins, 0, games - wins)


def table(*rows):
    """Scores of k=auto, k=2 and k=3 in each row."""
    return {
        f"row {number}": dict(zip((AUTO, *FIXED), map(score, row), strict=True))
        for number, row in enumerate(rows)
    }


# What is asked


def test_one_low_row_of_many_is_no_loss():
    rows = [(50, 50, 50)] * 8
    one_of_nine = auto_decay_asked.never_below(table(*rows, (47.6, 50, 50)), AUTO)
    assert one_of_nine.reached and "row 8 with 47.6 %, z = -2.15" in one_of_nine.figures
    assert "by itself: row 8." in one_of_nine.figures
    alone = auto_decay_asked.never_below(table((47.6, 50, 50)), AUTO)
    assert alone.reached is False and alone.word == "missed"
    assert auto_decay_asked.never_below(table(*rows, (46.5, 50, 50)), AUTO).reached is False
    drawn = {"row": {AUTO: Score(0, 2000, 0)}}
    assert auto_decay_asked.never_below(drawn, AUTO).reached


def test_the_mean_is_above_every_fixed_k():
    def judged(*rows):
        return auto_decay_asked.best_on_average(table(*rows), AUTO, FIXED)

    assert judged((52, 51, 50), (53, 50, 54)).reached
    assert judged((52, 56, 50), (53, 50, 54)).reached is False
    assert judged((49, 48, 47)).reached is False  # below uct
    means = auto_decay_asked.averages(table((52, 51, 50), (53, 50, 54)), (AUTO, *FIXED))
    assert means[AUTO].mean == 52.5
    assert means[AUTO].error == pytest.approx(100 * 0.5 / math.sqrt(2 * 2000), rel=0.01)


def test_the_distance_to_the_best_fixed_k_of_each_row():
    near = auto_decay_asked.near_the_best(table((52, 54, 50), (53, 50, 54)), AUTO, FIXED)
    assert near.reached and "In 2 of 2 rows; too far: none." in near.figures
    far = auto_decay_asked.near_the_best(table((52, 54.5, 50), (53, 50, 54)), AUTO, FIXED)
    assert far.reached is False and "too far: row 0 (-2.5 to k=2)" in far.figures


def test_what_noise_alone_gives():
    """Against drawn scores of agents that are all equal."""
    cells = table((50, 50, 50))["row 0"]
    drawn = np.random.default_rng(1).binomial(2000, 0.5, (40_000, 3)) / 20
    within = np.mean(drawn[:, 0] >= drawn[:, 1:].max(axis=1) - auto_decay_asked.MARGIN)
    assert auto_decay_asked.chance_within(cells, AUTO, FIXED) == pytest.approx(within, abs=0.01)


def test_rows_without_games_decide_nothing():
    cells = {"row": {AUTO: score(50)}, "other": {}}
    assert auto_decay_asked.best_on_average(cells, AUTO, FIXED).word == "not decided"
    assert auto_decay_asked.near_the_best(cells, AUTO, FIXED).word == "not decided"
    assert auto_decay_asked.never_below({"row": {}}, AUTO).word == "not decided"


@pytest.mark.parametrize(
    ("auto", "plain", "reached"),
    [
        *((200.0, 300.0, True), (201.0, 300.0, False), (None, 300.0, False)),
        *((None, None, None), (600.0, None, True), (900.0, None, None)),
    ],
)
def test_turning_sooner(auto, plain, reached):
    turns = {AUTO: auto, "uct": plain, "k=4": None}
    verdict = auto_decay_asked.turns_sooner(turns, AUTO, "uct", horizon=1000, interval=None)
    assert verdict.reached is reached and "k=4 not at all" in verdict.figures


def test_the_interval_of_a_quotient():
    def tallies(*found):
        return {1000 * 2**e: Score(count, 0, 400 - count) for e, count in enumerate(found)}

    slower, sooner = tallies(0, 20, 100, 300), tallies(20, 100, 300, 380)
    low, high = quotient_interval(slower, sooner)
    assert 1.6 < low < 2 < high < 2.4
    assert quotient_interval(slower, slower)[0] < 1
    assert quotient_interval(tallies(0, 0, 0, 0), tallies(0, 0, 0, 0)) is None


# The experiment


def test_the_rows_and_the_cells_that_can_be_chosen():
    table = auto_decay.TABLE
    assert all(make_game(one.game) for one in table.tables().tables.values())
    experiment = EXPERIMENTS["auto-decay"]
    size = experiment.full.with_changes(
        cells={"k=2": 0, "hex:7@10000": 9, "hex:7@10000 k=3": 5},
        only=["hex:7@10000", "othello@2000"],
    )
    assert set(dict(size.cells)) <= set(experiment.cells) and set(size.only) <= {*experiment.parts}
    tables = table.tables(size.only)
    games = iter(plan_games(tables, size))
    asked = [[next(games) for _ in table.columns] for _ in tables.tables]
    assert asked == [[2000, 0, 2000, 2000, 2000], [9, 9, 5, 9, 9]]
    assert table.position_size(size).repeats == 0
    assert table.position_size(experiment.full) == Size(500, 1_024_000)
    (first,) = table.tables(["othello@2000"]).tables.values()
    assert first.plan(first.cells[0], experiment.quick, 0).playouts == 100


def test_rows_are_named_as_they_are_declared():
    """Plans have another name of kalah, and a path where the game is an example."""
    table = auto_decay.TABLE.tables(["kalah@10000", "connect_four@10000"])
    for row, title in (
        ("kalah@10000", "kalah @ 500"),
        ("connect_four@10000", "connect_four @ 500"),
    ):
        (cell, *_), size = table.tables[row].cells, Size(4, 2500)
        result = SimpleNamespace(plan=table.tables[row].plan(cell, size, 0))
        assert auto_decay._titled(row, Played(cell, result)).cell.group == title


def plan_games(tables, size):
    """How many games are asked for, cell by cell."""
    lab = SimpleNamespace(size=size, seed=0)
    lab.matches = lambda plans, games: asked.extend(games) or [None] * len(plans)
    asked = []
    tables.play(lab, size)
    return asked


def test_a_tiny_run(tmp_path):
    rows = (Row("hex:4", 25_000, 1e6, 10), Row("hex:4", 50_000, 1e6, 10))
    position = {AUTO: "auct(k=3,c=0.354)", "uct": "uct(c=0.354)"}  # compiled for other tests
    small = replace(auto_decay.TABLE, rows=rows, position=position)
    experiment = replace(EXPERIMENTS["auto-decay"], run=small.run, cells=small.names)
    size = Size(4, 30, (("hex:4@25000 k=5", 0),))
    found = reproduce(experiment, size, tmp_path, HERE, command="test")
    assert found.complete and found.findings.summary[0].startswith("Of 4 things that are ")
    check_report(tmp_path, ["hex:4 @ 15", "hex:4 @ 30", "mean of 1", "Never significantly below"])
    tables = found.as_json()["tables"]
    assert [row["verdict"] for row in tables["asked"]][3] == "not decided"
    played = {(row["game @ playouts"], row["column"]): row["games"] for row in tables["matches"]}
    assert played.pop(("hex:4 @ 15", "k=5")) == 0 and set(played.values()) == {4}
    first, second, mean = tables["scores"]
    assert first["k=5"] is None and mean["k=5"]["value"] == second["k=5"]["value"]
    assert {row["searches"] for row in tables["position"]} == {1}
    assert len(read_csv(tmp_path / "averages.csv")) == 5
    again = reproduce(experiment, size, tmp_path, HERE, command="test")
    assert again.added == 0 and again.findings.tables == found.findings.tables
    for part, asked, tables in (
        ("browne2013", 1, ["asked", "position"]),
        ("hex:4@50000", 3, ["scores", "averages", "asked", "matches"]),
    ):
        limited = reproduce(experiment, replace(size, only=(part,)), tmp_path, HERE, command="")
        assert [table.name for table in limited.findings.tables] == tables and limited.added == 0
        assert len(limited.findings.summary) == asked + 1  # of nothing that was left out
    assert limited.findings.summary[0].startswith("Of 3 things that are asked")
