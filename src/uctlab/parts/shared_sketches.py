"""Selection by sketches in a tree that threads share; sketches.py has the same for one thread.

A sketch leaves out the playouts under way. Those count as losses, which can only lower the score of
a move, so no score is above the sketched one. The move with the highest sketch is scored exactly,
and so is every move whose sketch is not below that score.

A move without visits is sketched as one lost visit: that is its score while its first playout is
under way. Whether a move has been tried at all, its node says.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from uctlab.kernels import highest_line, hole, kernel, lines_from, low_bit
from uctlab.kernels.atomics import fence, load_field
from uctlab.kernels.vectors import LANES
from uctlab.parts.part import Part, Setting
from uctlab.parts.sketches import LOWEST, NONE, SKETCH, WORD, least_sketch, may_sketch, surely_equal
from uctlab.parts.virtual_loss import tried
from uctlab.rules.select.best import better, considered, score_any
from uctlab.rules.select.best import select as select_exactly
from uctlab.rules.select.ucb1 import log_of
from uctlab.rules.shared import inject_yield, pending

settled_value: Any = hole("settled.value")
parent_visits: Any = hole("backup.parent_visits")


@kernel
def draw(nodes, node, sketch):
    """Sketch a move that has visits."""
    value = settled_value(nodes, node)
    root = 1.0 / math.sqrt(load_field(nodes, node, "visits"))
    inject_yield()
    sketch[node, 0] = value
    sketch[node, 1] = root


@kernel
def is_true(nodes, node, sketch):
    root = np.float32(1.0 / math.sqrt(load_field(nodes, node, "visits")))
    return sketch[node, 1] == root and sketch[node, 0] == np.float32(settled_value(nodes, node))


@kernel
def draw_new(nodes, first, count, sketch):
    """Sketch the moves of a new node."""
    for child in range(first, first + count):
        sketch[child, 0] = 0.0
        sketch[child, 1] = 1.0


@kernel
def draw_path(nodes, path, depth, sketch):
    """Sketch the moves on the path again, after a backup.

    Of several threads that sketch a move at once, the last one might have read its node first; so
    each looks again, after the others can see its sketches.
    """
    for level in range(1, depth + 1):
        draw(nodes, path[level], sketch)
    fence()
    for level in range(1, depth + 1):
        while not is_true(nodes, path[level], sketch):
            draw(nodes, path[level], sketch)
            fence()


@kernel
def draw_truly(nodes, node, sketch):
    """The same for one node."""
    draw(nodes, node, sketch)
    fence()
    while not is_true(nodes, node, sketch):
        draw(nodes, node, sketch)
        fence()


@kernel
def draw_moves(nodes, first, end, sketch):
    """Sketch these nodes while no thread is at work."""
    draw_new(nodes, first, end - first, sketch)
    for node in range(first, end):
        if nodes[node].visits > 0:
            draw(nodes, node, sketch)


@kernel
def untried(nodes, parent, first, last, params):
    """The first move that no thread has tried, or last + 1; moves are tried in order."""
    # As in sketches.py: begin near it.
    as_leaf = params.expand if parent > 0 else 0.0
    entered = max(0.0, parent_visits(nodes, parent, params) - as_leaf)
    child = min(last, first + np.int64(entered))
    while child <= last and tried(nodes, child):
        child += 1
    while child > first and not tried(nodes, child - 1):
        child -= 1
    return child


@kernel
def best_from(nodes, parent, first, count, sketch, slope, limit, terms, params):
    """The best of the moves whose sketch reaches the limit, and its score."""
    chosen = np.int64(-1)
    best = -math.inf
    for done in range(0, count, WORD):
        near = lines_from(sketch, first + done, min(WORD, count - done), slope, limit)
        while near != NONE:
            child = first + done + low_bit(near)
            near &= near - LOWEST
            if chosen >= 0 and surely_equal(sketch, child, chosen) and pending(nodes, chosen) == 0:
                continue  # it can only be worse
            found = score_any(nodes, child, parent, terms, params)
            if better(found, best):
                best = found
                chosen = child
    return chosen, best


@kernel
def select(nodes, parent, sketch, params):
    first = np.int64(nodes[parent].first)
    count = considered(nodes, parent, params)
    if count < LANES:
        return np.int64(select_exactly(nodes, parent, params))
    last = first + count - 1
    if not tried(nodes, last):
        child = untried(nodes, parent, first, last, params)
        if child <= last:
            return child
    terms = params.c * params.c * log_of(parent_visits(nodes, parent, params))
    slope = np.float32(math.sqrt(terms))
    limit = least_sketch(highest_line(sketch, first, count, slope))
    chosen, best = best_from(nodes, parent, first, count, sketch, slope, limit, terms, params)
    if best < limit:
        limit = least_sketch(np.float32(best))
        chosen, best = best_from(nodes, parent, first, count, sketch, slope, limit, terms, params)
    if chosen < 0:  # another thread has drawn in the meantime
        return np.int64(select_exactly(nodes, parent, params))
    return chosen


@kernel
def choose(tree, work, node, depth, params):
    return np.int64(select(tree.nodes, node, work.sketch, params))


@kernel
def draw_expanded(tree, work, node, moves, count, depth, params):
    draw_new(tree.nodes, np.int64(tree.nodes[node].first), count, work.sketch)


@kernel
def draw_updated(tree, work, depth, length, outcome, params):
    draw_path(tree.nodes, work.path, depth, work.sketch)


MANY_IN_THREADS = 60  # moves; all threads write sketches: 7x7 Hex was 10 % slower with them


def _applies(setting: Setting, others: tuple[Part, ...]) -> bool:
    units = getattr(setting.agent.backup, "UNITS", False)
    return not units and may_sketch(setting, others, MANY_IN_THREADS)


PART = Part(
    "shared_sketches",
    "Compares moves by float32 copies of their scores first, in a tree that threads share.",
    devices=("threads",),
    applies=_applies,
    arrays=(SKETCH,),
    steps={"choose": choose},
    hooks={"expanded": draw_expanded, "updated": draw_updated},
)
