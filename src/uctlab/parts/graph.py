"""Transpositions: the mean of all results of a position, however it was reached.

The tree stays a tree. The first node of a position keeps the results of all its nodes, and the
others name that node as `same`. Visits stay those of each node, as in UCT2 of Childs, Brodeur and
Kocsis 2008: a move is valued by its position and explored by its own visits.

A table of `Work` has a digest of 64 bits for each position of the tree and the first of its nodes.
Two different positions with one digest would share their results; among a million positions the
chance of that is 1 in 37 million.

Nodes name each other by number, so no part of such a tree is kept for the next search, or saved.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from uctlab.games import Game
from uctlab.games.solve import CELLS_A_WORD
from uctlab.kernels import hole, kernel
from uctlab.parts.part import Array, Option, Part, Setting
from uctlab.rules.backup.mean import inverse_visits, parent_visits

__all__ = ["FIELDS", "backup", "clear", "inverse_visits", "parent_visits", "value"]

write_key: Any = hole("solver.write_key")

PROBES = 16  # places that are looked at; a position that finds no room shares nothing
MAX_SLOTS = 2**22

_START = np.uint64(0x9E3779B97F4A7C15)
_FACTOR = np.uint64(0xD6E8FEB86659FD93)
_SHIFT = np.uint64(32)


@kernel
def link(tree, work, node, depth, params):
    """At the first visit of a node: name the first node of its position."""
    nodes = tree.nodes
    key = work.key
    table = work.positions
    if nodes[node].visits > 0:
        return
    write_key(work.states[1], work.owners, key)
    digest = _digest(key)
    slots = len(table)
    at = np.int64(digest & np.uint64(slots - 1))
    for _ in range(PROBES):
        if table[at, 1] == 0:  # no node but the root has the number 0, and the root is no child
            table[at, 0] = digest
            table[at, 1] = np.uint64(node)
            return
        if table[at, 0] == digest:
            nodes[node].same = table[at, 1]
            return
        at = (at + 1) & (slots - 1)


@kernel
def _digest(key):
    digest = _START
    for i in range(len(key)):
        digest = (digest ^ np.uint64(key[i])) * _FACTOR
        digest ^= digest >> _SHIFT
    return digest


def slots_for(playouts: int) -> int:
    """Size of the table: every playout brings one position at most."""
    return int(min(MAX_SLOTS, 1 << (2 * playouts + 64).bit_length()))


FIELDS = [("total", "f8"), ("all_total", "f8"), ("all_visits", "u4"), ("same", "u4")]
# total                   sum of the node's own results
# all_total, all_visits   of all nodes of the position, in the first one
# same                    the first node of the position


@kernel
def clear(nodes, node):
    nodes[node].total = 0.0
    nodes[node].all_total = 0.0
    nodes[node].all_visits = 0
    nodes[node].same = node


@kernel
def backup(nodes, path, depth, reward, params):
    for level in range(depth, -1, -1):
        node = nodes[path[level]]
        node.visits += 1
        node.total += reward
        first = nodes[node.same]
        first.all_visits += 1
        first.all_total += reward
        reward = 1.0 - reward


@kernel
def value(nodes, node):
    first = nodes[node].same
    return nodes[first].all_total * (1.0 / nodes[first].all_visits)


def widened(table: Any, slots: int) -> Any:
    """A table with that many slots, a power of two, and the positions of the old one.

    Where a position may stand is decided by `link`: at its digest or one of the next places, with
    no empty place before it.
    """
    wider = np.zeros((slots, 2), np.uint64)
    left = table[table[:, 1] != 0]
    at = (left[:, 0] & np.uint64(slots - 1)).astype(np.int64)
    for _ in range(PROBES):
        free = np.flatnonzero(wider[at, 1] == 0)
        placed = free[np.unique(at[free], return_index=True)[1]]
        wider[at[placed]] = left[placed]
        left, at = np.delete(left, placed, axis=0), np.delete(at, placed)
        if not len(left):
            break
        at = (at + 1) & (slots - 1)
    return wider


def _table_for(table: Any, simulations: int) -> Any:
    """It grows with the tree: 64 MiB at once would take longer than many a move."""
    slots = slots_for(simulations)
    if table is None:
        return np.zeros((slots, 2), np.uint64)
    return widened(table, slots) if slots > len(table) else table


def _cells(game: Game) -> int:
    return game.diagram.cells if game.diagram is not None else 1


def _words(game: Game, agent: Any) -> tuple[int, ...]:
    return (_cells(game) // CELLS_A_WORD + 1,)


def _position_itself(setting: Setting, arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Without a diagram a position's key is its own memory."""
    if setting.game.diagram is not None:
        return {}
    word = np.dtype(f"u{math.gcd(setting.game.state.itemsize, 8)}")
    return {"key": arrays["states"][1:2].view(word)}


def _refuses(setting: Setting) -> str | None:
    game = setting.game
    if game.same_board is None:
        return None
    return (
        f"in {game.name} equal boards are not equal positions, since its rule against repetition "
        "looks at earlier boards; use graph=off"
    )


WROTE = "stones writes cells that the diagram does not have"
PART = Part(
    "graph",
    "Lets equal positions share their results, however they arise.",
    version=2,
    groups=("graph",),
    example="uct(graph=on)",
    source="childs2008",
    options={
        "graph": Option(
            "off",
            "whether equal positions share their results, however they arise",
            ("off", "on"),
            title="Share equal positions",
        )
    },
    chosen=("graph",),
    active=lambda setting: getattr(setting.agent.backup, "__name__", "") == __name__,
    rules=lambda values: {"backup": __name__},
    excludes={
        "backup": "it has a backup operator of its own",
        "threads": "it has one thread and one tree",
        "roots": "it has one thread and one tree",
    },
    gpu="a search on a GPU has no table of positions; use graph=off",
    arrays=(
        Array("key", _words, np.uint64),
        Array("owners", lambda game, agent: (_cells(game),), np.int8, guarded=WROTE),
        Array("positions", lambda game, agent: (1, 2), np.uint64, resized=_table_for),
    ),
    hooks={"moved": link},
    refuses=_refuses,
    views=_position_itself,
    keeps_tree=False,
)
