"""What only a device that is a GPU, or its simulator, can show. Run by test_cuda.py, in a process
of its own, because the simulator must be chosen before Numba is imported; on a machine with a GPU
also by hand:  pytest tests/cuda_session.py
"""

import json
import re
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from uctlab.agents import make_agent
from uctlab.arena.game import GameTask
from uctlab.arena.match import play_matches
from uctlab.arena.plan import MatchPlan
from uctlab.arena.search_task import SearchTask
from uctlab.arena.sprt import Sprt
from uctlab.arena.store import Store
from uctlab.arena.tasks import run_tasks
from uctlab.devices import checkpoint, cuda, cuda_bench, cuda_driver, cuda_trees
from uctlab.devices.cpu import Cpu
from uctlab.devices.cuda import Cuda
from uctlab.devices.cuda_driver import simulated
from uctlab.devices.cuda_search import CudaSearch
from uctlab.errors import LabError, UsageError
from uctlab.games import Position, make_game
from uctlab.mcts.searcher import Searcher
from uctlab.papers import deception

EXAMPLES = Path(__file__).parents[1] / "examples"
CLOCK = {"seconds_a", "seconds_b", "finished"}
# The simulator is plain Python.
GAMES = 3 if simulated() else 65
TIMES = 1 if simulated() else 30
"""How many times the playouts that are written here."""
SQRT = f"select={EXAMPLES / 'ucb_sqrt.py'}"
MINIMAX = f"backup={EXAMPLES / 'minimax_backup.py'}"


def plan(game, a="uct", b="uct(c=0.5)", playouts=10, **options):
    return MatchPlan(game, a, b, playouts=playouts * TIMES, **options)


HEX = plan("hex:3")


def timeless(record):
    return {name: fact for name, fact in asdict(record).items() if name not in CLOCK}


def tasks_of(plans, games=GAMES):
    return [GameTask(plan, number) for number in range(games) for plan in plans]


def records(device, tasks):
    """By task, without what the clock said; no task comes twice."""
    outcomes = [outcome for batch in device.run(iter(tasks)) for outcome in batch.outcomes]
    assert len(outcomes) == len(dict(outcomes))
    return {task: timeless(record) for task, record in outcomes}


def on_cpu(tasks):
    return records(Cpu(1), tasks)


def in_store(path):
    with Store(path, create=False) as store:
        return {
            (match.plan, record.number): timeless(record)
            for match in store.matches()
            for record in store.records(match.id)
        }


def finished_by(tasks):
    return {(task.plan, task.number): record for task, record in on_cpu(tasks).items()}


@pytest.fixture
def launches(monkeypatch):
    """(room of a tree, number of games) of every launch."""
    made = []
    prepare = CudaSearch.prepare

    def counted(self, memory, room, *inputs):
        made.append((room, len(inputs[-1])))
        return prepare(self, memory, room, *inputs)

    monkeypatch.setattr(CudaSearch, "prepare", counted)
    return made


@pytest.fixture
def memory_of(monkeypatch):
    """Make the GPU's memory so many bytes."""

    def shrink(size):
        class Small(cuda_driver.TreeMemory):
            def __init__(self):
                super().__init__()
                self.size = size

            def take(self, count, kind):
                part = super().take(count, kind)
                assert self._given <= size + 64 * cuda_driver.ALIGN, "more than there is"
                return part

        monkeypatch.setattr(cuda_trees, "TreeMemory", Small)

    return shrink


@pytest.fixture
def first_guess(monkeypatch):
    """Make all trees seem to need so many nodes."""

    def guess(nodes):
        class Guessed(cuda._Players):
            def __init__(self, game, tasks):
                super().__init__(game, tasks)
                for kind in self.kinds:
                    kind.need = nodes

        monkeypatch.setattr(cuda, "_Players", Guessed)

    return guess


def bytes_for(game, agent, nodes):
    return CudaSearch(make_game(game), make_agent(agent)).bytes_for(nodes)


# The same games as on the CPU

