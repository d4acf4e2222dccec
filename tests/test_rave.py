"""RAVE samples against a twin that records whole games and asks the definition of each move."""

import math

import pytest

from uctlab.agents import make_agent
from uctlab.games import Position, make_game
from uctlab.mcts.searcher import Searcher


def samples_of_game(moves, first_player, start, candidates, player, weigh):
    """Weights of the samples that one game gives to the candidate moves at ply `start`.

    moves[i] is made by player (first_player + i) % 2; a candidate is sampled when `player` is the
    first of the two to make it from ply `start` on.
    """
    weights = {}
    for candidate in candidates:
        for ply in range(start, len(moves)):
            if moves[ply] == candidate:
                if (first_player + ply) % 2 == player:
                    distance, remaining = ply - start, len(moves) - start
                    weights[candidate] = 2 - distance / remaining if weigh else 1.0
                break
    return weights


@pytest.mark.parametrize("distance", ["off", "on"])
@pytest.mark.parametrize(
    ("spec", "agent"),
    [
        ("othello", "uct(rave=k{})"),
        ("hex:4", "auct(k=3,rave=fuego{})"),
        ("hex:4", "uct(rave=fuego,length_cost=0.01{})"),
        ("go:4", "duct(k=4,rave=k{})"),
    ],
)
def test_every_sample(spec, agent, distance):
    game = make_game(spec)
    searcher = Searcher(
        game, make_agent(agent.format(f",distance={distance}")), seed=8, record_last=True
    )
    position = Position.start(game)
    position = position.play(position.legal[0])  # the second player is to move at the root
    searcher.prepare(position, 400)
    nodes = searcher.tree.nodes
    totals: dict[int, list[float]] = {}
    for _ in range(400):
        searcher.run(1)
        path, playout, outcome = searcher.tree.last_playout()
        moves = [int(nodes[node].move) for node in path[1:]] + playout
        for level, node in enumerate(path[:-1]):
            player = (position.turn + level) % 2
            result = outcome if player == 0 else 1 - outcome
            children = {
                int(nodes[child].move): child for child in searcher.tree.view().children(node)
            }
            weights = samples_of_game(
                moves, position.turn, level, children, player, distance == "on"
            )
            for move, weight in weights.items():
                entry = totals.setdefault(children[move], [0.0, 0.0])
                entry[0] += weight * result
                entry[1] += weight
    assert len(totals) > 100
    for child, (total, weight) in totals.items():
        assert nodes[child].samples == pytest.approx(weight, rel=1e-9)
        assert nodes[child].rave == pytest.approx(total / weight, abs=1e-9)
    used = int(searcher.tree.counters[0])
    assert sum(nodes.samples[:used] > 0) == len(totals)  # and no sample anywhere else


@pytest.mark.parametrize("rule", ["fuego", "k"])
def test_the_chosen_move_has_the_highest_score(rule):
    """The formulas of ALGORITHMS, spelled out once more on the root's statistics."""
    numbers = {"fuego": "rave_initial=0.9,rave_final=300", "k": "rave_k=150"}[rule]
    agent = f"uct(rave={rule},c=0.4,fpu=inf,{numbers})"
    game = make_game("hex:4")
    searcher = Searcher(game, make_agent(agent), seed=2, record_last=True)
    searcher.prepare(Position.start(game), 1200)
    checked = 0
    for number in range(1200):
        children = list(searcher.tree.view().children(0))
        scores = {}
        if number > 500 and number % 3 == 0:
            for child in children:
                node = searcher.tree.nodes[child]
                n, m = int(node.visits), float(node.samples)
                r, rave = float(node.total) / n, float(node.rave)
                if rule == "fuego":
                    weight = m / (1 / 0.9 + m / 300)
                    mixed = (n * r + weight * rave) / (n + weight)
                else:
                    beta = math.sqrt(150 / (3 * n + 150))
                    mixed = (1 - beta) * r + beta * rave
                scores[child] = mixed + 0.4 * math.sqrt(math.log(number) / n)
        searcher.run(1)
        if scores:
            assert scores[searcher.tree.last_playout()[0][1]] > max(scores.values()) - 1e-9
            checked += 1
    assert checked > 200


@pytest.mark.parametrize("distance", ["off", "on"])
def test_samples_that_begin_with_part_of_a_playout(distance):
    """A prior counts as a fraction of a playout; what is left of the sum is that of the results."""
    agent = make_agent(f"uct(rave=fuego,prior=0.3,distance={distance})")
    searcher = Searcher(make_game("go:5"), agent, seed=4)
    searcher.search(Position.start(searcher.game), playouts=600)
    nodes = searcher.tree.nodes[1 : searcher.tree.used]
    known, prior = nodes.prior_weight > 0, nodes.prior * nodes.prior_weight
    samples = (nodes.samples - nodes.prior_weight)[known]
    results = (nodes.rave * nodes.samples - prior)[known]
    assert (samples > 0).sum() > 100
    assert (results > -1e-5).all() and (results < samples + 1e-5).all()
    if distance == "off":  # prior and weight are float32
        assert abs(results * 2 - (results * 2).round()).max() < 1e-4
