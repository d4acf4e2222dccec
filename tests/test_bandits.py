"""Selection rules against twins that keep every result: each choice of each playout."""

import math
from itertools import pairwise

import numpy as np
import pytest

from tests.naive import bandits
from uctlab.agents import make_agent
from uctlab.games import Position, make_game
from uctlab.mcts import loop
from uctlab.mcts.binding import bind_for_cpu
from uctlab.mcts.searcher import Searcher
from uctlab.parts.layout import LAST_DEPTH, LAST_OUTCOME, OUTCOME_UNITS, OVER
from uctlab.rules import draws
from uctlab.rules.select import kl_ucb

TIE = 1e-8  # scores that are closer may be in either order


def followed(spec, name, score, playouts, after=None):
    """A search, interpreted and looked at playout by playout; its searcher and the twin's nodes.

    The twin must find no move better than the chosen one, at any level of any playout.
    """
    game = make_game(spec).interpreted()
    searcher = Searcher(game, make_agent(name), seed=3)
    params = searcher.agent.params
    position = Position.start(game)
    searcher.prepare(position, playouts)
    tree = searcher.tree
    search = bind_for_cpu(game, searcher.agent, record_last=True).bind(loop.search)
    twins = {0: bandits.Node()}
    choices = 0
    for _ in range(playouts):
        search(tree.arrays, tree.work, params, 1)
        numbers = [int(node) for node in tree.work.path[: tree.counters[LAST_DEPTH] + 1]]
        for depth, node in enumerate(numbers[:-1]):
            if not twins[node].moves:
                first, count = int(tree.nodes[node].first), int(tree.nodes[node].count)
                for move in range(first, first + count):
                    code = int(tree.nodes[move].move)
                    twins[move] = bandits.Node(depth + 1, code=code, number=move)
                twins[node].moves = [twins[move] for move in range(first, first + count)]
        path = [twins[node] for node in numbers]
        path[-1].over = int(tree.nodes[numbers[-1]].count) == OVER
        for node, chosen in pairwise(path):
            choices += fits(node, chosen, score, params)
        outcome = tree.counters[LAST_OUTCOME] / OUTCOME_UNITS
        first_moved = (position.turn + len(path) - 1) % 2 == 1
        bandits.add(path, outcome if first_moved else 1 - outcome)
        if after is not None:
            after(path, params)
    assert choices > playouts
    assert max(twin.depth for twin in twins.values() if twin.visits) > 2
    return searcher, twins


def fits(node, chosen, score, params):
    """Assert that the move may be chosen; whether the rule had a choice."""
    untried = [move for move in node.moves if not move.visits]
    if untried and params.fpu == math.inf:
        assert chosen is untried[0]
        return False
    scores = [score(node, move, params) for move in node.moves]
    assert score(node, chosen, params) > max(scores) - TIE
    return True


BASTS = ["bast(c=0.1)", "bast(c=0.2,delta=0.9,gamma=0.5,beta=0.01,expand=3)", "bast(c=1,delta=0)"]
BASTS += ["bast(c=0.05,delta=inf)"]


@pytest.mark.parametrize("name", BASTS)
def test_bast(name):
    """Every bound of every node, too, though only those on a path are computed anew."""
    searcher, twins = followed("hex:3", name, bandits.bast, 300, bandits.bound)
    for number, twin in twins.items():
        node = searcher.tree.nodes[number]
        assert node.visits == twin.visits
        assert node.upper == pytest.approx(twin.upper, abs=1e-12)
        assert node.lower == pytest.approx(twin.lower, abs=1e-12)
    ends = any(twin.over and twin.visits for twin in twins.values())
    assert ends or name in BASTS[1:3]  # too wide bounds for the end of a game in so few playouts


def test_bounds_by_hand():
    """A lost answer closes both bounds of the move before it, whatever its mean."""
    agent = make_agent("bast(c=0,delta=0.1,gamma=1)")
    answers = [bandits.Node(2, results=[0.0], upper=0.3, lower=0.2)]
    answers += [bandits.Node(2, results=[0.0], upper=0.4, lower=0.1)]
    move = bandits.Node(1, results=[1.0, 0.0], moves=answers)
    bandits.bound([move], agent.params)
    assert (move.upper, move.lower) == pytest.approx((0.6, 0.6))
    move.results = [0.7]
    bandits.bound([move], agent.params)
    assert (move.upper, move.lower) == pytest.approx((0.8, 0.6))


