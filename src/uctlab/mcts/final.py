"""Chooses the move to play, and runs a whole search for one move in a single call."""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.kernels import hole, kernel
from uctlab.mcts.overruns import wrong_list
from uctlab.mcts.tree import add_children, reset_tree
from uctlab.parts.final_move import highest_value, most_visited
from uctlab.parts.layout import DEEPEST, LEVEL

moves: Any = hole("game.moves")
play: Any = hole("game.play")
result: Any = hole("game.result")
copy_record: Any = hole("device.copy_record")
search: Any = hole("agent.loop")
leader: Any = hole("step.final_move")
keep_moves: Any = hole("step.keep_moves")
position_at: Any = hole("step.position_at")
SETTLE: bool = hole("final_move.SETTLE")  # final=both: go on while visits and values disagree


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
