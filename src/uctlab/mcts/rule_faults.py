"""Notices, after a search, that a rule of the user's own has not done its part.

Without this a backup operator that counts no visits would report 0 playouts, and scores that are no
numbers would select the first move in silence.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from uctlab.errors import UsageError
from uctlab.kernels import specialise

if TYPE_CHECKING:
    from uctlab.mcts.binding import Binding
    from uctlab.mcts.view import TreeView

ROUNDING = 1e-6
ADVICE = "uctlab check FILE --rule tests a rule"


def refuse_lost_visits(binding: Binding, counted: int, made: int, view: TreeView) -> None:
    """UsageError unless the root has as many new visits as playouts were made, and so have its
    moves."""
    below = sum(int(view.nodes[child].visits) for child in view.children(0))
    kept = int(view.nodes[0].visits) - counted  # in a tree that is reused
    for where, visits in (("of the root", counted), ("of its moves", below)):
        if visits != made and (kept == 0 or visits == counted):
            raise UsageError(
                f"{binding.agent}: the backup operator counted {visits:,} visits {where} in "
                f"{made:,} playouts; {ADVICE}"
            )


def wrong_value(value: float) -> str:
    """What is wrong with a node's value; empty if it is from 0 to 1."""
    if math.isfinite(value) and -ROUNDING <= value <= 1 + ROUNDING:
        return ""
    return f"{value:g}, not a number from 0 to 1"


def wrong_score(score: float) -> str:
    """What is wrong with a move's score; empty if it is finite."""
    return "" if math.isfinite(score) else f"{score:g}, not a finite number"


def refuse_wrong_values(binding: Binding, view: TreeView) -> None:
    """UsageError if the value of a visited move at the root makes no sense."""
    for child in view.children(0):
        if view.nodes[child].visits > 0 and (wrong := wrong_value(view.value(child))):
            raise UsageError(
                f"{binding.agent}: the backup operator's value of {view.move_name(child)} is "
                f"{wrong}; {ADVICE}"
            )


def refuse_wrong_scores(binding: Binding, view: TreeView) -> None:
    """UsageError if the selection rule's score of a visited move at the root is not finite."""
    for child, score in root_scores(binding, view.nodes):
        if wrong := wrong_score(score):
            raise UsageError(
                f"{binding.agent}: the selection rule's score of {view.move_name(child)} is "
                f"{wrong}; {ADVICE}"
            )


def root_scores(binding: Binding, nodes: Any, parent: int = 0) -> list[tuple[int, float]]:
    """The visited children of a node and their scores, computed as plain Python."""
    rule, params = binding.agent.select, binding.agent.params
    node_terms = specialise(rule.node_terms, interpret=True, **binding.owners)
    score = specialise(rule.score, interpret=True, **binding.owners)
    terms = node_terms(nodes, parent, params)
    first, count = int(nodes[parent].first), int(nodes[parent].count)
    return [
        (child, float(score(nodes, child, parent, terms, params)))
        for child in range(first, first + max(count, 0))
        if nodes[child].visits > 0
    ]
