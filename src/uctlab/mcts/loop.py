"""The search: descend, expand, evaluate, update.

Every simulation goes through these four steps, for one thread, for threads that share a tree and
for each thread of a GPU. The loop knows no feature by name. A `step` is done by exactly one kernel,
its own default or that of a part; a `hook` calls the kernels of all parts that have one for it, in
the order of the list of parts. parts/hooks.py has all steps and hooks with their arguments.

Whose view: `outcome` is the first player's, `reward` that of the player who moved into the node.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.kernels import hole, kernel
from uctlab.mcts.overruns import NO_FAULT, within_limits
from uctlab.mcts.tree import expand_leaf
from uctlab.parts.layout import DEEPEST, FAULT, OVER

result: Any = hole("game.result")
descend: Any = hole("step.descend")
choose_new: Any = hole("step.choose_new")
move_to: Any = hole("step.move_to")
position_at: Any = hole("step.position_at")
claim: Any = hole("step.claim")
count_of: Any = hole("step.count_of")
evaluate_leaf: Any = hole("step.evaluate_leaf")
backup: Any = hole("step.backup")
search_begins: Any = hole("hook.search_begins")
finished: Any = hole("hook.finished")
leaf_reached: Any = hole("hook.leaf_reached")
evaluation_begins: Any = hole("hook.evaluation_begins")
outcome_found: Any = hole("hook.outcome_found")
played_out: Any = hole("hook.played_out")
updated: Any = hole("hook.updated")
step_ends: Any = hole("hook.step_ends")


@kernel
def search(tree, work, params, playouts):
    """Make that many simulations from states[0], whose node, the root, has its children."""
    search_begins(tree, work, params)
    for _ in range(playouts):
        if finished(tree, work, params) or work.own[FAULT] != NO_FAULT:
            break
        simulate(tree, work, params)


@kernel
def simulate(tree, work, params):
    """One simulation. It changes nothing in the tree but new nodes if the game breaks its limits:
    then it notes that, and the search ends."""
    step_ends(work, 0)
    node, depth = descend(tree, work, params)
    step_ends(work, 1)
    node, depth = expand(tree, work, node, depth, params)
    step_ends(work, 2)
    if work.own[FAULT] == NO_FAULT:
        outcome, length = evaluate(tree, work, node, depth, params)
        step_ends(work, 3)
        if within_limits(work.own, work.out, work.trace, length, depth):
            update(tree, work, depth, length, outcome, params)
    step_ends(work, 4)


@kernel
def expand(tree, work, node, depth, params):
    """Give a leaf that has had enough simulations its children, and go on to the first of them."""
    leaf = tree.nodes[node]
    enough = leaf.count == 0 and leaf.visits >= params.expand and depth + 2 < len(work.path)
    if enough and claim(tree.nodes, node) and expand_leaf(tree, work, node, depth, params):
        node = choose_new(tree, work, node, depth, params)
        depth += 1
        move_to(tree, work, node, depth, params)
        work.own[DEEPEST] = max(work.own[DEEPEST], depth)
    leaf_reached(tree, work, node, depth, params)
    return node, depth


@kernel
def evaluate(tree, work, node, depth, params):
    """The first player's result of the simulation, and the number of moves of its playout."""
    evaluation_begins(tree, work, node, depth, params)
    if count_of(tree.nodes, node) == OVER:
        length = 0
        outcome = result(work.states[position_at(depth)])
    else:
        outcome, length = evaluate_leaf(tree, work, node, depth, params)
    return outcome_found(outcome, depth, length, params), length


@kernel
def update(tree, work, depth, length, outcome, params):
    """Tell the nodes on the path, and whatever else learns from a simulation."""
    played_out(tree, work, depth, length, outcome, params)
    moved_first = (np.int64(work.states[0].turn) + depth) & 1 == 1
    backup(tree, work, depth, outcome if moved_first else 1.0 - outcome, params)
    updated(tree, work, depth, length, outcome, params)
