"""The two figures of hashimoto2012, by hand, and rules as bandits against closed forms."""

import math
from fractions import Fraction

import numpy as np
import pytest

from uctlab.agents import make_agent
from uctlab.games import Game, Position
from uctlab.kernels import kernel, next_u64
from uctlab.mcts.binding import bind_for_cpu
from uctlab.mcts.searcher import Searcher
from uctlab.mcts.tree import add_children, reset_tree
from uctlab.mcts.workspace import Tree, new_counters, new_work

HALF = Fraction(1, 2)
NAMES = "ABCDEFGHI"
FIG_1 = {"A": "BC", "B": "DEF", "C": "G", "G": "HI"}
WINS = "DEH"  # for the first player, who moves at A and at G


class HandMadeTree:
    """Nodes by letter; playouts are put in by hand, in the order one likes."""

    def __init__(self, agent, shape, root):
        binding = bind_for_cpu(letters_game(), make_agent(agent))
        self.agent = binding.agent
        self.add_children = binding.bind(add_children)
        self.backup = binding.bind(self.agent.backup.backup)
        self.value_of = binding.bind(self.agent.backup.value)
        self.nodes = np.zeros(64, binding.node_type).view(np.recarray)
        self.tree = Tree(self.nodes, new_counters())
        self.params = binding.params
        work, _ = new_work(binding.setting, binding.parts)
        self.work = work._replace(own=self.tree.counters)
        binding.bind(reset_tree)(self.tree)
        self.shape = shape
        self.index = {root: 0}
        self.parent = {child: parent for parent, below in shape.items() for child in below}

    def expand(self, name):
        moves = np.array([NAMES.index(child) for child in self.shape[name]], np.int16)
        args = self.index[name], moves, len(moves), 0, self.params
        assert self.add_children(self.tree, self.work, *args)
        first = int(self.nodes[self.index[name]].first)
        for i in range(first, first + len(moves)):
            self.index[NAMES[self.nodes[i].move]] = i

    def playout(self, name, seen):
        """A playout at a node, with its result for the player who moved there."""
        line = [name]
        while line[-1] in self.parent:
            line.append(self.parent[line[-1]])
        path = np.array([self.index[node] for node in reversed(line)], np.int64)
        self.backup(self.nodes, path, len(path) - 1, float(seen), self.agent.params)

    def value(self, name):
        return float(self.value_of(self.nodes, self.index[name]))


LETTERS = np.dtype([("turn", "i1")], align=True)


@kernel
def start(s):
    s.turn = 0


@kernel
def no_moves(s, out):
    return 0


@kernel
def pass_on(s, move):
    s.turn ^= 1


@kernel
def draw(s):
    return 0.5


def letters_game():
    return Game(
        name="letters",
        state=LETTERS,
        start=start,
        moves=no_moves,
        play=pass_on,
        result=draw,
        max_moves=9,
        max_length=9,
        move_names=tuple(NAMES),
    )


def figure_1(agent):
    tree = HandMadeTree(agent, FIG_1, "A")
    for name in "ABCG":
        tree.expand(name)
    for leaf in "DEFHI":
        won = leaf in WINS
        mover_is_first = leaf in "HI"  # D, E and F are the second player's moves
        tree.playout(leaf, won == mover_is_first)
    return tree


@pytest.mark.parametrize("agent", ["uct", "auct(k=inf)"])
def test_figure_1_without_decay(agent):
    """B looks better than C although it loses."""
    tree = figure_1(agent)
    assert tree.value("B") == pytest.approx(2 / 3, abs=1e-12)
    assert tree.value("C") == pytest.approx(1 / 2, abs=1e-12)


@pytest.mark.parametrize("lam", [HALF, Fraction(9, 10), Fraction(99, 100)])
def test_figure_1_with_decay(lam):
    tree = figure_1(f"auct(lam={float(lam)})")
    # B: velocities lam**2, lam, 1 of D, E, F; only F is good for the second player.
    assert tree.value("B") == pytest.approx(float(1 - 1 / (1 + lam + lam**2)), abs=1e-12)
    # G: velocities lam, 1 of H, I; H is good for the first player. C has the one answer G.
    value_of_g = 1 - lam / (1 + lam)
    assert tree.value("G") == pytest.approx(float(value_of_g), abs=1e-12)
    assert tree.value("C") == pytest.approx(float(1 - value_of_g), abs=1e-12)
    if lam == HALF:
        assert tree.value("B") == pytest.approx(3 / 7)
        assert tree.value("C") == pytest.approx(1 / 3)


def figure_2(agent):
    """Leaf A (the figure's a) with three playouts, two won; then D and E, a win and a loss."""
    tree = HandMadeTree(agent, {"I": "ABC", "A": "DE"}, "I")
    tree.expand("I")
    for won in (1, 1, 0):
        tree.playout("A", won)
    assert tree.value("A") == pytest.approx(2 / 3)
    tree.expand("A")
    tree.playout("D", 0)  # D and E are the other player's moves
    tree.playout("E", 1)
    return tree


@pytest.mark.parametrize("agent", ["uct", "auct(k=inf)"])
def test_figure_2_without_decay(agent):
    assert figure_2(agent).value("A") == pytest.approx(3 / 5, abs=1e-12)