SAME = {
    "othello": [plan("othello", "uct(expand=2)", "auct(k=2)", 4, openings=21)],
    "havannah": [
        plan("havannah:3", "tuned", "duct(k=1,expand=2)", 6, openings=3),
        plan("havannah:3", "uct(fpu=1.1)", "uct(rave=k,equivalence=20)", 5, openings=6),
    ],
    "havannah of side 2": [plan("havannah:2", "uct(expand=3)", "ucb(c=2)")],
    "go": [
        plan("go:3,komi=1", "uct(final=both)", "mc", 8, openings=1),
        plan("go:3,komi=1", "auct(k=1,rave=fuego)", "dfuct", 6),
    ],
    "go where boards repeat": [plan("go:2,komi=0", "uct", "mc(final=visits)", openings=2)],
    "go with knowledge": [plan("go:3,komi=1", "fuego", "fuego(c=0.5)", 6, openings=2)],
    "hex with swap": [plan("hex:3,swap=on", "uct", "uct", openings=1)],
    "a game of one's own": [plan(str(EXAMPLES / "connect_four.py"), "uct", "tuned", 6)],
    "every kind of agent": [
        plan("hex:3", "uct", "tuned(p=0.7,fpu=1.1)"),
        plan("hex:3", "duct(k=1)", "duct(lam=0.5,final=visits)", openings=3),
        plan("hex:3", "duct(k=1,final=both,expand=2)", "auct(k=1,final=both)", 12),
        plan("hex:3", "auct(k=2,expand=2)", "auct(k=1,final=value)", 14, seed=3),
        plan("hex:3", "auct(k=2,expand=2)", "auct(k=3,final=value)", 9, seed=3),
        plan("hex:3", "dfuct", "dfuct(rivals=all,c=0.5,expand=2)", openings=1),
        plan("hex:3", "mc", "ucb(final=value)"),
        plan("hex:3", "mc(final=visits)", "ucb(fpu=0.8,final=both)", openings=2),
    ],
    "rave": [
        plan("hex:3", "uct(rave=k)", "uct(rave=fuego)"),
        plan("hex:3", "uct(rave=fuego,distance=on,wi=0.5)", "duct(k=1,rave=k)", 15),
        plan("hex:3", "auct(k=1,rave=fuego,final=both)", "uct(rave=k,fpu=0.9)"),
    ],
    "rules of one's own": [
        plan("hex:3", f"uct({SQRT},c=0.5)", f"uct(a=0.5,{MINIMAX})"),
        plan("hex:3", f"uct({SQRT},c=0.2,fpu=1)", f"uct(a=0.9,{MINIMAX},{SQRT})", openings=1),
    ],
    "two games": [plan("hex:2"), plan("havannah:2"), plan("hex:2", "mc", "uct")],
}


@pytest.mark.parametrize("case", SAME)
def test_the_same_games(case):
    tasks = tasks_of(SAME[case])
    wanted = on_cpu(tasks)
    assert records(Cuda(1), tasks) == wanted
    assert len({record["moves"] for record in wanted.values()}) > 1


def test_the_same_results_of_several_matches(tmp_path):
    plans = [HEX, plan("hex:3", "auct(k=1)", "uct", 12, openings=2), plan("hex:3", "mc", "uct", 5)]
    results, stores = {}, {}
    for name, device in (("cpu", Cpu(1)), ("cuda", Cuda(1))):
        with Store(tmp_path / name) as store:
            found = play_matches(plans, games=GAMES, device=device, store=store)
        results[name] = [(r.plan, r.first, r.second, r.pairs, r.length) for r in found]
        stores[name] = in_store(tmp_path / name)
    assert results["cuda"] == results["cpu"]
    assert stores["cuda"] == stores["cpu"] and len(stores["cuda"]) == 3 * GAMES


def test_a_game_that_will_not_end_is_a_draw(tmp_path):
    rules = tmp_path / "short_hex.py"
    rules.write_text(
        "from dataclasses import replace\nfrom uctlab.games import hex\n"
        "def make():\n    return replace(hex.make(3), name='short_hex', max_length=3)\n"
    )
    tasks = tasks_of([plan(str(rules)), plan(str(rules), "mc", "uct", openings=1)])
    wanted = on_cpu(tasks)
    assert records(Cuda(1), tasks) == wanted
    limited = [record for record in wanted.values() if record["ending"] == "limit"]
    assert {(record["length"], record["score"]) for record in limited} == {(6, 0.5)}


def test_sprt_ends_a_match_at_the_same_game():
    strong = plan("hex:3", "uct", "mc(final=visits)")
    ended = [
        play_matches([strong], games=40, device=device, sprt=Sprt(0, 400))[0]
        for device in (Cpu(1), Cuda(1))
    ]
    assert ended[0].score == ended[1].score and ended[0].pairs == ended[1].pairs
    assert 2 * sum(ended[0].pairs) < 40


