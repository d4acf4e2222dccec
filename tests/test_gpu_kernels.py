"""The kernels' variants for a GPU, compiled for the CPU or as plain Python."""

from dataclasses import replace

import numpy as np
import pytest
from numba import types
from numba.core.registry import cpu_target

from uctlab.agents import make_agent, with_rules
from uctlab.devices.cuda_trees import rules_of
from uctlab.games import Position, make_game
from uctlab.games.othello import _flips, _flips_by_runs, _runs
from uctlab.kernels import kernel, leading_zeros, nth_bit, popcount, seed_rng, specialise
from uctlab.kernels.llvm import bits
from uctlab.kernels.typing import with_memory
from uctlab.kernels.vectors import LANES
from uctlab.mcts import tree
from uctlab.mcts.binding import bind_for_cpu, bind_for_gpu
from uctlab.mcts.workspace import Tree, new_counters, new_work
from uctlab.parts import layout
from uctlab.rules.select import ucb1


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
    find = specialise(all_bits, interpret=interpret, device={"ON_GPU": on_gpu})
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
    flips = specialise(find, device={"ON_GPU": on_gpu})
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
    binding = (bind_for_gpu if on_gpu else bind_for_cpu)(game, agent)
    capacity = 2 * playouts * (game.max_moves + 1)
    nodes = np.zeros(capacity, binding.node_type).view(np.recarray)
    counters, (work, _) = new_counters(), new_work(binding.setting, binding.parts)
    work = work._replace(own=counters)
    if binding.has("sketches"):
        work = work._replace(sketch=np.zeros((capacity + LANES, 2), np.float32))
    work.states[0] = position.state
    work.rng[:] = seed_rng(seed)
    legal = np.array(position.legal, np.int16)
    search = binding.bind(tree.search_move)
    child = search(Tree(nodes, counters), work, binding.params, legal, len(legal), playouts)
    assert counters[layout.FULL] == 0 and nodes[0].visits >= playouts
    return int(nodes[child].move), fields(nodes[: counters[layout.USED]]), int(work.rng[0])


def fields(nodes):
    """Of a tree, by name; half points as plain UCT's total."""
    found = {name: nodes[name].tolist() for name in nodes.dtype.names}
    if found.pop("tally", None):
        found["total"] = [halves / 2 for halves in found.pop("halves")]
    return found


@pytest.mark.parametrize(
    ("spec", "agent", "playouts"),
    [
        ("othello", "uct(expand=2,final=both)", 3000),
        ("hex:4", "auct(k=2,rave=grave,solver=on)", 2000),
    ],
)
def test_a_compiled_search_as_on_a_gpu(spec, agent, playouts):
    game, rules = make_game(spec), make_agent(agent)
    plain = grown(game, rules, playouts, on_gpu=False)
    assert grown(game, rules, playouts, on_gpu=True) == plain
    assert len(plain[1]["visits"]) > playouts


AGENTS = ["uct", "uct(fpu=0.6)", "uct(rave=k,fpu=1.1)", "tuned(fpu=1)", "duct(k=1)"]
AGENTS += ["auct(k=1,expand=3)", "auct(k=auto)"]
AGENTS += ["dfuct", "dfuct(rivals=all)", "mc", "ucb(final=both)"]
AGENTS += [
    "bast(c=0.1,delta=inf)",
    "bast(fpu=0.9)",
    "muct",
    "ucbv",
    "klucb(fpu=1)",
    "thompson",
    "dtuned(k=2)",
]
AGENTS += ["uct(backup=max)", "uct(backup=mix)", "uct(backup=power)", "uct(solver=on)"]
AGENTS += ["auct(k=2,rave=fuego,final=both)", "uct(rave=grave,solver=on,backup=power)"]
AGENTS += ["uct(rave=grave,grave=5)", "auct(k=3,rave=grave,grave=9,fpu=inf,solver=on)"]


