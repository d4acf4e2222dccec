"""The search loop of one of several threads that grow one tree, with the same steps as uct.py.

There are two ways to share the tree: `lockfree`, where nodes are protected one by one
(rules/shared.py) and playouts under way count as virtual losses; and `locked`, as in MoGo
(gelly2006, section 2.3), where one mutex protects steps 1, 2 and 4, playouts run outside of it, and
there is no virtual loss.

A node is expanded by the one thread that changes its count from 0 to CLAIMED. Its children are
complete before the new count is stored, and a thread that reads this count sees all of them. Until
then the node is a leaf for the other threads, which do not wait.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.kernels import hole, kernel
from uctlab.kernels.atomics import (
    add_at,
    load_at,
    load_field,
    store_at,
    store_field,
    swap_at,
    swap_field,
)
from uctlab.kernels.locks import acquire, release
from uctlab.mcts.copies import (
    COPIES,
    CROWD,
    copy_root,
    count_down,
    exchange_all,
    originals,
    renew,
)
from uctlab.mcts.tree import (
    CLAIMED,
    DEEPEST,
    FULL,
    OVER,
    USED,
    fill,
    new_node,
    note_last,
    tree_moves,
)
from uctlab.mcts.uct import may_expand
from uctlab.rules.leaf import leaf_value, note_guess
from uctlab.rules.length_cost import with_length_cost
from uctlab.rules.params import without_rave
from uctlab.rules.playouts.learned import learn, learned_playout
from uctlab.rules.prior import give_priors
from uctlab.rules.rave import add_samples, ignored
from uctlab.rules.select.grave import choose_by_reference, forget_references
from uctlab.rules.select.shared_sketch import draw_new, draw_path
from uctlab.rules.select.shared_sketch import select as select_by_sketch
from uctlab.rules.several_playouts import mean_playout
from uctlab.rules.shared import enter, inject_yield
from uctlab.rules.solver import prove, proven

# In the array that all threads share, each in its own cache line.
TICKETS, MUTEX = 16, 32
SHARED_LENGTH = 48
# In a thread's own array, after those of copies.py.
BLOCK_AT, BLOCK_END, LEFT_BEHIND, RESERVED = range(CROWD + 1, CROWD + 5)
OWN_LENGTH = RESERVED + 1
# BLOCK_AT      and BLOCK_END: the rest of its block of nodes
# LEFT_BEHIND   nodes that it has left unused in earlier blocks
# RESERVED      nodes at the end of the array that are no room for children

BLOCK = 2048  # nodes that a thread reserves at a time
SCARCE = 64 * BLOCK  # if fewer are left, it reserves only what it needs

moves: Any = hole("game.moves")
play: Any = hole("game.play")
result: Any = hole("game.result")
playout: Any = hole("game.playout")
backup: Any = hole("backup.backup")
plain_backup: Any = hole("settled.backup")
select: Any = hole("choice.select")
copy_record: Any = hole("device.copy_record")
RAVE: bool = hole("agent.RAVE")
GRAVE: bool = hole("agent.GRAVE")
OPINION: bool = hole("agent.OPINION")  # the game is asked about the moves of new nodes
LENGTH_COST: bool = hole("agent.LENGTH_COST")
SOLVER: bool = hole("agent.SOLVER")
EVALUATE: bool = hole("agent.EVALUATE")
GUESS: bool = hole("agent.GUESS")
SEVERAL: bool = hole("agent.SEVERAL")  # playouts per leaf
LEARNS: bool = hole("agent.LEARNS")  # the playout policy learns from every simulation
SKETCH: bool = hole("agent.SKETCH")  # selection looks at sketches of the moves
LOCKED: bool = hole("threads.LOCKED")
COPY: bool = hole("threads.COPY")  # threads may have copies of nodes
RECORD_LAST: bool = hole("instruments.RECORD_LAST", False)


@kernel
def search_shared(tree, shared, own, work, params, playouts, grab, sums):
    """Make playouts until all `playouts` tickets are taken, `grab` tickets at a time; with SOLVER,
    until the root is proven.

    All threads share `tree`, `shared` and `sums`; `own` and `work` belong to this thread.
    """
    nodes = tree.nodes
    states = work.states
    path = work.path
    out = work.out
    trace = work.trace
    rng = work.rng
    rave_marks = work.rave_marks
    tables = work.learned
    references = work.references
    sketch = work.sketch
    bare = without_rave(params)
    turn = np.int64(states[0].turn)
    root = np.int64(0)
    copies = np.int64(len(nodes))  # the first node that is a copy
    if COPY:
        copies = own[COPIES]
        root = copy_root(nodes, own, sketch)
    ticket = np.int64(0)
    end = np.int64(0)
    while True:
        if ticket == end:
            ticket = add_at(shared, TICKETS, grab)
            end = min(ticket + grab, playouts)
            if ticket >= end:
                if COPY:
                    exchange_all(nodes, own, sums, sketch)
                return
        ticket += 1
        if SOLVER and proven(nodes, 0):
            return
        # Step 1. Descend while the node has children, playing the selected moves.
        copy_record(states, 1, 0)
        s = states[1]
        node = root
        depth = 0
        path[0] = root
        copied = 0  # levels of the path
        if GRAVE:
            forget_references(references)
        if LOCKED:
            acquire(shared, MUTEX)
        if root > 0:
            copied = 1
            nodes[root].pending = 1
            count_down(nodes, root, np.int64(nodes[root].visits), own, sums, sketch)
        else:
            enter(nodes, root)
        while load_field(nodes, node, "count") > 0:
            if COPY and node >= copies:
                renew(nodes, node, own, sums, sketch)
            numbers = bare if RAVE and ignored(rave_marks, params) else params
            if GRAVE:
                node = choose_by_reference(nodes, node, depth, references, numbers)
            elif SKETCH:
                node = select_by_sketch(nodes, node, sketch, numbers)
            else:
                node = np.int64(select(nodes, node, numbers))
            if COPY and node >= copies:
                copied += 1
                nodes[node].pending = 1
            else:
                enter(nodes, node)
            play(s, nodes[node].move)
            depth += 1
            path[depth] = node
        # Step 2. Expand a leaf that has had enough playouts, and go one move further.
        if may_expand(nodes, node, depth, path, params) and swap_field(
            nodes, node, "count", 0, CLAIMED
        ):
            count = tree_moves(s, out)
            first = np.int64(-1)
            if count > 0:
                first = take_room(tree, own, count)
            if first < 0:
                store_field(nodes, node, "count", OVER if count == 0 else 0)
            else:
                fill(nodes, first, out, count, rng)
                nodes[node].first = first
                if OPINION:
                    give_priors(nodes, node, s, out, count, work.prior_values, params)
                if SKETCH:
                    draw_new(nodes, first, count, sketch)
                inject_yield()
                store_field(nodes, node, "count", count)
                numbers = bare if RAVE and ignored(rave_marks, params) else params
                if GRAVE:
                    node = choose_by_reference(nodes, node, depth, references, numbers)
                else:
                    node = np.int64(select(nodes, node, numbers))
                enter(nodes, node)
                play(s, nodes[node].move)
                depth += 1
                path[depth] = node
                own[DEEPEST] = max(own[DEEPEST], depth)
        if SOLVER:
            note_end(nodes, node, s, out)
        over = load_field(nodes, node, "count") == OVER
        if LOCKED:
            release(shared, MUTEX)
        # Step 3. Play out from the leaf, unless the game is over there.
        length = 0
        if GUESS:
            note_guess(nodes, node, s, out, (turn + depth) & 1 == 1)
        if over:
            outcome = result(s)
        elif EVALUATE:
            outcome = leaf_value(s, out)
        elif LEARNS:
            before = np.int64(nodes[node].move)
            outcome, length = learned_playout(s, rng, out, trace, tables, before, params)
        elif SEVERAL:
            outcome, length = mean_playout(states, rng, out, trace, params)
        else:
            outcome, length = playout(s, rng, out, trace)
        ended = outcome
        if LENGTH_COST:
            outcome = with_length_cost(outcome, depth, length, params)
        # Step 4. Update the nodes on the path, from the leaf to the root.
        if LEARNS:
            learn(nodes, work, depth, length, outcome, turn)
        if LOCKED:
            acquire(shared, MUTEX)
        if RAVE:
            add_samples(nodes, work, depth, length, outcome, turn, params)
        if SOLVER and over:
            prove(nodes, path, depth, ended if (turn + depth) & 1 == 1 else 1.0 - ended)
        reward = outcome if (turn + depth) & 1 == 1 else 1.0 - outcome
        if COPY and copied > 0:
            backup(nodes, path[copied:], depth - copied, reward, params)
            if (depth - copied) & 1 == 0:
                reward = 1.0 - reward
            plain_backup(nodes, path, copied - 1, reward, params)
            for level in range(copied):
                nodes[path[level]].pending = 0
        else:
            backup(nodes, path, depth, reward, params)
        if SKETCH:
            draw_path(nodes, path, depth, sketch)
        if LOCKED:
            release(shared, MUTEX)
        if COPY and RECORD_LAST:
            originals(nodes, path, depth, own)
        note_last(own, depth, length, outcome)


@kernel
def note_end(nodes, node, s, out):
    """As in tree.py; a thread that is expanding the node finds it out itself."""
    if nodes[node].visits == 0 and load_field(nodes, node, "count") == 0 and moves(s, out) == 0:
        swap_field(nodes, node, "count", 0, OVER)


@kernel
def take_room(tree, own, count):
    """The first of `count` nodes in the thread's block, or in a new one; -1 if there is no room."""
    nodes = tree.nodes
    counters = tree.counters
    while own[BLOCK_END] - own[BLOCK_AT] < count:
        used = load_at(counters, USED)
        left = len(nodes) - own[RESERVED] - used
        grows = used == own[BLOCK_END]  # the new block is adjacent to the old one
        missing = count
        if grows:
            missing -= own[BLOCK_END] - own[BLOCK_AT]
        if left < missing:
            store_at(counters, FULL, 1)
            return np.int64(-1)
        taken = BLOCK if left >= SCARCE and missing <= BLOCK else missing
        inject_yield()
        if swap_at(counters, USED, used, used + taken):
            if not grows:
                own[LEFT_BEHIND] += own[BLOCK_END] - own[BLOCK_AT]
                own[BLOCK_AT] = used
            own[BLOCK_END] = used + taken
            blank(nodes, used, used + taken)
    first = own[BLOCK_AT]
    own[BLOCK_AT] = first + count
    return first


@kernel
def blank(nodes, begin, end):
    """Clear the unused part of a block, which may hold nodes of an earlier tree."""
    for node in range(begin, end):
        new_node(nodes, node, np.int16(0))
        nodes[node].pending = 0
