"""browne2013's players at small epochs, and when a player has turned to the winning move."""

import math
import re
from collections import Counter

import pytest

from tests.doc_blocks import DOCS, ROOT
from uctlab.arena.search_task import SearchTask
from uctlab.arena.statistics import Score
from uctlab.papers import browne2013
from uctlab.papers.report import read_report
from uctlab.papers.shares import Shares, turn_of, turning_point

RESULTS = ROOT / "results"

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


def of(found, searches):
    return Score(found, 0, searches - found)


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
        return turning_point(
            {1000 * 2**e: share for e, share in enumerate(shares) if share is not None}
        )

    assert turn(0, 100, 100) == pytest.approx(1000 * 2**0.5)
    assert turn(60, 20, 40, 60) == pytest.approx(4000 * 2**0.5)
    assert turn(50, 90) == 1000 and turn(0, 49) is None and turn(90, 10) is None
    assert turn(0, None, 100) == pytest.approx(2000)
    assert turn(None) is None


def test_the_interval_of_a_turn():
    """On a straight line of shares by log(playouts) a point's error is its share's by the slope."""
    shares = {1000 * 2**e: 20 + 20 * e for e in range(4)}  # 50 % between 2,000 and 4,000

    def turn(searches):
        return turn_of({b: of(share * searches // 100, searches) for b, share in shares.items()})

    found = turn(400)
    assert found.playouts == pytest.approx(2000 * 2**0.5)
    # Midway between two shares of 40 and 60 %: the mean of both, with 1 / sqrt(2) of the error.
    error = math.sqrt(0.24 / 400 / 2) / 0.2  # in doublings
    assert math.log2(found.low / found.playouts) == pytest.approx(-1.96 * error, rel=0.15)
    assert math.log2(found.high / found.playouts) == pytest.approx(1.96 * error, rel=0.15)
    assert re.fullmatch(r"2,830 \(2,\d\d0 to 3,\d\d0\)", str(found))
    few = turn_of({1000: of(1, 5), 2000: of(3, 5)})
    assert few.high == math.inf and str(few).endswith(" or more)")
    assert turn_of({1000: of(0, 0), 2000: of(1, 5)}) is None


def test_how_many_searches_a_point_has():
    scores = {
        (player, playouts): of(searches, searches)
        for player in "ab"
        for playouts, searches in ((1000, 200), (2000, 200), (4000, 20), (8000, 50))
    }
    told = Shares(scores).searches_told()
    assert told == "200 searches per point, 20 with 4,000 playouts, 50 with 8,000 playouts"
    scores["a", 8000] = of(3, 7)
    told = Shares(scores).searches_told()
    assert told == "200 searches per point, 20 with 4,000 playouts, 7 to 50 with 8,000 playouts"


def test_what_is_quoted_of_the_report():
    """The curve that the README shows: where it is at a half, with intervals and searches."""
    report = read_report(RESULTS / "browne2013" / "report.json")
    (table,) = (one for one in report.tables if one.name == "choices")
    tallies = {}
    for player, _, playouts, searches, share, *_ in table.rows:
        found = round(searches * share.value / 100)
        tallies.setdefault(player, {})[playouts] = of(found, searches)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    papers = (DOCS / "papers" / "index.md").read_text(encoding="utf-8")
    for player in ("UCT", "AUCT k=4", "DUCT k=4"):
        turn = str(turn_of(tallies[player]))
        assert f"{player} from {turn} playouts on" in report.summary[1]
        assert turn in readme and turn in papers, (player, turn)
    (caption,) = (one.caption for one in report.figures if one.name == "success-decay")
    for searches, playouts in ((20, 512_000), (50, 1_024_000)):
        assert f"{searches} with {playouts:,} playouts" in caption
        assert tallies["UCT"][playouts].games == searches
        assert f"{searches} with {playouts:,}" in readme.replace("\n", " ")
        assert f"{searches} with {playouts:,}" in papers.replace("\n", " ")
