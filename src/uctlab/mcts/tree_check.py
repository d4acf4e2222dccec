"""Checks the arrays of a tree that comes from a file, before a kernel sees them.

Kernels trust their tree: a wrong index would read or write foreign memory, and a number out of
range may end in an index. Everything here is vectorised; tree_replay.py checks the moves.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from uctlab.agents import Agent
from uctlab.agents.refusals import is_ours
from uctlab.games import Game
from uctlab.mcts.binding import node_fields
from uctlab.parts import layout
from uctlab.parts.layout import MAX_DEPTH
from uctlab.parts.listing import PARTS
from uctlab.rules.backup.decay import SMALL_WEIGHT
from uctlab.rules.fields import MAX_VISITS, ROUNDING


class DamagedTreeError(ValueError):
    """What is wrong with a tree, in a few words."""


def check_tree(nodes: Any, counters: Any, rng: Any, game: Game, agent: Agent) -> None:
    """Raise DamagedTreeError unless kernels may work on them; the type of `nodes` is right."""
    _check_counters(nodes, counters, rng, game)
    _check_moves(nodes, game)
    families = _families(nodes)
    _check_visits(nodes, families, agent)
    for part in PARTS:
        if part.name in agent.parts and part.check is not None:
            _require(part.check(nodes, *families), f"what {part.name} notes in its nodes")
    _check_numbers(nodes, agent)


def _require(fine: Any, what: str) -> None:
    if not fine:
        raise DamagedTreeError(what)


def _check_counters(nodes: Any, counters: Any, rng: Any, game: Game) -> None:
    _require(nodes.ndim == 1 and 0 < len(nodes) <= MAX_VISITS, "its nodes are no list")
    _require(counters.shape == (layout.SAVED,) and counters.dtype == np.int64, "its counters")
    _require(rng.shape == (1,) and rng.dtype == np.uint64, "its random state")
    limits = {
        layout.FULL: 1,
        layout.DEEPEST: MAX_DEPTH,
        layout.LEVEL: MAX_DEPTH,
        layout.LAST_DEPTH: MAX_DEPTH,
        layout.LAST_LENGTH: game.max_length,
        layout.LAST_OUTCOME: layout.OUTCOME_UNITS,
    }
    within = all(0 <= counters[name] <= most for name, most in limits.items())
    _require(within and counters[layout.USED] == len(nodes), "a counter is out of range")


def _check_moves(nodes: Any, game: Game) -> None:
    count, move = nodes["count"], nodes["move"]
    _require(count.min() >= layout.OVER and count.max() <= game.max_moves, "a number of moves")
    # The root may have none, or the one that led to it in an earlier tree.
    codes = len(game.move_names)
    _require(-1 <= move[0] < codes, "a move does not exist")
    _require(((move[1:] >= 0) & (move[1:] < codes)).all(), "a move does not exist")


class Families(NamedTuple):
    """Every expanded node that can be reached from the root, in the order of the children."""

    parents: Any
    begins: Any
    """The first child of each; `ends` is behind its last one."""
    ends: Any


def _families(nodes: Any) -> Families:
    """Walk down from the root, level by level, and check that it is a tree.

    Every node has one parent at most, and the root none: so there is no cycle. Nodes that cannot be
    reached may be anything: threads leave blank ones, and removed moves leave copies.
    """
    inner = np.flatnonzero(nodes["count"] > 0)
    begins = nodes["first"][inner].astype(np.int64)
    ends = begins + nodes["count"][inner]
    # The expanded children of inner[i] are inner[low[i]] ... inner[high[i] - 1].
    low, high = np.searchsorted(inner, begins), np.searchsorted(inner, ends)
    reached = np.zeros(len(inner), bool)
    level = np.flatnonzero(inner[:1] == 0)
    for _ in range(MAX_DEPTH + 1):
        if not len(level):
            break
        _require(not reached[level].any(), "two nodes share a child")
        reached[level] = True
        low_of, high_of = low[level], high[level]
        _require((high_of - low_of).sum() <= len(inner), "two nodes share a child")
        level = _ranges(low_of, high_of)
    _require(not len(level), "it is too deep, or has a cycle")
    order = np.flatnonzero(reached)
    order = order[np.argsort(begins[order], kind="stable")]
    begins, ends = begins[order], ends[order]
    _require((begins >= 1).all() and (ends <= len(nodes)).all(), "a node outside of the tree")
    _require((begins[1:] >= ends[:-1]).all(), "two nodes share a child")
    return Families(inner[order], begins, ends)


def _ranges(low: Any, high: Any) -> Any:
    """All numbers of all ranges low[i] ... high[i] - 1, one after another."""
    lengths = high - low
    behind = np.cumsum(lengths)
    return np.arange(lengths.sum()) + np.repeat(low - behind + lengths, lengths)


def _check_visits(nodes: Any, families: Families, agent: Agent) -> None:
    visits = nodes["visits"]
    parents, begins, ends = families
    _require(visits.max() <= MAX_VISITS, "a node has too many visits")
    if is_ours(agent.backup):
        sums = np.concatenate([[0], np.cumsum(visits, dtype=np.int64)])
        enough = visits[parents] >= sums[ends] - sums[begins]
        _require(enough.all(), "a node has fewer visits than its moves")
    if agent.params.fpu == math.inf:  # moves are tried in order: rules/select/best.py, `untried`
        step = np.zeros(len(nodes) + 1, np.int8)
        step[begins + 1] += 1
        step[ends] -= 1
        younger = np.cumsum(step[:-1], dtype=np.int8)[1:] > 0  # has an elder sibling before it
        skipped = younger & (visits[1:] > 0) & (visits[:-1] == 0)
        _require(not skipped.any(), "a move was tried before its turn")


def _check_numbers(nodes: Any, agent: Agent) -> None:
    ours = is_ours(agent.backup)
    names = nodes.dtype.names
    for field in node_fields(agent):
        values = nodes[field.name]
        if values.dtype.kind == "f":
            within = values.min() >= field.low and values.max() <= field.high  # false for nan
            _require(within, f"a number in {field.name}")
    if "pending" in names:
        _require(not nodes["pending"].any(), "a thread has not finished")
    if ours:
        _check_sums(nodes)


def _check_sums(nodes: Any) -> None:
    """What belongs together in the statistics of one node."""
    names, visits = nodes.dtype.names, nodes["visits"]
    slack = ROUNDING * (1.0 + visits)
    if "total" in names:
        _require((nodes["total"] <= visits + slack).all(), "a sum exceeds its visits")
    if "squares" in names:
        fits = nodes["squares"] <= nodes["total"] + slack
        # No mean of squares is less than the square of the mean.
        fits &= nodes["squares"] * visits >= nodes["total"] ** 2 - slack * (1.0 + visits)
        _require(fits.all(), "a sum of squares")
    if "weight" in names:
        visited = visits[1:] > 0
        _require((nodes["weight"][1:][visited] >= SMALL_WEIGHT).all(), "a move has no weight")