@pytest.mark.parametrize("name", ["muct", "muct(c=0.1,levels=3,beta=0.5,expand=2)"])
def test_modified_uct(name):
    searcher, twins = followed("hex:3", name, bandits.modified, 200)
    visited = {number: twin for number, twin in twins.items() if twin.visits}
    assert {searcher.tree.nodes[n].height - twin.height for n, twin in visited.items()} == {0}


@pytest.mark.parametrize("name", ["ucbv", "ucbv(zeta=0.3,c=0.2,expand=3)"])
def test_ucb_v(name):
    followed("hex:3", name, bandits.ucb_v, 200)


@pytest.mark.parametrize("name", ["klucb", "klucb(c=3,expand=0)"])
def test_kl_ucb(name):
    followed("hex:3", name, bandits.kl_ucb, 200)


MEANS = [0.0, 1e-9, 0.01, 0.3, 0.5, 0.99, 1 - 1e-9, 1.0]


@pytest.mark.parametrize("room", [0.0, 1e-12, 1e-4, 0.1, 1.0, 8.0])
def test_the_highest_mean_by_newton(room):
    """As near to the edge of what may be as floats are, for any mean."""
    for mean in MEANS:
        found = kl_ucb.highest_mean(mean, room)
        assert mean <= found <= 1.0
        for step, inside in ((-1e-9, True), (1e-9, False)):
            probe = found + step
            if mean < probe < 1.0:
                slack = 1e-13 if inside else -1e-13
                assert (bandits.divergence(mean, probe) <= room + slack) == inside, (mean, probe)
    assert kl_ucb.highest_mean(0.0, room) == pytest.approx(1 - math.exp(-room))


@pytest.mark.parametrize("name", ["thompson", "thompson(expand=4)"])
def test_thompson_sampling(name):
    """Draws of the twin's own, from the same hash; untried moves are drawn as well."""
    _, twins = followed("hex:3", name, bandits.thompson, 200)
    spreads = [[move.visits for move in node.moves] for node in twins.values() if node.moves]
    assert any(min(spread) == 0 and max(spread) > 1 for spread in spreads)


@pytest.mark.parametrize(("wins", "losses"), [(0, 0), (1, 0), (0, 3), (4, 2), (30, 70)])
def test_draws_follow_the_beta_distribution(wins, losses):
    """Its exact distribution function, for whole numbers, is a sum of binomial terms."""
    number = 4000
    with np.errstate(over="ignore"):
        drawn = sorted(
            draws.beta(1.0 + wins, 1.0 + losses, draws.stream_of(draws.mixed(np.uint64(i)), 5))
            for i in range(number)
        )
    n = wins + losses + 1
    gap = 0.0
    for i, x in enumerate(drawn):
        below = sum(math.comb(n, j) * x**j * (1 - x) ** (n - j) for j in range(wins + 1, n + 1))
        gap = max(gap, abs(below - (i + 0.5) / number))
    assert gap < 1.63 / math.sqrt(number)  # Kolmogorov's test at 1 %; the draws never change


@pytest.mark.parametrize("name", ["dtuned(k=1)", "dtuned(k=3,p=0.5,expand=3)", "dtuned(k=inf)"])
def test_discounted_tuned(name):
    followed("hex:3", name, bandits.discounted_tuned, 200)


def test_dtuned_without_decay_is_tuned():
    trees = []
    for name in ("tuned(p=0.8)", "dtuned(k=inf,p=0.8)"):
        searcher = Searcher(make_game("hex:3").interpreted(), make_agent(name), seed=4)
        searcher.search(Position.start(searcher.game), playouts=200)
        trees.append(searcher.tree.nodes[: searcher.tree.used][["visits", "move", "first"]])
    assert np.array_equal(*trees)
