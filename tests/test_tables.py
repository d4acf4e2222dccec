"""Numbers from a table by visits are those that would be computed: the trees are the same."""

from __future__ import annotations

import numpy as np
import pytest

from tests.searches import leave_out
from tests.test_sketch import assert_same_trees
from uctlab.agents import make_agent
from uctlab.games import Position, make_game
from uctlab.mcts.searcher import Searcher
from uctlab.parts import tables
from uctlab.rules.backup.decay import geometric_sum

GAME = make_game("othello")


def both(agent: str, monkeypatch: pytest.MonkeyPatch) -> list[Searcher]:
    """The agent with a table and without."""
    with_table = Searcher(GAME, make_agent(agent), seed=3)
    with monkeypatch.context() as patch:
        leave_out(patch, "sums_by_visits", "terms_by_visits")
        without = Searcher(GAME, make_agent(agent), seed=3)
    assert hasattr(with_table.tree.work, "known") and not hasattr(without.tree.work, "known")
    return [with_table, without]


@pytest.mark.parametrize("agent", ["uct(c=0.7)", "auct(k=3)", "auct(k=1,expand=5)", "duct(k=3)"])
@pytest.mark.parametrize("room", [16, 65536])
def test_tables_change_no_tree(agent: str, room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also with nodes that have more visits than the table has room for, and in a second search."""
    monkeypatch.setattr(tables, "TABLE_VISITS", room)
    pair = both(agent, monkeypatch)
    position = Position.start(GAME)
    for _ in range(2):
        for searcher in pair:
            searcher.search(position, playouts=2000)
        assert_same_trees(*pair)
        position = position.play(position.legal[0])


@pytest.mark.parametrize(("agent", "sums"), [("auct(k=2)", True), ("duct(k=2)", False)])
def test_what_is_in_the_table(agent: str, sums: bool) -> None:
    """Sums of the backup operator, or c**2 ln s."""
    searcher = Searcher(GAME, make_agent(agent), seed=3)
    searcher.search(Position.start(GAME), playouts=300)
    known, params = searcher.tree.work.known, searcher.agent.params
    visits = np.flatnonzero(known)
    assert len(visits) > 20
    for n in visits.tolist():
        total = geometric_sum(n, params)
        expected = total if sums else params.c**2 * np.log(max(total, 1.0))
        assert known[n] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("agent", ["tuned", "dfuct", "dtuned(k=2)", "auct(k=auto)"])
def test_who_has_none(agent: str) -> None:
    assert not hasattr(Searcher(GAME, make_agent(agent)).tree.work, "known")


def test_sketches_have_slopes_instead() -> None:
    work = Searcher(make_game("hex:5"), make_agent("duct(k=3)")).tree.work
    assert not hasattr(work, "known") and len(work.slopes) > 1
