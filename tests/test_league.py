"""The league: who plays whom, ratings with uct at 0, and a report of a few games."""

import itertools
from functools import partial
from types import SimpleNamespace

import pytest

from tests.doc_blocks import ROOT
from uctlab.agents import make_agent
from uctlab.api.reproductions import reproduce
from uctlab.arena.ratings import bradley_terry
from uctlab.arena.statistics import Score
from uctlab.arena.tune_space import read_space, sample
from uctlab.arena.versions import Share
from uctlab.errors import UsageError
from uctlab.papers import league_tuning
from uctlab.papers.experiment import Size
from uctlab.papers.league import EXPERIMENTS
from uctlab.papers.league_agents import ENTRANTS
from uctlab.papers.league_plan import (
    LONG,
    OPENINGS,
    SHORT,
    TIME,
    Selection,
    pairings,
)
from uctlab.papers.league_ratings import (
    GRAPH,
    SLOW_GRAPH,
    Standings,
    is_faulty,
    mean_rank,
    withdrawn,
)
from uctlab.papers.league_tables import League
from uctlab.papers.league_words import gaps
from uctlab.papers.report import Elo, read_report

(LEAGUE,) = EXPERIMENTS


def test_every_entrant_is_an_agent_as_it_is_written_and_can_be_tuned_as_said():
    for entrant in ENTRANTS:
        assert make_agent(entrant.agent).name == entrant.agent and entrant.why.endswith(".")
        if entrant.tune:
            found = sample(entrant.agent, read_space(entrant.agent, entrant.tune), 8, seed=0)
            assert len(found) == 8


def test_pairings():
    names = [str(number) for number in range(20)]
    assert pairings(names, SHORT) == list(itertools.combinations(names, 2))
    some = pairings(names, LONG)
    assert len(set(some)) == len(some) < 190 / 2
    assert {("0", name) for name in names[1:]} <= set(some)
    assert min(sum(name in pair for pair in some) for name in names) >= 6


def test_a_cut_leaves_games_of_every_kind():
    size = Size(4, 1000, only=("othello", "hex:7", "uct", "mc", "ucb"))
    selection = Selection.of(size)
    found = selection.plans(SHORT, seed=0)
    assert [plan.game for plan in found[:4]] == ["othello", "hex:7"] * 2
    assert {(plan.playouts, plan.openings) for plan in found} == {(100, 4), (100, 2)}
    assert selection.games_of(LONG) == 2 and len(found) == 6


def test_what_cannot_play_is_left_out_with_a_reason():
    size = Size(2, 100, only=("go:9", "uct", "alphabeta", "fuego"))
    selection = Selection.of(size)
    assert selection.players("go:9") == ["uct", "fuego"]
    assert selection.left_out() == {"alphabeta": {"the game has no evaluation": ["go:9"]}}
    assert set(OPENINGS) < set(LEAGUE.parts)
    with pytest.raises(UsageError, match="an agent besides uct"):
        Selection.of(Size(2, 100, only=("uct",)))
    with pytest.raises(UsageError, match="league has no part 'chess'; parts: othello"):
        reproduce("league", only=["chess"])


def test_an_anchor_moves_ratings_and_widens_intervals_to_those_of_differences():
    points = [[0, 6, 9], [4, 0, 7], [1, 3, 0]]
    free = bradley_terry("abc", points)
    tied = bradley_terry("abc", points, anchor="b")
    assert tied[1].elo == tied[1].low == tied[1].high == 0
    for one, other in zip(free, tied, strict=True):
        assert one.elo - free[1].elo == pytest.approx(other.elo)
    assert tied[0].high - tied[0].low > free[0].high - free[0].low


def match(a, b, score, version="0.2.0"):
    share = Share(version, "", score.games)
    plan = SimpleNamespace(a=a, b=b)
    return SimpleNamespace(plan=plan, score=score, shares=(share,), first=score, second=score)


def test_games_of_a_player_that_was_broken_count_for_nobody():
    slow = min(SLOW_GRAPH)
    matches = [
        match("uct", "mc", Score(2, 0, 0)),
        match("uct", GRAPH, Score(2, 0, 0), slow),
        match("mc", GRAPH, Score(1, 0, 1), "0.2.0"),
    ]
    assert [is_faulty(TIME, one) for one in matches] == [False, True, False]
    assert not any(is_faulty(SHORT, one) for one in matches)
    size = Size(4, 1000, only=("othello", "uct", "mc", GRAPH, TIME))
    found = Standings.of({"othello": matches}, partial(is_faulty, TIME))
    assert found.withdrawn == matches[1:2] and found.games == 4
    assert found.ratings["othello"][GRAPH].games == 2
    (told,) = withdrawn(found.withdrawn)
    assert "withdrawn" in told and "these 2 games" in told and withdrawn([]) == ()
    league = League(Selection.of(size), {TIME: found})
    assert not gaps(league)  # they were played
    (row,) = league.played().rows
    assert row[2:5] == (3, 4, 6)


def test_the_kept_report_has_no_row_of_the_broken_player():
    report = read_report(ROOT / "results" / "league" / "report.json")
    tables = {table.name: {row[0] for row in table.rows} for table in report.tables}
    assert GRAPH in tables["elo-short"] and GRAPH not in tables["elo-time"]


def test_equal_agents_share_their_places():
    """Whatever the last digit of their Elo is, which depends on the machine."""
    names = ["uct", "mc", "ucb"]
    matches = [match(a, b, Score(1, 0, 1)) for a, b in itertools.combinations(names, 2)]
    found = Standings.of({"othello": matches})
    assert [mean_rank(found.ranks(name)) for name in names] == [2, 2, 2]
    assert str(Elo(-1e-13)) == "+0" and str(Elo(-1e-13, -90.0, 90.0)) == "+0 ± 90"


def test_a_small_league(tmp_path, monkeypatch):
    monkeypatch.setattr(league_tuning, "SETTINGS", 2)

    report = reproduce(
        "league",
        **{"games": 2, "playouts": 20, "only": ["othello", "uct", "mc"]},
        **{"cells": {"tuning": 4, "time": 0}, "workers": 1, "progress": False},
        out=tmp_path,
    )
    tables = {table.name: table for table in report.tables}
    names = [row[0] for row in tables["elo-short"].rows]
    assert sorted(names) == ["mc", "uct"] and "elo-time" not in tables
    assert sum(row[3] for row in tables["elo-long"].rows) == 4  # two games, seen from both sides
    assert tables["elo-short"].to_frame()["othello"].tolist().count(0.0) == 1
    assert [row[0] for row in tables["tuned"].rows] == ["uct"]
    assert {"elo-short", "matrix-short", "budgets"} < {figure.name for figure in report.figures}
    assert "2 playouts per move" in report.summary[0] and "Bradley" in report.notes[0]
    assert [row[3:6] for row in tables["played"].rows] == [(2, 2, "2")] * 2
    assert not report.next_steps
    (folder,) = tmp_path.iterdir()
    assert (folder / "matrix-short.svg").exists() and "± " in (folder / "report.md").read_text()
