"""browne2013's players at small epochs, and when a player has turned to the winning move."""

from collections import Counter

import pytest

from uctlab.arena.search_task import SearchTask
from uctlab.papers import browne2013
from uctlab.papers.report import Percent

SEARCHES = 40
PLAYOUTS = 4000
# Letters that a player chooses and the least and most of their share in percent: what a trial at
# full scale had, give or take what 40 searches scatter.
EXPECTED = {
    "MC": [("d", 20, 70), ("e", 0, 12)],
    "MC_h": [("d", 50, 95), ("e", 5, 50), ("bcg", 0, 10)],
    "UCB": [("d", 25, 75), ("e", 0, 10)],
    "UCB_h": [("d", 75, 100), ("bcg", 0, 10)],
    "UCT": [("bd", 45, 90), ("b", 20, 65), ("e", 0, 15)],
    "UCT_h": [("e", 40, 85), ("cg", 10, 55), ("bd", 0, 25)],
    "UCT_r": [("bd", 70, 100), ("d", 30, 80), ("e", 0, 8)],
    "UCT_rh": [("e", 35, 95), ("d", 0, 20)],
}


@pytest.mark.parametrize("player", EXPECTED)
def test_what_the_players_choose(player):
    agent = browne2013.PLAYERS[player][0]
    counts = Counter()
    for seed in range(SEARCHES):
        task = SearchTask(browne2013.GAME, agent, PLAYOUTS, seed, diagram=browne2013.POSITION)
        counts[browne2013.LETTERS[task.perform()]] += 1
    for letters, low, high in EXPECTED[player]:
        share = 100 * sum(counts[letter] for letter in letters) / SEARCHES
        assert low <= share <= high, (letters, dict(counts))


def test_turning_points():
    """Where the share crosses a half for good, on a logarithmic scale of playouts."""

    def turn(*shares):
        budgets = [1000 * 2**e for e in range(len(shares))]
        return browne2013.turning_point(
            budgets, [None if share is None else Percent(share) for share in shares]
        )

    assert turn(0, 100, 100) == pytest.approx(1000 * 2**0.5)
    assert turn(60, 20, 40, 60) == pytest.approx(4000 * 2**0.5)
    assert turn(50, 90) == 1000 and turn(0, 49) is None and turn(90, 10) is None
    assert turn(0, None, 100) == pytest.approx(2000)
    assert turn(None) is None
