"""Notes of reports on matches: they speak of the cells that have games, and of no others."""

from types import SimpleNamespace

import pytest

from uctlab.arena.statistics import Score
from uctlab.papers.experiment import Size
from uctlab.papers.match_table import Played
from uctlab.papers.registry import EXPERIMENTS


def found(name, games, size=None):
    """The findings of a table whose cells have these scores; all others have no games."""
    table = EXPERIMENTS[name].run.__self__
    size = size or EXPERIMENTS[name].full
    played = []
    for cell in table.cells:
        score = games.get(cell.name, Score(0, 0, 0))
        plan = table.plan(cell, size, seed=0)
        result = SimpleNamespace(score=score, plan=plan, length=50.0, speed=(None, None))
        played.append(Played(cell, result))
    return table.findings(played)


def notes(*arguments):
    return " ".join(found(*arguments).notes)


OTHELLO = "hashimoto2012-table1-othello"
EVEN, LOST = Score(500, 0, 500), Score(1, 0, 999)


def test_one_half_of_a_table():
    accelerated = notes(OTHELLO, {"Accelerated 3": EVEN})
    assert "virtual child of Accelerated UCT" in accelerated
    assert "Discounted UCT plays" not in accelerated
    both = notes(OTHELLO, {"Accelerated 3": EVEN, "Discounted 4": EVEN})
    assert "playouts; Discounted UCT plays" in both


def test_what_misses_by_the_papers_formula_alone():
    """The published 0.0 +- 0.0 of 1000 games is 0.0 to 0.4 by Wilson's interval."""
    told = "games meets ours in: Discounted 1, 0.0 % (0.0 to 0.4) and 0.1 % (0.0 to 0.6)."
    assert told in notes(OTHELLO, {"Discounted 1": LOST})
    assert "shrinks to nothing near 0 and" not in notes(OTHELLO, {"Discounted 4": EVEN})
    # One that is far away is no matter of the formula.
    assert "Discounted 1" not in notes(OTHELLO, {"Discounted 1": EVEN})


def test_seconds_of_2006_that_were_played():
    text = notes("gelly2006-table2", {"60": EVEN}, Size(10, 3000))
    assert "60 seconds by 9,000." in text and "5 seconds" not in text and "17,500" not in text


def test_cells_that_are_not_what_their_name_says():
    result = found("go-strength", {"3,000": EVEN}, Size(4, 1000))
    assert any("here 3,000 has 300." in note for note in result.notes)
    assert result.summary == ("The agent fuego wins 50.0 % with 300 playouts per move.",)
    assert not any(
        "Cells are named" in note for note in found("go-strength", {"3,000": EVEN}).notes
    )


def test_ways_to_share_and_games_that_were_played():
    text = notes("gelly2006-threads", {"Othello locked 2": EVEN})
    assert "locked: one mutex" in text and "lockfree" not in text
    assert "Othello: uct." in text and "komi" not in text


@pytest.mark.parametrize("name", [OTHELLO, "gelly2006-table3", "gelly2006-threads", "go-strength"])
def test_nothing_was_played(name):
    result = found(name, {})
    assert not result.notes and not result.figures
    assert result.summary == ("No game was finished.",)
