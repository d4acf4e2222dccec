"""The search loop of UCT and all its variants but depth-first UCT, in numbered steps.

Whose view: `outcome` is the first player's, `reward` that of the player who moved into the node.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.kernels import hole, kernel, meet
from uctlab.kernels.clock import ticks
from uctlab.mcts.tree import (
    DEEPEST,
    OVER,
    TICKS,
    USED,
    add_children,
    note_end,
    note_last,
    tree_moves,
)
from uctlab.rules.leaf import leaf_value, note_guess
from uctlab.rules.length_cost import with_length_cost
from uctlab.rules.params import without_rave
from uctlab.rules.playouts.learned import learn, learned_playout
from uctlab.rules.prior import give_priors
from uctlab.rules.rave import add_samples, ignored
from uctlab.rules.select.best import first_choice, select_by_table
from uctlab.rules.select.grave import choose_by_reference, forget_references
from uctlab.rules.select.sketch import draw_new, draw_path, draw_tree
from uctlab.rules.select.sketch import select as select_by_sketch
from uctlab.rules.several_playouts import mean_playout
from uctlab.rules.solver import prove, proven
from uctlab.rules.transpositions import link

play: Any = hole("game.play")
result: Any = hole("game.result")
playout: Any = hole("game.playout")
backup: Any = hole("backup.backup")
backup_by_table: Any = hole("backup.backup_by_table", None)
select: Any = hole("choice.select")
fetch: Any = hole("choice.fetch")
copy_record: Any = hole("device.copy_record")
RAVE: bool = hole("agent.RAVE")
GRAVE: bool = hole("agent.GRAVE")
OPINION: bool = hole("agent.OPINION")  # the game is asked about the moves of new nodes
LENGTH_COST: bool = hole("agent.LENGTH_COST")
SOLVER: bool = hole("agent.SOLVER")
EVALUATE: bool = hole("agent.EVALUATE")  # the leaf, instead of a playout
GUESS: bool = hole("agent.GUESS")  # the operator remembers the evaluation of each node
LEARNS: bool = hole("agent.LEARNS")  # the playout policy learns from every simulation
SEVERAL: bool = hole("agent.SEVERAL")  # playouts per leaf
GRAPH: bool = hole("agent.GRAPH")  # nodes of equal positions share their results
SKETCH: bool = hole("agent.SKETCH")  # selection looks at sketches of the moves
SUMS_TABLE: bool = hole("agent.SUMS_TABLE")  # the operator's sums by visits
TERMS_TABLE: bool = hole("agent.TERMS_TABLE")  # the selection rule's node terms by visits
PROFILE: bool = hole("instruments.PROFILE", False)  # measure the time of each step


@kernel
def may_expand(nodes, node, depth, path, params):
    return nodes[node].count == 0 and nodes[node].visits >= params.expand and depth + 2 < len(path)


@kernel
def next_step(counters, step):
    now = ticks()
    counters[TICKS + step - 1] += now
    counters[TICKS + step] -= now


@kernel
def search(tree, work, params, playouts):
    """Grow the tree by that many playouts from states[0]; the root is already expanded.

    With SOLVER it stops once the root is proven.
    """
    nodes = tree.nodes
    counters = tree.counters
    states = work.states
    path = work.path
    out = work.out
    trace = work.trace
    rng = work.rng
    rave_marks = work.rave_marks
    tables = work.learned
    key = work.key
    owners = work.owners
    positions = work.positions
    references = work.references
    sketch = work.sketch
    slopes = work.slopes
    known = work.known
    bare = without_rave(params)
    turn = np.int64(states[0].turn)
    if SKETCH and sketch[0, 1] == 0.0:
        draw_tree(nodes, counters[USED], sketch, params)
    for _ in range(playouts):
        if SOLVER and proven(nodes, 0):
            break
        if PROFILE:
            counters[TICKS] -= ticks()
        if OPINION:
            meet()
        # Step 1. Descend while the node has children, playing the selected moves.
        copy_record(states, 1, 0)
        s = states[1]
        node = np.int64(0)
        depth = 0
        path[0] = 0
        if GRAVE:
            forget_references(references)
        while nodes[node].count > 0:
            numbers = bare if RAVE and ignored(rave_marks, params) else params
            if GRAVE:
                node = choose_by_reference(nodes, node, depth, references, numbers)
            elif SKETCH:
                node = select_by_sketch(nodes, node, sketch, slopes, numbers)
            elif TERMS_TABLE:
                node = select_by_table(nodes, node, known, numbers)
            else:
                node = np.int64(select(nodes, node, numbers))
            fetch(nodes, node)
            play(s, nodes[node].move)
            if GRAPH:
                link(nodes, node, s, key, owners, positions)
            depth += 1
            path[depth] = node
        if PROFILE:
            next_step(counters, 1)
        # Step 2. Expand a leaf that has had enough playouts, and go one move further.
        if may_expand(nodes, node, depth, path, params):
            count = tree_moves(s, out)
            if count == 0:
                nodes[node].count = OVER
            elif add_children(tree, node, out, count, rng):
                if OPINION:
                    give_priors(nodes, node, s, out, count, work.prior_values, params)
                if SKETCH:
                    draw_new(nodes, node, sketch, params)
                numbers = bare if RAVE and ignored(rave_marks, params) else params
                if GRAVE:
                    node = choose_by_reference(nodes, node, depth, references, numbers)
                else:
                    node = first_choice(nodes, node, numbers)
                play(s, nodes[node].move)
                if GRAPH:
                    link(nodes, node, s, key, owners, positions)
                depth += 1
                path[depth] = node
                counters[DEEPEST] = max(counters[DEEPEST], depth)
        if SOLVER:
            note_end(nodes, node, s, out)
        if PROFILE:
            next_step(counters, 2)
        if OPINION:
            meet()  # priors take threads of a GPU apart, and are other code than playouts
        # Step 3. Play out from the leaf, unless the game is over there.
        length = 0
        if GUESS:
            note_guess(nodes, node, s, out, (turn + depth) & 1 == 1)
        if nodes[node].count == OVER:
            outcome = result(s)
            if SOLVER:
                prove(nodes, path, depth, outcome if (turn + depth) & 1 == 1 else 1.0 - outcome)
        elif EVALUATE:
            outcome = leaf_value(s, out)
        elif LEARNS:
            before = np.int64(nodes[node].move)
            outcome, length = learned_playout(s, rng, out, trace, tables, before, params)
        elif SEVERAL:
            outcome, length = mean_playout(states, rng, out, trace, params)
        else:
            outcome, length = playout(s, rng, out, trace)
        if LENGTH_COST:
            outcome = with_length_cost(outcome, depth, length, params)
        if PROFILE:
            next_step(counters, 3)
        # Step 4. Update the nodes on the path, from the leaf to the root.
        if LEARNS:
            learn(nodes, work, depth, length, outcome, turn)
        if RAVE:
            add_samples(nodes, work, depth, length, outcome, turn, params)
        reward = outcome if (turn + depth) & 1 == 1 else 1.0 - outcome
        if SUMS_TABLE:
            backup_by_table(nodes, path, depth, reward, known, params)
        else:
            backup(nodes, path, depth, reward, params)
        if SKETCH:
            draw_path(nodes, path, depth, sketch, params)
        note_last(counters, depth, length, outcome)
        if PROFILE:
            counters[TICKS + 3] += ticks()
