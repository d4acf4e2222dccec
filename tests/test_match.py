"""Matches: the same games whoever plays them."""

import os
import re
import signal
from dataclasses import asdict

import pytest

from tests.matches import CONNECT_FOUR, WEAK, check_numbers, children, play, stored, timeless
from tests.patience import SearchClock
from uctlab.arena.game import GameTask
from uctlab.arena.match import play_matches
from uctlab.arena.plan import MatchPlan
from uctlab.arena.store import Store
from uctlab.arena.tasks import Batch
from uctlab.devices.cpu import Cpu
from uctlab.errors import UsageError
from uctlab.games import Position, make_game

# Pairs, openings, seeds


def test_a_pair_shares_its_opening_and_changes_colours():
    plan = MatchPlan("hex:4", "uct", WEAK, playouts=30, openings=3, seed=7)
    tasks = [GameTask(plan, number) for number in range(8)]
    records = [task.perform() for task in tasks]
    openings = [tuple(record.moves.split()[:3]) for record in records]
    assert openings[::2] == openings[1::2]
    assert len(set(openings)) == 4
    assert len({record.seed for record in records}) == 8
    assert [task.a_first for task in tasks] == [True, False] * 4
    for record, task in zip(records, tasks, strict=True):
        assert (record.number, record.seed, record.opening) == (task.number, task.seed, 3)
        assert record.length == len(record.moves.split()) > 3


def test_openings_of_other_seeds_and_numbers():
    plans = [MatchPlan("hex:4", "uct", "uct", playouts=1, openings=2, seed=s) for s in (0, 1)]
    begin = [GameTask(plan, n).perform().moves.split()[:2] for plan in plans for n in (0, 2)]
    assert len({tuple(moves) for moves in begin}) == 4


def test_an_opening_that_ends_the_game():
    with pytest.raises(UsageError, match="deceptive:2: the game is over after 5 random opening"):
        play(MatchPlan("deceptive", "uct", "uct", playouts=1, openings=5), 2)
    result = play(MatchPlan("deceptive", "uct", "uct", playouts=50, openings=2), 2)
    assert result.length == 3  # B's leaves end the game too early: the opening is C G


def test_the_first_player_wins():
    """On a board of 3x3 whoever moves first: one side's wins must not be booked to the other."""
    result = play(MatchPlan("hex:3", "uct", "uct(c=0.9)", playouts=2000), 6)
    assert asdict(result.first) == {"wins": 3, "draws": 0, "losses": 0}
    assert asdict(result.second) == {"wins": 0, "draws": 0, "losses": 3}
    assert result.pairs == (0, 0, 3, 0, 0)
    assert result.elo == 0 and "\nElo +0 (" in str(result)
    assert re.search(r"A first +3 +3 +0 +0 +100\.0 %\nA second +3 +0 +0 +3 +0\.0 %", str(result))


def test_who_is_a_and_who_is_b():
    strong = play(MatchPlan("hex:4", "uct", WEAK, playouts=50), 8)
    weak = play(MatchPlan("hex:4", WEAK, "uct", playouts=50), 8)
    assert strong.first.wins + strong.second.wins >= 7
    assert weak.first.wins + weak.second.wins <= 1


@pytest.mark.parametrize("game", ["hex:4", "othello", CONNECT_FOUR])
def test_records_replay_to_the_score(game):
    plan = MatchPlan(game, "uct", "mc", playouts=20, openings=2)
    start = Position.start(make_game(game))
    for number in range(4):
        record = GameTask(plan, number).perform()
        end = start.play_all(record.moves)
        assert end.is_over and record.ending == "played"
        assert record.score == (end.result if number % 2 == 0 else 1 - end.result)
        assert len(end.moves) == record.length
        # 20 playouts a move, and the two opening moves cost none.
        made = (record.playouts_a, record.playouts_b)
        first, second = made if number % 2 == 0 else made[::-1]
        turns = [move % 2 for move in range(2, record.length)]
        if game != "othello":  # where a pass is a move without a choice, but searched as well
            assert (first, second) == (20 * turns.count(0), 20 * turns.count(1))


def test_repeated_games_are_counted():
    plan = MatchPlan("deceptive", "uct", "uct", playouts=200)
    assert {GameTask(plan, number).perform().moves for number in range(6)} == {"C G H"}
    result = play(plan, 6)
    assert result.repeats == 4  # of three games with A first two, with A second as well
    assert "games that repeat an earlier game: 4" in str(result).splitlines()
    assert play(MatchPlan("hex:4", "uct", "uct", playouts=20), 6).repeats == 0


# Workers and seeds


def test_one_and_two_workers_play_the_same_games(tmp_path):
    plan = MatchPlan("hex:4", "auct(k=2)", "uct", playouts=40, openings=2, seed=5)
    results = []
    for workers in (1, 2):
        with Store(tmp_path / f"{workers}.sqlite") as store:
            results.append(play(plan, 12, workers=workers, store=store))
    one, two = (stored(tmp_path / f"{workers}.sqlite") for workers in (1, 2))
    assert one == two and len(one) == 12
    assert timeless(results[0]) == timeless(results[1])