@pytest.mark.parametrize("lam", [HALF, Fraction(9, 10)])
def test_figure_2_with_decay(lam):
    virtual = (1 + lam + lam**2) * lam**2  # the virtual child's velocity, decayed by two visits
    answers = virtual * Fraction(1, 3) + lam * 0 + 1 * 1
    expected = 1 - answers / (virtual + lam + 1)
    assert figure_2(f"auct(lam={float(lam)})").value("A") == pytest.approx(float(expected))
    if lam == HALF:
        assert expected == Fraction(38, 93)


# Bandits: a game of one move, whose playout is a coin of that move's own.
CHANCES = np.array([0.3, 0.5, 0.55, 0.45])
ARM = np.dtype([("arm", "i2"), ("turn", "i1")], align=True)


@kernel
def start_arms(s):
    s.arm = -1
    s.turn = 0


@kernel
def arms(s, out):
    if s.arm >= 0:
        return 0
    for arm in range(4):
        out[arm] = arm
    return 4


@kernel
def pull(s, move):
    s.arm = move
    s.turn ^= 1


@kernel
def no_result(s):
    return 0.0


@kernel
def coin(s, rng, out, trace):
    draw = float(next_u64(rng) >> np.uint64(11)) / 2.0**53
    return (1.0 if draw < CHANCES[s.arm] else 0.0), 0


def bandit_game():
    return Game(
        name="bandit",
        state=ARM,
        start=start_arms,
        moves=arms,
        play=pull,
        result=no_result,
        playouts={"uniform": coin},
        max_moves=4,
        max_length=1,
        move_names=tuple("0123"),
    )


def pulls(agent, playouts, seed):
    """The arms that a search pulls, by position among the root's children, and the results."""
    searcher = Searcher(bandit_game(), make_agent(agent), seed=seed, record_last=True)
    searcher.prepare(Position.start(searcher.game), playouts)
    chosen, results = [], []
    for _ in range(playouts):
        searcher.run(1)
        path, _, outcome = searcher.tree.last_playout()
        chosen.append(path[1] - int(searcher.tree.nodes[0].first))
        results.append(outcome)
    return np.array(chosen), np.array(results), searcher


def closed_form_scores(rule, chosen, results, number):
    """The score of every arm before pull `number`, from the whole history."""
    before = np.arange(number)
    scores = np.empty(4)
    if rule == "tuned":
        for arm in range(4):
            x = results[:number][chosen[:number] == arm]
            bias = math.log(number) / len(x)
            variance = (x**2).mean() - x.mean() ** 2 + math.sqrt(2 * bias)
            scores[arm] = x.mean() + 1.1 * math.sqrt(bias * min(0.25, variance))
        return scores
    lam = 0.97
    weights = lam ** (number - 1 - before)
    for arm in range(4):
        mine = chosen[:number] == arm
        tries = weights[mine].sum()
        mean = (weights[mine] * results[:number][mine]).sum() / tries
        scores[arm] = mean + 0.8 * math.sqrt(math.log(weights.sum()) / tries)
    return scores


@pytest.mark.parametrize(
    ("rule", "agent"),
    [("tuned", "tuned(p=1.1,expand=inf)"), ("discounted", "duct(lam=0.97,c=0.8,expand=inf)")],
)
def test_every_pull_follows_the_closed_form(rule, agent):
    chosen, results, _ = pulls(agent, 1500, seed=4)
    assert sorted(chosen[:4]) == [0, 1, 2, 3]
    for number in range(4, len(chosen)):
        scores = closed_form_scores(rule, chosen, results, number)
        assert scores[chosen[number]] > scores.max() - 1e-9, number


def simulate(rule, playouts, rng):
    """The same bandit in NumPy, with the recursion of the papers."""
    lam = 0.97 if rule == "discounted" else 1.0
    tries, totals, squares = np.zeros(4), np.zeros(4), np.zeros(4)
    plain = np.zeros(4)
    for number in range(playouts):
        if number < 4:
            arm = number
        elif rule == "tuned":
            mean, bias = totals / tries, math.log(number) / tries
            variance = squares / tries - mean**2 + np.sqrt(2 * bias)
            arm = np.argmax(mean + 1.1 * np.sqrt(bias * np.minimum(0.25, variance)))
        else:
            arm = np.argmax(totals / tries + 0.8 * np.sqrt(math.log(tries.sum()) / tries))
        x = float(rng.random() < CHANCES[arm])
        for sums in (tries, totals, squares):
            np.multiply(sums, lam, out=sums)
        tries[arm] += 1.0
        totals[arm] += x
        squares[arm] += x * x
        plain[arm] += 1
    return plain


@pytest.mark.parametrize(
    ("rule", "agent"),
    [("tuned", "tuned(p=1.1,expand=inf)"), ("discounted", "duct(lam=0.97,c=0.8,expand=inf)")],
)
def test_shares_of_pulls_against_a_simulation(rule, agent):
    runs, playouts = 50, 600
    rng = np.random.default_rng(1)
    theirs = np.array([simulate(rule, playouts, rng) for _ in range(runs)]) / playouts
    ours = np.zeros((runs, 4))
    for seed in range(runs):
        searcher = Searcher(bandit_game(), make_agent(agent), seed=seed, record_last=True)
        searcher.prepare(Position.start(searcher.game), playouts)
        searcher.run(playouts)
        for child in searcher.tree.view().children(0):
            ours[seed, searcher.tree.nodes[child].move] = (
                searcher.tree.nodes[child].visits / playouts
            )
    error = np.sqrt((ours.var(axis=0) + theirs.var(axis=0)) / runs)
    assert (np.abs(ours.mean(axis=0) - theirs.mean(axis=0)) < 4 * error).all()
