"""Stores whose digests cannot be compared: a result that is made again tells."""

import shlex
import sqlite3
import sys
from contextlib import closing
from dataclasses import replace

import pytest

from tests.stored_matches import edit_store
from uctlab.arena import match as match_module
from uctlab.arena.game import GameTask, dismiss_players
from uctlab.arena.match import play_matches
from uctlab.arena.plan import MatchPlan
from uctlab.arena.player import plan_kernels
from uctlab.arena.replay import plays_alike, shortest_game
from uctlab.arena.search_task import SearchTask
from uctlab.arena.store import Store
from uctlab.arena.tasks import run_tasks
from uctlab.devices.cpu import Cpu
from uctlab.errors import UsageError
from uctlab.mcts import rules_digest

OLD = "0.1.9 (source 01234567)"
BYTECODE = "3.11 0123456789abcdef"
PLAN = MatchPlan("hex:3", "uct", "mc", playouts=20, openings=1, seed=5)
TASKS = [SearchTask("hex:3", "uct", 20, seed) for seed in range(4)]


@pytest.fixture
def begun(tmp_path):
    """A store with four games and three searches of an earlier version."""
    path = tmp_path / "store.db"
    with Store(path) as store:
        play_matches([PLAN], games=4, device=Cpu(1), store=store)
        run_tasks(TASKS[:3], Cpu(1), store)
    edit_store(path, f"UPDATE runs SET version = '{OLD}'", *mark(BYTECODE))
    return path


def mark(kernels):
    return [f"UPDATE {table} SET kernels = '{kernels}'" for table in ("games", "outcomes")]


def digests(path, table="games"):
    with closing(sqlite3.connect(path)) as db:
        return {row[0] for row in db.execute(f"SELECT kernels FROM {table}")}


def go_on(path, games=6, **more):
    """The result of the match with that many games, and the lines of its progress."""
    told = []
    with Store(path) as store:
        results = play_matches(
            [PLAN],
            games=games,
            device=Cpu(1),
            store=store,
            progress=lambda *facts: told.append(facts[-1]),
            **more,
        )
    return results[0], [line for line in told if "again" in line]


def test_a_game_that_comes_out_the_same_makes_its_share_the_same(begun):
    result, told = go_on(begun)
    assert result.score.games == 6 and result.as_json()["kernels"] == "same"
    assert len(told) == 1 and OLD in told[0]
    assert digests(begun) == {plan_kernels(PLAN)}
    assert go_on(begun, games=8)[1] == []  # it is not asked again


def test_another_game_refuses_the_share(begun, monkeypatch):
    edit_store(begun, "UPDATE games SET moves = 'a1 b1 a2 b2 a3'")
    with pytest.raises(UsageError, match=r"4 games are by uctlab 0\.1\.9 .*, made again, is not"):
        go_on(begun)
    assert digests(begun) == {BYTECODE}
    monkeypatch.setattr(match_module, "plays_alike", lambda *_: pytest.fail("a game is played"))
    result, _ = go_on(begun, mix_versions=True)
    assert result.score.games == 6 and result.as_json()["kernels"] == "unknown"
    assert digests(begun) == {BYTECODE, plan_kernels(PLAN)}


def test_what_is_only_read_stays_as_it_is(begun, monkeypatch):
    monkeypatch.setattr(match_module, "plays_alike", lambda *_: pytest.fail("a game is played"))
    assert go_on(begun, games=4)[0].score.games == 4
    assert digests(begun) == {BYTECODE}


def test_a_raised_version_needs_no_game(begun, monkeypatch):
    edit_store(begun, *mark(plan_kernels(PLAN)))
    assert go_on(begun)[1] == []
    monkeypatch.setattr(rules_digest, "VERSION", 2)
    forget_digests()
    edit_store(begun, f"UPDATE runs SET version = '{OLD}'")
    try:
        with pytest.raises(UsageError, match="had other kernels than this"):
            go_on(begun, games=8)
    finally:
        monkeypatch.undo()
        forget_digests()


def forget_digests():
    for part in vars(rules_digest).values():
        if hasattr(part, "cache_clear"):
            part.cache_clear()


@pytest.mark.parametrize("change", [{"playouts": None, "seconds": 0.01}, {"a": "uct(threads=2)"}])
def test_games_that_are_never_the_same_tell_nothing(change):
    plan = replace(PLAN, **change)
    record = GameTask(PLAN, 0).perform()
    assert shortest_game(PLAN, [record]) == record and shortest_game(plan, [record]) is None


def test_the_shortest_game_that_tells_is_chosen():
    record = GameTask(PLAN, 0).perform()
    short = replace(record, number=2, length=record.length - 1)
    forfeit = replace(record, number=4, length=0, ending="forfeit (died): it died")
    without = replace(record, number=6, length=1, playouts_a=0, playouts_b=0)
    assert shortest_game(PLAN, [record, forfeit, without, short]) == short


PROGRAM = """
import sys
while line := sys.stdin.readline():
    number, command, *words = line.split()
    answer = ""
    if command == "clear_board":
        free = [column + row for row in "123" for column in "abc"]
    elif command == "play":
        free.remove(words[1])
    elif command == "genmove":
        answer = free.pop(0)
    print(f"={number} {answer}", end="\\n\\n", flush=True)
    if command == "quit":
        break
"""


def test_the_moves_of_an_external_program_are_taken_from_the_store(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    plan = replace(PLAN, b=f'gtp:"{shlex.join([sys.executable, "-I", "-S", str(path)])}"')
    record = GameTask(plan, 1).perform()
    dismiss_players()
    path.unlink()
    assert record.ending == "played" and plays_alike(plan, record)
    moves = record.moves.split()
    moves[1] = next(cell for cell in ("a1", "b2", "c3") if cell not in moves[:2])  # of our agent
    assert not plays_alike(plan, replace(record, moves=" ".join(moves)))


def test_a_search_is_made_again(begun):
    with Store(begun) as store:
        assert len(run_tasks(TASKS, Cpu(1), store)) == 4
    assert digests(begun, "outcomes") == {TASKS[0].kernels}
    edit_store(begun, f"UPDATE runs SET version = '{OLD}'", *mark(BYTECODE))
    edit_store(
        begun,
        "UPDATE outcomes SET outcome = '\"none\"'",
        "DELETE FROM outcomes WHERE task LIKE '%seed=0%'",
    )
    with Store(begun) as store:
        with pytest.raises(UsageError, match=r"3 outcomes are by uctlab 0\.1\.9 .*, made again, "):
            run_tasks(TASKS, Cpu(1), store)
        assert len(run_tasks(TASKS, Cpu(1), store, mix_versions=True)) == 4
    assert digests(begun, "outcomes") == {BYTECODE, TASKS[0].kernels}
