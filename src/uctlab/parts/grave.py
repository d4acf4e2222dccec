"""GRAVE: RAVE values of the nearest node above that has had enough playouts (cazenave2015).

(1 - b) r + b rave + c sqrt(ln s / n),  b = m / (m + n + bias m n)

with m samples of the same move at the reference: the nearest node on the way to the root, this one
included, where the same player is to move and which has `grave` visits; else the topmost one. Here
RAVE keeps samples for the moves of a node alone, so a move that the reference does not have has no
samples.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from uctlab.games import Game
from uctlab.kernels import hole, kernel
from uctlab.parts.part import Array, Part
from uctlab.parts.rave import option_of
from uctlab.parts.solver import hopeless
from uctlab.rules.select.best import better
from uctlab.rules.select.ucb1 import exploration as node_terms
from uctlab.rules.shared import pending

__all__ = ["node_terms", "score", "untried_score"]

value: Any = hole("backup.value")
inverse_visits: Any = hole("backup.inverse_visits")
untried: Any = hole("choice.untried")
SOLVER: bool = hole("agent.SOLVER")
SHARED: bool = hole("threads.SHARED", False)

# Columns at the end of each row of Work.references.
REFERENCE, LISTED = -1, -2
NONE = -1


@kernel
def untried_score(nodes, child, terms, params):
    """The RAVE value, or first-play urgency without samples."""
    return untried_by(nodes, child, params)


@kernel
def score(nodes, child, parent, terms, params):
    """With the node's own samples."""
    return score_by(nodes, child, parent, child, terms, params)


@kernel
def untried_by(nodes, sampled, params):
    if sampled >= 0 and nodes[sampled].samples > 0.0:
        return nodes[sampled].rave
    return params.fpu


@kernel
def score_by(nodes, child, parent, sampled, terms, params):
    """The score of a move whose samples are those of the node `sampled`, if that is not NONE."""
    inverse = inverse_visits(nodes, child, parent)
    mixed = value(nodes, child)
    if sampled >= 0 and nodes[sampled].samples > 0.0:
        samples = nodes[sampled].samples
        share = samples * inverse / (samples * inverse + 1.0 + params.rave_bias * samples)
        mixed += share * (nodes[sampled].rave - mixed)
    return mixed + math.sqrt(terms * inverse)


@kernel
def forget_references(tree, work, params):
    """A new descent begins."""
    references = work.references
    for side in range(2):
        references[side, REFERENCE] = NONE
        references[side, LISTED] = NONE


@kernel
def choose_by_reference(tree, work, parent, depth, params):
    """The move to select at a node that is `depth` moves from the root, below which the descent has
    called this at every level."""
    nodes = tree.nodes
    references = work.references
    side = depth & 1
    if references[side, REFERENCE] == NONE or nodes[parent].visits >= params.grave:
        references[side, REFERENCE] = parent
    chosen = np.int64(untried(nodes, parent, params))
    if chosen >= 0:
        return chosen
    reference = references[side, REFERENCE]
    if reference != parent:
        list_moves(nodes, reference, references[side])
    terms = node_terms(nodes, parent, params)
    first = np.int64(nodes[parent].first)
    chosen = first
    best = -math.inf
    for child in range(first, first + nodes[parent].count):
        if SOLVER and hopeless(nodes, child, parent):
            continue
        sampled = child
        if reference != parent:
            sampled = same_move(nodes, reference, references[side], nodes[child].move)
        if nodes[child].visits > 0 or (SHARED and pending(nodes, child) > 0):
            found = score_by(nodes, child, parent, sampled, terms, params)
        else:
            found = untried_by(nodes, sampled, params)
        if better(found, best):
            best = found
            chosen = child
    return chosen


@kernel
def list_moves(nodes, reference, row):
    """Enter the reference's moves in the row by their codes, once per descent."""
    if row[LISTED] != reference:
        first = np.int64(nodes[reference].first)
        for child in range(first, first + nodes[reference].count):
            row[nodes[child].move] = child
        row[LISTED] = reference


@kernel
def same_move(nodes, reference, row, move):
    """The reference's node of that move, or NONE; the row may have entries of other references."""
    found = row[move]
    first = np.int64(nodes[reference].first)
    if first <= found < first + nodes[reference].count and nodes[found].move == move:
        return found
    return np.int64(NONE)


def _references(game: Game, agent: Any) -> tuple[int, ...]:
    return 2, len(game.move_names) + 2


GRAVE = "rave=grave"
ALONE = "GRAVE scores moves by itself"
PART = Part(
    "grave",
    "Scores moves by the RAVE values of a node above that has had enough playouts.",
    groups=("rave",),
    example="uct(rave=grave,grave=5)",
    source="cazenave2015",
    options={
        "grave": option_of(
            GRAVE,
            "visits that a node needs for its own RAVE values to be used",
            50.0,
            low=0,
            high=1e9,
            title="Visits for RAVE values of its own",
            reads=frozenset({"rave_bias"}),  # it is read where moves are chosen, not by a rule
        ),
        "rave_bias": option_of(
            GRAVE,
            "bias of RAVE values, which limits their weight",
            1e-5,
            low=0,
            high=1,
            title="Bias of GRAVE",
            reads=frozenset({"rave_bias"}),
        ),
    },
    chosen=lambda values: values.get("rave") == "grave",
    active=lambda setting: getattr(setting.agent.select, "__name__", "") == __name__,
    switch="rave",
    scores_alone=ALONE,
    excludes=dict.fromkeys(("widening", "graph"), ALONE),
    arrays=(Array("references", _references, np.int64),),
    steps={"choose": choose_by_reference, "choose_new": choose_by_reference},
    hooks={"simulation_begins": forget_references},
)
