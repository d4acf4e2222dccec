"""The benchmark of many trees: how many playouts it chooses, what it tells when it is stopped."""

from types import SimpleNamespace

import pytest

from benchmarks.root_parallel import Side, match, playouts_within
from uctlab.games import Position, make_game

START = Position.start(make_game("hex:3").interpreted())


@pytest.mark.parametrize("fixed", [0.0, 0.1, 0.3, 0.45])
@pytest.mark.parametrize("grows", [1.0, 1.1])
def test_playouts_that_take_so_long(fixed, grows):
    """Whatever part of the time is a fixed cost, and if playouts in larger trees are slower."""
    measured = []

    def spent(playouts):
        measured.append(playouts)
        return fixed + 1e-7 * playouts**grows

    chosen = playouts_within(0.5, 1000, spent)
    assert spent(chosen) == pytest.approx(0.5, rel=0.02)
    assert len(measured) < 20


def test_searches_that_always_take_too_long():
    assert playouts_within(0.5, 1000, lambda playouts: 0.6 + playouts) == 1000


class Searcher:
    """Plays the first legal move; the program is stopped at one of its searches."""

    seed = 0

    def __init__(self, last):
        self.left = last

    def search(self, position, playouts):
        self.left -= 1
        if self.left == 0:
            raise SystemExit
        return SimpleNamespace(best=position.legal_moves[0], playouts=playouts)


@pytest.mark.parametrize(
    ("last", "told"), [(1, "no game was finished"), (6, "% of 3 games"), (100, "% of 4 games")]
)
def test_a_table_of_the_games_so_far(last, told, capsys):
    trees = Side(Searcher(last), {"playouts": 10})
    try:
        match(trees, Side(Searcher(100), {"playouts": 5}), START, 4)
    except SystemExit:
        assert last < 100
    out = capsys.readouterr().out
    assert told in out
    assert out.count(" points\n") == len(trees.points)
    assert ("  trees: " in out) == (last > 1)
