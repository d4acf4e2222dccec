"""Search with knowledge of Go: priors, RAVE that begins with them, and the presets."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from tests.test_go_policy import priors_of
from tests.test_rave import samples_of_game
from uctlab.agents import make_agent
from uctlab.arena.plan import MatchPlan
from uctlab.devices.gpu_batches import check_plan
from uctlab.errors import UsageError
from uctlab.games import Position, make_game
from uctlab.games.go.trained_priors import NOTHING
from uctlab.games.go.trained_weights import data_of, trained_weights, weights_of
from uctlab.kernels import specialise
from uctlab.mcts.binding import bind_for_gpu, node_dtype
from uctlab.mcts.searcher import Searcher
from uctlab.parts import rave_fuego
from uctlab.parts.final_move import highest_measure, own_visits, visits_of
from uctlab.parts.hooks import wrapped
from uctlab.parts.prior import count_with_prior
from uctlab.rules.backup import accelerated, discounted, mean, squares
from uctlab.rules.select import tuned

GAME = make_game("go:4")
OPENING = "C3 C2 D2"
HAND_MADE = "fuego(knowledge=rules,c=0.3)"


def searcher_of(agent, playouts, seed=3):
    searcher = Searcher(GAME, make_agent(agent), seed=seed, record_last=True)
    searcher.prepare(Position.start(GAME).play_all(OPENING), playouts)
    return searcher


@pytest.mark.parametrize(
    ("agent", "rave"), [(HAND_MADE, True), ("fuego(rave=off,c=0.3,playout=uniform)", False)]
)
def test_the_chosen_move_has_the_highest_score(agent, rave):
    """Of playouts, RAVE and prior by their weights; every 20th selection of the search, wherever in
    the tree it is made, is without RAVE."""
    searcher = searcher_of(agent, 1200)
    ignored, selections = 0, 0
    for number in range(1200):
        scores = {}
        for child in searcher.tree.view().children(0):
            node = searcher.tree.nodes[child]
            n, prior, of_prior = int(node.visits), float(node.prior), float(node.prior_weight)
            total, weight = float(node.total) + of_prior * prior, n + of_prior
            if rave and (selections + 1) % 20:
                m = float(node.samples)
                of_rave = m / (1 + m / 5000)
                total, weight = total + of_rave * float(node.rave), weight + of_rave
            bias = 0.3 * math.sqrt(math.log(max(number, 1)) / (n + of_prior))
            scores[child] = total / weight + bias
        searcher.run(1)
        path = searcher.tree.last_playout()[0]
        assert scores[path[1]] > max(scores.values()) - 1e-9, number
        ignored += (selections + 1) % 20 == 0
        selections += len(path) - 1
    assert selections > 2000 and ignored > 20


def test_nodes_begin_with_the_games_priors():
    """At the root and below, and samples of RAVE with them."""
    searcher = searcher_of(HAND_MADE, 600)
    position = searcher.position
    totals = {}
    weights_seen = set()

    def begin(node, line):
        here = position.play_all(" ".join(GAME.move_name(move) for move in line))
        known = priors_of(GAME, here.state, None if line else here.legal)
        children = searcher.tree.view().children(node)
        assert sorted(known) == sorted(int(searcher.tree.nodes[child].move) for child in children)
        for child in children:
            prior, weight = known[int(searcher.tree.nodes[child].move)]
            assert searcher.tree.nodes[child].prior == pytest.approx(prior, abs=1e-6)
            assert searcher.tree.nodes[child].prior_weight == weight
            totals[child] = [weight * prior, weight]
            weights_seen.add(weight)

    begin(0, [])
    for _ in range(600):
        searcher.run(1)
        path, playout, outcome = searcher.tree.last_playout()
        moves = [int(searcher.tree.nodes[node].move) for node in path[1:]] + playout
        for level, node in enumerate(path[:-1]):
            if searcher.tree.view().children(node)[0] not in totals:
                begin(node, moves[:level])
            player = (position.turn + level) % 2
            result = outcome if player == 0 else 1 - outcome
            children = {
                int(searcher.tree.nodes[c].move): c for c in searcher.tree.view().children(node)
            }
            weights = samples_of_game(moves, position.turn, level, children, player, weigh=True)
            for move, weight in weights.items():
                totals[children[move]][0] += weight * result
                totals[children[move]][1] += weight
    assert len(totals) > 300 and len(weights_seen) > 2
    for child, (total, weight) in totals.items():
        assert searcher.tree.nodes[child].samples == pytest.approx(weight, rel=1e-9)
        assert searcher.tree.nodes[child].rave == pytest.approx(total / weight, abs=1e-6)


def test_knowledge_from_games():
    """The agent fuego asks for it, presets only when told, a GPU has none; nodes begin with what
    the kernel says in plain Python."""
    searcher = searcher_of("fuego(rave=off,c=0.3,playout=uniform)", 300)
    searcher.run(300)
    view, nodes = searcher.tree.view(), searcher.tree.nodes
    compared = 0
    for parent in [0, *view.children(0)]:
        here = searcher.position
        if parent != 0:
            here = here.play(int(nodes[parent].move))
        known = priors_of(GAME.interpreted(), here.state, here.legal, "trained_priors")
        for child in view.children(parent):
            prior, weight = known[int(nodes[child].move)]
            assert nodes[child].prior == pytest.approx(prior, abs=1e-6)
            assert nodes[child].prior_weight == weight
            compared += 1
    assert compared > 60
    position = searcher.position
    assert known != priors_of(GAME, position.state, position.legal)
    kinds = {
        name: make_agent(name).option("knowledge")
        for name in ("fuego", "uct(preset=fuego)", "puct")
    }
    assert kinds == {"fuego": "trained", "uct(preset=fuego)": "rules", "puct": "rules"}
    with pytest.raises(UsageError, match="a GPU has no trained knowledge; use knowledge=rules"):
        bind_for_gpu(GAME, make_agent("fuego(filter=off)"))
    with pytest.raises(UsageError, match="a GPU has no trained knowledge; use knowledge=rules"):
        check_plan(MatchPlan("go:4", "fuego(filter=off)", "uct", playouts=10))
    with pytest.raises(UsageError, match="go:4 has no trained knowledge; use knowledge=rules"):
        Searcher(replace(GAME, trained_priors=None), make_agent("fuego"))


def test_the_file_of_weights():
    """It is read as it was written, and two ways to turn a neighbourhood have one weight."""
    table = trained_weights()
    assert (weights_of(json.loads(json.dumps(data_of(table)))) == table).all()
    number = sum(color << 2 * i for i, color in enumerate((1, 2, 0, 0, 0, 0, 0, 0)))
    turned = sum(color << 2 * i for i, color in enumerate((0, 0, 0, 0, 2, 0, 0, 1)))
    assert table[number] == table[turned] != 0
    assert np.count_nonzero(table) > 3000 and table[NOTHING] == 0


def test_without_decay_the_accelerated_preset_is_the_plain_one():
    """Node for node, with knowledge as without."""
    trees = []
    options = "rave=off,c=0.3,playout=uniform,knowledge=trained"
    for agent in (f"fuego({options})", f"auct(k=inf,preset=fuego,{options})"):
        searcher = searcher_of(agent, 2000)
        searcher.run(2000)
        used = int(searcher.tree.counters[0])
        trees.append(
            [searcher.tree.nodes[name][:used].tolist() for name in ("move", "visits", "first")]
        )
    assert trees[0] == trees[1] and len(trees[0][0]) > 1000


def test_what_the_presets_are():
    strong = make_agent("fuego")
    assert (strong.select, strong.option("playout")) == (rave_fuego, "heavy")
    assert {"rave", "pruning"} < strong.parts and not make_agent("uct").parts
    numbers = strong.params
    assert (numbers.expand, numbers.prior, numbers.ignore, numbers.by_distance) == (0, 1, 20, 1)
    assert (numbers.c, numbers.fpu, numbers.rave_initial, numbers.rave_final) == (0, 1, 1, 5000)
    assert make_agent("uct(preset=fuego)").params == numbers
    plain = make_agent("fuego(rave=off,c=0.7)")
    assert (plain.select, plain.option("playout")) == (rave_fuego, "heavy")
    assert "rave" not in plain.parts
    assert (plain.params.c, plain.params.expand, plain.params.prior) == (0.7, 0, 1)
    for kind, backup in (("auct", accelerated), ("duct", discounted)):
        agent = make_agent(f"{kind}(k=4,preset=fuego)")
        assert (agent.backup, agent.select) == (backup, rave_fuego)
        assert agent.option("playout") == "heavy" and "pruning" in agent.parts
        assert agent.params.lam == pytest.approx(0.9999) and agent.params.prior == 1
    assert make_agent("duct(k=4,preset=fuego,expand=1,playout=uniform)").params.expand == 1
    mogo = make_agent("mogo(p=1.2)")
    assert (mogo.select, mogo.backup, mogo.option("playout")) == (tuned, squares, "uniform")
    assert (mogo.params.p, mogo.params.fpu, mogo.params.expand) == (1.2, 1, 1)


FULL_OF_EYES = """
. X X .
X X X X
X X X X
. X X .
X to play
"""


def test_own_eyes_are_no_moves_of_the_tree():
    """They stay legal; where a player has nothing else, the tree has the pass."""
    position = Position.from_diagram(GAME, FULL_OF_EYES)
    assert len(position.legal) == 5
    searcher = Searcher(GAME, make_agent(HAND_MADE), record_last=True)
    searcher.prepare(position, 100)
    searcher.run(100)
    view = searcher.tree.view()
    assert [view.move_name(child) for child in view.children(0)] == ["pass"]
    # White may play into them, as far as the rules allow.
    theirs = Position.from_diagram(GAME, FULL_OF_EYES.replace("X to", "O to"))
    moves = np.array(theirs.legal, np.int16)
    assert GAME.kernels.prune(theirs.state, moves, len(moves)) == len(theirs.legal) == 1


def test_the_final_move_counts_priors():
    """Of visited moves, the one with most visits and prior weight."""
    nodes = np.zeros(5, node_dtype(make_agent("fuego"))).view(np.recarray)
    nodes[0].first, nodes[0].count = 1, 4
    nodes.visits[1:], nodes.prior_weight[1:] = [5, 4, 0, 6], [4, 9, 20, 6]
    with_prior = wrapped("counted", count_with_prior, visits_of)
    for counted, best in ((with_prior, 2), (visits_of, 4)):
        owners = {"step": {"counted": counted}, "final_move": {"measure": own_visits}}
        leader = specialise(highest_measure, interpret=True, backup=mean, **owners)
        assert leader(nodes) == best


@pytest.mark.parametrize(
    ("spec", "agent", "message"),
    [
        ("hex:3", "uct(playout=heavy)", "hex:3 has no playout policy 'heavy'"),
        ("hex:3", "fuego(playout=uniform)", "hex:3 has no priors"),
        ("hex:3", "puct(knowledge=trained)", "hex:3 has no trained knowledge; use knowledge=rules"),
        ("go:3", "uct(playout=pattern+catch)", "or some of capture[+]save"),
        (
            "go:3",
            "uct(prior=3,rave=k)",
            "rave=k does not go with prior=3: each has a selection rule of its own",
        ),
    ],
)
def test_mistakes(spec, agent, message):
    with pytest.raises(UsageError, match=message):
        Searcher(make_game(spec), make_agent(agent))
