"""The tree: adding children, cutting a subtree out, and a whole search of a new tree in one call;
parts/layout.py has the layout of the nodes."""

from __future__ import annotations

from typing import Any

import numpy as np

from uctlab.kernels import below, hole, kernel
from uctlab.mcts.overruns import wrong_list
from uctlab.parts.final_move import highest_measure, highest_value
from uctlab.parts.layout import DEEPEST, FULL, LEVEL, OVER, USED, new_node

moves: Any = hole("game.moves")
keep_moves: Any = hole("step.keep_moves")
position_at: Any = hole("step.position_at")
take_room: Any = hole("step.take_room")
publish: Any = hole("step.publish")
expanded: Any = hole("hook.expanded")
cut: Any = hole("hook.cut")
SETTLE: bool = hole("final_move.SETTLE")  # final=both: go on while visits and values disagree
leader: Any = hole("step.final_move")
search: Any = hole("agent.loop")
copy_record: Any = hole("device.copy_record")
result: Any = hole("game.result")
play: Any = hole("game.play")


@kernel
def tree_moves(s, out):
    """The legal moves of a position, without those that the tree leaves out."""
    return keep_moves(s, out, moves(s, out))


@kernel
def reset_tree(tree):
    """An empty tree: a root without children."""
    counters = tree.counters
    new_node(tree.nodes, np.int64(0), np.int16(-1))
    counters[USED] = 1
    counters[FULL] = 0
    counters[DEEPEST] = 0


@kernel
def fill(nodes, first, moves, count, rng):
    """Create nodes for those moves, which are shuffled first."""
    for i in range(count):
        other = below(rng, i + 1)
        move = moves[i]
        moves[i] = moves[other]
        moves[other] = move
    for i in range(count):
        new_node(nodes, first + i, moves[i])


@kernel
def add_children(tree, work, node, moves, count, depth, params):
    """Shuffle `moves` and make them the node's children; false if there is no room."""
    nodes = tree.nodes
    first = np.int64(take_room(tree, work.own, count))
    if first < 0:
        publish(nodes, node, 0)
        return False
    fill(nodes, first, moves, count, work.rng)
    nodes[node].first = first
    expanded(tree, work, node, moves, count, depth, params)
    publish(nodes, node, count)
    return True


@kernel
def expand_leaf(tree, work, node, depth, params):
    """Give a leaf its children; false if the game is over there, or if there is no room."""
    count = tree_moves(work.states[position_at(depth)], work.out)
    if wrong_list(work.own, work.out, count, depth):
        publish(tree.nodes, node, 0)
        return False
    if count == 0:
        publish(tree.nodes, node, OVER)
        return False
    return add_children(tree, work, node, work.out, count, depth, params)


@kernel
def extract(nodes, root, target, counters):
    """Copy the subtree below `root` to `target`, level by level, as far as there is room."""
    target[0] = nodes[root]
    counters[FULL] = 0
    used = 1
    node = 0
    depth = 0
    level_end = 1
    while node < used:
        if node == level_end:
            depth += 1
            level_end = used
        count = np.int64(target[node].count)
        if count > 0:
            if used + count > len(target):
                target[node].count = 0
                cut(target, node)
                counters[FULL] = 1
            else:
                first = np.int64(target[node].first)
                for i in range(count):
                    target[used + i] = nodes[first + i]
                target[node].first = used
                used += count
        node += 1
    counters[USED] = used
    counters[DEEPEST] = depth


@kernel
def keep_children(nodes, node, allowed, count):
    """Remove the children whose moves are not among the first `count` of `allowed`."""
    first = np.int64(nodes[node].first)
    kept = 0
    for child in range(first, first + nodes[node].count):
        for i in range(count):
            if allowed[i] == nodes[child].move:
                nodes[first + kept] = nodes[child]
                kept += 1
                break
    nodes[node].count = kept


@kernel
def more_playouts(nodes, made, most):
    """How many more playouts to make before comparing again; 0 once visits and values agree."""
    if made >= most or highest_measure(nodes) == highest_value(nodes):
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
