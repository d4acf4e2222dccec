"""Depth-first UCT (yoshimoto2007): after a playout, the search goes on from where it is.

The search keeps the line to its leaf, with the position at every level. After a playout it walks
down that line and checks at each level whether it would now choose another move; it goes back to
the first such level. As in the paper, only the move that was second best when the level was entered
is compared with the best (ALL is false), so that a third may overtake them unnoticed. With ALL true
the rule is applied to all moves again, and the tree is that of UCT. Every move is tried once before
the rule applies: there is no first-play urgency.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from uctlab.kernels import hole, kernel
from uctlab.mcts.tree import DEEPEST, LEVEL, OVER, add_children, note_last
from uctlab.mcts.uct import may_expand
from uctlab.rules.length_cost import with_length_cost
from uctlab.rules.playouts.learned import learn, learned_playout
from uctlab.rules.select.best import better

moves: Any = hole("game.moves")
play: Any = hole("game.play")
result: Any = hole("game.result")
playout: Any = hole("game.playout")
node_terms: Any = hole("select.node_terms")
score: Any = hole("select.score")
backup: Any = hole("backup.backup")
select: Any = hole("choice.select")
untried: Any = hole("choice.untried")
fetch: Any = hole("choice.fetch")
copy_record: Any = hole("device.copy_record")
ALL: bool = hole("agent.ALL_RIVALS")
LENGTH_COST: bool = hole("agent.LENGTH_COST")
LEARNS: bool = hole("agent.LEARNS")

NONE = -1  # no second-best move: moves are still being tried, or there is only one


@kernel
def search(tree, work, params, playouts):
    """As in uct.py, but states[level] is the position at path[level]."""
    nodes = tree.nodes
    counters = tree.counters
    states = work.states
    path = work.path
    out = work.out
    rivals = work.rivals
    rng = work.rng
    trace = work.trace
    tables = work.learned
    turn = np.int64(states[0].turn)
    depth = counters[LEVEL]
    path[0] = 0
    for _ in range(playouts):
        # Step 1. Descend from where the last playout left the search.
        while nodes[path[depth]].count > 0:
            depth = _descend(nodes, states, path, rivals, depth, params)
        # Step 2. Expand a leaf that has had enough playouts, and go one move further.
        if may_expand(nodes, path[depth], depth, path, params):
            count = moves(states[depth], out)
            if count == 0:
                nodes[path[depth]].count = OVER
            elif add_children(tree, path[depth], out, count, rng):
                depth = _descend(nodes, states, path, rivals, depth, params)
                counters[DEEPEST] = max(counters[DEEPEST], depth)
        # Step 3. Play out from the leaf, unless the game is over there.
        length = 0
        if nodes[path[depth]].count == OVER:
            outcome = result(states[depth])
        elif LEARNS:
            before = np.int64(nodes[path[depth]].move)
            outcome, length = learned_playout(
                states[depth], rng, out, trace, tables, before, params
            )
        else:
            outcome, length = playout(states[depth], rng, out, trace)
        if LENGTH_COST:
            outcome = with_length_cost(outcome, depth, length, params)
        # Step 4. Update the nodes on the path.
        if LEARNS:
            learn(nodes, work, depth, length, outcome, turn)
        reward = outcome if (turn + depth) & 1 == 1 else 1.0 - outcome
        backup(nodes, path, depth, reward, params)
        note_last(counters, depth, length, outcome)
        # Step 5. Go back to the first level at which another move would be chosen now.
        level = 0
        while level < depth and not _overtaken(
            nodes, path[level], path[level + 1], rivals[level], params
        ):
            level += 1
        if level == depth:  # the playout has overwritten the leaf's position, which is needed again
            copy_record(states, depth, depth - 1)
            play(states[depth], nodes[path[depth]].move)
        depth = level
    counters[LEVEL] = depth


@kernel
def _descend(nodes, states, path, rivals, depth, params):
    """Go one move down and remember the second-best move; returns the new depth."""
    parent = path[depth]
    if ALL:
        child = np.int64(select(nodes, parent, params))
    else:
        child, rivals[depth] = _best_two(nodes, parent, params)
    fetch(nodes, child)
    copy_record(states, depth + 1, depth)
    play(states[depth + 1], nodes[child].move)
    path[depth + 1] = child
    return depth + 1


@kernel
def _best_two(nodes, parent, params):
    """What `select` chooses, and its choice among the others; NONE while moves are being tried."""
    chosen = untried(nodes, parent, params)
    second = np.int64(NONE)
    if chosen >= 0:
        return chosen, second
    terms = node_terms(nodes, parent, params)
    first = np.int64(nodes[parent].first)
    chosen = first
    best = score(nodes, first, parent, terms, params)
    runner_up = -math.inf
    for child in range(first + 1, first + nodes[parent].count):
        found = score(nodes, child, parent, terms, params)
        if better(found, best):
            second, runner_up = chosen, best
            chosen, best = child, found
        elif better(found, runner_up):
            second, runner_up = child, found
    return chosen, second


@kernel
def _overtaken(nodes, parent, chosen, rival, params):
    """Whether a different move would be selected now."""
    if ALL:
        return select(nodes, parent, params) != chosen
    if rival == NONE:
        return nodes[parent].count > 1  # moves are still being tried
    terms = node_terms(nodes, parent, params)
    own = score(nodes, chosen, parent, terms, params)
    other = score(nodes, rival, parent, terms, params)
    # As in `select`, the earlier of two equal moves stands.
    return better(other, own) if rival > chosen else not better(own, other)
