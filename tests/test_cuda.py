"""A GPU as a device. What needs one runs in a process of its own (cuda_session.py), on the GPU of
this machine or, where there is none, on numba-cuda's simulator with tiny budgets. The rest, here,
needs neither: the kernels' variants for a GPU, games that advance together, and what is said where
something is missing.
"""

import importlib.util
import os
import random
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from uctlab.agents import make_agent, with_rules
from uctlab.arena.game import GameTask
from uctlab.arena.plan import MatchPlan
from uctlab.devices import cuda_driver, cuda_search, rounds
from uctlab.devices.rounds import Games
from uctlab.devices.seeds import seed_states
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.games.api import same_position
from uctlab.games.othello import _flips, _flips_by_runs, _runs
from uctlab.kernel import kernel, leading_zeros, nth_bit, popcount, seed_rng, specialise
from uctlab.mcts import final, tree
from uctlab.mcts.binding import bind_search, compact, node_dtype, work_sizes
from uctlab.rules.select import ucb1

ROOT = Path(__file__).parents[1]
SESSION = Path(__file__).with_name("cuda_session.py")


def run_python(*arguments, **variables):
    """Python with those arguments, without what the environment says about Numba."""
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("NUMBA_", "PYTEST_"))
    }
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=inherited | variables,
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )


def gpu_is_there():
    """Asked in another process: a GPU that is asked here is held until the tests end."""
    asked = "from uctlab.devices.cuda_driver import require_gpu; require_gpu()"
    return run_python("-c", asked).returncode == 0


# On a GPU or on the simulator


@pytest.mark.skipif(
    importlib.util.find_spec("numba_cuda") is None,
    reason="numba-cuda is not installed: pip install 'uctlab[cuda]'",
)
def test_on_a_gpu():
    # The simulator is plain Python, and nothing is worth compiling for so few playouts.
    simulator = {"NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--tb=short"]
    done = run_python(
        *("-m", "pytest", *options, str(SESSION)), **({} if gpu_is_there() else simulator)
    )
    assert done.returncode == 0, f"\n{done.stdout}\n{done.stderr}"


# What is said where something is missing

MATCH = """
import sys, types
{before}
from uctlab.cli.main import main
sys.argv = "uctlab match hex:3 uct uct(c=2) --games 2 --playouts 5 --device cuda".split()
main()
"""
OLD_NUMBA = "sys.modules['numba.cuda'] = types.ModuleType('numba.cuda')"
NEEDS_PACKAGE = "uctlab: --device cuda needs numba-cuda: pip install 'uctlab[cuda]'\n"
NEEDS_GPU = "uctlab: --device cuda needs an NVIDIA GPU with its driver, and finds none that works: "
# As where there is a driver that is too old for what is compiled.
SEEMS_THERE = "from uctlab.devices.cuda_driver import cuda; cuda.is_available = lambda: True"


@pytest.mark.parametrize(
    "before",
    [
        "sys.modules['numba.cuda'] = None",
        f"{OLD_NUMBA}; sys.modules['numba.cuda'].__file__ = 'numba/cuda/__init__.py'",
        f"{OLD_NUMBA}; sys.modules['numba.cuda'].__file__ = None",
    ],
    ids=["none", "that of Numba itself", "an empty folder"],
)
def test_without_numba_cuda(before):
    done = run_python("-c", MATCH.format(before=before))
    assert (done.returncode, done.stdout, done.stderr) == (2, "", NEEDS_PACKAGE)


@pytest.mark.skipif(importlib.util.find_spec("numba_cuda") is None, reason="needs numba-cuda")
@pytest.mark.parametrize("before", ["", SEEMS_THERE], ids=["none", "one that runs nothing"])
def test_without_a_gpu(before):
    done = run_python("-c", MATCH.format(before=before), CUDA_VISIBLE_DEVICES="-1")
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(rf"{NEEDS_GPU}\S.*\n", done.stderr), done.stderr


class Driver:
    """A GPU whose memory is held, until it is asked for, by a block that nobody uses."""

    def __init__(self):
        self.free = 2**20
        self.memory_manager = self.deallocations = self

    def clear(self):
        self.free = 2**30

    def current_context(self):
        return self

    def get_memory_info(self):
        return self

    def device_array(self, size, kind):
        return size


def test_memory_that_nobody_uses_is_free(monkeypatch):
    monkeypatch.setattr(cuda_driver, "cuda", Driver())
    monkeypatch.setattr(cuda_driver, "simulated", lambda: False)
    assert cuda_driver.TreeMemory().size > 0.8 * 2**30


# The variants for a GPU, compiled for the CPU


