"""Runs on a GPU that are stopped and go on from their checkpoint."""

from contextlib import closing

import numpy as np
import pytest

from tests.on_gpu.tasks import (
    GAMES,
    HEX,
    TABLE,
    finished_by,
    in_store,
    on_cpu,
    plan,
    records,
    tasks_of,
    timeless,
)
from uctlab.arena.match import play_matches
from uctlab.arena.store import Store
from uctlab.devices import checkpoint, cuda_games
from uctlab.devices.cuda import Cuda
from uctlab.errors import LabError


class Rounds:
    """How many moves of all games were made."""

    def __init__(self, monkeypatch):
        self.number = 0
        play_one = cuda_games._Turns.play_one

        def counted(rounds):
            self.number += 1
            play_one(rounds)

        monkeypatch.setattr(cuda_games._Turns, "play_one", counted)


@pytest.fixture
def rounds(monkeypatch):
    return Rounds(monkeypatch)


@pytest.fixture
def always_saved(monkeypatch):
    monkeypatch.setattr(checkpoint, "SECONDS", 0.0)


def stopped_run(path, tasks, batches):
    """Outcomes of the first batches, after which the run is stopped."""
    done = {}
    with closing(Cuda(1, path).run(iter(tasks))) as finished:
        played = (batch for batch in finished if not batch.status.startswith("compiling"))
        for _ in range(batches):
            done |= {task: timeless(record) for task, record in next(played).outcomes}
    return done


@pytest.mark.parametrize("batches", [2, 5])
def test_a_stopped_run_goes_on(batches, tmp_path, rounds, always_saved):
    tasks = tasks_of(TABLE)
    wanted = on_cpu(tasks)
    done = stopped_run(tmp_path / "kept", tasks, batches)
    assert rounds.number == batches - 1
    left = [task for task in tasks if task not in done]
    assert left and (tmp_path / "kept").exists()
    found = records(Cuda(1, tmp_path / "kept"), left)
    assert done | found == wanted
    searched = max(record["length"] - record["opening"] for record in wanted.values())
    # The last checkpoint is one round behind.
    assert rounds.number == (batches - 1) + searched - (batches - 2)
    assert list(tmp_path.iterdir()) == []


def test_seconds_go_on_as_well(tmp_path, always_saved):
    tasks = tasks_of([plan("hex:3", "uct", "mc")], 1)
    stopped_run(tmp_path / "kept", tasks, 4)
    with np.load(tmp_path / "kept") as kept:
        before = kept["seconds"][0]
    assert (before > 0).all()
    ((_, record),) = [
        outcome for b in Cuda(1, tmp_path / "kept").run(iter(tasks)) for outcome in b.outcomes
    ]
    assert record.seconds_a > before[0] and record.seconds_b > before[1]


def test_no_checkpoint_before_its_time(tmp_path):
    stopped_run(tmp_path / "kept", tasks_of([HEX]), 3)
    assert list(tmp_path.iterdir()) == []