@pytest.mark.parametrize(
    ("spec", "agent"), [*(("hex:3", agent) for agent in AGENTS), ("go:4", "auct(k=4,preset=fuego)")]
)
def test_an_interpreted_search_as_on_a_gpu(spec, agent):
    game, rules = make_game(spec).interpreted(), make_agent(agent)
    playouts = 60 if spec == "hex:3" else 20  # knowledge of Go is slow in plain Python
    plain = grown(game, rules, playouts, on_gpu=False)
    assert grown(game, rules, playouts, on_gpu=True) == plain


def heavy_playouts(game, number):
    """(result, moves made, state of the random numbers, the moves) of each."""
    playout = game.playout("heavy", trace=True)
    states, out, trace = game.new_states(1), game.new_out(), np.zeros(game.max_length, np.int16)
    found = []
    for seed in range(number):
        states[0] = Position.start(game).state
        rng = seed_rng(seed)
        result, length = playout(states[0], rng, out, trace)
        found.append((result, length, int(rng[0]), trace[:length].tolist()))
    return found


@pytest.mark.parametrize(("spec", "number", "interpret"), [("go:9", 500, False), ("go:4", 8, True)])
def test_heavy_playouts_as_on_a_gpu(spec, number, interpret):
    game = replace(make_game(spec), interpret=interpret)
    assert heavy_playouts(replace(game, on_gpu=True), number) == heavy_playouts(game, number)


class Favourites:
    """A selection rule of one's own that does not find all untried moves alike."""

    node_terms, score = ucb1.node_terms, ucb1.score

    @staticmethod
    @kernel
    def untried_score(nodes, child, terms, params):
        return params.fpu + nodes[child].move / 100.0


def test_untried_moves_that_differ():
    game = make_game("hex:3").interpreted()
    rules = with_rules(make_agent("uct(fpu=0.9)"), select=Favourites)
    assert grown(game, rules, 40, on_gpu=True) == grown(game, rules, 40, on_gpu=False)


class Eager(Favourites):
    """One whose helper has the name of a kernel of the search, which is nobody's business."""

    @staticmethod
    @kernel
    def untried(nodes, child):
        return nodes[child].visits == 0


def test_helpers_of_a_rule_may_have_any_name():
    game = make_game("hex:3").interpreted()
    agents = [with_rules(make_agent("uct(fpu=0.9)"), select=rule) for rule in (Favourites, Eager)]
    trees = [grown(game, agent, 40, on_gpu=on) for agent in agents for on in (False, True)]
    assert trees[0] == trees[1] == trees[2] == trees[3]


def test_a_cpu_makes_its_own_code_of_a_call_that_a_gpu_has_typed():
    """Numba keeps one note per call of what makes its code, and numba-cuda overwrites it: a game on
    a GPU whose moves the CPU had still to compile then failed."""
    context = with_memory(cpu_target.typing_context)
    function = context.resolve_value_type(bits.leading_zeros)
    first = context.resolve_function_type(function, (types.uint64,), {})
    own = function.get_impl_key(first)
    function._impl_keys[first.args] = "what numba-cuda put there"
    again = context.resolve_function_type(function, (types.uint64,), {})
    assert again == first and function.get_impl_key(again) is own


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("auct(k=3)", "auct(lam=0.9)", True),
        ("uct(c=0.5)", "uct", True),
        ("uct(rave=fuego)", "uct(rave=fuego,distance=on)", True),
        ("uct(preset=fuego)", "fuego(knowledge=rules,filter=off)", True),
        ("uct", "uct(final=value)", False),
        ("uct", "uct(length_cost=0.1)", False),
        ("uct(rave=fuego)", "uct(rave=fuego,ignore=3)", False),
        ("uct(rave=fuego)", "uct(rave=k)", False),
    ],
)
def test_agents_with_the_same_kernels_are_searched_together(one, other, same):
    """A sweep over a number compiles one kernel and starts one."""
    assert (rules_of(make_agent(one)) == rules_of(make_agent(other))) == same
