"""Time at the board: never exceeded, and not left unused."""

import random

import pytest

from tests.gtp_talk import Talk
from tests.patience import SearchClock
from uctlab.protocol.gtp_time import LAG, SHORTEST, GameClock, PlayerClock, TimeControl

CONTROLS = {
    "absolute 1 s": TimeControl(1.0),
    "absolute 10 s": TimeControl(10.0),
    "absolute 30 min": TimeControl(1800.0),
    "canadian": TimeControl(5.0, 10.0, 15),
    "canadian, no main time": TimeControl(0.0, 30.0, 25),
    "canadian, one stone": TimeControl(2.0, 1.0, 1),
    "japanese": TimeControl(5.0, 2.0, 3, japanese=True),
    "japanese, no main time": TimeControl(0.0, 0.5, 1, japanese=True),
}


class Referee:
    """An independent count of one player's time; it fails when the flag falls."""

    def __init__(self, control):
        self.control = control
        self.main, self.period, self.stones = control.main, control.period, control.stones

    def spend(self, seconds):
        control = self.control
        from_main = min(seconds, self.main)
        self.main -= from_main
        over = seconds - from_main
        if over == 0 and self.main > 0:
            return
        assert control.stones, "the main time is over"
        if control.japanese:
            assert over <= control.period, "a period is over"
            return
        self.period -= over
        assert self.period >= 0, "the period is over"
        self.stones -= 1
        if self.stones == 0:
            self.period, self.stones = control.period, control.stones

    def left(self):
        """As `time_left` tells it."""
        return (self.main, 0) if self.main > 0 else (self.period, self.stones)


@pytest.mark.parametrize("name", CONTROLS)
@pytest.mark.parametrize("told", [True, False])
def test_time_is_never_exceeded(name, told):
    """Games of 9x9 length, and long ones, with moves that end late or early."""
    control = CONTROLS[name]
    rng = random.Random(name)
    for own_moves in (25, 60):
        for _ in range(20):
            clock, referee = PlayerClock(control), Referee(control)
            for number in range(own_moves):
                if told:
                    clock.tell(*referee.left())
                budget = clock.budget(max(0, 81 - 2 * number) // 3)
                assert budget > 0
                share = rng.choice([0.1, 0.9, 1.0, 1.0])  # early stops
                # A search ends up to a slice late; the answer takes its way.
                spent = budget * share + rng.uniform(0.0, 0.012)
                referee.spend(spent)
                clock.spend(spent)


@pytest.mark.parametrize("name", CONTROLS)
def test_time_is_used(name):
    """Half of what there is, over a game of 30 moves of one's own."""
    control = CONTROLS[name]
    clock = PlayerClock(control)
    used = 0.0
    for number in range(30):
        budget = clock.budget(max(0, 81 - 2 * number) // 3)
        clock.spend(budget)
        used += budget
    byo_yomi = 30 * control.move_share - 30 * LAG if control.stones else 0.0
    assert used >= 0.5 * max(control.main - 1.0, byo_yomi, 0.1 * control.main)


def test_controllers_are_believed():
    clock = GameClock()
    assert clock.budget(0, 30) is None
    clock.tell(1, 100.0, 0)  # without settings: absolute
    assert 2.0 < clock.budget(1, 30) < 3.4 and 2.0 < clock.budget(0, 30) < 3.4
    clock.tell(1, 30.0, 10)
    assert 2.5 < clock.budget(1, 30) < 3.0
    clock.set(TimeControl(600.0, 30.0, 3, japanese=True))
    assert clock.budget(0, 30) == pytest.approx(28.5)
    clock.tell(0, 20.0, 3)
    assert clock.budget(0, 30) == pytest.approx(19.0)
    clock.spend(0, 19.0)
    assert clock.budget(0, 30) == pytest.approx(28.5)  # the period begins anew
    clock.restart()
    assert clock.budget(0, 100) == pytest.approx(28.5)
    clock.set(None)
    assert clock.budget(0, 30) is None


@pytest.mark.parametrize("japanese", [True, False])
def test_there_is_no_byo_yomi_without_stones(japanese):
    clock = PlayerClock(TimeControl(1.0, 30.0, 0, japanese=japanese))
    clock.spend(1.0)
    assert clock.budget(30) <= SHORTEST


def test_japanese_periods_are_lost():
    clock = PlayerClock(TimeControl(0.0, 2.0, 3, japanese=True))
    clock.spend(1.9)
    assert clock.stones == 3
    clock.spend(4.5)
    assert clock.stones == 1


@pytest.mark.parametrize(
    ("settings", "shortest", "longest"),
    [
        ("time_settings 0 3 10", 0.15, 0.8),
        ("kgs-time_settings byoyomi 0 1 5", 0.6, 1.3),
        ("kgs-time_settings absolute 6", 0.3, 1.0),
        ("time_settings 0 1 0", 1.4, 2.5),  # not limited: the user's limit holds
    ],
)
def test_an_engine_keeps_its_time(settings, shortest, longest, monkeypatch):
    clock = SearchClock(monkeypatch)
    talk = Talk("go:4", playouts=None, seconds=1.5, early=False)
    talk.ask(settings)
    begin = clock.now
    talk.ask("genmove b")
    assert shortest < clock.now - begin < longest


def test_the_clock_runs_for_the_player_who_thinks(monkeypatch):
    SearchClock(monkeypatch)
    talk = Talk("go:4", playouts=None, early=False)
    talk.ask("time_settings 2 0 0")
    budgets = [talk.engine.clock.budget(player, 10) for player in (0, 1)]
    talk.ask("genmove w")
    after = [talk.engine.clock.budget(player, 10) for player in (0, 1)]
    assert after[0] == budgets[0] and after[1] < budgets[1]
    talk.ask("clear_board")
    assert [talk.engine.clock.budget(player, 10) for player in (0, 1)] == budgets