def damaged(data):
    """The bytes of a checkpoint, in ways that are of no use."""
    return {
        "empty": b"",
        "text": b"no checkpoint at all\n" * 9,
        "cut off": data[: len(data) // 2],
        "cut off early": data[:20],
        "bytes changed": data[:100] + bytes(64) + data[164:],
    }


def saved(path, **arrays):
    with path.open("wb") as file:
        np.savez(file, **arrays)


@pytest.mark.parametrize("damage", list(damaged(b"")))
def test_a_broken_checkpoint_is_ignored(damage, tmp_path, always_saved):
    tasks = tasks_of([HEX])
    stopped_run(tmp_path / "kept", tasks, 3)
    (tmp_path / "kept").write_bytes(damaged((tmp_path / "kept").read_bytes())[damage])
    assert records(Cuda(1, tmp_path / "kept"), tasks) == on_cpu(tasks)


@pytest.mark.parametrize("strange", ["one array", "without moves", "too few rows", "other moves"])
def test_a_strange_checkpoint_is_ignored(strange, tmp_path, always_saved):
    tasks = tasks_of([HEX])
    path = tmp_path / "kept"
    stopped_run(path, tasks, 4)
    with np.load(path) as kept:
        arrays = {name: kept[name] for name in kept.files}
    if strange == "one array":
        with path.open("wb") as file:
            np.save(file, arrays["moves"])
    elif strange == "without moves":
        saved(path, **{name: array for name, array in arrays.items() if name != "moves"})
    elif strange == "too few rows":
        saved(path, **{**arrays, "moves": arrays["moves"][:1]})
    else:  # one of them illegal
        arrays["moves"][0, 1] = arrays["moves"][0, 0]
        saved(path, **arrays)
    assert records(Cuda(1, path), tasks) == on_cpu(tasks)


def test_a_checkpoint_of_other_matches_is_ignored(tmp_path, always_saved):
    stopped_run(tmp_path / "kept", tasks_of([HEX], 5), 4)
    others = tasks_of([plan("hex:3", seed=9), plan("hex:2")])
    assert records(Cuda(1, tmp_path / "kept"), others) == on_cpu(others)


def test_a_checkpoint_that_cannot_be_written(tmp_path, always_saved):
    with pytest.raises(LabError, match=r"no_folder/kept cannot be written: No such file"):
        records(Cuda(1, tmp_path / "no_folder" / "kept"), tasks_of([HEX]))


class Stop:
    """Ctrl-C at the progress report with that number."""

    def __init__(self, at):
        self.left = at

    def __call__(self, *_):
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


def test_a_table_that_is_stopped_and_goes_on(tmp_path, rounds, always_saved):
    """Games in the store are not played again; those that had begun go on."""
    path = tmp_path / "games.sqlite"
    kept = tmp_path / "games.sqlite.cuda"
    with Store(path) as store:
        play_matches(TABLE, games=GAMES, device=Cuda(1, kept), store=store, progress=Stop(6))
    before, made = in_store(path), rounds.number
    assert 0 < len(before) < 3 * GAMES and made == 4 and kept.exists()
    reports = []
    with Store(path) as store:
        results = play_matches(
            TABLE,
            games=GAMES,
            device=Cuda(1, kept),
            store=store,
            progress=lambda *report: reports.append(report),
        )
    wanted = finished_by(tasks_of(TABLE))
    assert in_store(path) == wanted
    assert reports[0][:2] == (len(before), 3 * GAMES)
    assert rounds.number - made < max(r["length"] - r["opening"] for r in wanted.values())
    assert all(result.complete for result in results)


@pytest.mark.parametrize("games", [1, GAMES])
def test_nothing_is_left_beside_the_store(games, tmp_path):
    path, kept = tmp_path / "games.sqlite", tmp_path / "games.sqlite.cuda"
    kept.with_name(f".{kept.name}.1234.part").write_bytes(b"of a run that was killed")
    with Store(path) as store:
        play_matches([HEX], games=games, device=Cuda(1, kept), store=store)
    assert list(tmp_path.iterdir()) == [path]


def test_ctrl_c_in_the_middle_of_a_round(tmp_path, monkeypatch):
    """All moves of the rounds before are saved, however recent."""
    tasks, path = tasks_of([HEX]), tmp_path / "kept"
    play_one, made = cuda_games._Turns.play_one, []

    def interrupted(rounds):
        if len(made) == 3:
            raise KeyboardInterrupt
        made.append(play_one(rounds))

    monkeypatch.setattr(cuda_games._Turns, "play_one", interrupted)
    with pytest.raises(KeyboardInterrupt):
        records(Cuda(1, path), tasks)
    assert checkpoint.Checkpoint(path).load().length.tolist() == [3] * len(tasks)
    monkeypatch.setattr(cuda_games._Turns, "play_one", play_one)
    assert records(Cuda(1, path), tasks) == on_cpu(tasks)
    assert list(tmp_path.iterdir()) == []