@kernel
def all_bits(word, out):
    """Every bit of a word by its number, with numbers as a playout has them."""
    for n in range(popcount(word)):
        out[n] = nth_bit(word, n)


def words():
    rng = np.random.default_rng(5)
    dense = rng.integers(0, 2**64, 200, np.uint64)
    sparse = dense & rng.integers(0, 2**64, 200, np.uint64) & rng.integers(0, 2**64, 200, np.uint64)
    single = np.uint64(1) << np.arange(64, dtype=np.uint64)
    return np.concatenate([dense, ~dense, sparse, single, np.array([2**64 - 1, 0], np.uint64)])


@pytest.mark.parametrize("on_gpu", [False, True])
@pytest.mark.parametrize("interpret", [False, True])
def test_nth_bit(on_gpu, interpret):
    find = specialise(all_bits, interpret=interpret, ON_GPU=on_gpu)
    for word in words()[:: 7 if interpret else 1]:
        out = np.full(64, -1)
        find(word, out)
        bits = [n for n in range(64) if int(word) >> n & 1]
        assert out[: len(bits)].tolist() == bits
        assert (out[len(bits) :] == -1).all()


@kernel
def zeros_above(word):
    return leading_zeros(word)


@pytest.mark.parametrize("interpret", [False, True])
def test_leading_zeros(interpret):
    count = specialise(zeros_above, interpret=interpret)
    for word in words():
        assert count(word) == len(f"{int(word):064b}") - len(f"{int(word):064b}".lstrip("0"))


