"""MCTS-Solver: what is proven about a node, as bounds on its result (winands2008, cazenave2010).

A node has the least and the highest result that it can still have, in half points, for the player
who moved into it. Where the game is over both are the result. Above that, the player to move gets
at least the best lower bound among the moves and at most the best upper bound, and the player who
moved into the node gets the rest.

A move that can gain nothing has the score -inf. Once the root is proven the search ends.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from uctlab.kernels import hole, kernel
from uctlab.parts.final_move import leads, value_of
from uctlab.parts.layout import OVER
from uctlab.parts.part import Column, Option, Part, Setting
from uctlab.rules.fields import Field
from uctlab.rules.shared import latch, unlatch

WIN = 2  # half points

moves: Any = hole("game.moves")
result: Any = hole("game.result")
claim: Any = hole("step.claim")
count_of: Any = hole("step.count_of")
publish: Any = hole("step.publish")
usual_score: Any = hole("wrapped.score")
SHARED: bool = hole("threads.SHARED", False)  # several threads build one tree


@kernel
def clear_bounds(nodes, node):
    nodes[node].low = 0
    nodes[node].high = WIN


@kernel
def proven(nodes, node):
    return nodes[node].low == nodes[node].high


@kernel
def hopeless(nodes, child, parent):
    """Whether a move can gain nothing: its player has at least as much by another one."""
    return np.int64(nodes[child].high) + np.int64(nodes[parent].high) <= WIN


@kernel
def root_is_proven(tree, work, params):
    return proven(tree.nodes, 0)


@kernel
def score(nodes, child, parent, terms, params):
    """Moves that can gain nothing come last.

    As long as a node is not proven itself it has a move that can gain something, so the search
    enters no proven node.
    """
    if hopeless(nodes, child, parent):
        return -math.inf
    return usual_score(nodes, child, parent, terms, params)


@kernel
def note_end(tree, work, node, depth, params):
    """Note at the first visit of a leaf whether the game is over there."""
    nodes = tree.nodes
    if (
        nodes[node].visits == 0
        and count_of(nodes, node) == 0
        and moves(work.states[1], work.out) == 0
        and claim(nodes, node)
    ):
        publish(nodes, node, OVER)


@kernel
def prove_end(tree, work, depth, length, outcome, params):
    """Enter the end of the game, if the simulation has come to it in the tree."""
    nodes = tree.nodes
    leaf = work.path[depth]
    if count_of(nodes, leaf) == OVER and not proven(nodes, leaf):
        reward = result(work.states[1])
        moved_first = (np.int64(work.states[0].turn) + depth) & 1 == 1
        prove(nodes, work.path, depth, reward if moved_first else 1.0 - reward)


@kernel
def prove(nodes, path, depth, reward):
    """Enter the end of the game at path[depth], with its result for the player who moved there.

    Bounds only ever narrow, so of several threads the last one to pass a node leaves it right.
    """
    leaf = path[depth]
    if proven(nodes, leaf):
        return
    nodes[leaf].low = np.uint8(math.floor(WIN * reward))
    nodes[leaf].high = np.uint8(math.ceil(WIN * reward))
    for level in range(depth - 1, -1, -1):
        if not narrow(nodes, path[level]):
            return


@kernel
def narrow(nodes, node):
    """Take a node's bounds from its moves; whether they have changed."""
    if SHARED:
        latch(nodes, node)
    low = np.int64(0)  # of the player to move
    high = np.int64(0)
    first = np.int64(nodes[node].first)
    for child in range(first, first + nodes[node].count):
        low = max(low, np.int64(nodes[child].low))
        high = max(high, np.int64(nodes[child].high))
    # A tree that was cut for want of room may know more than its moves do.
    changed = False
    if nodes[node].low < WIN - high:
        nodes[node].low = np.uint8(WIN - high)
        changed = True
    if nodes[node].high > WIN - low:
        nodes[node].high = np.uint8(WIN - low)
        changed = True
    if SHARED:
        unlatch(nodes, node)
    return changed


@kernel
def best_proven(nodes):
    """The leader among the moves of the root that are not proven to be worse than another one.

    A proven draw is played rather than a move that has less than half of its results.
    """
    first = np.int64(nodes[0].first)
    sure = 0
    for child in range(first, first + nodes[0].count):
        sure = max(sure, np.int64(nodes[child].low))
    best = np.int64(-1)  # among moves that may still bring more
    safe = np.int64(-1)  # among moves that bring that much
    for child in range(first, first + nodes[0].count):
        if nodes[child].high > sure:
            if best < 0 or leads(nodes, child, best):
                best = child
        elif nodes[child].low == sure and (safe < 0 or leads(nodes, child, safe)):
            safe = child
    if best < 0:
        return safe
    if safe >= 0 and sure > 0 and value_of(nodes, best) < sure / WIN:
        return safe
    return best


def _verdict(node: Any, words: tuple[str, str, str]) -> str | None:
    """The word for what the player who moved into the node gets: nothing, half or all of a win."""
    return words[int(node.low)] if node.low == node.high else None


def _fits(nodes: Any, parents: Any, begins: Any, ends: Any) -> bool:
    """Whether a node's bounds are those of its moves, or closer where a tree was cut for want of
    room."""
    low, high = nodes["low"].astype(int), nodes["high"].astype(int)
    if (low > high).any() or high.max() > WIN:
        return False
    places = np.column_stack([begins, ends]).ravel()
    if not len(places):
        return True
    most_low, most_high = (
        np.maximum.reduceat(np.append(bound, 0), places)[::2] for bound in (low, high)
    )
    follows = (low[parents] >= WIN - most_high) & (high[parents] <= WIN - most_low)
    return bool(follows.all())


def _refuses(setting: Setting) -> str | None:
    game = setting.game
    if game.same_board is None:
        return None
    return (
        f"{game.name} has a rule against repetition that the tree does not know, so nothing can be "
        "proven; use solver=off"
    )


PART = Part(
    "solver",
    "Proves wins, losses and draws from the ends of games in the tree.",
    groups=("proofs",),
    example="uct(solver=on)",
    source="winands2008, cazenave2010",
    options={
        "solver": Option(
            "off",
            "MCTS-Solver: whether the search proves wins, losses and draws from the ends of games "
            "in its tree, and stops once the position is proven",
            ("off", "on"),
            title="Prove wins and losses",
        )
    },
    chosen=("solver",),
    excludes={
        "pruning": "proofs need all moves",
        "root_filter": "proofs need all moves",
        "widening": "proofs need all moves",
        "bias": "both change how moves are selected",
        "graph": "proofs belong to the nodes of a tree",
        "roots": "trees prove on their own",
    },
    reads_counts=True,
    refuses=_refuses,
    forbids_moves=True,
    columns={
        "proven": Column(
            "win, draw or loss for the player who makes the move, if the search has proven it",
            lambda node: _verdict(node, ("loss", "draw", "win")),
        )
    },
    fields=(Field("low", "u1"), Field("high", "u1")),
    steps={"final_move": best_proven},
    wraps={"score": score},
    check=_fits,
    proves=lambda root: _verdict(root, ("win", "draw", "loss")),
    hooks={
        "finished": root_is_proven,
        "leaf_reached": note_end,
        "played_out": prove_end,
        "node_made": clear_bounds,
        "cut": clear_bounds,
    },
)
