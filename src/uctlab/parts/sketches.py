"""Selects the same move as best.py with UCB1, but looks at float32 sketches of the moves first.

A sketch is a move's value and one over the square root of its visits. The sketches of a node's
moves lie side by side, apart from the nodes, so that the processor scores eight moves at once and
reads little memory. With RAVE as in Fuego, values are mixed with those of samples, and every sample
changes a sketch.

    sketch[node, 0]     value; for a move without visits that of its samples; for one without either
                        first-play urgency, 0 if that is infinite
    sketch[node, 1]     1 / sqrt(visits), visits in the units of the node's parent; 0: no visits
    sketch[0, 1]        the root is no move of the tree: 1 if all sketches are up to date
    slopes[visits]      c * sqrt(ln s) of a node with so many visits; 0: not computed yet

Moves whose sketched score is within the rounding of the highest one are scored again, exactly and
in order. So what is selected never depends on the rounding of a sketch.

Sketches take 8 bytes per node, which the memory limit of a tree does not count. They need scores
that change only by backups and whole samples, and many moves (`may_sketch`). A GPU does without.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from uctlab.games import Game, Position
from uctlab.kernels import highest_line, hole, kernel, lines_from, low_bit
from uctlab.kernels.vectors import LANES
from uctlab.parts.layout import USED
from uctlab.parts.one_thread import replaced
from uctlab.parts.part import Array, Part, Setting
from uctlab.rules.select.best import better, considered, score_any
from uctlab.rules.select.best import node_terms as terms_of
from uctlab.rules.select.best import select as select_exactly
from uctlab.rules.select.ucb1 import exploration

counted: Any = hole("backup.counted", None)
unit_of: Any = hole("backup.unit_of", None)
settled: Any = hole("backup.settled_by_sketch", None)
unexplored: Any = hole("select.unexplored", None)
UNITS: bool = hole("backup.UNITS", False)
RAVE: bool = hole("agent.RAVE")

KNOWN_SLOPES = 65_536
# Up to so many visits to a node, means of samples that differ, of results 0, 1/2 and 1, differ by
# two roundings of a sketch.
FEW = 2000

# More than twice the error of a sketched score: of the value, of c * sqrt(ln s), of the root, of
# their product and of the sum, each at most 2**-24 of its size.
ROUNDING = np.float32(1e-6)
ONE = np.float32(1.0)
WORD = 64  # moves per word of bits
NONE = np.uint64(0)
LOWEST = np.uint64(1)


@kernel
def draw(nodes, node, parent, sketch, params):
    """Sketch a move that has visits."""
    sketch[node, 0] = unexplored(nodes, node, parent, params)
    sketch[node, 1] = 1.0 / math.sqrt(counted(nodes, node))


@kernel
def draw_new(nodes, parent, count, sketch, params):
    """Sketch the moves of a new node."""
    first = np.int64(nodes[parent].first)
    urgency = np.float32(params.fpu if params.fpu != math.inf else 0.0)
    for child in range(first, first + count):
        sketch[child, 0] = urgency
        sketch[child, 1] = 0.0


@kernel
def draw_path(nodes, path, depth, sketch, params):
    """Sketch the moves on the path again, after a backup."""
    for level in range(1, depth + 1):
        # All weights are in a new unit.
        if UNITS and unit_of(nodes, path[level - 1]) == 1.0 and params.growth != 1.0:
            draw_moves(nodes, path[level - 1], sketch, params)
        draw(nodes, path[level], path[level - 1], sketch, params)


@kernel
def draw_moves(nodes, parent, sketch, params):
    first = np.int64(nodes[parent].first)
    for child in range(first, first + nodes[parent].count):
        if nodes[child].visits > 0:
            draw(nodes, child, parent, sketch, params)
        elif RAVE and nodes[child].samples > 0.0:
            sketch[child, 0] = nodes[child].rave


@kernel
def draw_tree(nodes, used, sketch, params):
    """Sketch all moves of a tree."""
    for node in range(used):
        draw_new(nodes, node, nodes[node].count, sketch, params)
        draw_moves(nodes, node, sketch, params)
    sketch[0, 1] = 1.0


@kernel
def slope_of(nodes, parent, slopes, params):
    """c * sqrt(ln s), in the unit of the node's weights."""
    visits = np.int64(nodes[parent].visits)
    slope = slopes[visits] if visits < len(slopes) else np.float32(0.0)
    if slope == 0.0 and params.c > 0.0:  # not known yet
        slope = np.float32(math.sqrt(exploration(nodes, parent, params)))
        if visits < len(slopes):
            slopes[visits] = slope
    if UNITS:
        slope *= np.float32(math.sqrt(unit_of(nodes, parent)))
    return slope


@kernel
def least_sketch(score):
    """A move with that score may have a sketched score as low as this."""
    return score - ROUNDING * (ONE + abs(score))