# Memory


def test_trees_that_fit_together_are_searched_at_once(launches):
    tasks = tasks_of([HEX, plan("hex:3", "uct(c=2)", "mc", 5)], 4)
    found = records(Cuda(1), tasks)
    longest = max(record["length"] for record in found.values())
    assert len(launches) <= 2 * longest  # uct is one kind whatever its c, mc another


@pytest.mark.parametrize(
    ("a", "b", "trees"), [("uct", "duct(k=1)", 1), ("uct", "auct(k=1)", 2.5), ("dfuct", "mc", 1)]
)
def test_trees_that_do_not_fit_go_in_parts(a, b, trees, launches, memory_of, first_guess):
    tasks = tasks_of([plan("hex:3", a, b), plan("hex:3", a, a, openings=1)], 5)
    wanted = on_cpu(tasks)
    nodes = 10 * 10 * TIMES  # more than any of the trees has
    first_guess(nodes)
    memory_of(int(trees * max(bytes_for("hex:3", agent, nodes) for agent in (a, b))))
    assert records(Cuda(1), tasks) == wanted
    searches = sum(record["length"] - record["opening"] for record in wanted.values())
    # Once trees have been grown, room is what they took and a half more: hardly any goes twice.
    assert searches <= sum(number for _, number in launches) <= 1.1 * searches
    rounds = max(record["length"] - record["opening"] for record in wanted.values())
    assert len(launches) > 2 * rounds
    assert launches[0][0] >= nodes > launches[-1][0]


@pytest.mark.parametrize("guess", [2, 11, 25])
@pytest.mark.parametrize("size", [2**23, 40_000 * TIMES])
def test_a_tree_without_room_is_searched_again(guess, size, launches, memory_of, first_guess):
    """With room for less than the root's children, for no more than these, and for some more."""
    plans = [
        plan("hex:3", "auct(k=1)", "uct(rave=k,final=both)", 20, openings=1),
        plan("hex:3", "auct(k=2)", "uct(rave=k,final=both)", 8),
    ]
    tasks = tasks_of(plans)
    wanted = on_cpu(tasks)
    first_guess(guess)
    memory_of(size)
    assert records(Cuda(1), tasks) == wanted
    searches = sum(record["length"] - record["opening"] for record in wanted.values())
    assert sum(number for _, number in launches) > searches
    rooms = [room for room, _ in launches]
    assert rooms[0] <= cuda_trees.MAX_SPREAD * guess < max(rooms)


@pytest.mark.skipif(not simulated(), reason="there is much to compile, and no more to see")
def test_many_kinds_of_player_in_a_memory_that_is_full(memory_of, first_guess):
    """What lies between their parts of the memory, and a large position of each, has room too."""
    agents = ["uct", "tuned", "duct(k=1)", "auct(k=1)", "mc", "uct(rave=k)", "uct(rave=fuego)"]
    agents += [f"{name[:-1]},final=value)" for name in agents if name.endswith(")")]
    tasks = tasks_of([MatchPlan("go:9", name, name, playouts=1) for name in agents], 1)
    first_guess(101)
    memory_of(sum(bytes_for("go:9", name, 101) for name in agents))
    with closing(Cuda(1).run(iter(tasks))) as batches:
        next(batches)
        assert next(batches).outcomes == []


def test_a_tree_larger_than_the_memory(memory_of):
    memory_of(300)
    with pytest.raises(LabError, match="one tree takes more than the GPU has"):
        records(Cuda(1), tasks_of([HEX]))


