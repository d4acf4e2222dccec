"""Matches that an SPRT ends."""

import math
from itertools import islice

import pytest

from tests.matches import play, timeless
from uctlab.arena.match import play_matches
from uctlab.arena.plan import MatchPlan
from uctlab.arena.sprt import Sprt
from uctlab.arena.store import Store
from uctlab.arena.tasks import Batch

TEST = Sprt(0, 100)


@pytest.fixture(scope="module")
def settled():
    """A stronger agent against a weaker one until the test is sure."""
    return play(MatchPlan("hex:4", "uct", "uct(c=0,fpu=0.4)", playouts=200), 200, sprt=TEST)


def test_a_stronger_agent_is_found_stronger(settled):
    assert settled.verdict == "elo1" and settled.complete
    assert settled.llr >= TEST.bounds[1] == pytest.approx(math.log(19))
    assert settled.score.games == 2 * sum(settled.pairs) < settled.wanted == 200
    assert "verdict: 100 is accepted, A passes" in str(settled).splitlines()
    assert "missing" not in str(settled)


def test_the_weaker_one_is_found_weaker():
    weak = play(MatchPlan("hex:4", "uct(c=0,fpu=0.4)", "uct", playouts=200), 200, sprt=TEST)
    assert weak.verdict == "elo0" and weak.llr <= TEST.bounds[0]
    assert weak.score.games < 100
    assert "verdict: 0 is accepted, A fails" in str(weak).splitlines()


def test_the_verdict_does_not_depend_on_the_workers(settled):
    two = play(settled.plan, 200, workers=2, sprt=TEST)
    assert timeless(two) == timeless(settled)


@pytest.mark.parametrize("together", [1, 7])
def test_the_verdict_does_not_depend_on_the_order(settled, together):
    """Of seven games the last one comes back first: some when it is settled already."""
    result = play_matches([settled.plan], games=200, device=_Backwards(together), sprt=TEST)[0]
    assert timeless(result) == timeless(settled)


class _Backwards:
    """Games backwards, seven by seven, so many in one batch."""

    def __init__(self, together):
        self._together = together

    def run(self, tasks):
        while group := list(islice(tasks, 7)):
            played = [(task, task.perform()) for task in reversed(group)]
            while played:
                yield Batch(played[: self._together])
                played = played[self._together :]


def test_the_verdict_does_not_depend_on_breaks(settled, tmp_path):
    """A store from a match without a test, with more games than the test needs."""
    with Store(tmp_path / "games.sqlite") as store:
        play(settled.plan, 5, store=store)
        first = play(settled.plan, 200, sprt=TEST, store=store)
        play(settled.plan, settled.score.games + 4, store=store)
        later = play(settled.plan, 200, sprt=TEST, store=store)
    assert timeless(first) == timeless(later) == timeless(settled)


def test_equal_agents_are_not_found_different():
    """Of 8 tests none says that A is better, and none that it is worse, by 150."""
    for seed in range(4):
        plan = MatchPlan("hex:4", "uct", "uct(c=1.0)", playouts=30, seed=seed)
        assert play(plan, 60, sprt=Sprt(0, 150)).verdict != "elo1"
        assert play(plan, 60, sprt=Sprt(-150, 0)).verdict != "elo0"


def test_an_interrupted_match_goes_on(tmp_path):
    plan = MatchPlan("hex:4", "uct", "mc", playouts=30, seed=2)
    with Store(tmp_path / "games.sqlite") as store:
        broken = play_matches([plan], games=10, device=_Interrupted(3), store=store)[0]
        assert broken.score.games == 3 and not broken.complete
        assert "games missing: 7 of 10" in str(broken).splitlines()
        seen = []
        whole = play(plan, 10, store=store, progress=lambda *news: seen.append(news))
    assert seen == [(finished, 10, 0.0, "") for finished in range(3, 11)]
    assert timeless(whole) == timeless(play(plan, 10))


class _Interrupted:
    """A device on which somebody presses Ctrl-C after so many games."""

    def __init__(self, games):
        self._games = games

    def run(self, tasks):
        for number, task in enumerate(tasks):
            if number == self._games:
                raise KeyboardInterrupt
            yield Batch([(task, task.perform())])
