"""Chooses the move to play, and runs a whole search for one move in a single call."""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.kernels import hole, kernel
from uctlab.mcts.overruns import wrong_list
from uctlab.mcts.tree import add_children, reset_tree
from uctlab.parts.layout import DEEPEST, LEVEL
from uctlab.parts.solver import WIN
from uctlab.rules.select.best import better

moves: Any = hole("game.moves")
play: Any = hole("game.play")
result: Any = hole("game.result")
value: Any = hole("backup.value")
copy_record: Any = hole("device.copy_record")
search: Any = hole("agent.loop")
leader: Any = hole("agent.leader")  # one of LEADERS, or `best_proven`
measure: Any = hole("agent.measure")  # one of MEASURES
keep_moves: Any = hole("step.keep_moves")
position_at: Any = hole("step.position_at")
PRIOR: bool = hole("agent.PRIOR")
SETTLE: bool = hole("agent.SETTLE")  # final=both: go on while visits and values disagree


@kernel
def _counted(nodes, child):
    """Visits and, as in Fuego, the weight of the prior; 0 for a move without visits."""
    if PRIOR:
        return nodes[child].visits + nodes[child].prior_weight * (nodes[child].visits > 0)
    return nodes[child].visits


@kernel
def value_of(nodes, child):
    return value(nodes, child) if nodes[child].visits > 0 else -1.0


@kernel
def most_visited(nodes):
    """The child of the root with the most visits; if there is a tie, the highest value decides."""
    best = np.int64(nodes[0].first)
    for child in range(best + 1, best + nodes[0].count):
        own = _counted(nodes, child)
        most = _counted(nodes, best)
        if own > most or (own == most and better(value_of(nodes, child), value_of(nodes, best))):
            best = child
    return best


@kernel
def highest_value(nodes):
    """The visited child of the root with the highest value."""
    first = np.int64(nodes[0].first)
    best = first
    highest = -1.0
    for child in range(first, first + nodes[0].count):
        if nodes[child].visits > 0 and better(value(nodes, child), highest):
            highest = value(nodes, child)
            best = child
    return best


@kernel
def heaviest(nodes):
    """The visited child of the root with the most discounted visits, then the highest value."""
    first = np.int64(nodes[0].first)
    best = first
    weight = -1.0
    for child in range(first, first + nodes[0].count):
        if nodes[child].visits > 0 and (
            nodes[child].weight > weight
            or (nodes[child].weight == weight and better(value(nodes, child), value(nodes, best)))
        ):
            weight = nodes[child].weight
            best = child
    return best


LEADERS = {
    "visits": most_visited,
    "value": highest_value,
    "discounted": heaviest,
    "both": most_visited,
}


@kernel
def weight_of(nodes, child):
    return nodes[child].weight if nodes[child].visits > 0 else -1.0


MEASURES = {
    "visits": _counted,
    "value": value_of,
    "discounted": weight_of,
    "both": _counted,
}
"""What LEADERS compare."""


@kernel
def _leads(nodes, child, other):
    """Whether the first of two children measures more; if there is a tie, is worth more."""
    own = measure(nodes, child)
    theirs = measure(nodes, other)
    return own > theirs or (
        own == theirs and better(value_of(nodes, child), value_of(nodes, other))
    )


@kernel
def best_proven(nodes):
    """The leader among the moves of the root that are not proven to be worse than another one.

    A proven draw is played rather than a move that has less than half of its results.
    """
    first = np.int64(nodes[0].first)
    sure = 0
    for child in range(first, first + nodes[0].count):
        sure = max(sure, np.int64(nodes[child].low))
    best = np.int64(-1)  # among moves that may still bring more
    safe = np.int64(-1)  # among moves that bring that much
    for child in range(first, first + nodes[0].count):
        if nodes[child].high > sure:
            if best < 0 or _leads(nodes, child, best):
                best = child
        elif nodes[child].low == sure and (safe < 0 or _leads(nodes, child, safe)):
            safe = child
    if best < 0:
        return safe
    if safe >= 0 and sure > 0 and value_of(nodes, best) < sure / WIN:
        return safe
    return best


@kernel
def more_playouts(nodes, made, most):
    """How many more playouts to make before comparing again; 0 once visits and values agree."""
    if made >= most or most_visited(nodes) == highest_value(nodes):
        return 0
    return max(1, min(most - made, made // 20))


@kernel
def winning_move(states, candidates, count, out):
    """Index of the first candidate that wins the game at once from states[0]; -1 if none does.

    states[1] is scratch. The kernel does not depend on the tree, so it is compiled once for all
    agents.
    """
    win = 1.0 - states[0].turn
    for i in range(count):
        copy_record(states, 1, 0)
        play(states[1], candidates[i])
        if moves(states[1], out) == 0 and result(states[1]) == win:
            return i
    return -1


@kernel
def expand_root(tree, work, params, legal, count):
    """Give the root its children, those of the moves of states[0] that the tree contains, and put
    `legal` into their order; false if there is no room, or if a wrong number of them is kept."""
    root = np.int64(0)
    copy_record(work.states, position_at(0), 0)
    count = keep_moves(work.states[0], legal, count)
    if wrong_list(work.own, legal, count, 0):
        return False
    return add_children(tree, work, root, legal, count, 0, params)


@kernel
def search_move(tree, work, params, legal, count, playouts):
    """Search states[0] in a new tree; returns the child to play, or -1 if there is no room."""
    nodes = tree.nodes
    counters = tree.counters
    reset_tree(tree)
    counters[LEVEL] = 0
    counters[DEEPEST] = 1
    if not expand_root(tree, work, params, legal, count):
        return np.int64(-1)
    search(tree, work, params, playouts)
    if SETTLE:
        made = np.int64(nodes[0].visits)
        most = 2 * made
        more = more_playouts(nodes, made, most)
        while more > 0:
            search(tree, work, params, more)
            made += more
            more = more_playouts(nodes, made, most)
    # `legal` is in the order of the children.
    win = winning_move(work.states, legal, np.int64(nodes[0].count), work.out)
    return nodes[0].first + win if win >= 0 else np.int64(leader(nodes))
