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

from uctlab.games import Game
from uctlab.kernels import hole, kernel
from uctlab.parts import evaluation
from uctlab.parts.layout import LEVEL, MAX_DEPTH
from uctlab.parts.part import Array, Option, Part, Setting
from uctlab.rules.select.best import better

play: Any = hole("game.play")
node_terms: Any = hole("select.node_terms")
score: Any = hole("select.score")
select: Any = hole("choice.select")
untried: Any = hole("choice.untried")
copy_record: Any = hole("device.copy_record")
enter: Any = hole("step.enter")
next_move: Any = hole("step.choose")
step_into: Any = hole("step.move_to")
ALL: bool = hole("depth_first.ALL")

NONE = -1  # no second-best move: moves are still being tried, or there is only one


@kernel
def descend(tree, work, params):
    """From where the last simulation left the search; returns node and depth."""
    depth = work.own[LEVEL]
    work.path[0] = 0
    node = work.path[depth]
    while tree.nodes[node].count > 0:
        node = next_move(tree, work, node, depth, params)
        depth += 1
        step_into(tree, work, node, depth, params)
    return node, depth


@kernel
def choose(tree, work, node, depth, params):
    """The best move; the second-best one is remembered."""
    if ALL:
        return np.int64(select(tree.nodes, node, params))
    child, work.rivals[depth] = _best_two(tree.nodes, node, params)
    return child


@kernel
def move_to(tree, work, node, depth, params):
    """Play the move into a node, from the position one level above."""
    enter(tree, work, node)
    copy_record(work.states, depth, depth - 1)
    play(work.states[depth], tree.nodes[node].move)
    work.path[depth] = node


@kernel
def position_at(depth):
    return depth


@kernel
def go_back(tree, work, depth, length, outcome, params):
    """Go back to the first level at which another move would be chosen now."""
    nodes = tree.nodes
    path = work.path
    level = 0
    while level < depth and not _overtaken(
        nodes, path[level], path[level + 1], work.rivals[level], params
    ):
        level += 1
    if level == depth:  # the playout has overwritten the leaf's position, which is needed again
        copy_record(work.states, depth, depth - 1)
        play(work.states[depth], nodes[path[depth]].move)
    work.own[LEVEL] = level


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


def _levels(game: Game, agent: Any) -> tuple[int, ...]:
    return (MAX_DEPTH + 2,)


def _refuses(setting: Setting) -> str | None:
    guesses = evaluation.GUESSES.is_active(setting)
    return "depth-first UCT remembers no evaluations" if guesses else None


PART = Part(
    "depth_first",
    "Goes on from where the last simulation ended, as long as no other move looks better.",
    groups=("depth first",),
    example="dfuct",
    source="yoshimoto2007",
    options={
        "rivals": Option(
            "second",
            "moves compared with the chosen one at each level",
            ("second", "all"),
            title="Rivals compared",
        )
    },
    chosen=lambda values: "rivals" in values,
    excludes={"several_playouts": "depth-first UCT makes one playout per leaf"},
    arrays=(Array("rivals", _levels, np.int64),),
    steps={
        "descend": descend,
        "choose": choose,
        "choose_new": choose,
        "move_to": move_to,
        "position_at": position_at,
    },
    hooks={"updated": go_back},
    fills=lambda setting: {"ALL": setting.agent.option("rivals") == "all"},
    positions=MAX_DEPTH + 2,
    spoils_scores=lambda setting: False,
    refuses=_refuses,
)