def test_another_seed_plays_other_games(tmp_path):
    games = []
    for seed in (0, 1):
        with Store(tmp_path / f"{seed}.sqlite") as store:
            play(MatchPlan("hex:4", "uct", "uct", playouts=30, seed=seed), 6, store=store)
        games.append({record["moves"] for record in stored(tmp_path / f"{seed}.sqlite")})
    assert not games[0] & games[1]


def test_a_worker_that_is_killed_is_replaced():
    plan = MatchPlan("hex:4", "uct", "uct(c=0.5)", playouts=100)
    killed = []

    def kill_one(finished, total, begun, status):
        if finished and not killed:
            killed.append(children()[0])
            os.kill(killed[0], signal.SIGKILL)

    disturbed = play(plan, 6, workers=2, progress=kill_one)
    assert killed and timeless(disturbed) == timeless(play(plan, 6))
    assert killed[0] not in children()


def test_what_a_device_says_of_itself_is_passed_on():
    """Also in a batch without a game."""
    seen = []
    plan = MatchPlan("hex:3", "uct", "mc", playouts=9)
    play_matches([plan], games=4, device=_Talkative(), progress=lambda *news: seen.append(news))
    assert seen == [
        (0, 4, 0.0, ""),
        (0, 4, 1.5, "warming up"),
        (2, 4, 0.5, "fast"),
        (4, 4, 0.0, ""),
    ]


class _Talkative:
    def run(self, tasks):
        played = [(task, task.perform()) for task in tasks]
        yield Batch([], begun=1.5, status="warming up")
        yield Batch(played[:2], begun=0.5, status="fast")
        yield Batch(played[2:])


def test_where_a_file_lies_does_not_change_its_games():
    here, there = (MatchPlan(f"{folder}/own.py", "uct", "mc") for folder in ("/tmp", "a/b"))
    assert (
        here.derive_seed("game", 1) == there.derive_seed("game", 1) != here.derive_seed("game", 2)
    )
    other = MatchPlan("a/b/other.py", "uct", "mc")
    assert there.derive_seed("game", 1) != other.derive_seed("game", 1)


def test_draws():
    """Half a point to either side, in every count."""
    result = play(MatchPlan("othello", "uct", "uct", playouts=4), 20)
    assert result.score.draws > 0
    check_numbers(result.as_json())
    assert result.score.points == result.score.wins + result.score.draws / 2
    assert result.pairs[1] + result.pairs[3] > 0  # a draw and a decided game


def test_a_budget_of_seconds(monkeypatch):
    SearchClock(monkeypatch)
    game = GameTask(MatchPlan("hex:3", "uct", "mc", seconds=0.002), 0).perform()
    assert game.ending == "played"
    assert game.seconds_a + game.seconds_b == pytest.approx(0.002 * game.length, rel=0.1)
    assert game.playouts_a + game.playouts_b == pytest.approx(20 * game.length, rel=0.1)
    # Whichever is spent first.
    both = GameTask(MatchPlan("hex:3", "uct", "mc", seconds=20.0, playouts=5), 0).perform()
    assert both.playouts_a + both.playouts_b == 5 * both.length


def test_a_tree_may_be_kept(tmp_path):
    for reuse in (False, True):
        with Store(tmp_path / f"{reuse}.sqlite") as store:
            plan = MatchPlan("hex:4", "uct", "uct", playouts=50, reuse=reuse)
            play(plan, 2, store=store)
    kept, fresh = (stored(tmp_path / f"{reuse}.sqlite") for reuse in (True, False))
    assert kept != fresh
    with Store(tmp_path / "again.sqlite") as store:
        plan = MatchPlan("hex:4", "uct", "uct", playouts=50, reuse=True)
        play(plan, 2, store=store)
    assert stored(tmp_path / "again.sqlite") == kept  # no tree comes in from another game


def test_a_player_of_several_matches_plays_each_as_if_alone():
    others = ("mc", "ucb", "uct(c=2)")
    plans = [MatchPlan("hex:4", "uct", b, playouts=50, openings=1, reuse=True) for b in others]
    together = play_matches(plans, games=4, device=Cpu(1))
    assert [timeless(result) for result in together] == [timeless(play(p, 4)) for p in plans]
    assert len({result.length for result in together}) > 1


def test_mistakes_in_python():
    with pytest.raises(UsageError, match="the same match is listed twice"):
        plan = MatchPlan("hex:3", "uct", "mc", playouts=9)
        play_matches([plan, plan], games=2, device=Cpu(1))
    with pytest.raises(UsageError, match="games, not 0"):
        play(MatchPlan("hex:3", "uct", "mc", playouts=9), 0)
    with pytest.raises(UsageError, match="playouts must be at least 1, not -3"):
        play(MatchPlan("hex:3", "uct", "mc", playouts=-3), 2)
