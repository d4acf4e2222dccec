"""Batches for GPUs: shares, what is known of them, and what is left of one that is lost."""

import numpy as np
import pytest

from uctlab.arena.game import GameTask
from uctlab.arena.plan import MatchPlan
from uctlab.arena.search_task import SearchTask
from uctlab.devices import gpu_batches
from uctlab.devices.checkpoint import Checkpoint, SavedGames, keys_of
from uctlab.devices.gpu_batches import BatchNews, Ledger, plan_suits_gpu, split

PLANS = [MatchPlan("hex:3", "uct", "mc", playouts=5), MatchPlan("hex:3", "mc", "uct", playouts=5)]
GAMES = [GameTask(plan, number) for number in range(5) for plan in PLANS]
OTHERS = [GameTask(MatchPlan("hex:2", "uct", "mc", playouts=5), number) for number in range(2)]
SEARCHES = [SearchTask("hex:3", "uct", 5, seed) for seed in range(3)]


def saved(tasks, length=2, width=9):
    number = len(tasks)
    return SavedGames(
        np.array(keys_of(tasks)),
        np.ones((number, width), np.int16),
        np.full(number, length),
        np.ones((number, 2), np.int64),
        np.ones((number, 2)),
        np.zeros((number, 2), np.int64),
    )


def test_shares(monkeypatch):
    """Of each kind of game, in ranges, so that every GPU has games of both matches."""
    batches = split([*GAMES, *OTHERS, *SEARCHES], 4, None)
    assert [len(batch.tasks) for batch in batches] == [2, 3, 2, 3, 1, 1, 1, 1, 1]
    assert [t for b in batches for t in b.tasks] == [*GAMES, *OTHERS, *SEARCHES]
    assert all({task.plan for task in batch.tasks} == set(PLANS) for batch in batches[:4])
    assert split([], 4, None) == []
    assert [batch.tasks for batch in split(SEARCHES, 2, None)] == [
        (SEARCHES[0], SEARCHES[2]),
        (SEARCHES[1],),
    ]
    monkeypatch.setattr(gpu_batches, "MOST_TASKS", 4)
    assert [len(batch.tasks) for batch in split(GAMES, 2, None)] == [3, 3, 4]


def test_shares_of_games_that_were_saved():
    kept = saved([*GAMES[3:6], *OTHERS[:1]], length=4)
    first, second, other, _ = split([*GAMES, *OTHERS], 2, kept)
    assert first.saved.keys.tolist() == keys_of(GAMES[3:5])
    assert second.saved.keys.tolist() == keys_of(GAMES[5:6])
    assert other.saved.keys.tolist() == keys_of(OTHERS[:1])
    assert first.saved.moves.shape == (2, 4), "a shorter game has no room for more"


def test_a_report_on_all_batches():
    ledger = Ledger(split(GAMES, 2, None), None)
    first, second = ledger.next(), ledger.next()
    assert ledger.next() is None
    compiling = ledger.note(first, BatchNews([], status="compiling"))
    assert compiling.status == "compiling"
    ledger.note(first, BatchNews([(0, "x")], 1.5, 100))
    both = ledger.note(second, BatchNews([(4, "y"), (0, "z")], 2.0, 100))
    assert both.outcomes == [(GAMES[9], "y"), (GAMES[5], "z")] and both.begun == 3.5
    assert both.status.endswith("simulations per second")
    ledger.end(first)
    assert ledger.note(second, BatchNews([])).begun == 0


def test_what_is_left_of_a_lost_batch():
    """Its unfinished games, which go on from where they were."""
    (batch,) = split(GAMES, 1, None)
    ledger = Ledger([batch], None)
    assert ledger.next() is batch
    part = BatchNews([(3, "x")], saved=saved([GAMES[0], GAMES[5]]))
    ledger.note(batch, part)
    ledger.keep(batch, part)
    ledger.note(batch, BatchNews([(5, "y")]))
    rest = ledger.lose(batch)
    assert rest.tasks == tuple(task for n, task in enumerate(GAMES) if n not in (3, 5))
    assert rest.saved.keys.tolist() == keys_of(GAMES[:1])
    assert ledger.next() is rest
    ledger.note(rest, BatchNews([(n, "z") for n in range(8)]))
    assert ledger.lose(rest) is None


def test_the_file_has_all_unfinished_games(tmp_path):
    """Those that are under way, on any GPU, and those that wait; it is gone with the last."""
    kept = Checkpoint(tmp_path / "kept")
    batches = split([*GAMES, *OTHERS], 1, saved(OTHERS))
    ledger = Ledger(batches, kept)
    batch = ledger.next()
    part = BatchNews([], saved=saved(GAMES[:2], length=7))
    ledger.note(batch, part)
    ledger.keep(batch, part)
    ledger.keep(
        batch, BatchNews([], saved=saved(GAMES[:1], length=8))
    )  # too soon to be written again
    found = kept.load()
    assert found.keys.tolist() == keys_of([*GAMES[:2], *OTHERS])
    assert found.length.tolist() == [7, 7, 2, 2]
    ledger.keep(batch, BatchNews([], saved=saved(GAMES[:1], length=9), urgent=True))
    assert kept.load().length.tolist() == [9, 2, 2]
    ledger.note(batch, BatchNews([(n, "x") for n in range(10)]))
    ledger.end(batch)
    assert kept.load() is not None
    last = ledger.next()
    ledger.note(last, BatchNews([(0, "x"), (1, "y")]))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("plan", "suits"),
    [
        (PLANS[0], True),
        (MatchPlan("hex:3", "uct(threads=2)", "mc", playouts=5), False),
        (MatchPlan("hex:3", "uct", "uct(graph=on)", playouts=5), False),
        (MatchPlan("hex:3", "uct", 'gtp:"gnugo"', playouts=5), False),
        (MatchPlan("othello", "alphabeta", "uct", playouts=5), False),
        (MatchPlan("hex:3", "uct", "mc", seconds=5), False),
    ],
)
def test_what_suits_a_gpu(plan, suits):
    assert plan_suits_gpu(plan) == suits