def naive_flips(own, opp, cell):
    """Square by square."""
    flipped = 0
    for dx, dy in ((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y):
        x, y, run = cell % 8 + dx, cell // 8 + dy, 0
        while 0 <= x < 8 and 0 <= y < 8 and opp >> (8 * y + x) & 1:
            run |= 1 << (8 * y + x)
            x, y = x + dx, y + dy
        if 0 <= x < 8 and 0 <= y < 8 and own >> (8 * y + x) & 1:
            flipped |= run
    return flipped


@kernel
def flips_by_runs(own, opp, cell):
    return _flips_by_runs(_runs(own, opp), cell)


@pytest.mark.parametrize("on_gpu", [False, True])
@pytest.mark.parametrize("find", [_flips, flips_by_runs])
def test_flips(find, on_gpu):
    flips = specialise(find, ON_GPU=on_gpu)
    rng = np.random.default_rng(11)
    for fill in (0.05, 0.2, 0.5, 0.9):
        for _ in range(150):
            owners = np.where(rng.random(64) < fill, 1, rng.integers(1, 3, 64))
            owners[rng.random(64) < 0.2] = 0
            cell = int(rng.integers(64))
            owners[cell] = 0
            own, opp = (sum(1 << int(i) for i in np.flatnonzero(owners == who)) for who in (2, 1))
            found = flips(np.uint64(own), np.uint64(opp), cell)
            assert int(found) == naive_flips(own, opp, cell), (own, opp, cell)


def grown(game, agent, playouts, *, on_gpu, seed=4):
    """(the move to play, the tree's records, the random numbers' state) of a whole search."""
    position = Position.start(game)
    for move in (0, 3):
        position = position.play(position.legal[move % len(position.legal)])
    agent = compact(agent) if on_gpu else agent
    sizes = work_sizes(game, agent)
    nodes = np.zeros(2 * playouts * (game.max_moves + 1), node_dtype(agent)).view(np.recarray)
    counters = np.zeros(tree.COUNTERS, np.int64)
    states = game.new_states(sizes.states)
    states[0] = position.state
    rng = seed_rng(seed)
    search = bind_search(final.search_move, game, agent, on_gpu=on_gpu)
    child = search(
        nodes,
        counters,
        states,
        np.zeros(sizes.path, np.int64),
        game.new_out(),
        game.new_trace(),
        np.zeros((3, sizes.marks), np.int64),
        rng,
        agent.params,
        np.array(position.legal, np.int16),
        len(position.legal),
        playouts,
    )
    assert counters[tree.FULL] == 0 and nodes[0].visits >= playouts
    return int(nodes[child].move), fields(nodes[: counters[tree.USED]]), int(rng[0])


def fields(nodes):
    """Of a tree, by name; half points as plain UCT's total."""
    found = {name: nodes[name].tolist() for name in nodes.dtype.names}
    if found.pop("tally", None):
        found["total"] = [halves / 2 for halves in found.pop("halves")]
    return found


@pytest.mark.parametrize(
    ("spec", "agent", "playouts"),
    [("othello", "uct(expand=2)", 3000), ("hex:4", "auct(k=2,rave=fuego,final=both)", 2000)],
)
def test_a_compiled_search_as_on_a_gpu(spec, agent, playouts):
    game, rules = make_game(spec), make_agent(agent)
    plain = grown(game, rules, playouts, on_gpu=False)
    assert grown(game, rules, playouts, on_gpu=True) == plain
    assert len(plain[1]["visits"]) > playouts


AGENTS = ["uct", "uct(fpu=0.6)", "uct(rave=k,fpu=1.1)", "tuned(fpu=1)", "duct(k=1)"]
AGENTS += ["auct(k=1,expand=3)", "dfuct", "dfuct(rivals=all)", "mc", "ucb(final=both)"]


@pytest.mark.parametrize(
    ("spec", "agent"), [*(("hex:3", agent) for agent in AGENTS), ("go:4", "auct(k=4,preset=fuego)")]
)
def test_an_interpreted_search_as_on_a_gpu(spec, agent):
    game, rules = make_game(spec).interpreted(), make_agent(agent)
    assert grown(game, rules, 60, on_gpu=True) == grown(game, rules, 60, on_gpu=False)


class Favourites:
    """A selection rule of one's own that does not find all untried moves alike."""

    common, score = ucb1.common, ucb1.score

    @staticmethod
    @kernel
    def untried_score(nodes, child, shared, params):
        return params.fpu + nodes[child].move / 100.0


def test_untried_moves_that_differ():
    game = make_game("hex:3").interpreted()
    rules = with_rules(make_agent("uct(fpu=0.9)"), select=Favourites)
    assert grown(game, rules, 40, on_gpu=True) == grown(game, rules, 40, on_gpu=False)


class Eager(Favourites):
    """One whose helper has the name of a kernel of the search."""

    @staticmethod
    @kernel
    def untried(nodes, child):
        return nodes[child].visits == 0


def test_a_name_that_a_search_gives_another_meaning():
    rules = with_rules(make_agent("uct(fpu=0.9)"), select=Eager)
    with pytest.raises(UsageError, match="Eager defines untried, a name that means something else"):
        bind_search(final.search_move, make_game("hex:3"), rules)


@pytest.mark.parametrize(("games", "lanes"), [(1, 1), (65, 1), (14_000, 27), (300, 32), (129, 32)])
def test_every_game_has_a_thread(games, lanes, monkeypatch):
    blocks = cuda_search.blocks_for(games, lanes)
    threads = iter(range(blocks * cuda_search.BLOCK))
    monkeypatch.setattr(cuda_search, "cuda", SimpleNamespace(grid=lambda _: next(threads)))
    found = [cuda_search.game_of_thread(lanes) for _ in range(blocks * cuda_search.BLOCK)]
    assert [g for g in found if 0 <= g < games] == list(range(games))
    assert (blocks - 1) * 4 * lanes < games, "no block is idle"


# Games that advance together


def games_of(spec, number=6, *, interpret=False, **options):
    plan = MatchPlan(spec, "uct", "uct", playouts=1, **options)
    game = make_game(spec)
    tasks = [GameTask(plan, n) for n in range(number)]
    return Games(game.interpreted() if interpret else game, tasks)


def test_a_result_that_half_points_cannot_count():
    games = games_of("hex:2", number=2)
    while games.counts.any():
        live = games.live[games.counts[games.live] > 0]
        games.make(live, games.legal[live, 0].astype(np.int64))
    games._results[1] = 0.7
    with pytest.raises(UsageError, match=r"hex:2: a game has ended with 0\.7; a GPU takes results"):
        games.take_finished()


@pytest.mark.parametrize(
    ("spec", "interpret", "openings"),
    [
        ("othello", False, 0),
        ("go:2,komi=0", False, 3),
        ("hex:3,swap=on", True, 1),
        ("havannah:3", True, 2),
        (str(ROOT / "examples" / "connect_four.py"), True, 0),
    ],
)
def test_games_advance_as_positions_do(spec, interpret, openings):
    games = games_of(spec, interpret=interpret, openings=openings)
    start = Position.start(games.game)
    rng = random.Random(spec)
    ended, forbidden = {}, 0
    for _ in range(games.limit + 1):
        ended |= {task.number: record for task, record in games.take_finished()}
        if len(games.live) == 0:
            break
        for g in games.live:
            position = start.play_all(
                " ".join(games.game.move_name(int(m)) for m in games.moves[g, : games.length[g]])
            )
            assert tuple(games.legal[g, : games.counts[g]].tolist()) == position.legal
            out = games.game.new_out()
            forbidden += games.game.kernels.moves(position.state, out) - len(position.legal)
        assert (games.turn(games.live) == games.states(games.live)["turn"]).all()
        some = np.array([g for g in games.live if rng.random() < 0.8], np.int64)
        # Go's pass is the last move; boards repeat where stones are played.
        legal = [games.legal[g, : games.counts[g]].tolist() for g in some]
        chosen = [
            rng.choice(moves[: max(1, len(moves) - spec.startswith("go:"))]) for moves in legal
        ]
        games.make(some, np.array(chosen, np.int64))
    assert (forbidden > 0) == spec.startswith("go:")
    for number, record in ended.items():
        end = start.play_all(record.moves)
        assert (record.length, record.opening) == (len(end.moves), openings)
        if record.ending == "played":
            assert end.over
            assert record.score == (end.result if number % 2 == 0 else 1 - end.result)
    assert len({record.moves for record in ended.values()}) > 1


def test_moves_are_sorted():
    sort = specialise(rounds.sort)
    rng = np.random.default_rng(2)
    for count in (0, 1, 2, 9, 60):
        moves = rng.permutation(100).astype(np.int16)
        wanted = [*sorted(moves[:count].tolist()), *moves[count:].tolist()]
        sort(moves, count)
        assert moves.tolist() == wanted


def test_a_game_without_end_is_a_draw(monkeypatch):
    monkeypatch.setattr(rounds, "LENGTH_FACTOR", 1)
    games = games_of("go:2", interpret=True)
    assert games.limit == 12
    games.limit = 5  # enough for none to end by the rules
    for _ in range(5):
        assert games.take_finished() == []
        games.make(games.live, games.legal[games.live, 0].astype(np.int64))
    records = [record for _, record in games.take_finished()]
    assert len(records) == 6 and len(games.live) == 0
    assert {(r.ending, r.score, r.length) for r in records} == {("limit", 0.5, 5)}


def test_many_seeds_at_once():
    rng = np.random.default_rng(8)
    seeds = [rng.integers(0, 2**bits, 100) for bits in (8, 32, 33, 62)]
    seeds = np.concatenate([*seeds, np.array([0, 1, 2**32 - 1, 2**32, 2**63 - 1])])
    assert seed_states(seeds).tolist() == [int(seed_rng(int(seed))[0]) for seed in seeds]
    assert len(seed_states(seeds[:0])) == 0


def test_random_numbers_are_those_of_the_players():
    """As a player of the CPU has them: a seed for each side, one more at each of its moves."""
    games = games_of("hex:3", 2, interpret=True, openings=1)
    task = games.tasks[0]
    first, second = (task.plan.draw(task.seed, side) for side in (0, 1))
    for seed in (second, first, second + 1, first + 1):
        assert games.random_states(np.array([0]))[0] == seed_rng(seed)[0]
        games.make(np.array([0]), games.legal[[0], 0].astype(np.int64))


def played_and_again():
    """Games of Go after six moves each, and the same games at their beginning."""
    played, again = (games_of("go:3", 4, interpret=True, openings=1) for _ in range(2))
    for turn in range(6):
        choice = (turn + played.live) % played.counts[played.live]
        played.make(played.live, played.legal[played.live, choice].astype(np.int64))
    return played, again


def test_moves_known_from_earlier_are_made_again():
    played, again = played_and_again()
    some = np.array([3, 1])
    lengths = np.array([7, 4])
    assert again.replay(some, played.moves[some], lengths).all()
    assert again.length.tolist() == [1, 4, 1, 7]
    assert again.counts[3] == played.counts[3]
    assert (again.legal[3] == played.legal[3])[: again.counts[3]].all()
    assert same_position(*(games.states(np.array([3]))[0] for games in (again, played)))


@pytest.mark.parametrize("wrong", ["opening", "move", "pass", "length"])
def test_moves_that_are_not_of_the_game_are_not_made(wrong):
    """As in a file of another version; the games beside it take theirs."""
    played, again = played_and_again()
    moves, lengths = played.moves.copy(), played.length.copy()
    if wrong == "opening":
        moves[2, 0] = (moves[2, 0] + 1) % 9
    elif wrong == "move":
        moves[2, 4] = 10_000  # far outside of the board
    elif wrong == "pass":
        moves[2, 3:5] = 9  # twice: the game is over before its last moves
    else:
        lengths[2] = moves.shape[1] + 1
    assert again.replay(again.live, moves, lengths).tolist() == [True, True, False, True]
    assert again.length.tolist() == [7, 7, 1, 7]
    start = games_of("go:3", 4, interpret=True, openings=1)
    assert same_position(*(games.states(np.array([2]))[0] for games in (again, start)))
    assert again.legal[2, : again.counts[2]].tolist() == start.legal[2, : start.counts[2]].tolist()
