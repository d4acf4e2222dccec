"""What must hold in every tree at rest, however many threads have grown it."""

import numpy as np
import pytest

from uctlab.parts.layout import OVER, USED
from uctlab.rules.backup import max as best

ROUNDING = 1e-6


def check_tree(tree, visits):
    """The root has those visits, nothing is lost below it, and all values are possible."""
    nodes = np.asarray(tree.nodes[: int(tree.counters[USED])])
    names = nodes.dtype.names
    assert nodes["visits"][0] == visits
    assert nodes["count"].min() >= OVER, "a node is claimed for ever"
    if "pending" in names:
        assert not nodes["pending"].any(), "a virtual loss, or a latch, is left"
    parents, moves = families(nodes)
    below = sums(nodes["visits"][moves], parents, len(nodes))
    own = nodes["visits"] - below  # playouts that a node had as a leaf
    assert own.min() >= 0, "a node has fewer visits than its moves"
    if "own" in names:
        assert np.array_equal(own, nodes["own"]), "visits are lost"
    if "total" in names:
        check_sums(nodes, parents, moves, own)
    if "weight" in names:
        check_weights(nodes, parents, moves, own, tree.agent)
    if "rave" in names:
        check_samples(nodes, parents, moves, tree)
    if "share" in names:
        check_power_means(nodes, parents, moves, own, tree.agent.params.power)
    elif tree.agent.backup is best:
        check_best_answers(nodes, parents, moves)


def families(nodes):
    """Every child, and its parent at the same place."""
    inner = np.flatnonzero(nodes["count"] > 0)
    counts = nodes["count"][inner].astype(int)
    parents = np.repeat(inner, counts)
    starts = np.repeat(np.cumsum(counts) - counts, counts)
    moves = nodes["first"][parents].astype(int) + np.arange(len(parents)) - starts
    assert len(np.unique(moves)) == len(moves), "two nodes share a child"
    return parents, moves


def sums(values, parents, size):
    return np.bincount(parents, values, size).round(9)


def check_sums(nodes, parents, moves, own):
    """The results of a node's own playouts are what its moves leave of its sum."""
    visits, total = nodes["visits"][moves], nodes["total"][moves]
    won = (nodes["total"] - sums(visits - total, parents, len(nodes))).round(9)
    assert won.min() >= 0 and (won <= own).all()
    if "own_total" in nodes.dtype.names:
        assert np.array_equal(won, nodes["own_total"]), "results are lost"
    if "squares" in nodes.dtype.names:
        answers = visits - 2 * total + nodes["squares"][moves]
        squares = (nodes["squares"] - sums(answers, parents, len(nodes))).round(9)
        assert squares.min() >= 0 and (squares <= won).all()


def check_weights(nodes, parents, moves, own, agent):
    """Moves and virtual child weigh 1 + lambda + ...; the virtual child as much as it may.

    Its playouts came before those of the moves, or as late as after all of them.
    """
    lam = agent.params.lam
    values = nodes["value"]
    visited = nodes["visits"] > 0
    assert (values[visited] > -ROUNDING).all() and (values[visited] < 1 + ROUNDING).all()
    weights = nodes["weight"][moves] / nodes["unit"][parents]
    assert ((weights > 0) == (nodes["visits"][moves] > 0)).all()
    inner = nodes["count"] > 0
    size = len(nodes)
    automatic = "mass" in nodes.dtype.names
    whole = nodes["mass"] / nodes["unit"] if automatic else geometric(nodes["visits"], lam)
    virtual = whole - np.bincount(parents, weights, size)
    passed = nodes["visits"] - own
    least, most = lam**passed * geometric(own, lam), geometric(own, lam)
    if automatic:  # how much was forgotten is not known
        least = 0.0 * own
    slack = ROUNDING * np.maximum(whole, 1)
    assert (virtual + slack >= least)[inner].all(), "weights are too large"
    assert (virtual - slack <= most)[inner].all(), "weights are lost"
    if agent.backup.WEIGHT == "velocity":
        # What the moves leave of the node's value is that of the virtual child, between 0 and 1.
        rest = (1 - values) * whole - np.bincount(parents, weights * values[moves], size)
        assert (rest >= -slack)[inner].all(), "the node forgot an answer"
        assert (rest <= virtual + slack)[inner].all(), "the node forgot an answer"


def check_power_means(nodes, parents, moves, own, power):
    """No playout and no answer is forgotten, and every value is the one that they make."""
    assert np.array_equal(own, nodes["playouts"])
    value, visits = nodes["value"], np.maximum(nodes["visits"], 1)
    assert nodes["share"] == pytest.approx(nodes["visits"] * value**power)
    virtual = own * (1 - nodes["won"] / np.maximum(own, 1)) ** power
    total = virtual + np.bincount(parents, nodes["share"][moves], len(nodes))
    made = (1 - (total / visits) ** (1 / power))[nodes["visits"] > 0]
    assert made == pytest.approx(value[nodes["visits"] > 0], abs=ROUNDING)


def check_best_answers(nodes, parents, moves):
    """A node with answers has 1 minus the value of the best one."""
    visited = nodes["visits"][moves] > 0
    best = np.zeros(len(nodes))
    np.maximum.at(best, parents[visited], nodes["value"][moves[visited]])
    inner = np.unique(parents[visited])
    assert np.array_equal(nodes["value"][inner], 1 - best[inner]), "a node forgot an answer"


def geometric(visits, lam):
    visits = visits.astype(float)
    return visits if lam == 1 else (1 - lam**visits) / (1 - lam)


def check_samples(nodes, parents, moves, tree):
    """Every visit of a move is a sample of it; in Hex a playout is one of half the free cells."""
    params = tree.agent.params
    samples = nodes["samples"][moves]
    visits = nodes["visits"][moves]
    weights = nodes["prior_weight"][moves] if params.prior > 0 else 0
    assert (samples >= (visits + weights) * (1 - ROUNDING)).all(), "samples are lost"
    rave = nodes["rave"][moves][samples > 0]
    assert (rave > -ROUNDING).all() and (rave < 1 + ROUNDING).all()
    over = nodes["count"].min() == OVER  # there are then paths without a playout
    if tree.game.name.startswith("hex") and not params.by_distance and not over:
        made = visits * ((nodes["count"][parents] + 1) // 2)
        assert sums(samples, parents, len(nodes)) == pytest.approx(sums(made, parents, len(nodes)))