@kernel
def untried(nodes, parent, first, last, sketch, params):
    """The first move without visits; moves are tried in order, and `last` has none."""
    # Each visit to the node, but for those as a leaf, has tried one move: begin near there. The
    # root was no leaf, and expand may be infinite.
    as_leaf = params.expand if parent > 0 else 0.0
    child = min(last, first + np.int64(max(0.0, nodes[parent].visits - as_leaf)))
    while sketch[child, 1] > 0.0:
        child += 1
    while child > first and sketch[child - 1, 1] == 0.0:
        child -= 1
    return child


@kernel
def select(nodes, parent, sketch, slopes, params):
    first = np.int64(nodes[parent].first)
    count = considered(nodes, parent, params)
    if count < LANES:
        return select_exactly(nodes, parent, params)
    if params.fpu == math.inf and sketch[first + count - 1, 1] == 0.0:
        return untried(nodes, parent, first, first + count - 1, sketch, params)
    slope = slope_of(nodes, parent, slopes, params)
    limit = least_sketch(highest_line(sketch, first, count, slope))
    exact = tell_apart(nodes, parent, params)
    chosen = np.int64(-1)
    best = math.nan  # the exact score of `chosen`, once it is needed
    for done in range(0, count, WORD):
        near = lines_from(sketch, first + done, min(WORD, count - done), slope, limit)
        while near != NONE:
            child = first + done + low_bit(near)
            near &= near - LOWEST
            if chosen < 0:
                chosen = child
            elif not (exact and surely_equal(sketch, child, chosen)):
                # As best.select does.
                terms = terms_of(nodes, parent, params)
                if math.isnan(best):
                    best = score_any(nodes, chosen, parent, terms, params)
                found = score_any(nodes, child, parent, terms, params)
                if better(found, best):
                    best = found
                    chosen = child
    return chosen


@kernel
def tell_apart(nodes, parent, params):
    """Whether different scores have different sketches, so that `surely_equal` may be asked."""
    if not RAVE:
        return True
    # First-play urgency is no mean of results, unless it is a multiple of 1/2.
    twice = 2.0 * params.fpu
    return nodes[parent].visits <= FEW and twice == math.floor(twice)


@kernel
def surely_equal(sketch, a, b):
    root = sketch[a, 1]
    same = sketch[a, 0] == sketch[b, 0] and root == sketch[b, 1]
    return same and (root == 0.0 or (not RAVE and settled(root)))


@kernel
def begin(tree, work, params):
    """Sketch a tree whose nodes were made or moved without sketches."""
    if work.sketch[0, 1] == 0.0:
        draw_tree(tree.nodes, tree.counters[USED], work.sketch, params)


@kernel
def choose(tree, work, node, depth, params):
    return np.int64(select(tree.nodes, node, work.sketch, work.slopes, params))


@kernel
def first_of(tree, work, node, depth, params):
    """As long as no move has visits, those that may be sketched have equal scores."""
    return np.int64(tree.nodes[node].first)


@kernel
def draw_expanded(tree, work, node, moves, count, depth, params):
    draw_new(tree.nodes, node, count, work.sketch, params)


@kernel
def draw_updated(tree, work, depth, length, outcome, params):
    draw_path(tree.nodes, work.path, depth, work.sketch, params)


FAR = 1e6  # first-play urgency beyond this might overflow the float32 of sketches
MANY = 16  # moves; with 10, as in Othello, sketches cost more than they save
LARGE = 128  # moves; a game with more of them somewhere is taken to begin with many


def may_sketch(setting: Setting, others: tuple[Part, ...], many: int) -> bool:
    """Whether only backups and whole samples change the scores of moves, and moves are many enough
    to gain by it. What is selected is the same."""
    agent, game = setting.agent, setting.game
    operator, fpu = agent.backup, agent.params.fpu
    return (
        hasattr(agent.select, "unexplored")
        and all(hasattr(operator, name) for name in ("settled_by_sketch", "counted"))
        and not any(part.spoils_scores(setting) for part in others)
        and not replaced("descend", others)
        and not game.grades(agent.option("playout"))
        and (fpu == math.inf or (not setting.shared and abs(fpu) < FAR))
        and start_moves(game) >= many
    )


def start_moves(game: Game) -> int:
    """About how many moves a game begins with.

    Interpreted, since a binding compiles nothing by itself; 19x19 Go would take half a second.
    """
    if not MANY <= game.max_moves <= LARGE:
        return game.max_moves
    return len(Position.start(game.interpreted()).legal)


def _applies(setting: Setting, others: tuple[Part, ...]) -> bool:
    return may_sketch(setting, others, MANY)


def _slopes(game: Game, agent: Any) -> tuple[int, ...]:
    return (KNOWN_SLOPES,)


SKETCH = Array("sketch", lambda game, agent: (1, 2), np.float32, per_node=2)

PART = Part(
    "sketches",
    "Compares moves by float32 copies of their scores first, eight at once.",
    devices=("cpu",),
    applies=_applies,
    arrays=(SKETCH, Array("slopes", _slopes, np.float32)),
    steps={"choose": choose, "choose_new": first_of},
    hooks={"search_begins": begin, "expanded": draw_expanded, "updated": draw_updated},
)