def test_a_tree_that_only_just_fits_the_memory(memory_of, first_guess):
    """The room is not made so much larger after a failure that the memory seems too small."""
    game, agent, playouts = make_game("hex:3"), make_agent("uct"), 40 * TIMES
    start = Position.start(game)
    trees = [Searcher(game, agent, seed=n).search(start, playouts=playouts) for n in range(5)]
    nodes = int(1.2 * max(report.nodes for report in trees))
    tasks = tasks_of([plan("hex:3", "uct", "uct(c=0.9)", 40)], 2)
    memory_of(bytes_for("hex:3", "uct", nodes))
    first_guess(nodes // 7)
    assert records(Cuda(1), tasks) == on_cpu(tasks)


def test_another_memory_than_usual_is_refused():
    """A tree that is full after so many bytes would make another game of it."""
    with pytest.raises(UsageError, match="does not take a limit on the memory of a tree"):
        records(Cuda(1), tasks_of([plan("hex:3", playouts=60, memory=480)]))


# Checkpoints


class Rounds:
    """How many moves of all games were made."""

    def __init__(self, monkeypatch):
        self.number = 0
        play_one = cuda._Rounds.play_one

        def counted(rounds):
            self.number += 1
            play_one(rounds)

        monkeypatch.setattr(cuda._Rounds, "play_one", counted)


@pytest.fixture
def rounds(monkeypatch):
    return Rounds(monkeypatch)


@pytest.fixture
def always_saved(monkeypatch):
    monkeypatch.setattr(checkpoint, "SECONDS", 0.0)


TABLE = [
    plan("hex:3", "uct(final=both)", "auct(k=1)"),
    plan("hex:3", "mc", "uct", 5, openings=3),
    plan("hex:3", "dfuct", "mc", 5, openings=2),
]


def stopped_run(path, tasks, batches):
    """Outcomes of the first batches, after which the run is stopped."""
    done = {}
    with closing(Cuda(1, path).run(iter(tasks))) as finished:
        for _ in range(batches):
            done |= {task: timeless(record) for task, record in next(finished).outcomes}
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
    kept.with_name(f"{kept.name}.part").write_bytes(b"of a run that was killed")
    with Store(path) as store:
        play_matches([HEX], games=games, device=Cuda(1, kept), store=store)
    assert list(tmp_path.iterdir()) == [path]


# News


def test_news_of_a_run():
    tasks = tasks_of(TABLE)
    left = len(tasks)
    news = []
    for batch in Cuda(1).run(iter(tasks)):
        left -= len(batch.outcomes)
        assert 0 <= batch.begun <= left
        assert re.fullmatch(r"\d\.\d\de[+-]\d\d simulations a second", batch.status)
        news.append(batch)
    assert left == 0 and news[-1].begun == 0 and len(news[-1].outcomes) > 0
    until = next(i for i, batch in enumerate(news) if batch.outcomes)
    begun = [batch.begun for batch in news[:until]]
    assert begun == sorted(begun) and len(set(begun)) == until > 1
    assert float(news[0].status.split()[0]) == 0 < float(news[1].status.split()[0])


def test_an_opening_is_no_work_that_is_done():
    assert next(Cuda(1).run(iter(tasks_of([plan("hex:3", openings=3)])))).begun == 0


def test_progress_of_matches():
    reports = []
    play_matches(
        TABLE, games=GAMES, device=Cuda(1), progress=lambda *report: reports.append(report)
    )
    finished = [report[0] for report in reports]
    assert finished == sorted(finished) and finished[-1] == 3 * GAMES
    assert {report[1] for report in reports} == {3 * GAMES}
    assert all(done + begun <= total for done, total, begun, _ in reports)
    assert any(begun > 0 for _, _, begun, _ in reports)


# Single searches

SEARCHES = [
    SearchTask("hex:3", agent, playouts, seed, moves=moves)
    for agent in ("uct", "uct(c=0.5)", "uct(playout=bridge)", "uct(rave=k,playout=bridge)", "mc")
    for playouts in (10, 25)
    for seed in range(2)
    for moves in ("", "b2 a1 c2")
]


def test_agents_with_and_without_priors_have_kernels_of_their_own():
    plain, knowing = map(make_agent, ("uct(rave=fuego)", "uct(rave=fuego,prior=13)"))
    assert cuda_trees.rules_of(plain) != cuda_trees.rules_of(knowing)
    assert cuda_trees.rules_of(plain) == cuda_trees.rules_of(make_agent("uct(rave=fuego,c=0.3)"))


def test_single_searches(tmp_path, launches):
    """The same moves as on the CPU, kept in the store; a launch for each kind and budget."""
    wanted = {task: task.perform() for task in SEARCHES}
    assert len(set(wanted.values())) > 3
    with Store(tmp_path / "store") as store:
        assert run_tasks(SEARCHES, Cuda(1), store) == wanted
        assert store.outcomes() == {repr(task): move for task, move in wanted.items()}
    assert sorted(number for _, number in launches) == 6 * [4] + 2 * [8]


def test_single_searches_in_parts(memory_of, launches):
    memory_of(int(2.5 * bytes_for("hex:3", "uct(rave=k)", 25 * 10 + 20)))
    assert run_tasks(SEARCHES, Cuda(1)) == {task: task.perform() for task in SEARCHES}
    assert len(launches) > 8, "more than kinds"


def test_other_tasks_are_done_by_the_cpu():
    turns = [deception.Turn("deceptive:2,depth=2", "uct", seed, 50) for seed in range(2)]
    mixed = [SEARCHES[0], *tasks_of([HEX], 1), *turns]
    outcomes = dict(outcome for batch in Cuda(1).run(iter(mixed)) for outcome in batch.outcomes)
    assert outcomes[SEARCHES[0]] == SEARCHES[0].perform() and len(outcomes) == 4
    assert [outcomes[turn] for turn in turns] == [turn.perform() for turn in turns]


# What it does not take

REFUSED = [
    (MatchPlan("hex:3", "uct", "uct", seconds=0.1), "a budget in seconds: give --playouts"),
    (MatchPlan("hex:3", "uct", "uct", playouts=9, seconds=1), "a budget in seconds"),
    (MatchPlan("hex:3", "uct", "uct", playouts=2**30), "1,073,741,824 playouts or more"),
    (MatchPlan("hex:3", "uct", "uct", playouts=9, reuse=True), "trees that are kept"),
    (MatchPlan("go:9", "uct", 'gtp:"gnugo --mode gtp"', playouts=9), "external programs"),
    (MatchPlan("go:9", "gtp: gnugo", "uct", playouts=9), "external programs"),
    (MatchPlan("hex:2", "uct", "uct(threads=2)", playouts=9), "agents with threads= or root="),
    (MatchPlan("hex:2", "uct(root=2)", "uct", playouts=9), "agents with threads= or root="),
]


@pytest.mark.parametrize(("refused", "why"), REFUSED)
def test_what_a_gpu_does_not_take(refused, why, launches):
    with pytest.raises(UsageError, match=rf"^--device cuda does not take {why}.*$"):
        records(Cuda(1), [GameTask(HEX, 0), GameTask(refused, 0)])
    assert launches == [], "it is told before any game"


def test_mistakes_on_the_command_line(uctlab):
    for options in (["--seconds", "0.01"], ["--playouts", "5", "--reuse"]):
        code, out, err = uctlab(
            "match", "hex:3", "uct", "uct(c=2)", "--games", 2, "--device", "cuda", *options
        )
        assert code and not out.strip(), out
        assert re.search(r"--device cuda does not take", err) and "Traceback" not in err


def test_a_match_on_the_command_line(uctlab, tmp_path):
    reports = [
        uctlab(
            *("match", "hex:3", "uct", "uct(c=0.5)", "--games", GAMES, "--playouts", 10 * TIMES),
            *("--device", device, "--workers", 1, "--store", tmp_path / device),
        )
        for device in ("cpu", "cuda")
    ]
    assert [code for code, *_ in reports] == [0, 0]
    assert in_store(tmp_path / "cuda") == in_store(tmp_path / "cpu") == finished_by(tasks_of([HEX]))


def test_the_benchmark(uctlab):
    sizes = ("--games", 3, "--playouts", 5)
    code, out, _ = uctlab("bench", "cuda", "hex:3", "othello", *sizes, "--json")
    rows = json.loads(out)["cuda"]
    assert code == 0 and [row["game"] for row in rows] == ["hex:3", "othello"]
    assert all(row["per_second"] > 0 and row["games"] == 3 for row in rows)
    assert rows[1]["target"] == 3e8
    assert "simulations/s" in uctlab("bench", "cuda", "hex:3", *sizes)[1]


@pytest.mark.parametrize("nodes", [9, 40])
def test_a_benchmark_without_room(nodes, monkeypatch):
    """For the moves of the root; for the tree that these playouts grow."""

    class Small(cuda_driver.TreeMemory):
        def __init__(self):
            super().__init__()
            self.size = 3 * bytes_for("hex:3", "uct", nodes)

    monkeypatch.setattr(cuda_bench, "TreeMemory", Small)
    with pytest.raises(UsageError, match="3 games do not fit into the memory"):
        cuda_bench.measure_cuda("hex:3", games=3, playouts=1000, seed=1)
