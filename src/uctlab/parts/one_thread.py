"""The steps of a search by one thread, which other parts replace where they do them otherwise."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from uctlab.kernels import hole, kernel
from uctlab.kernels.trivial import nothing_3, third_3, yes_2
from uctlab.parts.layout import FULL, ROOT, USED
from uctlab.parts.part import Part

play: Any = hole("game.play")
playout: Any = hole("game.playout")
copy_record: Any = hole("device.copy_record")
select: Any = hole("choice.select")
operator_backup: Any = hole("backup.backup")
count_of: Any = hole("step.count_of")
enter: Any = hole("step.enter")
choose: Any = hole("step.choose")
step_into: Any = hole("step.move_to")
simulation_begins: Any = hole("hook.simulation_begins")
moved: Any = hole("hook.moved")
position: Any = hole("step.position_at")


@kernel
def descend(tree, work, params):
    """From the root to a leaf, by the moves that selection chooses; returns node and depth."""
    copy_record(work.states, 1, 0)
    node = work.own[ROOT]
    work.path[0] = node
    simulation_begins(tree, work, params)
    enter(tree, work, node)
    depth = 0
    while count_of(tree.nodes, node) > 0:
        node = np.int64(choose(tree, work, node, depth, params))
        depth += 1
        step_into(tree, work, node, depth, params)
    return node, depth


@kernel
def move_to(tree, work, node, depth, params):
    """Play the move into a node, which is that many moves from the root."""
    enter(tree, work, node)
    play(work.states[1], tree.nodes[node].move)
    work.path[depth] = node
    moved(tree, work, node, depth, params)


@kernel
def position_at(depth):
    return 1


@kernel
def by_score(tree, work, node, depth, params):
    return np.int64(select(tree.nodes, node, params))


@kernel
def new_by_score(tree, work, node, depth, params):
    """What `by_score` chooses as long as no move has visits."""
    if params.fpu == math.inf:
        return np.int64(tree.nodes[node].first)
    return np.int64(select(tree.nodes, node, params))


@kernel
def count_now(nodes, node):
    return nodes[node].count


@kernel
def next_room(tree, own, count):
    """The first unused nodes of the array."""
    counters = tree.counters
    first = counters[USED]
    if first + count > len(tree.nodes):
        counters[FULL] = 1
        return np.int64(-1)
    counters[USED] = first + count
    return first


@kernel
def set_count(nodes, node, count):
    nodes[node].count = count


@kernel
def play_out(tree, work, node, depth, params):
    """A playout from the position at the leaf."""
    return playout(work.states[position(depth)], work.rng, work.out, work.trace)


@kernel
def backup(tree, work, depth, reward, params):
    operator_backup(tree.nodes, work.path, depth, reward, params)


PART = Part(
    "one_thread",
    "Builds the tree with one thread, from the root down in every simulation.",
    spoils_scores=lambda setting: False,
    steps={
        "descend": descend,
        "choose": by_score,
        "choose_new": new_by_score,
        "move_to": move_to,
        "enter": nothing_3,
        "position_at": position_at,
        "count_of": count_now,
        "claim": yes_2,
        "keep_moves": third_3,
        "take_room": next_room,
        "publish": set_count,
        "evaluate_leaf": play_out,
        "backup": backup,
    },
)


def replaced(step: str, parts: tuple[Part, ...]) -> bool:
    """Whether one of these parts does that step otherwise."""
    return any(step in part.steps for part in parts if part is not PART)
